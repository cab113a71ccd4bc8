// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Return probes in stack traces of a task that is runnable, but that no CPU runs.
 */
#include <kunit/test.h>
#include <linux/cpumask.h>
#include <linux/jiffies.h>
#include <linux/kallsyms.h>
#include <linux/kprobes.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/sched.h>
#include <linux/sched/task.h>
#include <linux/stacktrace.h>
#include <linux/string.h>
#include "counted.h"
#include "ours.h"

#define FRAMES	16

struct trace {
	unsigned long	frame[FRAMES];
	unsigned int	num;
};

static bool preempted_in, preempted_out, preempting_in;

#ifdef CONFIG_SMP
static bool preempted_on_cpu(const struct task_struct *task)
{
	return READ_ONCE(task->on_cpu);
}
#else
/* The only CPU runs the caller */
static bool preempted_on_cpu(const struct task_struct *task)
{
	return false;
}
#endif

static noinline void preempted_pause(void)
{
	cond_resched();
}

/*
 * Is runnable all the time, and lets other tasks have the CPU. On arm64 the caller of a
 * function that calls none is not in a trace that begins there.
 */
static noinline int preempted_yield(int value)
{
	WRITE_ONCE(preempted_in, true);
	while (!READ_ONCE(preempted_out))
		OPAQUE(preempted_pause)();
	return value + 1;
}

static int preempted_thread(void *unused)
{
	return OPAQUE(preempted_yield)(0) - 1;
}

static int preempting_thread(void *unused)
{
	sched_set_fifo(current);
	WRITE_ONCE(preempting_in, true);
	while (!kthread_should_stop())
		cpu_relax();
	return 0;
}

static struct task_struct *preempted_start(struct kunit *test, int cpu, int (*func)(void *unused))
{
	struct task_struct *task = kthread_create(func, NULL, "%ps", func);

	KUNIT_ASSERT_FALSE(test, IS_ERR(task));
	kthread_bind(task, cpu);
	get_task_struct(task);
	wake_up_process(task);
	return task;
}

static bool preempted_trace_has(const struct trace *trace, void *func)
{
	char want[KSYM_NAME_LEN], got[KSYM_NAME_LEN];
	unsigned int i;

	snprintf(want, sizeof(want), "%ps", func);
	for (i = 0; i < trace->num; i++) {
		snprintf(got, sizeof(got), "%ps", (void *)trace->frame[i]);
		if (!strcmp(got, want))
			return true;
	}
	return false;
}

/* A task that another one has taken the CPU from is as still as one that sleeps. */
static void test_trace_preempted(struct kunit *test)
{
	static struct kretprobe rp;
	int cpu = cpumask_first(cpu_online_mask);
	unsigned long end = jiffies + 10 * HZ;
	struct task_struct *yielder, *hog;
	struct trace trace = { };

	if (num_online_cpus() < 2)
		kunit_skip(test, "needs two CPUs");
	set_cpus_allowed_ptr(current, cpumask_of(cpumask_next(cpu, cpu_online_mask)));
	preempted_in = false;
	preempted_out = false;
	preempting_in = false;
	rp = counted_retprobe(preempted_yield, 4);
	KUNIT_ASSERT_EQ(test, register_kretprobe(&rp), 0);
	yielder = preempted_start(test, cpu, preempted_thread);
	while (!READ_ONCE(preempted_in) && time_before(jiffies, end))
		cpu_relax();
	hog = preempted_start(test, cpu, preempting_thread);
	/* Now and then the scheduler lets the yielder have the CPU all the same */
	while (!preempted_trace_has(&trace, preempted_thread) && time_before(jiffies, end)) {
		cpu_relax();
		if (READ_ONCE(preempting_in) && !preempted_on_cpu(yielder))
			trace.num = stack_trace_save_tsk(yielder, trace.frame, FRAMES, 0);
	}
	KUNIT_EXPECT_TRUE(test, task_is_running(yielder));
	WRITE_ONCE(preempted_out, true);
	kthread_stop_put(hog);
	kthread_stop_put(yielder);
	set_cpus_allowed_ptr(current, cpu_possible_mask);
	unregister_kretprobe(&rp);
	KUNIT_EXPECT_GT(test, trace.num, 0);
	/* Stock knows the caller of sleeping tasks only. */
	KUNIT_EXPECT_TRUE(test, !OURS || preempted_trace_has(&trace, preempted_thread));
}

static struct kunit_case preempted_cases[] = {
	KUNIT_CASE(test_trace_preempted),
	{}
};

static struct kunit_suite preempted_suite = {
	.name = "kprobes_preempted",
	.test_cases = preempted_cases,
};

kunit_test_suite(preempted_suite);

MODULE_DESCRIPTION("KUnit tests of return probes in stack traces of other tasks");
MODULE_LICENSE("GPL");
