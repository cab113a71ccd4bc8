// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Each form of an instruction runs without a probe, with a pre-handler only, and
 * with a post-handler as well. Registers, flags and memory must be equal. An
 * instruction for which this is impossible must be refused.
 */
#include <kunit/test.h>
#include <linux/cpumask.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/prandom.h>
#include <linux/sched.h>
#include <linux/string.h>
#include "forms.h"
#include "trap_places.h"

static struct rnd_state forms_rnd;
static struct form_state forms_initial, forms_bare, forms_probed;
static unsigned int forms_pre_hits, forms_post_hits;

static int form_pre(struct kprobe *p, struct pt_regs *regs)
{
	forms_pre_hits++;
	return 0;
}

static void form_post(struct kprobe *p, struct pt_regs *regs, unsigned long flags)
{
	forms_post_hits++;
}

static void forms_run(const struct form *form, struct form_state *end)
{
	form_state = forms_initial;
	form_call(form);
	*end = form_state;
	form_forget_below(end);
}

static void forms_compare(struct kunit *test, const struct form *form, const char *how)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(forms_bare.regs); i++)
		KUNIT_EXPECT_EQ_MSG(test, forms_bare.regs[i], forms_probed.regs[i],
				    "%s %s: register %d", form->text, how, i);
	KUNIT_EXPECT_EQ_MSG(test, forms_bare.flags, forms_probed.flags, "%s %s", form->text, how);
	KUNIT_EXPECT_EQ_MSG(test, forms_bare.end, forms_probed.end, "%s %s", form->text, how);
	KUNIT_EXPECT_MEMEQ_MSG(test, &forms_bare.flags, &forms_probed.flags,
			       sizeof(forms_bare) - offsetof(struct form_state, flags),
			       "%s %s", form->text, how);
}

static void run_rounds(struct kunit *test, const struct form *form, struct kprobe *p)
{
	const char *how = p->post_handler ? "with a post-handler" : "probed";
	int i;

	forms_pre_hits = 0;
	forms_post_hits = 0;
	for (i = 0; i < FORM_ROUNDS; i++) {
		form_start(&forms_initial, form->mode, &forms_rnd);
		KUNIT_ASSERT_EQ(test, disable_kprobe(p), 0);
		forms_run(form, &forms_bare);
		KUNIT_EXPECT_NE_MSG(test, forms_bare.end, 0, "%s", form->text);
		KUNIT_ASSERT_EQ(test, enable_kprobe(p), 0);
		forms_run(form, &forms_probed);
		forms_compare(test, form, how);
	}
	KUNIT_EXPECT_EQ_MSG(test, forms_pre_hits, FORM_ROUNDS, "%s %s", form->text, how);
	KUNIT_EXPECT_EQ_MSG(test, forms_post_hits, p->post_handler ? FORM_ROUNDS : 0, "%s %s",
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
	KUNIT_EXPECT_GT(test, num, 0);
	kunit_info(test, "%u forms, %u runs", num, num * FORM_ROUNDS * 4);
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

	KUNIT_EXPECT_GT(test, trap_refused_end - trap_refused, 0);
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
	const char *missing = form_missing();

	if (missing)
		kunit_skip(test, "needs %s", missing);
	/* Some forms read what is of a CPU; each case has a task of its own. */
	KUNIT_ASSERT_EQ(test, set_cpus_allowed_ptr(current, cpumask_of(0)), 0);
	prandom_seed_state(&forms_rnd, 20261120);
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
