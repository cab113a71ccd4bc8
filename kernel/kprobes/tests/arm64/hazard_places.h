/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef _KERNEL_KPROBES_TESTS_ARM64_HAZARD_PLACES_H
#define _KERNEL_KPROBES_TESTS_ARM64_HAZARD_PLACES_H
#include <asm/sysreg.h>

/* PSTATE.TCO: if set, memory tags are not checked */
#define HAZARD_TCO		sys_reg(3, 3, 4, 2, 7)
/* PSTATE.DIT */
#define HAZARD_DIT		sys_reg(3, 3, 4, 2, 5)

/* What hazard_state() loads */
#define HAZARD_LITERAL		0x76543210

#ifndef __ASSEMBLY__
#include <linux/linkage.h>
#include <linux/types.h>

/* hazard_places.S; hazard_X_at is the probed instruction of hazard_X(). */

/*
 * Sets the flags and executes the conditional branch at @at. Returns 1 if it branches.
 * There are 16 branches of each of two kinds, HAZARD_BRANCH_SIZE bytes apart. Some
 * processors do not have the second kind.
 */
asmlinkage int hazard_branch(unsigned long nzcv, const u8 *at);

extern const u8 hazard_b_cond[], hazard_bc_cond[];

#define HAZARD_BRANCH_SIZE	20

/* ++*@to, by an exclusive sequence; probed before and after the sequence */
asmlinkage int hazard_add(int *to);

extern const u8 hazard_add_before[], hazard_add_behind[];

/* *@to = @value */
asmlinkage void hazard_store(unsigned long *to, unsigned long value);

extern const u8 hazard_store_at[];

/* Returns NZCV after an instruction that does not change it. */
asmlinkage unsigned long hazard_flags(void);

extern const u8 hazard_flags_at[];

/*
 * Returns *@from of user space, or ~0 if the read faults. Three places are probed while
 * access to user memory is open: a copied and an emulated instruction, and a function.
 */
asmlinkage unsigned long hazard_read_user(const void __user *from);
asmlinkage void hazard_callee(void);

extern const u8 hazard_read_copied[], hazard_read_emulated[];

/* Returns PSTATE.TCO after it was set and hazard_callee() was called. */
asmlinkage unsigned long hazard_tags_unchecked(void);

/**
 * struct hazard_state - what hazard_state() finds
 * @before: PSTATE, as far as code can read it, before the probed instructions
 * @after: the same after them
 * @elr: ELR_EL1 after them
 * @spsr: SPSR_EL1
 * @copied: what the first of them writes: its argument
 * @adr: the second one: the address of hazard_state()
 * @link: the third one, in the link register
 * @literal: the fifth one, after a branch: the literal
 */
struct hazard_state {
	unsigned long	before, after;
	unsigned long	elr, spsr;
	unsigned long	copied, adr, link;
	unsigned long	literal;
};

/* Executes six instructions with all exceptions masked, and ELR_EL1 and SPSR_EL1 set. */
asmlinkage void hazard_state(struct hazard_state *state, unsigned long elr, unsigned long spsr);

extern const u8 hazard_state_copied[], hazard_state_adr[], hazard_state_bl[];
extern const u8 hazard_state_b[], hazard_state_ldr[], hazard_state_not_taken[];

/*
 * Jumps to @entry as if a BRK with @esr had been executed, but the text holds another
 * instruction. Returns 1 if that instruction is executed afterwards.
 */
asmlinkage int hazard_ghost(unsigned long entry, unsigned long esr);

#endif /* !__ASSEMBLY__ */
#endif /* _KERNEL_KPROBES_TESTS_ARM64_HAZARD_PLACES_H */
