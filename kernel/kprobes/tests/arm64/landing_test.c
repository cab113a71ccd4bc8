// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Landing pads and signed return addresses. A pad may be probed, but must remain a pad:
 * in a guarded kernel a branch through a register to any other instruction faults.
 * Kernels built by gcc run the same cases unguarded.
 *
 * PSTATE.BTYPE tells the kind of the last branch. Every processor with landing pads
 * sets it, in guarded text or not.
 */
#include <kunit/test.h>
#include <linux/cpufeature.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <asm/debug-monitors.h>
#include <asm/insn.h>
#include <asm/ptrace.h>
#include "../ours.h"
#include "landing_places.h"

static unsigned int landing_hits, landing_post_hits, landing_others;
static unsigned long landing_btype;
static unsigned long landing_returned_ip, landing_returned_by, landing_returned_value;

noinline int landing_c(int value);
noinline int landing_c(int value)
{
	OPTIMIZER_HIDE_VAR(value);
	return value + 1;
}

/* Calls by name: not a tail call, because a subtraction follows. */
#define CALLER(func)				\
static noinline int call_##func(int value)	\
{						\
	return func(value) - value;		\
}

CALLER(landing_bti)
CALLER(landing_pac)
CALLER(landing_c)
CALLER(landing_retaa)

static const struct landing {
	const char	*name;
	int		(*func)(int value);
	int		(*call)(int value);
} landings[] = {
	{ "bti", landing_bti, call_landing_bti },
	{ "pac", landing_pac, call_landing_pac },
	{ "c", landing_c, call_landing_c },
};

static int landing_pre(struct kprobe *p, struct pt_regs *regs)
{
	landing_hits++;
	landing_btype = regs->pstate & PSR_BTYPE_MASK;
	return 0;
}

static int landing_other_pre(struct kprobe *p, struct pt_regs *regs)
{
	landing_others++;
	return 0;
}

static void landing_post(struct kprobe *p, struct pt_regs *regs, unsigned long flags)
{
	landing_post_hits++;
}

static int landing_skip(struct kprobe *p, struct pt_regs *regs)
{
	landing_pre(p, regs);
	regs_set_return_value(regs, 100);
	instruction_pointer_set(regs, procedure_link_pointer(regs));
	return 1;
}

static int landing_returned(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	landing_hits++;
	landing_returned_ip = instruction_pointer(regs);
	landing_returned_by = procedure_link_pointer(regs);
	landing_returned_value = regs_return_value(regs);
	return 0;
}

static u32 word_at(const void *addr)
{
	return le32_to_cpu(READ_ONCE(*(const __le32 *)addr));
}

static bool is_pad(u32 word)
{
	switch (word) {
	case 0xd503245f:	/* bti c */
	case 0xd503249f:	/* bti j */
	case 0xd50324df:	/* bti jc */
	case 0xd503233f:	/* paciasp */
		return true;
	default:
		return false;
	}
}

/* Probe a pad. With guards there is always one, and only a BRK may replace it. */
static void probe_pad(struct kunit *test, struct kprobe *p, const void *addr)
{
	*p = (struct kprobe) {
		.addr = (void *)addr,
		.pre_handler = p->pre_handler,
		.post_handler = p->post_handler,
	};
	landing_hits = 0;
	landing_post_hits = 0;
	if (IS_ENABLED(CONFIG_ARM64_BTI_KERNEL))
		KUNIT_EXPECT_TRUE(test, is_pad(word_at(addr)));
	KUNIT_ASSERT_EQ(test, register_kprobe(p), 0);
	KUNIT_EXPECT_PTR_EQ(test, p->addr, addr);
	if (IS_ENABLED(CONFIG_ARM64_BTI_KERNEL))
		KUNIT_EXPECT_FALSE(test, kprobe_optimized(p));
	if (kprobe_optimized(p))
		KUNIT_EXPECT_TRUE(test, aarch64_insn_is_b(word_at(addr)));
	else
		KUNIT_EXPECT_TRUE(test, aarch64_insn_is_brk(word_at(addr)));
}

/* A B is a direct branch: the handler of a jump sees the type of that */
static void expect_btype(struct kunit *test, const struct kprobe *p, const char *name,
			 unsigned long expected)
{
	if (!system_supports_bti() || kprobe_optimized(p))
		expected = PSR_BTYPE_NONE;
	KUNIT_EXPECT_EQ_MSG(test, landing_btype, expected, "%s", name);
}

static void check_landing(struct kunit *test, const struct landing *at, struct kprobe *p)
{
	unsigned int posts = p->post_handler ? 1 : 0;

	probe_pad(test, p, at->func);
	KUNIT_EXPECT_EQ_MSG(test, at->call(10), 1, "%s", at->name);
	KUNIT_EXPECT_EQ_MSG(test, landing_hits, 1, "%s", at->name);
	expect_btype(test, p, at->name, PSR_BTYPE_NONE);
	KUNIT_EXPECT_EQ_MSG(test, OPAQUE(*at->func)(10), 11, "%s", at->name);
	KUNIT_EXPECT_EQ_MSG(test, landing_hits, 2, "%s", at->name);
	expect_btype(test, p, at->name, PSR_BTYPE_C);
	KUNIT_EXPECT_EQ_MSG(test, landing_post_hits, 2 * posts, "%s", at->name);
	unregister_kprobe(p);
	KUNIT_EXPECT_EQ_MSG(test, OPAQUE(*at->func)(10), 11, "%s", at->name);
}

/* The first instruction of a function, called by its name and through a pointer */
static void test_entry(struct kunit *test)
{
	struct kprobe p = { .pre_handler = landing_pre };
	int i;

	for (i = 0; i < ARRAY_SIZE(landings); i++)
		check_landing(test, &landings[i], &p);
}

/* A point with a post-handler uses another form, which is reached in the same way. */
static void test_entry_post(struct kunit *test)
{
	struct kprobe p = { .pre_handler = landing_pre, .post_handler = landing_post };
	int i;

	for (i = 0; i < ARRAY_SIZE(landings); i++)
		check_landing(test, &landings[i], &p);
}

static void check_second(struct kunit *test, const struct landing *at)
{
	struct kprobe p = {
		.addr = (void *)at->func + AARCH64_INSN_SIZE,
		.pre_handler = landing_pre,
	};

	landing_hits = 0;
	KUNIT_ASSERT_EQ(test, register_kprobe(&p), 0);
	KUNIT_EXPECT_EQ_MSG(test, at->call(10), 1, "%s", at->name);
	KUNIT_EXPECT_EQ_MSG(test, OPAQUE(*at->func)(10), 11, "%s", at->name);
	expect_btype(test, &p, at->name, PSR_BTYPE_NONE);
	unregister_kprobe(&p);
	KUNIT_EXPECT_EQ_MSG(test, landing_hits, 2, "%s", at->name);
}

/* The instruction after the pad; in a C function this may be the ftrace site. */
static void test_second(struct kunit *test)
{
	check_second(test, &landings[0]);
	check_second(test, &landings[1]);
}

static void landing_check_return(struct kunit *test, const struct landing *at)
{
	struct kretprobe rp = {
		.kp.addr = (void *)at->func,
		.handler = landing_returned,
	};

	landing_hits = 0;
	KUNIT_ASSERT_EQ(test, register_kretprobe(&rp), 0);
	KUNIT_EXPECT_EQ_MSG(test, at->call(10), 1, "%s", at->name);
	KUNIT_EXPECT_LT(test, landing_returned_ip - (unsigned long)at->call, 64UL);
	KUNIT_EXPECT_EQ(test, landing_returned_by, landing_returned_ip);
	KUNIT_EXPECT_EQ_MSG(test, OPAQUE(*at->func)(20), 21, "%s", at->name);
	unregister_kretprobe(&rp);
	KUNIT_EXPECT_EQ_MSG(test, landing_hits, 2, "%s", at->name);
	KUNIT_EXPECT_EQ_MSG(test, landing_returned_value, 21, "%s", at->name);
}

/* The function signs and authenticates the address of the trampoline. */
static void test_return(struct kunit *test)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(landings); i++)
		landing_check_return(test, &landings[i]);
}

/* A function that returns by retaa, and a probe on the retaa */
static void test_retaa(struct kunit *test)
{
	const struct landing at = { "retaa", landing_retaa, call_landing_retaa };
	struct kprobe p = { .addr = (void *)landing_retaa_ret, .pre_handler = landing_other_pre };

	if (!system_supports_address_auth())
		kunit_skip(test, "the processor does not know the instruction");
	landing_check_return(test, &at);
	landing_others = 0;
	KUNIT_ASSERT_EQ(test, register_kprobe(&p), 0);
	KUNIT_EXPECT_EQ(test, at.call(10), 1);
	KUNIT_EXPECT_EQ(test, landing_others, 1);
	landing_check_return(test, &at);
	KUNIT_EXPECT_EQ(test, landing_others, 3);
	unregister_kprobe(&p);
	KUNIT_EXPECT_EQ(test, OPAQUE(landing_retaa)(10), 11);
}

/* Continue where there is no pad, as error injection does at the entry of a function. */
static void check_divert(struct kunit *test, const struct landing *at)
{
	struct kprobe p = { .pre_handler = landing_skip };

	probe_pad(test, &p, at->func);
	KUNIT_EXPECT_EQ_MSG(test, at->call(10), 90, "%s", at->name);
	KUNIT_EXPECT_EQ_MSG(test, OPAQUE(*at->func)(10), 100, "%s", at->name);
	expect_btype(test, &p, at->name, PSR_BTYPE_C);
	unregister_kprobe(&p);
	KUNIT_EXPECT_EQ_MSG(test, landing_hits, 2, "%s", at->name);
}

static void test_pad_divert(struct kunit *test)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(landings); i++)
		check_divert(test, &landings[i]);
}

/* Branches through a register and their targets, probed one at a time and together */
static void landing_check_branch(struct kunit *test, int (*func)(int value), const void *branch,
				 const void *pad, unsigned long expected)
{
	struct kprobe from = { .addr = (void *)branch, .pre_handler = landing_pre };
	struct kprobe to = { .pre_handler = landing_pre };

	probe_pad(test, &to, pad);
	KUNIT_EXPECT_EQ(test, OPAQUE(*func)(10), 11);
	KUNIT_EXPECT_EQ(test, landing_hits, 1);
	expect_btype(test, &to, "branch", expected);
	KUNIT_ASSERT_EQ(test, register_kprobe(&from), 0);
	KUNIT_EXPECT_EQ(test, OPAQUE(*func)(10), 11);
	KUNIT_EXPECT_EQ(test, landing_hits, 3);
	if (IS_ENABLED(CONFIG_ARM64_BTI_KERNEL))
		expect_btype(test, &to, "emulated branch", expected);
	unregister_kprobe(&to);
	KUNIT_EXPECT_EQ(test, OPAQUE(*func)(10), 11);
	KUNIT_EXPECT_EQ(test, landing_hits, 4);
	unregister_kprobe(&from);
	KUNIT_EXPECT_EQ(test, OPAQUE(*func)(10), 11);
}

static void test_jump(struct kunit *test)
{
	landing_check_branch(test, landing_jump, landing_jump_br, landing_jump_pad,
			     IS_ENABLED(CONFIG_ARM64_BTI_KERNEL) ? PSR_BTYPE_J : PSR_BTYPE_JC);
}

static void test_tail(struct kunit *test)
{
	landing_check_branch(test, landing_tail, landing_tail_br, landing_bti, PSR_BTYPE_JC);
}

static struct kunit_case landing_cases[] = {
	KUNIT_CASE(test_entry),
	KUNIT_CASE(test_entry_post),
	KUNIT_CASE(test_second),
	KUNIT_CASE(test_return),
	KUNIT_CASE(test_retaa),
	KUNIT_CASE(test_pad_divert),
	KUNIT_CASE(test_jump),
	KUNIT_CASE(test_tail),
	{}
};

static struct kunit_suite landing_suite = {
	.name = "kprobes_landing",
	.test_cases = landing_cases,
};

kunit_test_suite(landing_suite);

MODULE_DESCRIPTION("KUnit tests of probes on landing pads");
MODULE_LICENSE("GPL");
