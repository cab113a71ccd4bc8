// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The state that forms start from on x86, and how they are run.
 */
#include <linux/irqflags.h>
#include <linux/minmax.h>
#include <linux/prandom.h>
#include <linux/string.h>
#include <asm/processor-flags.h>
#include "../forms.h"

#define WORD(i)	((unsigned long)&form_state.data[i])
#define FLAGS	(X86_EFLAGS_CF | X86_EFLAGS_PF | X86_EFLAGS_AF | X86_EFLAGS_ZF | \
		 X86_EFLAGS_SF | X86_EFLAGS_OF)

/* Indexed by register number */
enum { AX, CX, DX, BX, SP, BP, SI, DI };

/**
 * form_missing() - can the forms run on this machine?
 *
 * Return: the missing feature, or NULL if none is missing.
 */
const char *form_missing(void)
{
	return NULL;
}

/* The indexes are so small that no form reads or writes outside its data. */
static void set_pointers(struct form_state *start)
{
	start->regs[BX] = 1;
	start->regs[CX] = 3;
	start->regs[9] = 2;
	start->regs[SI] = WORD(12);
	start->regs[DI] = WORD(16);
	start->regs[BP] = WORD(20);
	start->regs[8] = WORD(10);
	start->regs[12] = WORD(14);
	start->regs[13] = WORD(8);
}

static void set_mode(struct form_state *start, char mode, struct rnd_state *rnd)
{
	unsigned long far = (unsigned long)form_far, *top = &start->stack[FORM_BELOW];

	if (mode == 'b')
		memset_l(start->regs, far, ARRAY_SIZE(start->regs));
	if (mode == 'c') {
		memset_l(start->stack, far, FORM_WORDS);
		memset_l(start->data, far, FORM_WORDS);
	}
	if (mode == 'm' || mode == 'c')
		set_pointers(start);
	if (mode == 'f')
		*top = (*top & FLAGS) | X86_EFLAGS_FIXED;
	if (mode == 'n')
		start->regs[CX] = (start->regs[CX] & 0xffffffff00000000ul) |
				  prandom_u32_state(rnd) % 3;
}

/**
 * form_start() - make the state that a form starts from
 * @start: written
 * @mode: contents of the registers: r random values; m pointers to data in rsi, rdi,
 *	rbp, r8, r12 and r13, indexes in rbx, r9 and rcx; b the address of the far
 *	end in all registers; c like m, and that address in all words; f flags at the
 *	top of the stack; n a small count in rcx
 * @rnd: source of random values
 */
void form_start(struct form_state *start, char mode, struct rnd_state *rnd)
{
	prandom_bytes_state(rnd, start, sizeof(*start));
	start->flags = (start->flags & FLAGS) | X86_EFLAGS_FIXED;
	start->end = 0;
	set_mode(start, mode, rnd);
}

/**
 * form_call() - run a form on form_state
 * @form: the form
 */
void form_call(const struct form *form)
{
	unsigned long flags;

	local_irq_save(flags);
	form_run(form->addr);
	local_irq_restore(flags);
}

/**
 * form_forget_below() - clear the words below the stack pointer
 * @end: the state that a form has left
 *
 * Traps and interrupts write below the stack pointer. If the form has loaded the
 * stack pointer with an unrelated value, its value at the start is used.
 */
void form_forget_below(struct form_state *end)
{
	long words = (long)(end->regs[SP] - form_first_sp) / (long)sizeof(long) + FORM_BELOW;

	if (words < 0 || words > FORM_WORDS)
		words = FORM_BELOW;
	memset_l(end->stack, 0, words);
}
