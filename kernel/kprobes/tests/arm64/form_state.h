/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef _KERNEL_KPROBES_TESTS_ARM64_FORM_STATE_H
#define _KERNEL_KPROBES_TESTS_ARM64_FORM_STATE_H
/*
 * The state that a form starts from, and that it leaves. For C and assembly.
 */

/* struct form_state, for assembly */
#define FORM_REGS	0
#define FORM_FLAGS	(31 * 8)
#define FORM_SP		(32 * 8)
#define FORM_DAIF	(33 * 8)
#define FORM_END	(34 * 8)
#define FORM_PAD	(35 * 8)
#define FORM_VECTOR	(36 * 8)
#define FORM_STACK	(38 * 8)
#define FORM_WORDS	32
#define FORM_DATA	(FORM_STACK + FORM_WORDS * 8)

/* Words of the stack below the stack pointer that the form starts with */
#define FORM_BELOW	8

/* Number of runs of each form in each way */
#define FORM_ROUNDS	4

#ifndef __ASSEMBLY__
#include <linux/linkage.h>
#include <linux/types.h>

/**
 * struct form_state - the state that a form starts from, and that it leaves
 * @regs: by number; x18 is not changed
 * @flags: of the processor
 * @sp: written: the distance that the stack pointer has moved
 * @daif: written: the interrupt mask
 * @end: written: the end that the form has reached
 * @pad: unused
 * @vector: the register v0
 * @stack: starts FORM_BELOW words below the initial stack pointer
 * @data: the target of pointers
 */
struct form_state {
	unsigned long	regs[31];
	unsigned long	flags;
	long		sp;
	unsigned long	daif;
	unsigned long	end;
	unsigned long	pad;
	unsigned long	vector[2];
	unsigned long	stack[FORM_WORDS];
	unsigned long	data[FORM_WORDS];
};

asmlinkage void form_run(const u8 *begin);
#endif
#endif /* _KERNEL_KPROBES_TESTS_ARM64_FORM_STATE_H */
