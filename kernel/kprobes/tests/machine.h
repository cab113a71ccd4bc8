/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef _KERNEL_KPROBES_TESTS_MACHINE_H
#define _KERNEL_KPROBES_TESTS_MACHINE_H
/*
 * Properties of the architecture for the tests that run on all architectures.
 *
 *	TRAP_LEAVES_IP		offset of a handler's ip from the probed address
 *	MISALIGNED		an offset where no instruction begins, in a function
 *				that has an ftrace site
 *	ENTRY_BY_FTRACE		is a function's entry probed by its ftrace site?
 *	TRAP_MASKS_NMI		are NMIs masked while the handlers of a trap run?
 *	after_pad()		the address of the instruction there; or the next one, if it is a
 *				landing pad that cannot be probed
 */
#include <kunit/test.h>
#include <linux/ptrace.h>

#define ENTRY_BY_FTRACE	IS_ENABLED(CONFIG_KPROBES_ON_FTRACE)

#ifdef CONFIG_X86_64
#include <asm/ibt.h>
#include <asm/segment.h>

#define TRAP_LEAVES_IP	1
#define MISALIGNED	(IS_ENABLED(CONFIG_X86_KERNEL_IBT) ? 6 : 2)
#define TRAP_MASKS_NMI	false

/* clang begins what a jump label leads to with a landing pad */
static inline unsigned long after_pad(unsigned long addr)
{
	return is_endbr(*(u32 *)addr) ? addr + 4 : addr;
}

/* The intermediate result of trap_place() */
static inline int place_result(const struct pt_regs *regs)
{
	return regs->ax;
}

static inline void place_set_result(struct pt_regs *regs, int value)
{
	regs->ax = value;
}

static inline int place_argument(const struct pt_regs *regs)
{
	return regs->di;
}

/* The return address of a function, at its entry */
static inline unsigned long entry_return_address(const struct pt_regs *regs)
{
	return *(unsigned long *)regs->sp;
}

static inline void entry_set_return_address(struct pt_regs *regs, unsigned long addr)
{
	*(unsigned long *)regs->sp = addr;
}

/* Check the registers that an exception sets. */
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
#define TRAP_MASKS_NMI	true

static inline unsigned long after_pad(unsigned long addr)
{
	return addr;
}

static inline int place_result(const struct pt_regs *regs)
{
	return regs->regs[8];
}

static inline void place_set_result(struct pt_regs *regs, int value)
{
	regs->regs[8] = value;
}

/* At the end x0 holds the result and x1 the argument. */
static inline int place_argument(const struct pt_regs *regs)
{
	return (int)regs->regs[0] == 10 ? regs->regs[0] : regs->regs[1];
}

static inline unsigned long entry_return_address(const struct pt_regs *regs)
{
	return regs->regs[30];
}

static inline void entry_set_return_address(struct pt_regs *regs, unsigned long addr)
{
	regs->regs[30] = addr;
}

static inline void check_trap_regs(struct kunit *test, const struct pt_regs *regs)
{
	KUNIT_EXPECT_FALSE(test, user_mode(regs));
	KUNIT_EXPECT_TRUE(test, interrupts_enabled(regs));
	KUNIT_EXPECT_EQ(test, regs->sp % 16, 0);
}
#endif

#endif /* _KERNEL_KPROBES_TESTS_MACHINE_H */
