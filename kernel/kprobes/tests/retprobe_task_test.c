// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Return probes and tasks: calls that sleep, move to another CPU or never return
 * while the return probe is registered and unregistered.
 */
#include <kunit/test.h>
#include <linux/completion.h>
#include <linux/cpu.h>
#include <linux/cpumask.h>
#include <linux/delay.h>
#include <linux/jiffies.h>
#include <linux/kprobes.h>
#include <linux/kthread.h>
#include <linux/ktime.h>
#include <linux/module.h>
#include <linux/sched.h>
#include <linux/sched/task.h>
#include <linux/slab.h>
#include <linux/stacktrace.h>
#include "counted.h"
#include "machine.h"
#include "ours.h"

#define SLEEPERS	100
#define POISON		0x5a
#define FRAMES		16

static atomic_t retprobe_task_asleep, retprobe_task_right;
static DECLARE_COMPLETION(retprobe_task_wake);
static DECLARE_COMPLETION(retprobe_task_gone);
static struct task_struct *last_sleeper;

static noinline int retprobe_task_sleeper(int value)
{
	atomic_inc(&retprobe_task_asleep);
	wait_for_completion(&retprobe_task_wake);
	return value + 1;
}

static noinline int retprobe_task_leaver(int value)
{
	kthread_complete_and_exit(&retprobe_task_gone, 0);
	return value;
}

static noinline int retprobe_task_mover(int cpu)
{
	return set_cpus_allowed_ptr(current, cpumask_of(cpu));
}

static noinline int retprobe_task_spinner(int value)
{
	return value + 1;
}

static struct kretprobe *probe_alloc(struct kunit *test, void *func, int maxactive)
{
	struct kretprobe *rp = kzalloc(sizeof(*rp), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, rp);
	*rp = counted_retprobe(func, maxactive);
	return rp;
}

/* Poisoned, so that a late access does not go unnoticed. */
static void probe_free(struct kretprobe *rp)
{
	memset(rp, POISON, sizeof(*rp));
	kfree(rp);
}

static int sleeper_thread(void *value)
{
	if (OPAQUE(retprobe_task_sleeper)((long)value) == (long)value + 1)
		atomic_inc(&retprobe_task_right);
	if (atomic_dec_and_test(&retprobe_task_asleep))
		complete(&retprobe_task_gone);
	return 0;
}

#ifdef CONFIG_SMP
static bool is_on_cpu(const struct task_struct *task)
{
	return READ_ONCE(task->on_cpu);
}
#else
/* The only CPU runs the caller */
static bool is_on_cpu(const struct task_struct *task)
{
	return false;
}
#endif

static void start_sleepers(struct kunit *test)
{
	struct task_struct *task;
	long i;

	atomic_set(&retprobe_task_asleep, 0);
	atomic_set(&retprobe_task_right, 0);
	reinit_completion(&retprobe_task_wake);
	reinit_completion(&retprobe_task_gone);
	for (i = 0; i < SLEEPERS; i++) {
		task = kthread_run(sleeper_thread, (void *)i, "sleeper/%ld", i);
		KUNIT_ASSERT_FALSE(test, IS_ERR(task));
		last_sleeper = task;
	}
	/* Each counts itself, and sleeps soon */
	while (atomic_read(&retprobe_task_asleep) < SLEEPERS || task_is_running(last_sleeper) ||
	       is_on_cpu(last_sleeper))
		msleep(20);
}

static void wake_sleepers(struct kunit *test)
{
	complete_all(&retprobe_task_wake);
	KUNIT_EXPECT_NE(test, wait_for_completion_timeout(&retprobe_task_gone, 10 * HZ), 0);
	KUNIT_EXPECT_EQ(test, atomic_read(&retprobe_task_right), SLEEPERS);
}

static void test_sleep_and_return(struct kunit *test)
{
	struct kretprobe *rp = probe_alloc(test, retprobe_task_sleeper, SLEEPERS);

	KUNIT_ASSERT_EQ(test, register_kretprobe(rp), 0);
	start_sleepers(test);
	wake_sleepers(test);
	unregister_kretprobe(rp);
	KUNIT_EXPECT_EQ(test, atomic_read(&counted_entries), SLEEPERS);
	KUNIT_EXPECT_EQ(test, atomic_read(&counted_returns), SLEEPERS);
	KUNIT_EXPECT_EQ(test, rp->nmissed, 0);
	probe_free(rp);
}

/* A worker does it, after a grace period */
static void let_pool_drain(void)
{
	rcu_barrier();
	msleep(20);
}

static void test_unregister_asleep(struct kunit *test)
{
	struct kretprobe *rp = probe_alloc(test, retprobe_task_sleeper, SLEEPERS);

	KUNIT_ASSERT_EQ(test, register_kretprobe(rp), 0);
	start_sleepers(test);
	unregister_kretprobe(rp);
	probe_free(rp);
	let_pool_drain();
	wake_sleepers(test);
	KUNIT_EXPECT_EQ(test, atomic_read(&counted_entries), SLEEPERS);
	KUNIT_EXPECT_EQ(test, atomic_read(&counted_returns), 0);
}

struct trace {
	unsigned long	frame[FRAMES];
	unsigned int	num;
};

static struct trace trace_asleep(void)
{
	struct trace trace = { };

	trace.num = stack_trace_save_tsk(last_sleeper, trace.frame, FRAMES, 0);
	return trace;
}

/* The stack trace of a sleeper does not change with the probe. */
static void test_trace_asleep(struct kunit *test)
{
	struct trace plain, probed, left;
	struct kretprobe *rp;

	start_sleepers(test);
	plain = trace_asleep();
	wake_sleepers(test);
	KUNIT_EXPECT_GE(test, plain.num, 4);
	rp = probe_alloc(test, retprobe_task_sleeper, SLEEPERS);
	KUNIT_ASSERT_EQ(test, register_kretprobe(rp), 0);
	start_sleepers(test);
	probed = trace_asleep();
	unregister_kretprobe(rp);
	probe_free(rp);
	let_pool_drain();
	left = trace_asleep();
	wake_sleepers(test);
	KUNIT_EXPECT_MEMEQ(test, &plain, &probed, sizeof(plain));
	if (OURS)
		KUNIT_EXPECT_MEMEQ(test, &plain, &left, sizeof(plain));
}

static int leaver_thread(void *value)
{
	return OPAQUE(retprobe_task_leaver)((long)value);
}

/* A task's instances are returned after RCU has freed the task. */
static void let_one_leave(struct kunit *test)
{
	struct task_struct *task;

	reinit_completion(&retprobe_task_gone);
	task = kthread_run(leaver_thread, NULL, "leaver");
	KUNIT_ASSERT_FALSE(test, IS_ERR(task));
	KUNIT_EXPECT_NE(test, wait_for_completion_timeout(&retprobe_task_gone, 10 * HZ), 0);
	msleep(20);
	rcu_barrier();
}

static void test_never_return(struct kunit *test)
{
	struct kretprobe *rp = probe_alloc(test, retprobe_task_leaver, 4);
	int i;

	KUNIT_ASSERT_EQ(test, register_kretprobe(rp), 0);
	for (i = 0; i < 12; i++)
		let_one_leave(test);
	unregister_kretprobe(rp);
	KUNIT_EXPECT_EQ(test, atomic_read(&counted_entries), 12);
	KUNIT_EXPECT_EQ(test, atomic_read(&counted_returns), 0);
	KUNIT_EXPECT_EQ(test, rp->nmissed, 0);
	probe_free(rp);
}

/* Calls return on one CPU only; the other CPU must be able to take its instances. */
static void test_move(struct kunit *test)
{
	struct kretprobe *rp;
	int i, from, to;

	if (num_online_cpus() < 2)
		kunit_skip(test, "needs two CPUs");
	from = cpumask_first(cpu_online_mask);
	to = cpumask_next(from, cpu_online_mask);
	rp = probe_alloc(test, retprobe_task_mover, 4);
	KUNIT_ASSERT_EQ(test, register_kretprobe(rp), 0);
	for (i = 0; i < 20; i++) {
		disable_kretprobe(rp);
		KUNIT_EXPECT_EQ(test, OPAQUE(retprobe_task_mover)(from), 0);
		enable_kretprobe(rp);
		KUNIT_EXPECT_EQ(test, OPAQUE(retprobe_task_mover)(to), 0);
	}
	set_cpus_allowed_ptr(current, cpu_possible_mask);
	unregister_kretprobe(rp);
	KUNIT_EXPECT_EQ(test, atomic_read(&counted_returns), 20);
	KUNIT_EXPECT_EQ(test, rp->nmissed, 0);
	probe_free(rp);
}

/*
 * The idle loop of a CPU that goes offline never returns either. CPUs that stay are in it
 * at the end, perhaps.
 */
static void test_offline(struct kunit *test)
{
	struct kretprobe *rp = probe_alloc(test, NULL, 4);
	int i, cpu = cpumask_last(cpu_online_mask);

	if (!OURS || !cpu || remove_cpu(cpu) || add_cpu(cpu))
		kunit_skip(test, "needs a CPU that can go, and comes back; and not stock");
	rp->kp.symbol_name = "do_idle";
	KUNIT_ASSERT_EQ(test, register_kretprobe(rp), 0);
	for (i = 0; i < 8; i++) {
		KUNIT_EXPECT_EQ(test, remove_cpu(cpu), 0);
		KUNIT_EXPECT_EQ(test, add_cpu(cpu), 0);
	}
	unregister_kretprobe(rp);
	KUNIT_EXPECT_GE(test, atomic_read(&counted_entries) - atomic_read(&counted_returns), 8);
	KUNIT_EXPECT_LE(test, atomic_read(&counted_entries) - atomic_read(&counted_returns),
			8 + num_online_cpus());
	KUNIT_EXPECT_EQ(test, rp->nmissed, 0);
	probe_free(rp);
}

static int retprobe_task_spinner_thread(void *unused)
{
	int i = 0;

	while (!kthread_should_stop()) {
		if (OPAQUE(retprobe_task_spinner)(i) != i + 1)
			atomic_inc(&retprobe_task_right);
		/* Let other tasks and RCU have the CPU regularly. */
		if (!(++i % 1024))
			usleep_range(1000, 2000);
	}
	return 0;
}

static void test_unregister_busy(struct kunit *test)
{
	struct task_struct *tasks[2];
	struct kretprobe *rp;
	int i, hits = 0;

	atomic_set(&retprobe_task_right, 0);
	for (i = 0; i < 2; i++) {
		tasks[i] = kthread_run(retprobe_task_spinner_thread, NULL, "spinner/%d", i);
		KUNIT_ASSERT_FALSE(test, IS_ERR(tasks[i]));
	}
	for (i = 0; i < 20; i++) {
		rp = probe_alloc(test, retprobe_task_spinner, 0);
		KUNIT_ASSERT_EQ(test, register_kretprobe(rp), 0);
		usleep_range(500, 1000);
		unregister_kretprobe(rp);
		hits += atomic_read(&counted_entries);
		probe_free(rp);
	}
	for (i = 0; i < 2; i++)
		kthread_stop(tasks[i]);
	KUNIT_EXPECT_GT(test, hits, 0);
	KUNIT_EXPECT_EQ(test, atomic_read(&retprobe_task_right), 0);
}

static bool retprobe_task_in, retprobe_task_out, retprobe_task_lost;

/* Runs while another CPU unregisters its return probe. */
static int retprobe_task_wait(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	u64 end = ktime_get_mono_fast_ns() + 200 * NSEC_PER_MSEC;

	WRITE_ONCE(retprobe_task_in, true);
	while (!retprobe_task_lost && ktime_get_mono_fast_ns() < end)
		retprobe_task_lost = !get_kretprobe(ri);
	WRITE_ONCE(retprobe_task_out, true);
	return 0;
}

static int retprobe_task_call(void *unused)
{
	return OPAQUE(retprobe_task_spinner)(0);
}

static void unregister_under_handler(struct kunit *test, struct kretprobe *rp)
{
	int cpu = cpumask_first(cpu_online_mask);
	unsigned long end = jiffies + 10 * HZ;
	struct task_struct *task = kthread_create(retprobe_task_call, NULL, "caller");

	KUNIT_ASSERT_FALSE(test, IS_ERR(task));
	kthread_bind(task, cpu);
	KUNIT_ASSERT_EQ(test, set_cpus_allowed_ptr(current,
						   cpumask_of(cpumask_next(cpu, cpu_online_mask))),
			0);
	retprobe_task_in = false;
	retprobe_task_out = false;
	retprobe_task_lost = false;
	KUNIT_ASSERT_EQ(test, register_kretprobe(rp), 0);
	get_task_struct(task);
	wake_up_process(task);
	while (!READ_ONCE(retprobe_task_in) && time_before(jiffies, end))
		cpu_relax();
	unregister_kretprobe(rp);
	KUNIT_EXPECT_TRUE(test, retprobe_task_out);
	KUNIT_EXPECT_FALSE(test, retprobe_task_lost);
	kthread_stop_put(task);
	set_cpus_allowed_ptr(current, cpu_possible_mask);
}

/* A handler that runs need not expect that its return probe is gone. */
static void test_unregister_handler(struct kunit *test)
{
	struct kretprobe *rp;

	if (num_online_cpus() < 2)
		kunit_skip(test, "needs two CPUs");
	rp = probe_alloc(test, retprobe_task_spinner, 4);
	rp->handler = retprobe_task_wait;
	unregister_under_handler(test, rp);
	probe_free(rp);
	rp = probe_alloc(test, retprobe_task_spinner, 4);
	rp->entry_handler = retprobe_task_wait;
	unregister_under_handler(test, rp);
	probe_free(rp);
}

static struct kunit_case retprobe_task_cases[] = {
	KUNIT_CASE(test_sleep_and_return),
	KUNIT_CASE(test_unregister_asleep),
	KUNIT_CASE(test_trace_asleep),
	KUNIT_CASE(test_never_return),
	KUNIT_CASE(test_move),
	KUNIT_CASE(test_offline),
	KUNIT_CASE_SLOW(test_unregister_busy),
	KUNIT_CASE(test_unregister_handler),
	{}
};

static struct kunit_suite retprobe_task_suite = {
	.name = "kprobes_retprobe_task",
	.test_cases = retprobe_task_cases,
};

kunit_test_suite(retprobe_task_suite);

MODULE_DESCRIPTION("KUnit tests of return probes and tasks");
MODULE_LICENSE("GPL");
