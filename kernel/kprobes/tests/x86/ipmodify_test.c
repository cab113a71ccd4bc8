// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * An owner redirects functions, as live patching does, by an ftrace_ops with
 * IPMODIFY, of which a function can have only one. A client with a post-handler needs
 * IPMODIFY too. The second of the two is refused, and all that was there before keeps
 * working. A client without a post-handler works together with the owner.
 */
#include <kunit/static_stub.h>
#include <kunit/test.h>
#include <linux/bits.h>
#include <linux/compiler.h>
#include <linux/delay.h>
#include <linux/ftrace.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include "../../ftrace.h"
#include "../switch.h"
#include "owner.h"

#define ALL		0xf
#define EVEN		0x5
#define ODD		0xa

static struct kprobe ipmodify_clients[TARGETS];
static struct kprobe *ipmodify_all_clients[TARGETS] = {
	&ipmodify_clients[0], &ipmodify_clients[1], &ipmodify_clients[2], &ipmodify_clients[3],
};

/* Without post-handlers, at even targets, during all of a case */
static struct kprobe ipmodify_residents[TARGETS];

/* How often one call of a target has called each handler */
static unsigned int ipmodify_pre, ipmodify_post, ipmodify_resident;

/* Has the case switched all probes off? */
static bool ipmodify_off;

static int ipmodify_call_target(int i)
{
	int (*target)(int value) = ipmodify_targets[i];

	OPTIMIZER_HIDE_VAR(target);
	return target(0);
}

static int ipmodify_count_pre(struct kprobe *p, struct pt_regs *regs)
{
	ipmodify_pre++;
	return 0;
}

static void ipmodify_count_post(struct kprobe *p, struct pt_regs *regs, unsigned long flags)
{
	ipmodify_post++;
}

static int count_resident(struct kprobe *p, struct pt_regs *regs)
{
	ipmodify_resident++;
	return 0;
}

/* One client per target; those with a bit in @posts have a post-handler. */
static void ipmodify_fresh(unsigned int posts)
{
	int i;

	for (i = 0; i < TARGETS; i++)
		ipmodify_clients[i] = (struct kprobe) {
			.addr = (void *)ipmodify_targets[i],
			.pre_handler = ipmodify_count_pre,
			.post_handler = posts & BIT(i) ? ipmodify_count_post : NULL,
		};
}

static int register_all(void)
{
	return register_kprobes(ipmodify_all_clients, TARGETS);
}

static void unregister_all(void)
{
	unregister_kprobes(ipmodify_all_clients, TARGETS);
}

/* Call each target: of the clients, exactly those in @want are called. */
static void ipmodify_expect(struct kunit *test, unsigned int want, const char *when)
{
	int i;

	for (i = 0; i < TARGETS; i++) {
		bool called = want & BIT(i), elsewhere = owner_has & BIT(i);

		ipmodify_pre = 0;
		ipmodify_post = 0;
		ipmodify_resident = 0;
		KUNIT_EXPECT_EQ_MSG(test, ipmodify_call_target(i), elsewhere ? ELSEWHERE : i + 1,
				    "target %d, %s", i, when);
		KUNIT_EXPECT_EQ_MSG(test, ipmodify_pre, called, "target %d, %s", i, when);
		KUNIT_EXPECT_EQ_MSG(test, ipmodify_post, called && ipmodify_clients[i].post_handler,
				    "target %d, %s", i, when);
		KUNIT_EXPECT_EQ_MSG(test, ipmodify_resident, !ipmodify_off && (EVEN & BIT(i)),
				    "target %d, %s", i, when);
	}
}

/* Without post-handlers: registered before the owner, and after it */
static void test_no_post(struct kunit *test)
{
	ipmodify_fresh(0);
	KUNIT_ASSERT_EQ(test, owner_take(ALL), 0);
	ipmodify_expect(test, 0, "owned");
	KUNIT_ASSERT_EQ(test, register_all(), 0);
	ipmodify_expect(test, ALL, "owned first");
	owner_drop();
	ipmodify_expect(test, ALL, "owned no more");
	KUNIT_ASSERT_EQ(test, owner_take(ALL), 0);
	ipmodify_expect(test, ALL, "probed first");
	unregister_all();
	ipmodify_expect(test, 0, "unregistered");
}

/* With post-handlers: allowed where the owner is not, which then excludes the owner */
static void test_owner_refused(struct kunit *test)
{
	int i;

	ipmodify_fresh(ODD);
	KUNIT_ASSERT_EQ(test, owner_take(EVEN), 0);
	KUNIT_ASSERT_EQ(test, register_all(), 0);
	ipmodify_expect(test, ALL, "side by side");
	for (i = 0; i < TARGETS; i++) {
		if (ODD & BIT(i))
			KUNIT_EXPECT_EQ(test, owner_take(BIT(i)), -EBUSY);
	}
	ipmodify_expect(test, ALL, "no more for the owner");
	owner_drop();
	KUNIT_EXPECT_EQ(test, owner_take(ALL), -EBUSY);
	ipmodify_expect(test, ALL, "nothing for the owner");
	unregister_all();
	KUNIT_EXPECT_EQ(test, owner_take(ALL), 0);
	ipmodify_expect(test, 0, "all for the owner");
}

/*
 * All clients have post-handlers, and those in @which are refused, so that none is
 * registered. The owner can then have the other targets, because no client is still
 * armed there.
 */
static void ipmodify_refuse(struct kunit *test, unsigned int which)
{
	ipmodify_fresh(ALL);
	KUNIT_ASSERT_EQ(test, owner_take(which), 0);
	KUNIT_EXPECT_EQ_MSG(test, register_all(), -EBUSY, "%#x owned", which);
	ipmodify_expect(test, 0, "refused");
	KUNIT_EXPECT_EQ_MSG(test, owner_take(ALL & ~which), 0, "%#x owned", which);
	ipmodify_expect(test, 0, "all for the owner");
	KUNIT_EXPECT_EQ(test, register_all(), -EBUSY);
	owner_drop();
	ipmodify_expect(test, 0, "owned no more");
	KUNIT_ASSERT_EQ(test, register_all(), 0);
	ipmodify_expect(test, ALL, "registered");
	unregister_all();
	ipmodify_expect(test, 0, "unregistered");
}

static void test_all_or_none(struct kunit *test)
{
	unsigned int which;

	for (which = 1; which <= ALL; which++)
		ipmodify_refuse(test, which);
}

/* Registered disabled: arming fails or succeeds when each client is enabled. */
static void test_conflict_enable(struct kunit *test)
{
	int i;

	ipmodify_fresh(ALL);
	for (i = 0; i < TARGETS; i++)
		ipmodify_clients[i].flags = ODD & BIT(i) ? KPROBE_FLAG_DISABLED : 0;
	KUNIT_ASSERT_EQ(test, owner_take(ODD), 0);
	KUNIT_ASSERT_EQ(test, register_all(), 0);
	ipmodify_expect(test, EVEN, "registered");
	for (i = 0; i < TARGETS; i++) {
		KUNIT_EXPECT_EQ(test, enable_kprobe(&ipmodify_clients[i]),
				ODD & BIT(i) ? -EBUSY : 0);
		KUNIT_EXPECT_EQ(test, kprobe_disabled(&ipmodify_clients[i]), !!(ODD & BIT(i)));
	}
	ipmodify_expect(test, EVEN, "not enabled");
	owner_drop();
	ipmodify_expect(test, EVEN, "owned no more");
	for (i = 0; i < TARGETS; i++)
		KUNIT_EXPECT_EQ(test, enable_kprobe(&ipmodify_clients[i]), 0);
	ipmodify_expect(test, ALL, "enabled");
	unregister_all();
	ipmodify_expect(test, 0, "unregistered");
}

static void ipmodify_expect_resident(struct kunit *test, int i, unsigned int calls)
{
	ipmodify_resident = 0;
	ipmodify_call_target(i);
	KUNIT_EXPECT_EQ(test, ipmodify_resident, calls);
}

/* At an owned function only the enabled client with a post-handler is refused */
static void test_mixed_batch(struct kunit *test)
{
	struct kprobe plain = {
		.addr = (void *)ipmodify_targets[1],
		.pre_handler = count_resident,
	};
	struct kprobe off = plain, *post = &ipmodify_clients[1];
	struct kprobe_batch *batch = kprobe_batch_alloc();

	ipmodify_fresh(ALL);
	off.post_handler = ipmodify_count_post;
	off.flags = KPROBE_FLAG_DISABLED;
	KUNIT_EXPECT_EQ(test, owner_take(ODD), 0);
	kprobe_batch_register(batch, &plain);
	kprobe_batch_register(batch, post);
	kprobe_batch_register(batch, &off);
	KUNIT_EXPECT_EQ(test, kprobe_batch_commit(batch), -EBUSY);
	KUNIT_EXPECT_EQ(test, kprobe_error(&plain), 0);
	KUNIT_EXPECT_EQ(test, kprobe_error(post), -EBUSY);
	KUNIT_EXPECT_EQ(test, kprobe_error(&off), 0);
	ipmodify_expect_resident(test, 1, 1);
	KUNIT_EXPECT_EQ(test, enable_kprobe(&off), -EBUSY);
	KUNIT_EXPECT_EQ(test, disable_kprobe(&plain), 0);
	ipmodify_expect_resident(test, 1, 0);
	KUNIT_EXPECT_EQ(test, enable_kprobe(&plain), 0);
	ipmodify_expect_resident(test, 1, 1);
	owner_drop();
	KUNIT_EXPECT_EQ(test, enable_kprobe(&off), 0);
	ipmodify_expect_resident(test, 1, 2);
	unregister_kprobe(&off);
	unregister_kprobe(&plain);
	kprobe_batch_put(batch);
}

static void switch_all(struct kunit *test, bool on, int answer)
{
	KUNIT_EXPECT_EQ(test, switch_turn(SWITCH, on), answer);
	ipmodify_off = !on;
}

/* All points are in one batch: those that can be armed are; the error is returned. */
static void test_switch(struct kunit *test)
{
	if (switch_turn(SWITCH, true))
		kunit_skip(test, "no " SWITCH);
	ipmodify_fresh(ALL);
	switch_all(test, false, 0);
	KUNIT_EXPECT_EQ(test, register_all(), 0);
	KUNIT_EXPECT_EQ(test, owner_take(ODD), 0);
	ipmodify_expect(test, 0, "off");
	switch_all(test, true, -EBUSY);
	ipmodify_expect(test, EVEN, "on, as far as can be");
	/* From now on the core may try again by itself, once a second */
	owner_drop();
	switch_all(test, true, 0);
	ipmodify_expect(test, ALL, "on");
	unregister_all();
	ipmodify_expect(test, 0, "unregistered");
}

static int ipmodify_no_memory(struct ftrace_ops *ops, unsigned long *addrs,
			      unsigned int num, int remove)
{
	return remove ? -ENOMEM : ftrace_set_filter_ips(ops, addrs, num, 0, 0);
}

/* The core tries again by itself, once a second */
static int ipmodify_take_later(unsigned int which)
{
	int i, ret = -EBUSY;

	for (i = 0; i < 100 && ret; i++) {
		msleep(50);
		ret = owner_take(which);
	}
	return ret;
}

/* Points leave IPMODIFY while ftrace has no memory: they do so later */
static void test_late_move(struct kunit *test)
{
	int i;

	ipmodify_fresh(ALL);
	KUNIT_ASSERT_EQ(test, register_all(), 0);
	kunit_activate_static_stub(test, kprobe_ftrace_filter, ipmodify_no_memory);
	for (i = 0; i < TARGETS; i += 2)
		unregister_kprobe(&ipmodify_clients[i]);
	kunit_deactivate_static_stub(test, kprobe_ftrace_filter);
	KUNIT_EXPECT_EQ(test, owner_take(EVEN), -EBUSY);
	ipmodify_expect(test, ODD, "late");
	KUNIT_EXPECT_EQ(test, ipmodify_take_later(EVEN), 0);
	ipmodify_expect(test, ODD, "moved");
	unregister_all();
	KUNIT_EXPECT_EQ(test, owner_take(ODD), 0);
}

static int ipmodify_no_room(struct ftrace_ops *ops, unsigned long *addrs,
			    unsigned int num, int remove)
{
	return remove ? ftrace_set_filter_ips(ops, addrs, num, 1, 0) : -ENOMEM;
}

/* Points that cannot move back stay armed, take more clients, and move back later */
static void test_late_return(struct kunit *test)
{
	struct kprobe plain = {
		.addr = (void *)ipmodify_targets[0],
		.pre_handler = count_resident,
	};
	int i;

	ipmodify_fresh(ALL);
	KUNIT_ASSERT_EQ(test, register_all(), 0);
	kunit_activate_static_stub(test, kprobe_ftrace_filter, ipmodify_no_room);
	for (i = 0; i < TARGETS; i += 2)
		unregister_kprobe(&ipmodify_clients[i]);
	ipmodify_expect(test, ODD, "not moved");
	KUNIT_EXPECT_EQ(test, register_kprobe(&plain), 0);
	ipmodify_expect_resident(test, 0, 2);
	kunit_deactivate_static_stub(test, kprobe_ftrace_filter);
	KUNIT_EXPECT_EQ(test, ipmodify_take_later(EVEN), 0);
	ipmodify_expect_resident(test, 0, 2);
	unregister_kprobe(&plain);
	unregister_all();
}

/* A point without clients stays until ftrace lets go of it, and may be used again */
static void test_late_disarm(struct kunit *test)
{
	ipmodify_fresh(ALL);
	KUNIT_ASSERT_EQ(test, register_all(), 0);
	kunit_activate_static_stub(test, kprobe_ftrace_filter, ipmodify_no_memory);
	unregister_kprobe(&ipmodify_clients[1]);
	unregister_kprobe(&ipmodify_clients[3]);
	kunit_deactivate_static_stub(test, kprobe_ftrace_filter);
	ipmodify_expect(test, EVEN, "late");
	ipmodify_clients[1].post_handler = NULL;
	KUNIT_EXPECT_EQ(test, register_kprobe(&ipmodify_clients[1]), 0);
	ipmodify_expect(test, EVEN | BIT(1), "again");
	KUNIT_EXPECT_EQ(test, ipmodify_take_later(ODD), 0);
	ipmodify_expect(test, EVEN | BIT(1), "given back");
}

static int ipmodify_dying(struct ftrace_ops *ops, unsigned long *addrs, unsigned int num,
			  int remove)
{
	int ret = ftrace_set_filter_ips(ops, addrs, num, remove, 0);

	kprobe_ftrace_is_dead = true;
	return ret;
}

/* A change of sites that ftrace does not live through is no success */
static void test_death_in_change(struct kunit *test)
{
	ipmodify_fresh(0);
	kunit_activate_static_stub(test, kprobe_ftrace_filter, ipmodify_dying);
	KUNIT_EXPECT_EQ(test, register_kprobe(&ipmodify_clients[1]), -ENODEV);
	kunit_deactivate_static_stub(test, kprobe_ftrace_filter);
	ipmodify_expect(test, 0, "dead");
	kprobe_ftrace_is_dead = false;
	KUNIT_EXPECT_EQ(test, register_kprobe(&ipmodify_clients[1]), 0);
	ipmodify_expect(test, BIT(1), "alive");
}

/* Points that cannot move back since ftrace is dead are not tried for ever */
static void test_dead_return(struct kunit *test)
{
	struct kprobe worker = { .symbol_name = "commit_late", .pre_handler = count_resident };
	int i;

	ipmodify_fresh(ALL);
	KUNIT_ASSERT_EQ(test, register_all(), 0);
	KUNIT_ASSERT_EQ(test, register_kprobe(&worker), 0);
	/* What it may have to do for others */
	msleep(1500);
	kprobe_ftrace_is_dead = true;
	for (i = 0; i < TARGETS; i += 2)
		unregister_kprobe(&ipmodify_clients[i]);
	ipmodify_resident = 0;
	msleep(2500);
	KUNIT_EXPECT_EQ(test, ipmodify_resident, 0);
	kprobe_ftrace_is_dead = false;
	unregister_kprobe(&worker);
}

static int begin_case(struct kunit *test)
{
	int i, ret;

	ipmodify_off = false;
	ret = make_switch_text(test);
	for (i = 0; i < TARGETS && !ret; i += 2) {
		ipmodify_residents[i] = (struct kprobe) {
			.addr = (void *)ipmodify_targets[i],
			.pre_handler = count_resident,
		};
		ret = register_kprobe(&ipmodify_residents[i]);
	}
	return ret;
}

static void end_case(struct kunit *test)
{
	int i;

	kprobe_ftrace_is_dead = false;
	owner_drop();
	unregister_all();
	for (i = 0; i < TARGETS; i += 2)
		unregister_kprobe(&ipmodify_residents[i]);
}

static struct kunit_case ipmodify_cases[] = {
	KUNIT_CASE(test_no_post),
	KUNIT_CASE(test_owner_refused),
	KUNIT_CASE_SLOW(test_all_or_none),
	KUNIT_CASE(test_conflict_enable),
	KUNIT_CASE(test_mixed_batch),
	KUNIT_CASE(test_switch),
	KUNIT_CASE_SLOW(test_late_move),
	KUNIT_CASE_SLOW(test_late_return),
	KUNIT_CASE_SLOW(test_late_disarm),
	KUNIT_CASE(test_death_in_change),
	KUNIT_CASE_SLOW(test_dead_return),
	{}
};

static struct kunit_suite ipmodify_suite = {
	.name = "kprobes_ipmodify",
	.init = begin_case,
	.exit = end_case,
	.test_cases = ipmodify_cases,
};

kunit_test_suite(ipmodify_suite);

MODULE_DESCRIPTION("KUnit tests of probes and others that want a function to themselves");
MODULE_IMPORT_NS(EXPORTED_FOR_KUNIT_TESTING);
MODULE_LICENSE("GPL");
