// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The state that forms start from on arm64, and how they are run.
 */
#include <linux/align.h>
#include <linux/cpufeature.h>
#include <linux/irqflags.h>
#include <linux/minmax.h>
#include <linux/prandom.h>
#include <linux/string.h>
#include <asm/neon.h>
#include <asm/ptrace.h>
#include "../forms.h"

#define WORD(i)		((unsigned long)&form_state.data[i])
#define NZCV		(PSR_N_BIT | PSR_Z_BIT | PSR_C_BIT | PSR_V_BIT)
#define LOADER_SIZE	16	/* before a form and at most one more instruction */

/**
 * form_missing() - can the forms run on this machine?
 *
 * The forms need a processor with all extensions, like QEMU's "max".
 *
 * Return: the missing feature, or NULL if none is missing.
 */
const char *form_missing(void)
{
	if (!cpus_have_cap(ARM64_HAS_LSE_ATOMICS))
		return "a processor with atomics";
	if (!system_supports_address_auth())
		return "a processor with signed pointers";
	return NULL;
}

/* Each half of each register is zero or random. */
static void set_numbers(struct form_state *start, struct rnd_state *rnd)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(start->regs); i++) {
		if (prandom_u32_state(rnd) & 1)
			start->regs[i] &= ~0xfffffffful;
		if (prandom_u32_state(rnd) & 1)
			start->regs[i] &= 0xfffffffful;
	}
}

static void set_mode(struct form_state *start, char mode, struct rnd_state *rnd)
{
	if (mode == 'b')
		memset_l(start->regs, (unsigned long)form_far, ARRAY_SIZE(start->regs));
	if (mode == 'n')
		set_numbers(start, rnd);
	if (mode == 'm') {
		start->regs[1] = WORD(12);
		start->regs[2] = 1;
		start->regs[3] = WORD(16);
		start->regs[20] = WORD(8);
	}
}

/**
 * form_start() - make the state that a form starts from
 * @start: written
 * @mode: contents of the registers: r random values; m pointers to data in x1, x3
 *	and x20, a small index in x2; b the address of the far end in all registers;
 *	n small numbers, zero among them
 * @rnd: source of random values
 */
void form_start(struct form_state *start, char mode, struct rnd_state *rnd)
{
	prandom_bytes_state(rnd, start, sizeof(*start));
	start->flags &= NZCV;
	start->end = 0;
	set_mode(start, mode, rnd);
}

/* The form follows the code that loads its last registers; see forms.S. */
static const u8 *begin_of(const struct form *form)
{
	return (const u8 *)ALIGN_DOWN((unsigned long)form->addr, LOADER_SIZE) - LOADER_SIZE;
}

/**
 * form_call() - run a form on form_state
 * @form: the form
 */
void form_call(const struct form *form)
{
	unsigned long flags;

	kernel_neon_begin();
	local_irq_save(flags);
	form_run(begin_of(form));
	local_irq_restore(flags);
	kernel_neon_end();
}

/**
 * form_forget_below() - clear the words below the stack pointer
 * @end: the state that a form has left
 *
 * Exceptions write below the stack pointer.
 */
void form_forget_below(struct form_state *end)
{
	long words = end->sp / (long)sizeof(long) + FORM_BELOW;

	memset_l(end->stack, 0, clamp(words, 0, FORM_WORDS));
}
