/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef _KERNEL_KPROBES_TESTS_ARM64_HARD_PLACES_H
#define _KERNEL_KPROBES_TESTS_ARM64_HARD_PLACES_H
#include <asm/sysreg.h>

/* PSTATE.TCO: tags of memory are not checked */
#define HARD_TCO		sys_reg(3, 3, 4, 2, 7)

#ifndef __ASSEMBLY__
#include <linux/linkage.h>
#include <linux/types.h>

/* hard_places.S; hard_X_at is the instruction of hard_X() that is probed */

/*
 * Sets the flags and goes to @at, a conditional branch: 1 if that branches. There
 * are 16 of each kind, HARD_BRANCH_SIZE bytes apart; not every processor has the
 * second.
 */
asmlinkage int hard_branch(unsigned long nzcv, const u8 *at);

extern const u8 hard_b_cond[], hard_bc_cond[];

#define HARD_BRANCH_SIZE	20

/* ++*@to, by an exclusive sequence; probed in front of it and behind it */
asmlinkage int hard_add(int *to);

extern const u8 hard_add_before[], hard_add_behind[];

/* *@to = @value */
asmlinkage void hard_store(unsigned long *to, unsigned long value);

extern const u8 hard_store_at[];

/* NZCV behind an instruction that does not change it */
asmlinkage unsigned long hard_flags(void);

extern const u8 hard_flags_at[];

/*
 * *@from of user space, ~0 if that faults. Copied, emulated, and in a function of
 * its own: in each place access to user memory is open.
 */
asmlinkage unsigned long hard_read_user(const void __user *from);
asmlinkage void hard_callee(void);

extern const u8 hard_read_copied[], hard_read_emulated[];

/* PSTATE.TCO where it has been set, behind a call of hard_callee() */
asmlinkage unsigned long hard_tags_unchecked(void);

/*
 * Goes to @entry as if there had been a BRK with @esr, but the instruction that is
 * there is another one: 1 if that is executed then.
 */
asmlinkage int hard_ghost(unsigned long entry, unsigned long esr);

#endif /* !__ASSEMBLY__ */
#endif /* _KERNEL_KPROBES_TESTS_ARM64_HARD_PLACES_H */
