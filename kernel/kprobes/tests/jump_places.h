/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef _KERNEL_KPROBES_TESTS_JUMP_PLACES_H
#define _KERNEL_KPROBES_TESTS_JUMP_PLACES_H
/*
 * The probed code of the jump test, jump_places.S of each architecture. jump_place_short is
 * the only instruction with a name that can be shorter than a branch.
 */
#include <linux/kconfig.h>
#include <linux/linkage.h>
#include <linux/types.h>

/* Returns @value + 3 */
asmlinkage int jump_place(int value);

/*
 * A byte of jump_place_copied, and another value, with which jump_place() returns a number
 * that is 64 greater
 */
#define JUMP_OTHER_AT	(IS_ENABLED(CONFIG_X86_64) ? 1 : 2)
#define JUMP_OTHER	(IS_ENABLED(CONFIG_X86_64) ? 65 : 1)
#define JUMP_OTHER_MORE	64

/* Called by jump_place(): returns the value in the register of its result + 1 */
extern const u8 jump_place_inner[];

/* Addresses of instructions in jump_place() */
extern const u8 jump_place_copied[], jump_place_call[], jump_place_branch[];
extern const u8 jump_place_branched_to[], jump_place_short[];

/**
 * jump_place_state() - execute an instruction in an unusual state of the processor
 *
 * Memory of users is open, and flags are set that the C code of the kernel does not expect.
 *
 * Context: interrupts off.
 * Return: the state after the instruction.
 */
asmlinkage unsigned long jump_place_state(void);

/* Its instruction */
extern const u8 jump_place_stated[];

#ifdef CONFIG_X86_64
#include <asm/irqflags.h>
#include <asm/processor-flags.h>

#define HAVE_JUMP_SHORT	true

/* Is this the state that handlers run in? */
static inline bool jump_state_is_handlers(void)
{
	return !(native_save_fl() & (X86_EFLAGS_AC | X86_EFLAGS_DF));
}
#endif

#ifdef CONFIG_ARM64
#include <linux/cpufeature.h>
#include <asm/sysreg.h>

#define HAVE_JUMP_SHORT	false

static inline bool jump_state_is_handlers(void)
{
	return !system_uses_hw_pan() || read_sysreg_s(SYS_PSTATE_PAN);
}
#endif

#endif /* _KERNEL_KPROBES_TESTS_JUMP_PLACES_H */
