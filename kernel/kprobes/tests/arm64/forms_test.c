// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Each form of an instruction runs bare, and then with a probe on it: with a
 * pre-handler only, and with a post-handler as well. Registers, flags and memory
 * must be the same. What cannot be the same is refused.
 */
#include <kunit/test.h>
#include <linux/align.h>
#include <linux/cpufeature.h>
#include <linux/irqflags.h>
#include <linux/kprobes.h>
#include <linux/minmax.h>
#include <linux/module.h>
#include <linux/prandom.h>
#include <linux/string.h>
#include <asm/neon.h>
#include <asm/ptrace.h>
#include "../trap_places.h"
#include "forms.h"

#define ROUNDS		4
#define WORD(i)		((unsigned long)&form_state.data[i])
#define NZCV		(PSR_N_BIT | PSR_Z_BIT | PSR_C_BIT | PSR_V_BIT)
#define LOADER_SIZE	16	/* in front of a form and one more instruction at most */

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

/* Halves that are zero, or not, one by one */
static void set_numbers(void)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(start.regs); i++) {
		if (prandom_u32_state(&rnd) & 1)
			start.regs[i] &= ~0xfffffffful;
		if (prandom_u32_state(&rnd) & 1)
			start.regs[i] &= 0xfffffffful;
	}
}

static void set_mode(char mode)
{
	if (mode == 'b')
		set_all(start.regs, ARRAY_SIZE(start.regs), (unsigned long)form_far);
	if (mode == 'n')
		set_numbers();
	if (mode == 'm') {
		start.regs[1] = WORD(12);
		start.regs[2] = 1;
		start.regs[3] = WORD(16);
		start.regs[20] = WORD(8);
	}
}

static void set_start(char mode)
{
	prandom_bytes_state(&rnd, &start, sizeof(start));
	start.nzcv &= NZCV;
	start.end = 0;
	set_mode(mode);
}

/* The form itself comes behind what loads its registers, see forms.S */
static const u8 *begin_of(const struct form *form)
{
	return (const u8 *)ALIGN_DOWN((unsigned long)form->addr, LOADER_SIZE) - LOADER_SIZE;
}

static void run(const struct form *form, struct form_state *end)
{
	unsigned long flags;

	kernel_neon_begin();
	local_irq_save(flags);
	form_state = start;
	form_run(begin_of(form));
	*end = form_state;
	local_irq_restore(flags);
	kernel_neon_end();
}

/* What lies below the stack pointer is anybody's: exceptions write there */
static void forget_below(struct form_state *state)
{
	long words = state->sp / (long)sizeof(long) + FORM_BELOW;

	set_all(state->stack, clamp(words, 0, FORM_WORDS), 0);
}

static void compare(struct kunit *test, const struct form *form, const char *how)
{
	int i;

	forget_below(&bare);
	forget_below(&probed);
	for (i = 0; i < ARRAY_SIZE(bare.regs); i++)
		KUNIT_EXPECT_EQ_MSG(test, bare.regs[i], probed.regs[i], "%s %s: register %d",
				    form->text, how, i);
	KUNIT_EXPECT_EQ_MSG(test, memcmp(&bare.sp, &probed.sp,
					 sizeof(bare) - offsetof(struct form_state, sp)), 0,
			    "%s %s: sp %ld %ld nzcv %lx %lx daif %lx %lx end %lu %lu",
			    form->text, how, bare.sp, probed.sp, bare.nzcv, probed.nzcv,
			    bare.daif, probed.daif, bare.end, probed.end);
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
		KUNIT_EXPECT_NE_MSG(test, bare.end, 0, "%s", form->text);
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

/* The forms are those of a processor with all extensions, as QEMU's largest is */
static int forms_init(struct kunit *test)
{
	if (!cpus_have_cap(ARM64_HAS_LSE_ATOMICS) || !system_supports_address_auth())
		kunit_skip(test, "a processor without what is tested");
	prandom_seed_state(&rnd, 20261121);
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
