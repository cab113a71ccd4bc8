// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Each form of an instruction runs bare, and then with a probe on it: with a
 * pre-handler only, and with a post-handler as well. Registers, flags and memory
 * must be the same. What cannot be the same is refused.
 */
#include <kunit/test.h>
#include <linux/irqflags.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/prandom.h>
#include <linux/string.h>
#include <asm/processor-flags.h>
#include "forms.h"
#include "../trap_places.h"

#define ROUNDS	8
#define WORD(i)	((unsigned long)&form_state.data[i])
#define FLAGS	(X86_EFLAGS_CF | X86_EFLAGS_PF | X86_EFLAGS_AF | X86_EFLAGS_ZF | \
		 X86_EFLAGS_SF | X86_EFLAGS_OF)

/* By number */
enum { AX, CX, DX, BX, SP, BP, SI, DI };

static struct rnd_state rnd;
static struct form_state start, bare, probed;
static unsigned int pre_hits, post_hits;

static int form_pre(struct kprobe *p, struct pt_regs *regs)
{
	pre_hits++;
	return 0;
}

static void form_post(struct kprobe *p, struct pt_regs *regs, unsigned long flags)
{
	post_hits++;
}

static void set_all(unsigned long *words, unsigned int num, unsigned long value)
{
	while (num--)
		*words++ = value;
}

static void set_pointers(void)
{
	start.regs[BX] = 1;
	start.regs[CX] = 3;
	start.regs[9] = 2;
	start.regs[SI] = WORD(12);
	start.regs[DI] = WORD(16);
	start.regs[BP] = WORD(20);
	start.regs[8] = WORD(10);
	start.regs[12] = WORD(14);
	start.regs[13] = WORD(8);
}

static void set_mode(char mode)
{
	unsigned long far = (unsigned long)form_far;

	if (mode == 'b')
		set_all(start.regs, 16, far);
	if (mode == 'c') {
		set_all(start.stack, FORM_WORDS, far);
		set_all(start.data, FORM_WORDS, far);
	}
	if (mode == 'm' || mode == 'c')
		set_pointers();
	if (mode == 'f')
		start.stack[FORM_BELOW] = (start.stack[FORM_BELOW] & FLAGS) | X86_EFLAGS_FIXED;
	if (mode == 'n')
		start.regs[CX] = (start.regs[CX] & 0xffffffff00000000ul) |
				 prandom_u32_state(&rnd) % 3;
}

/* Values small enough that no form reads or shifts out of its data */
static void set_start(char mode)
{
	prandom_bytes_state(&rnd, &start, sizeof(start));
	start.flags = (start.flags & FLAGS) | X86_EFLAGS_FIXED;
	start.end = 0;
	set_mode(mode);
}

static void run(const struct form *form, struct form_state *end)
{
	unsigned long flags;

	local_irq_save(flags);
	form_state = start;
	form_run(form->addr);
	*end = form_state;
	local_irq_restore(flags);
}

/*
 * What lies below the stack pointer is anybody's: traps and interrupts write there.
 * If the form has loaded it with something else entirely, that is where it was.
 */
static void forget_below(struct form_state *state)
{
	long words = (long)(state->regs[SP] - form_first_sp) / (long)sizeof(long) + FORM_BELOW;

	if (words < 0 || words > FORM_WORDS)
		words = FORM_BELOW;
	set_all(state->stack, words, 0);
}

static void compare(struct kunit *test, const struct form *form, const char *how)
{
	int i;

	forget_below(&bare);
	forget_below(&probed);
	for (i = 0; i < 16; i++)
		KUNIT_EXPECT_EQ_MSG(test, bare.regs[i], probed.regs[i], "%s %s: register %d",
				    form->text, how, i);
	KUNIT_EXPECT_EQ_MSG(test, bare.flags, probed.flags, "%s %s", form->text, how);
	KUNIT_EXPECT_EQ_MSG(test, bare.end, probed.end, "%s %s", form->text, how);
	KUNIT_EXPECT_EQ_MSG(test, memcmp(bare.stack, probed.stack, sizeof(bare.stack)), 0,
			    "%s %s: stack", form->text, how);
	KUNIT_EXPECT_EQ_MSG(test, memcmp(bare.data, probed.data, sizeof(bare.data)), 0,
			    "%s %s: data", form->text, how);
}

static void run_rounds(struct kunit *test, const struct form *form, struct kprobe *p)
{
	const char *how = p->post_handler ? "with a post-handler" : "probed";
	int i;

	pre_hits = 0;
	post_hits = 0;
	for (i = 0; i < ROUNDS; i++) {
		set_start(form->mode);
		KUNIT_ASSERT_EQ(test, disable_kprobe(p), 0);
		run(form, &bare);
		KUNIT_ASSERT_EQ(test, enable_kprobe(p), 0);
		run(form, &probed);
		compare(test, form, how);
	}
	KUNIT_EXPECT_EQ_MSG(test, pre_hits, ROUNDS, "%s %s", form->text, how);
	KUNIT_EXPECT_EQ_MSG(test, post_hits, p->post_handler ? ROUNDS : 0, "%s %s",
			    form->text, how);
}

static void run_form(struct kunit *test, const struct form *form, bool post)
{
	struct kprobe p = {
		.addr = (void *)form->addr,
		.pre_handler = form_pre,
		.post_handler = post ? form_post : NULL,
	};
	int ret = register_kprobe(&p);

	KUNIT_EXPECT_EQ_MSG(test, ret, 0, "%s", form->text);
	if (ret)
		return;
	run_rounds(test, form, &p);
	unregister_kprobe(&p);
}

static void run_class(struct kunit *test, char class)
{
	const struct form *form;
	unsigned int num = 0;

	for (form = forms_start; form < forms_end; form++) {
		if (form->class != class)
			continue;
		run_form(test, form, false);
		run_form(test, form, true);
		num++;
	}
	kunit_info(test, "%u forms, %u runs", num, num * ROUNDS * 4);
}

static void test_copied(struct kunit *test)
{
	run_class(test, 'c');
}

static void test_emulated(struct kunit *test)
{
	run_class(test, 'e');
}

static void test_refused(struct kunit *test)
{
	const struct trap_refused *refused;
	int ret;

	for (refused = trap_refused; refused < trap_refused_end; refused++) {
		struct kprobe p = { .addr = (void *)refused->addr, .pre_handler = form_pre };

		ret = register_kprobe(&p);
		KUNIT_EXPECT_EQ_MSG(test, ret, refused->error, "%s", refused->text);
		if (!ret)
			unregister_kprobe(&p);
	}
}

static int forms_init(struct kunit *test)
{
	prandom_seed_state(&rnd, 20261120);
	return 0;
}

static struct kunit_case forms_cases[] = {
	KUNIT_CASE_SLOW(test_copied),
	KUNIT_CASE_SLOW(test_emulated),
	KUNIT_CASE(test_refused),
	{}
};

static struct kunit_suite forms_suite = {
	.name = "kprobes_forms",
	.init = forms_init,
	.test_cases = forms_cases,
};

kunit_test_suite(forms_suite);

MODULE_DESCRIPTION("KUnit test of instructions, bare and probed");
MODULE_LICENSE("GPL");
