// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * KUnit tests of clients that leave while one of their handlers runs on another CPU. Another
 * client stays at the place: it stays armed.
 */
#include <kunit/test.h>
#include <linux/cpumask.h>
#include <linux/delay.h>
#include <linux/kprobes.h>
#include <linux/kthread.h>
#include <linux/ktime.h>
#include <linux/module.h>
#include <linux/sched.h>
#include "ours.h"

static bool leave_in, leave_out, leave_lost;
static struct kprobe leave_client, leave_resident, leave_lookup;

static noinline int leave_target(int value)
{
	return value + 1;
}

static int leave_nothing(struct kprobe *p, struct pt_regs *regs)
{
	return 0;
}

/* Runs for a while, once */
static int leave_wait(struct kprobe *p, struct pt_regs *regs)
{
	u64 end = ktime_get_mono_fast_ns() + 200 * NSEC_PER_MSEC;

	if (leave_in)
		return 0;
	WRITE_ONCE(leave_in, true);
	while (!leave_lost && ktime_get_mono_fast_ns() < end)
		leave_lost = !READ_ONCE(p->addr);
	WRITE_ONCE(leave_out, true);
	return 0;
}

/* Once the client is registered, goes on when its handler runs */
static int leave_hold(struct kprobe *p, struct pt_regs *regs)
{
	u64 end = ktime_get_mono_fast_ns() + 10ULL * NSEC_PER_SEC;

	while (leave_client.addr && !READ_ONCE(leave_in) && ktime_get_mono_fast_ns() < end)
		cpu_relax();
	return 0;
}

static int leave_call(void *unused)
{
	while (!kthread_should_stop()) {
		OPAQUE(leave_target)(0);
		cond_resched();
	}
	return 0;
}

static int leave_unregister(void *unused)
{
	unregister_kprobe(&leave_client);
	while (!kthread_should_stop())
		usleep_range(1000, 2000);
	return 0;
}

/* The function is called on the first CPU, and the test moves to the next one */
static struct task_struct *leave_begin(struct kunit *test)
{
	int cpu = cpumask_first(cpu_online_mask), next = cpumask_next(cpu, cpu_online_mask);
	struct task_struct *caller;

	if (num_online_cpus() < 2)
		kunit_skip(test, "needs two CPUs");
	leave_in = false;
	leave_out = false;
	leave_lost = false;
	leave_resident = (struct kprobe){
		.addr = (void *)leave_target, .pre_handler = leave_nothing,
	};
	leave_client = (struct kprobe){
		.symbol_name = "leave_target", .pre_handler = leave_wait,
	};
	KUNIT_ASSERT_EQ(test, register_kprobe(&leave_resident), 0);
	KUNIT_ASSERT_EQ(test, set_cpus_allowed_ptr(current, cpumask_of(next)), 0);
	caller = kthread_create(leave_call, NULL, "leave_call");
	KUNIT_ASSERT_FALSE(test, IS_ERR(caller));
	kthread_bind(caller, cpu);
	wake_up_process(caller);
	return caller;
}

/* Is the handler called? */
static bool leave_is_in(void)
{
	u64 end = ktime_get_mono_fast_ns() + 10ULL * NSEC_PER_SEC;

	while (!READ_ONCE(leave_in) && ktime_get_mono_fast_ns() < end)
		cpu_relax();
	return leave_in;
}

static void leave_end(struct task_struct *caller)
{
	kthread_stop(caller);
	unregister_kprobe(&leave_resident);
	set_cpus_allowed_ptr(current, cpu_possible_mask);
}

/* The handler of a client that is refused after all keeps its address until it has returned */
static void leave_test_refused(struct kunit *test)
{
	struct kprobe unknown = { .symbol_name = "leave_no_such_function" };
	struct kprobe *both[] = { &leave_client, &unknown };
	struct task_struct *caller = leave_begin(test);

	leave_lookup = (struct kprobe){
		.symbol_name = "kallsyms_lookup_name", .pre_handler = leave_hold,
	};
	KUNIT_EXPECT_EQ(test, register_kprobe(&leave_lookup), 0);
	KUNIT_EXPECT_EQ(test, register_kprobes(both, 2), -ENOENT);
	unregister_kprobe(&leave_lookup);
	KUNIT_EXPECT_TRUE(test, leave_in);
	KUNIT_EXPECT_TRUE(test, leave_out);
	KUNIT_EXPECT_FALSE(test, leave_lost);
	KUNIT_EXPECT_NULL(test, leave_client.addr);
	leave_end(caller);
}

/* Who finds the client unregistered by another task must not find its handlers running */
static void leave_test_twice(struct kunit *test)
{
	struct task_struct *caller = leave_begin(test), *other;

	KUNIT_EXPECT_EQ(test, register_kprobe(&leave_client), 0);
	KUNIT_EXPECT_TRUE(test, leave_is_in());
	other = kthread_create(leave_unregister, NULL, "leave_unregister");
	KUNIT_ASSERT_FALSE(test, IS_ERR(other));
	kthread_bind(other, raw_smp_processor_id());
	wake_up_process(other);
	msleep(50);
	unregister_kprobe(&leave_client);
	KUNIT_EXPECT_TRUE(test, leave_out);
	kthread_stop(other);
	leave_end(caller);
}

static struct kunit_case leave_cases[] = {
	KUNIT_CASE(leave_test_refused),
	KUNIT_CASE(leave_test_twice),
	{}
};

static struct kunit_suite leave_suite = {
	.name = "kprobes_leave",
	.test_cases = leave_cases,
};

kunit_test_suite(leave_suite);

MODULE_DESCRIPTION("KUnit tests of clients that leave under their handlers");
MODULE_LICENSE("GPL");
