// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Which words $stackN may read: those of the stack that the probed code runs on, and no word
 * behind it. Unlike a task's, an interrupt's stack is not aligned to its size. An NMI's is
 * smaller.
 */
#include <kunit/test.h>
#include <linux/kprobe-arch.h>
#include <linux/kprobes.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/preempt.h>
#include <linux/sched/task_stack.h>
#include <linux/smp.h>
#include <asm/cpu_entry_area.h>
#include <asm/current.h>
#include "../run_in.h"

/* $stackN takes no higher one */
#define WORDS		2048

/**
 * struct words_seen - what a call has found
 * @begin: address of the lowest word of the stack
 * @end: address after the last one
 * @top: the stack pointer
 * @wrong: address of the first word that is taken for what it is not, or 0
 */
struct words_seen {
	unsigned long	begin;
	unsigned long	end;
	unsigned long	top;
	unsigned long	wrong;
};

static void words_set(struct words_seen *seen, void *begin, unsigned long size)
{
	seen->begin = (unsigned long)begin;
	seen->end = seen->begin + size;
}

static void words_set_stack(struct words_seen *seen)
{
	struct cea_exception_stacks *stacks = &get_cpu_entry_area(smp_processor_id())->estacks;
	void *irq_end = this_cpu_read(pcpu_hot.hardirq_stack_ptr) + sizeof(long);

	seen->top = current_stack_pointer;
	words_set(seen, irq_end - IRQ_STACK_SIZE, IRQ_STACK_SIZE);
	if (seen->top - seen->begin < IRQ_STACK_SIZE)
		return;
	words_set(seen, task_stack_page(current), THREAD_SIZE);
	if (seen->top - seen->begin < THREAD_SIZE)
		return;
	words_set(seen, (void *)CEA_ESTACK_BOT(stacks, NMI), CEA_ESTACK_SIZE(NMI));
}

static void words_check(struct words_seen *seen)
{
	struct pt_regs regs = { .sp = seen->top };
	unsigned long addr;
	bool is_there;
	int i;

	for (i = 0; i <= WORDS && !seen->wrong; i++) {
		addr = seen->top + i * sizeof(long);
		is_there = addr >= seen->begin && addr <= seen->end - sizeof(long);
		if (arch_kprobe_on_stack(&regs, addr) != is_there)
			seen->wrong = addr;
	}
}

static void words_look(void *arg)
{
	guard(preempt)();
	words_set_stack(arg);
	words_check(arg);
}

/* What one CPU has may happen to be aligned */
static void words_run_on(struct kunit *test, enum run_context context, unsigned int cpu)
{
	struct words_seen seen = {};

	KUNIT_ASSERT_EQ(test, set_cpus_allowed_ptr(current, cpumask_of(cpu)), 0);
	KUNIT_ASSERT_TRUE(test, run_in(context, words_look, &seen));
	KUNIT_EXPECT_TRUE(test, seen.top >= seen.begin && seen.top < seen.end);
	KUNIT_EXPECT_EQ_MSG(test, seen.wrong, 0, "CPU %u, stack %lx to %lx, pointer %lx", cpu,
			    seen.begin, seen.end, seen.top);
}

static void words_run(struct kunit *test, enum run_context context)
{
	unsigned int cpu;

	if (!run_in_possible(context))
		kunit_skip(test, "no %s", run_context_name[context]);
	for_each_online_cpu(cpu)
		words_run_on(test, context, cpu);
	set_cpus_allowed_ptr(current, cpu_possible_mask);
}

static void words_test_task(struct kunit *test)
{
	words_run(test, IN_TASK);
}

static void words_test_softirq(struct kunit *test)
{
	words_run(test, IN_SOFTIRQ);
}

static void words_test_irq(struct kunit *test)
{
	words_run(test, IN_IRQ);
}

static void words_test_nmi(struct kunit *test)
{
	words_run(test, IN_NMI);
}

static int words_wait(void *unused)
{
	return 0;
}

/* As in __switch_to(): the stack is the next task's already */
static void words_test_next(struct kunit *test)
{
	struct task_struct *next = kthread_create(words_wait, NULL, "words");
	struct words_seen seen = {};

	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, next);
	words_set(&seen, task_stack_page(next), THREAD_SIZE);
	seen.top = seen.begin + THREAD_SIZE / 2;
	scoped_guard(preempt)
		words_check(&seen);
	KUNIT_EXPECT_EQ(test, seen.wrong, 0);
	kthread_stop(next);
}

static int words_suite_init(struct kunit_suite *suite)
{
	return run_in_init();
}

static void words_suite_exit(struct kunit_suite *suite)
{
	run_in_exit();
}

static struct kunit_case words_cases[] = {
	KUNIT_CASE(words_test_task),
	KUNIT_CASE(words_test_softirq),
	KUNIT_CASE(words_test_irq),
	KUNIT_CASE(words_test_nmi),
	KUNIT_CASE(words_test_next),
	{}
};

static struct kunit_suite words_suite = {
	.name = "kprobes_words",
	.suite_init = words_suite_init,
	.suite_exit = words_suite_exit,
	.test_cases = words_cases,
};

kunit_test_suite(words_suite);

MODULE_IMPORT_NS(EXPORTED_FOR_KUNIT_TESTING);
MODULE_DESCRIPTION("KUnit tests of the words that are on a stack");
MODULE_LICENSE("GPL");
