/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef _KERNEL_KPROBES_TESTS_X86_FORM_STATE_H
#define _KERNEL_KPROBES_TESTS_X86_FORM_STATE_H
/*
 * What a form finds, and what it leaves. For C and assembly.
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

/* How often each form is run in each way */
#define FORM_ROUNDS	8

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

/* The stack pointer the last form has found */
extern unsigned long form_first_sp;

asmlinkage void form_run(const u8 *addr);
#endif
#endif /* _KERNEL_KPROBES_TESTS_X86_FORM_STATE_H */
