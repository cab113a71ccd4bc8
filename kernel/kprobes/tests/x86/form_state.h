/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef _KERNEL_KPROBES_TESTS_X86_FORM_STATE_H
#define _KERNEL_KPROBES_TESTS_X86_FORM_STATE_H
/*
 * The state that a form starts from, and that it leaves. For C and assembly.
 */

/* struct form_state, for assembly: registers in the order of their encoding */
#define FORM_REGS	0
#define FORM_FLAGS	(16 * 8)
#define FORM_END	(17 * 8)
#define FORM_STACK	(18 * 8)
#define FORM_WORDS	32
#define FORM_DATA	(FORM_STACK + FORM_WORDS * 8)

/* Words of the stack below the stack pointer that the form starts with */
#define FORM_BELOW	4

/* Number of runs of each form in each way */
#define FORM_ROUNDS	8

#ifndef __ASSEMBLY__
#include <linux/linkage.h>
#include <linux/types.h>

/**
 * struct form_state - the state that a form starts from, and that it leaves
 * @regs: by number; the runner sets the stack pointer
 * @flags: of the processor
 * @end: written: the end that the form has reached
 * @stack: starts FORM_BELOW words below the initial stack pointer
 * @data: the target of pointers
 */
struct form_state {
	unsigned long	regs[16];
	unsigned long	flags;
	unsigned long	end;
	unsigned long	stack[FORM_WORDS];
	unsigned long	data[FORM_WORDS];
};

/* The initial stack pointer of the last form */
extern unsigned long form_first_sp;

asmlinkage void form_run(const u8 *addr);
#endif
#endif /* _KERNEL_KPROBES_TESTS_X86_FORM_STATE_H */
