/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef _KERNEL_KPROBES_TESTS_MACHINE_H
#define _KERNEL_KPROBES_TESTS_MACHINE_H
/*
 * What the tests that run on every architecture have to know of it.
 *
 *	TRAP_LEAVES_IP		how far behind its address a handler sees the ip
 *	MISALIGNED		an offset where no instruction begins, in a function
 *				that has an ftrace site
 *	ENTRY_BY_FTRACE		is a function's entry probed by its ftrace site
 *	TRAP_MASKS_NMI		does no NMI come while the handlers of a trap run
 *	PLAY_DEAD		what a CPU that goes offline calls, and stays in
 */
#include <kunit/test.h>
#include <linux/ptrace.h>

#ifdef CONFIG_X86_64
#include <asm/segment.h>

#define TRAP_LEAVES_IP	1
#define MISALIGNED	(IS_ENABLED(CONFIG_X86_KERNEL_IBT) ? 6 : 2)
#define ENTRY_BY_FTRACE	true
#define TRAP_MASKS_NMI	false
#define PLAY_DEAD	"native_play_dead"

/* What trap_place() has made of its argument so far */
static inline int place_result(const struct pt_regs *regs)
{
	return regs->ax;
}

static inline int place_argument(const struct pt_regs *regs)
{
	return regs->di;
}

/* Where a function that has just been entered returns to */
static inline unsigned long entry_return_address(const struct pt_regs *regs)
{
	return *(unsigned long *)regs->sp;
}

/* What an exception leaves in the registers beside those of the probed code */
static inline void check_trap_regs(struct kunit *test, const struct pt_regs *regs)
{
	KUNIT_EXPECT_EQ(test, regs->orig_ax, -1UL);
	KUNIT_EXPECT_EQ(test, regs->cs, __KERNEL_CS);
	KUNIT_EXPECT_EQ(test, regs->ss, __KERNEL_DS);
}
#endif

#ifdef CONFIG_ARM64
#define TRAP_LEAVES_IP	0
#define MISALIGNED	2
#define ENTRY_BY_FTRACE	false
#define TRAP_MASKS_NMI	true
#define PLAY_DEAD	"cpu_psci_cpu_die"

static inline int place_result(const struct pt_regs *regs)
{
	return regs->regs[8];
}

/* At the end the result is where the argument was, and that is beside it */
static inline int place_argument(const struct pt_regs *regs)
{
	return (int)regs->regs[0] == 10 ? regs->regs[0] : regs->regs[1];
}

static inline unsigned long entry_return_address(const struct pt_regs *regs)
{
	return regs->regs[30];
}

static inline void check_trap_regs(struct kunit *test, const struct pt_regs *regs)
{
	KUNIT_EXPECT_FALSE(test, user_mode(regs));
	KUNIT_EXPECT_TRUE(test, interrupts_enabled(regs));
	KUNIT_EXPECT_EQ(test, regs->sp % 16, 0);
}
#endif

#endif /* _KERNEL_KPROBES_TESTS_MACHINE_H */
