/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef _KERNEL_KPROBES_TESTS_FORMS_H
#define _KERNEL_KPROBES_TESTS_FORMS_H
/*
 * Instructions, and a way to run one with everything it can see under control.
 * For C and assembly.
 */

/* struct form_state, for assembly: registers in the order instructions number them */
#define FORM_REGS	0
#define FORM_FLAGS	(16 * 8)
#define FORM_END	(17 * 8)
#define FORM_STACK	(18 * 8)
#define FORM_WORDS	32
#define FORM_DATA	(FORM_STACK + FORM_WORDS * 8)

/* Words of the stack below where the form finds the stack pointer */
#define FORM_BELOW	4

#ifndef __ASSEMBLY__
#include <linux/linkage.h>
#include <linux/types.h>

/**
 * struct form_state - what a form finds, and what it leaves
 * @regs: by number; the stack pointer is the runner's
 * @flags: of the processor
 * @end: written: which end the form has come to
 * @stack: words from FORM_BELOW below the stack pointer at the start
 * @data: what pointers point to
 */
struct form_state {
	unsigned long	regs[16];
	unsigned long	flags;
	unsigned long	end;
	unsigned long	stack[FORM_WORDS];
	unsigned long	data[FORM_WORDS];
};

/**
 * struct form - an instruction
 * @addr: where it is
 * @text: in words
 * @mode: what the registers hold: r random values; m pointers to data in rsi, rdi,
 *	rbp, r8, r12 and r13, indexes in rbx, r9 and rcx; b all registers the address
 *	of the far end; c as m, and all words that address; f the top of the stack
 *	flags; n a small count in rcx
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

/* The stack pointer it has found */
extern unsigned long form_first_sp;

/* Where forms that branch go to */
extern const u8 form_far[];

asmlinkage void form_run(const u8 *addr);
#endif
#endif /* _KERNEL_KPROBES_TESTS_FORMS_H */
