// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A post-handler comes to a function's entry, and goes, while the function is called: each
 * call is one hit for the client that stays. In all cases but one there is another user of
 * ftrace, so that ftrace calls all of its users one after the other.
 */
#include <kunit/test.h>
#include <linux/compiler.h>
#include <linux/completion.h>
#include <linux/cpumask.h>
#include <linux/delay.h>
#include <linux/ftrace.h>
#include <linux/jiffies.h>
#include <linux/kprobes.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/processor.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>

/* How often the post-handler comes and goes while one task calls, and while several do */
#define MOVE_ROUNDS	100
#define MOVE_OWN_ROUNDS	60

#define MOVE_TASKS	4

/* How long it stays and stays away while several call, ms */
#define MOVE_PAUSE	20

/* How long a handler stays in a call, which RCU waits for; its CPU does nothing else */
#define MOVE_STAY	(HZ / 10)

static struct task_struct *move_tasks[MOVE_TASKS];
static unsigned long move_calls[MOVE_TASKS], move_hits;
static bool move_spin, move_stays;
static DECLARE_COMPLETION(move_inside);

static noinline int move_target(int value)
{
	OPTIMIZER_HIDE_VAR(value);
	return value + 1;
}

static int move_pre(struct kprobe *p, struct pt_regs *regs)
{
	unsigned long end;

	move_hits++;
	if (!move_stays)
		return 0;
	move_stays = false;
	complete(&move_inside);
	for (end = jiffies + MOVE_STAY; time_before(jiffies, end); )
		cpu_relax();
	return 0;
}

static void move_post(struct kprobe *p, struct pt_regs *regs, unsigned long flags)
{
}

static void move_traced(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops,
			struct ftrace_regs *fregs)
{
}

static struct ftrace_ops move_ops = {
	.func = move_traced,
};

static struct kprobe move_resident;

static struct kprobe move_client(void)
{
	return (struct kprobe) {
		.symbol_name = "move_target",
		.pre_handler = move_pre,
	};
}

static struct kprobe move_visitor(void)
{
	return (struct kprobe) {
		.symbol_name = "move_target",
		.post_handler = move_post,
	};
}

static int move_spinner(void *data)
{
	int (*target)(int value) = move_target;
	unsigned long *calls = data;

	OPTIMIZER_HIDE_VAR(target);
	while (!kthread_should_stop()) {
		if (READ_ONCE(move_spin)) {
			target(0);
			WRITE_ONCE(*calls, *calls + 1);
		}
		/* Where kernel code is not preempted, others need the CPU, and RCU its tasks */
		cond_resched_tasks_rcu_qs();
	}
	return 0;
}

/* Tasks that call, on one other CPU than this one: several preempt each other */
static void move_start(struct kunit *test, int number)
{
	int i, cpu = cpumask_any_but(cpu_online_mask, raw_smp_processor_id());

	move_hits = 0;
	for (i = 0; i < number; i++) {
		move_calls[i] = 0;
		move_tasks[i] = kthread_create(move_spinner, &move_calls[i], "kprobes_move/%d", i);
		KUNIT_ASSERT_FALSE(test, IS_ERR(move_tasks[i]));
		kthread_bind(move_tasks[i], cpu);
		wake_up_process(move_tasks[i]);
	}
}

/* Returns how often they have called */
static unsigned long move_stop(int number)
{
	unsigned long calls = 0;
	int i;

	for (i = 0; i < number; i++) {
		kthread_stop(move_tasks[i]);
		calls += move_calls[i];
	}
	return calls;
}

/* One task, which is in the client's handler now */
static void move_start_inside(struct kunit *test)
{
	reinit_completion(&move_inside);
	move_stays = true;
	WRITE_ONCE(move_spin, true);
	move_start(test, 1);
	wait_for_completion(&move_inside);
}

static void move_come_and_go(struct kunit *test, unsigned int pause)
{
	struct kprobe visitor = move_visitor();

	KUNIT_ASSERT_EQ(test, register_kprobe(&visitor), 0);
	if (pause)
		msleep(pause);
	unregister_kprobe(&visitor);
	if (pause)
		msleep(pause);
}

static void move_check_rounds(struct kunit *test, int tasks, int rounds, unsigned int pause)
{
	unsigned long calls;
	int i;

	WRITE_ONCE(move_spin, true);
	move_start(test, tasks);
	for (i = 0; i < rounds; i++)
		move_come_and_go(test, pause);
	calls = move_stop(tasks);
	KUNIT_EXPECT_GT(test, calls, 0);
	KUNIT_EXPECT_EQ(test, move_hits, calls);
}

static void move_test_rounds(struct kunit *test)
{
	move_check_rounds(test, 1, MOVE_ROUNDS, 0);
}

/* Without another user: tasks are preempted on the way to the handler */
static void move_test_own(struct kunit *test)
{
	unregister_ftrace_function(&move_ops);
	move_check_rounds(test, MOVE_TASKS, MOVE_OWN_ROUNDS, MOVE_PAUSE);
	KUNIT_EXPECT_EQ(test, register_ftrace_function(&move_ops), 0);
}

/* The client's handler runs when the post-handler goes */
static void move_test_leave(struct kunit *test)
{
	struct kprobe visitor = move_visitor();

	KUNIT_ASSERT_EQ(test, register_kprobe(&visitor), 0);
	move_start_inside(test);
	unregister_kprobe(&visitor);
	KUNIT_EXPECT_EQ(test, move_stop(1), move_hits);
}

/* Disarmed and armed again, without the post-handler, in the middle of a call */
static void move_test_rearm(struct kunit *test)
{
	struct kprobe visitor = move_visitor();

	KUNIT_ASSERT_EQ(test, register_kprobe(&visitor), 0);
	move_start_inside(test);
	WRITE_ONCE(move_spin, false);
	KUNIT_EXPECT_EQ(test, disable_kprobe(&move_resident), 0);
	KUNIT_EXPECT_EQ(test, disable_kprobe(&visitor), 0);
	KUNIT_EXPECT_EQ(test, enable_kprobe(&move_resident), 0);
	KUNIT_EXPECT_EQ(test, move_stop(1), 1);
	unregister_kprobe(&visitor);
	KUNIT_EXPECT_EQ(test, move_hits, 1);
}

static int move_init(struct kunit *test)
{
	if (num_online_cpus() < 2)
		kunit_skip(test, "there is one CPU");
	move_resident = move_client();
	move_spin = false;
	move_stays = false;
	KUNIT_ASSERT_EQ(test, ftrace_set_filter_ip(&move_ops, (unsigned long)move_target, 0, 0), 0);
	KUNIT_ASSERT_EQ(test, register_ftrace_function(&move_ops), 0);
	KUNIT_ASSERT_EQ(test, register_kprobe(&move_resident), 0);
	return 0;
}

static void move_exit(struct kunit *test)
{
	if (!move_resident.addr)
		return;
	unregister_kprobe(&move_resident);
	move_resident.addr = NULL;
	unregister_ftrace_function(&move_ops);
}

/* Not after each case: it leaves pointers to what it frees */
static void move_suite_exit(struct kunit_suite *suite)
{
	ftrace_free_filter(&move_ops);
}

static struct kunit_case move_cases[] = {
	KUNIT_CASE(move_test_rounds),
	KUNIT_CASE(move_test_leave),
	KUNIT_CASE(move_test_own),
	KUNIT_CASE(move_test_rearm),
	{}
};

static struct kunit_suite move_suite = {
	.name = "kprobes_move",
	.init = move_init,
	.exit = move_exit,
	.suite_exit = move_suite_exit,
	.test_cases = move_cases,
};
kunit_test_suite(move_suite);

MODULE_DESCRIPTION("KUnit tests of post-handlers that come and go at a function's entry");
MODULE_LICENSE("GPL");
