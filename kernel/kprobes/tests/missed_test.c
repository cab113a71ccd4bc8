// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * KUnit tests of missed hits: each reason has its own count, and kprobe::nmissed is
 * their sum.
 */
#include <kunit/test.h>
#include <linux/context_tracking.h>
#include <linux/irqflags.h>
#include <linux/kprobes.h>
#include <linux/limits.h>
#include <linux/module.h>
#include <linux/sched.h>
#include "machine.h"
#include "ours.h"

static unsigned int missed_hits;

static noinline int missed_target(int depth)
{
	return depth ? 1 + OPAQUE(missed_target)(depth - 1) : 0;
}

static int missed_count(struct kprobe *p, struct pt_regs *regs)
{
	missed_hits++;
	return 0;
}

static int missed_return(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	missed_hits++;
	return 0;
}

static void missed_call(int depth)
{
	missed_hits = 0;
	OPAQUE(missed_target)(depth);
}

/* @count hits were missed for one reason, and none for another */
static void missed_expect(struct kunit *test, const struct kprobe *p, enum kprobe_missed why,
			  unsigned long count)
{
	enum kprobe_missed other;

	for (other = KPROBE_MISSED_NESTED; other <= KPROBE_MISSED_NO_INSTANCE; other++)
		KUNIT_EXPECT_EQ_MSG(test, kprobe_missed(p, other), other == why ? count : 0,
				    "reason %d", other);
	KUNIT_EXPECT_EQ(test, p->nmissed, why == KPROBE_MISSED_NO_INSTANCE ? 0 : count);
}

static void test_nested(struct kunit *test)
{
	struct kprobe p = { .addr = (void *)missed_target, .pre_handler = missed_count };

	KUNIT_ASSERT_EQ(test, register_kprobe(&p), 0);
	kprobe_busy_begin();
	kprobe_busy_begin();
	missed_call(1);
	kprobe_busy_end();
	missed_call(0);
	kprobe_busy_end();
	KUNIT_EXPECT_EQ(test, missed_hits, 0);
	missed_expect(test, &p, KPROBE_MISSED_NESTED, 3);
	missed_call(0);
	KUNIT_EXPECT_EQ(test, missed_hits, 1);
	unregister_kprobe(&p);
	missed_expect(test, &p, KPROBE_MISSED_NESTED, 3);
}

/* A trap makes RCU watch; ftrace does not */
static void test_unwatched(struct kunit *test)
{
	struct kprobe p = { .addr = (void *)missed_target, .pre_handler = missed_count };
	unsigned long flags;

	if (!IS_ENABLED(CONFIG_CONTEXT_TRACKING_IDLE))
		kunit_skip(test, "RCU watches idle CPUs");
	KUNIT_ASSERT_EQ(test, register_kprobe(&p), 0);
	local_irq_save(flags);
	/* Only idle tasks may do this; a debug kernel watches. */
	current->flags |= PF_IDLE;
	ct_idle_enter();
	missed_call(1);
	ct_idle_exit();
	current->flags &= ~PF_IDLE;
	local_irq_restore(flags);
	KUNIT_EXPECT_EQ(test, missed_hits, ENTRY_BY_FTRACE ? 0 : 2);
	missed_expect(test, &p, KPROBE_MISSED_UNWATCHED, ENTRY_BY_FTRACE ? 2 : 0);
	unregister_kprobe(&p);
}

static void test_no_instance(struct kunit *test)
{
	struct kretprobe rp = {
		.kp.addr = (void *)missed_target,
		.handler = missed_return,
		.maxactive = 1,
	};

	KUNIT_ASSERT_EQ(test, register_kretprobe(&rp), 0);
	missed_call(2);
	KUNIT_EXPECT_EQ(test, missed_hits, 1);
	missed_expect(test, &rp.kp, KPROBE_MISSED_NO_INSTANCE, 2);
	/* The counter is an int for clients. What is read of it goes on behind the greatest int */
	rp.nmissed = INT_MAX;
	missed_call(2);
	KUNIT_EXPECT_EQ(test, kprobe_missed(&rp.kp, KPROBE_MISSED_NO_INSTANCE), 2UL + INT_MAX);
	unregister_kretprobe(&rp);
}

/* Unregistering removes the instances before the last hit has left the handler */
static void test_retiring(struct kunit *test)
{
	struct kretprobe rp = { .kp.addr = (void *)missed_target, .handler = missed_return };
	struct kretprobe_holder *holder;

	KUNIT_ASSERT_EQ(test, register_kretprobe(&rp), 0);
	holder = rp.holder;
	WRITE_ONCE(rp.holder, NULL);
	missed_call(1);
	WRITE_ONCE(rp.holder, holder);
	KUNIT_EXPECT_EQ(test, missed_hits, 0);
	missed_expect(test, &rp.kp, KPROBE_MISSED_RETIRING, 2);
	missed_call(1);
	KUNIT_EXPECT_EQ(test, missed_hits, 2);
	unregister_kretprobe(&rp);
}

static noinline int missed_elsewhere(int depth)
{
	return -1;
}

static int missed_divert(struct kprobe *p, struct pt_regs *regs)
{
	instruction_pointer_set(regs, (unsigned long)missed_elsewhere);
	return 1;
}

/* The newest client is called first */
static void test_diverted(struct kunit *test)
{
	struct kprobe last = { .addr = (void *)missed_target, .pre_handler = missed_count };
	struct kprobe first = { .addr = (void *)missed_target, .pre_handler = missed_divert };

	KUNIT_ASSERT_EQ(test, register_kprobe(&last), 0);
	KUNIT_EXPECT_EQ(test, register_kprobe(&first), 0);
	missed_hits = 0;
	KUNIT_EXPECT_EQ(test, OPAQUE(missed_target)(0), -1);
	unregister_kprobe(&first);
	missed_call(0);
	unregister_kprobe(&last);
	KUNIT_EXPECT_EQ(test, missed_hits, 1);
	missed_expect(test, &last, KPROBE_MISSED_DIVERTED, 1);
	KUNIT_EXPECT_EQ(test, first.nmissed, 0);
}

static struct kunit_case missed_cases[] = {
	KUNIT_CASE(test_nested),
	KUNIT_CASE(test_unwatched),
	KUNIT_CASE(test_no_instance),
	KUNIT_CASE(test_retiring),
	KUNIT_CASE(test_diverted),
	{}
};

static struct kunit_suite missed_suite = {
	.name = "kprobes_missed",
	.test_cases = missed_cases,
};

kunit_test_suite(missed_suite);

MODULE_DESCRIPTION("KUnit tests of the counts of missed hits");
MODULE_IMPORT_NS(EXPORTED_FOR_KUNIT_TESTING);
MODULE_LICENSE("GPL");
