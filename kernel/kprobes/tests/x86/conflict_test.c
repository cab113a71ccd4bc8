// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Somebody takes functions elsewhere, as live patching does, by an ftrace_ops that
 * wants each of them to itself. So does a client with a post-handler: who of the two
 * comes second is refused, and finds all that was there as it was. A client without
 * one gets along with everybody.
 */
#include <kunit/test.h>
#include <linux/bits.h>
#include <linux/compiler.h>
#include <linux/ftrace.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include "../switch.h"

#define TARGETS		4
#define ALL		0xf
#define EVEN		0x5
#define ODD		0xa

/* What every target returns while the owner has it */
#define ELSEWHERE	100

static struct kprobe clients[TARGETS];
static struct kprobe *all_clients[TARGETS] = {
	&clients[0], &clients[1], &clients[2], &clients[3],
};

/* Without post-handler, at even targets before and after all of a case */
static struct kprobe residents[TARGETS];

/* The handlers that one call of a target has called */
static unsigned int pre, post, resident;

/* Has the case switched all probes off */
static bool off;

static noinline int target_0(int value)
{
	return value + 1;
}

static noinline int target_1(int value)
{
	return value + 2;
}

static noinline int target_2(int value)
{
	return value + 3;
}

static noinline int target_3(int value)
{
	return value + 4;
}

static noinline int detour(int value)
{
	return value + ELSEWHERE;
}

static int (*const targets[TARGETS])(int value) = { target_0, target_1, target_2, target_3 };

static int call_target(int i)
{
	int (*target)(int value) = targets[i];

	OPTIMIZER_HIDE_VAR(target);
	return target(0);
}

static int count_pre(struct kprobe *p, struct pt_regs *regs)
{
	pre++;
	return 0;
}

static void count_post(struct kprobe *p, struct pt_regs *regs, unsigned long flags)
{
	post++;
}

static int count_resident(struct kprobe *p, struct pt_regs *regs)
{
	resident++;
	return 0;
}

/* The one who is not a probe, and a bit for each target he has */
static unsigned int owned;

static void notrace go_elsewhere(unsigned long ip, unsigned long parent_ip,
				 struct ftrace_ops *ops, struct ftrace_regs *fregs)
{
	ftrace_regs_set_instruction_pointer(fregs, (unsigned long)detour);
}

static struct ftrace_ops owner = {
	.func	= go_elsewhere,
	.flags	= FTRACE_OPS_FL_SAVE_REGS | FTRACE_OPS_FL_IPMODIFY,
};

static int owner_filter(unsigned int which, bool remove)
{
	int i, ret = 0;

	for (i = 0; i < TARGETS && !ret; i++) {
		if (which & BIT(i))
			ret = ftrace_set_filter_ip(&owner, (unsigned long)targets[i], remove, 0);
	}
	return ret;
}

/* Let the owner have more targets: all of these, or none and an error */
static int own(unsigned int which)
{
	int ret = owner_filter(which, false);

	if (!ret && !owned)
		ret = register_ftrace_function(&owner);
	if (ret)
		owner_filter(which, true);
	else
		owned |= which;
	return ret;
}

static void disown(void)
{
	if (!owned)
		return;
	unregister_ftrace_function(&owner);
	owner_filter(owned, true);
	owned = 0;
}

/* A client for each target; those with a bit in @posts have a post-handler */
static void fresh(unsigned int posts)
{
	int i;

	for (i = 0; i < TARGETS; i++)
		clients[i] = (struct kprobe) {
			.addr = (void *)targets[i],
			.pre_handler = count_pre,
			.post_handler = posts & BIT(i) ? count_post : NULL,
		};
}

static int register_all(void)
{
	return register_kprobes(all_clients, TARGETS);
}

static void unregister_all(void)
{
	unregister_kprobes(all_clients, TARGETS);
}

/* One call of each target: the clients in @want are called, and nobody else is new */
static void expect(struct kunit *test, unsigned int want, const char *when)
{
	int i;

	for (i = 0; i < TARGETS; i++) {
		bool called = want & BIT(i), elsewhere = owned & BIT(i);

		pre = 0;
		post = 0;
		resident = 0;
		KUNIT_EXPECT_EQ_MSG(test, call_target(i), elsewhere ? ELSEWHERE : i + 1,
				    "target %d, %s", i, when);
		KUNIT_EXPECT_EQ_MSG(test, pre, called, "target %d, %s", i, when);
		KUNIT_EXPECT_EQ_MSG(test, post, called && clients[i].post_handler,
				    "target %d, %s", i, when);
		KUNIT_EXPECT_EQ_MSG(test, resident, !off && (EVEN & BIT(i)),
				    "target %d, %s", i, when);
	}
}

/* Without post-handlers: before the owner, and after him */
static void test_no_post(struct kunit *test)
{
	fresh(0);
	KUNIT_ASSERT_EQ(test, own(ALL), 0);
	expect(test, 0, "owned");
	KUNIT_ASSERT_EQ(test, register_all(), 0);
	expect(test, ALL, "owned first");
	disown();
	expect(test, ALL, "owned no more");
	KUNIT_ASSERT_EQ(test, own(ALL), 0);
	expect(test, ALL, "probed first");
	unregister_all();
	expect(test, 0, "unregistered");
}

/* With post-handlers: where the owner is not they can be, and he cannot any more */
static void test_owner_refused(struct kunit *test)
{
	int i;

	fresh(ODD);
	KUNIT_ASSERT_EQ(test, own(EVEN), 0);
	KUNIT_ASSERT_EQ(test, register_all(), 0);
	expect(test, ALL, "side by side");
	for (i = 0; i < TARGETS; i++) {
		if (ODD & BIT(i))
			KUNIT_EXPECT_EQ(test, own(BIT(i)), -EBUSY);
	}
	expect(test, ALL, "no more for the owner");
	disown();
	KUNIT_EXPECT_EQ(test, own(ALL), -EBUSY);
	expect(test, ALL, "nothing for the owner");
	unregister_all();
	KUNIT_EXPECT_EQ(test, own(ALL), 0);
	expect(test, 0, "all for the owner");
}

/*
 * All with post-handlers, of which those in @which cannot be had: so none is. That
 * none has stayed armed the owner knows, who can have the other targets, too.
 */
static void refuse(struct kunit *test, unsigned int which)
{
	fresh(ALL);
	KUNIT_ASSERT_EQ(test, own(which), 0);
	KUNIT_EXPECT_EQ_MSG(test, register_all(), -EBUSY, "%#x owned", which);
	expect(test, 0, "refused");
	KUNIT_EXPECT_EQ_MSG(test, own(ALL & ~which), 0, "%#x owned", which);
	expect(test, 0, "all for the owner");
	KUNIT_EXPECT_EQ(test, register_all(), -EBUSY);
	disown();
	expect(test, 0, "owned no more");
	KUNIT_ASSERT_EQ(test, register_all(), 0);
	expect(test, ALL, "registered");
	unregister_all();
	expect(test, 0, "unregistered");
}

static void test_all_or_none(struct kunit *test)
{
	unsigned int which;

	for (which = 1; which <= ALL; which++)
		refuse(test, which);
}

/* Registered, but not to be armed: that comes with enabling, for each by itself */
static void test_enable(struct kunit *test)
{
	int i;

	fresh(ALL);
	for (i = 0; i < TARGETS; i++)
		clients[i].flags = ODD & BIT(i) ? KPROBE_FLAG_DISABLED : 0;
	KUNIT_ASSERT_EQ(test, own(ODD), 0);
	KUNIT_ASSERT_EQ(test, register_all(), 0);
	expect(test, EVEN, "registered");
	for (i = 0; i < TARGETS; i++) {
		KUNIT_EXPECT_EQ(test, enable_kprobe(&clients[i]), ODD & BIT(i) ? -EBUSY : 0);
		KUNIT_EXPECT_EQ(test, kprobe_disabled(&clients[i]), !!(ODD & BIT(i)));
	}
	expect(test, EVEN, "not enabled");
	disown();
	expect(test, EVEN, "owned no more");
	for (i = 0; i < TARGETS; i++)
		KUNIT_EXPECT_EQ(test, enable_kprobe(&clients[i]), 0);
	expect(test, ALL, "enabled");
	unregister_all();
	expect(test, 0, "unregistered");
}

static void switch_all(struct kunit *test, bool on, int answer)
{
	KUNIT_EXPECT_EQ(test, turn(SWITCH, on), answer);
	off = !on;
}

/* All points in one batch: those that can be armed are, and the error is told */
static void test_switch(struct kunit *test)
{
	if (turn(SWITCH, true))
		kunit_skip(test, "no " SWITCH);
	fresh(ALL);
	switch_all(test, false, 0);
	KUNIT_EXPECT_EQ(test, register_all(), 0);
	KUNIT_EXPECT_EQ(test, own(ODD), 0);
	expect(test, 0, "off");
	switch_all(test, true, -EBUSY);
	expect(test, EVEN, "on, as far as can be");
	disown();
	expect(test, EVEN, "owned no more");
	switch_all(test, true, 0);
	expect(test, ALL, "on");
	unregister_all();
	expect(test, 0, "unregistered");
}

static int begin_case(struct kunit *test)
{
	int i, ret;

	off = false;
	ret = make_switch_text(test);
	for (i = 0; i < TARGETS && !ret; i += 2) {
		residents[i] = (struct kprobe) {
			.addr = (void *)targets[i],
			.pre_handler = count_resident,
		};
		ret = register_kprobe(&residents[i]);
	}
	return ret;
}

static void end_case(struct kunit *test)
{
	int i;

	disown();
	unregister_all();
	for (i = 0; i < TARGETS; i += 2)
		unregister_kprobe(&residents[i]);
}

static struct kunit_case conflict_cases[] = {
	KUNIT_CASE(test_no_post),
	KUNIT_CASE(test_owner_refused),
	KUNIT_CASE_SLOW(test_all_or_none),
	KUNIT_CASE(test_enable),
	KUNIT_CASE(test_switch),
	{}
};

static struct kunit_suite conflict_suite = {
	.name = "kprobes_conflict",
	.init = begin_case,
	.exit = end_case,
	.test_cases = conflict_cases,
};

kunit_test_suite(conflict_suite);

MODULE_DESCRIPTION("KUnit tests of probes and others that want a function to themselves");
MODULE_LICENSE("GPL");
