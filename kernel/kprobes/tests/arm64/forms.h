/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef _KERNEL_KPROBES_TESTS_ARM64_FORMS_H
#define _KERNEL_KPROBES_TESTS_ARM64_FORMS_H
/*
 * Instructions, and a way to run one with everything it can see under control.
 * For C and assembly.
 */

/* struct form_state, for assembly */
#define FORM_REGS	0
#define FORM_SP		(31 * 8)
#define FORM_NZCV	(32 * 8)
#define FORM_DAIF	(33 * 8)
#define FORM_END	(34 * 8)
#define FORM_PAD	(35 * 8)
#define FORM_VECTOR	(36 * 8)
#define FORM_STACK	(38 * 8)
#define FORM_WORDS	32
#define FORM_DATA	(FORM_STACK + FORM_WORDS * 8)

/* Words of the stack below where the form finds the stack pointer */
#define FORM_BELOW	8

#ifndef __ASSEMBLY__
#include <linux/linkage.h>
#include <linux/types.h>

/**
 * struct form_state - what a form finds, and what it leaves
 * @regs: by number; x18 is not touched
 * @sp: written: how far the stack pointer has moved
 * @nzcv: flags of the processor
 * @daif: written: what is masked
 * @end: written: which end the form has come to
 * @pad: unused
 * @vector: the register v0
 * @stack: words from FORM_BELOW below the stack pointer at the start
 * @data: what pointers point to
 */
struct form_state {
	unsigned long	regs[31];
	long		sp;
	unsigned long	nzcv;
	unsigned long	daif;
	unsigned long	end;
	unsigned long	pad;
	unsigned long	vector[2];
	unsigned long	stack[FORM_WORDS];
	unsigned long	data[FORM_WORDS];
};

/**
 * struct form - an instruction
 * @addr: where it is
 * @text: in words
 * @mode: what the registers hold: r random values; m pointers to data in x1, x3
 *	and x20, a small index in x2; b all registers the address of the far end;
 *	n small numbers, zero among them
 * @class: c copied, e emulated
 */
struct form {
	const u8	*addr;
	const char	*text;
	char		mode;
	char		class;
};

extern const struct form forms_start[], forms_end[];

/* The state of the form that runs: no other context or CPU may use it meanwhile */
extern struct form_state form_state;

/* Where forms that branch go to */
extern const u8 form_far[];

asmlinkage void form_run(const u8 *begin);
#endif
#endif /* _KERNEL_KPROBES_TESTS_ARM64_FORMS_H */
