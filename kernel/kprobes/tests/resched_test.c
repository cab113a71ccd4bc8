// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Hits, and a reschedule that becomes due while they have preemption off.
 *
 * The end of a hit reschedules. The functions called for this may be probed, and their
 * hits must not recurse endlessly.
 */
#include <kunit/test.h>
#include <linux/irqflags.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include "ours.h"

#define RESCHED_ROUNDS	100

static unsigned int resched_hits, resched_returns;

static noinline int resched_target(int value)
{
	return value + 1;
}

/* The reschedule is due as if a task of higher priority had been woken up */
static void resched_make_due(void)
{
	set_tsk_need_resched(current);
	set_preempt_need_resched();
}

static int resched_count_hit(struct kprobe *p, struct pt_regs *regs)
{
	resched_hits++;
	return 0;
}

static int resched_count_return(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	resched_returns++;
	return 0;
}

static int resched_return_due(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	resched_returns++;
	resched_make_due();
	return 0;
}

static int resched_init(struct kunit *test)
{
	resched_hits = 0;
	resched_returns = 0;
	if (!IS_ENABLED(CONFIG_PREEMPTION) || !preempt_model_preemptible())
		kunit_skip(test, "no preemption");
	return 0;
}

/* preempt_schedule_notrace() returns at once; so must its return probe */
static void resched_test_return_irqs_off(struct kunit *test)
{
	struct kretprobe rp = {
		.kp.addr = (void *)preempt_schedule_notrace,
		.handler = resched_count_return,
	};
	unsigned long flags;
	bool due;

	KUNIT_ASSERT_EQ(test, register_kretprobe(&rp), 0);
	local_irq_save(flags);
	resched_returns = 0;
	resched_make_due();
	OPAQUE(preempt_schedule_notrace)();
	due = need_resched();
	local_irq_restore(flags);
	unregister_kretprobe(&rp);
	KUNIT_EXPECT_GT(test, resched_returns, 0);
	KUNIT_EXPECT_TRUE(test, due);
}

/* Each return makes the next reschedule due */
static void resched_test_return_again(struct kunit *test)
{
	struct kretprobe rp = {
		.kp.addr = (void *)preempt_schedule_notrace,
		.handler = resched_return_due,
	};
	int i;

	KUNIT_ASSERT_EQ(test, register_kretprobe(&rp), 0);
	resched_returns = 0;
	for (i = 0; i < RESCHED_ROUNDS; i++)
		OPAQUE(preempt_schedule_notrace)();
	unregister_kretprobe(&rp);
	KUNIT_EXPECT_GE(test, resched_returns, RESCHED_ROUNDS);
}

/* The function reschedules at the end of each hit of another probe */
static void resched_test_kprobe(struct kunit *test)
{
	struct kprobe inner = {
		.addr = (void *)preempt_schedule_notrace,
		.pre_handler = resched_count_hit,
	};
	struct kprobe outer = {
		.addr = (void *)resched_target,
		.pre_handler = resched_count_hit,
	};
	unsigned long flags;
	int i;

	KUNIT_ASSERT_EQ(test, register_kprobe(&inner), 0);
	KUNIT_EXPECT_EQ(test, register_kprobe(&outer), 0);
	resched_hits = 0;
	for (i = 0; i < RESCHED_ROUNDS; i++) {
		local_irq_save(flags);
		resched_make_due();
		OPAQUE(resched_target)(i);
		local_irq_restore(flags);
		resched_make_due();
		OPAQUE(resched_target)(i);
	}
	unregister_kprobe(&outer);
	unregister_kprobe(&inner);
	KUNIT_EXPECT_GE(test, resched_hits, 2 * RESCHED_ROUNDS);
}

/* The reschedule happens when the handlers have run, not at the next interrupt */
static void resched_test_taken(struct kunit *test)
{
	struct kretprobe rp = {
		.kp.addr = (void *)resched_target,
		.handler = resched_return_due,
	};
	unsigned int i, taken = 0;

	KUNIT_ASSERT_EQ(test, register_kretprobe(&rp), 0);
	for (i = 0; i < RESCHED_ROUNDS; i++) {
		OPAQUE(resched_target)(i);
		if (!need_resched())
			taken++;
	}
	unregister_kretprobe(&rp);
	KUNIT_EXPECT_EQ(test, resched_returns, RESCHED_ROUNDS);
	KUNIT_EXPECT_EQ(test, taken, RESCHED_ROUNDS);
}

/* While interrupts or preemption are off, the reschedule is delayed */
static void resched_test_not_taken(struct kunit *test)
{
	struct kretprobe rp = {
		.kp.addr = (void *)resched_target,
		.handler = resched_return_due,
	};
	bool due_irqs_off, due_preempt_off;
	unsigned long flags;

	KUNIT_ASSERT_EQ(test, register_kretprobe(&rp), 0);
	local_irq_save(flags);
	OPAQUE(resched_target)(0);
	due_irqs_off = need_resched();
	local_irq_restore(flags);
	preempt_disable();
	OPAQUE(resched_target)(0);
	due_preempt_off = need_resched();
	preempt_enable();
	unregister_kretprobe(&rp);
	KUNIT_EXPECT_TRUE(test, due_irqs_off);
	KUNIT_EXPECT_TRUE(test, due_preempt_off);
}

static struct kunit_case resched_cases[] = {
	KUNIT_CASE(resched_test_taken),
	KUNIT_CASE(resched_test_not_taken),
	KUNIT_CASE(resched_test_kprobe),
	KUNIT_CASE(resched_test_return_irqs_off),
	KUNIT_CASE(resched_test_return_again),
	{}
};

static struct kunit_suite resched_suite = {
	.name = "kprobes_resched",
	.init = resched_init,
	.test_cases = resched_cases,
};

kunit_test_suite(resched_suite);

MODULE_DESCRIPTION("KUnit tests of hits and a pending reschedule");
MODULE_LICENSE("GPL");
