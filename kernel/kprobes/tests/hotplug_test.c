// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * KUnit tests of CPUs that come up and go: no handler runs while RCU does not know the CPU,
 * and all run afterwards. So does work that handlers have queued.
 */
#include <kunit/test.h>
#include <linux/compiler.h>
#include <linux/cpu.h>
#include <linux/cpumask.h>
#include <linux/delay.h>
#include <linux/irq_work.h>
#include <linux/irqflags.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/smp.h>
#include "ours.h"

/* A function that the CPU runs when it takes exceptions, but RCU does not know it */
#define EARLY	(IS_ENABLED(CONFIG_X86_64) ? "fpu__init_cpu" : NULL)

static unsigned int hotplug_hits, hotplug_early_hits, hotplug_works;

static noinline int hotplug_target(int value)
{
	return value + 1;
}

static int hotplug_count(struct kprobe *p, struct pt_regs *regs)
{
	hotplug_hits++;
	return 0;
}

static int hotplug_count_early(struct kprobe *p, struct pt_regs *regs)
{
	hotplug_early_hits++;
	return 0;
}

static int hotplug_call(void *unused)
{
	return OPAQUE(hotplug_target)(1);
}

/* The handler is called, so no context of the CPU has a mark */
static void hotplug_expect_hit(struct kunit *test, unsigned int cpu)
{
	struct kprobe p = { .addr = (void *)hotplug_target, .pre_handler = hotplug_count };

	hotplug_hits = 0;
	KUNIT_ASSERT_EQ(test, register_kprobe(&p), 0);
	KUNIT_EXPECT_EQ(test, smp_call_on_cpu(cpu, hotplug_call, NULL, false), 2);
	unregister_kprobe(&p);
	KUNIT_EXPECT_EQ(test, hotplug_hits, 1);
	KUNIT_EXPECT_EQ(test, p.nmissed, 0);
}

static void test_comes_up(struct kunit *test)
{
	struct kprobe early = { .symbol_name = EARLY, .pre_handler = hotplug_count_early };
	unsigned int cpu = cpumask_last(cpu_online_mask);

	if (num_online_cpus() < 2 || remove_cpu(cpu))
		kunit_skip(test, "no CPU can go offline");
	hotplug_early_hits = 0;
	if (EARLY)
		KUNIT_EXPECT_EQ(test, register_kprobe(&early), 0);
	KUNIT_EXPECT_EQ(test, add_cpu(cpu), 0);
	unregister_kprobe(&early);
	KUNIT_EXPECT_EQ(test, hotplug_early_hits, 0);
	KUNIT_EXPECT_EQ(test, early.nmissed, 0);
	hotplug_expect_hit(test, cpu);
}

static int hotplug_count_return(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	hotplug_early_hits++;
	return 0;
}

/* A CPU that goes tells RCU so in this function, which returns once more */
static void test_goes(struct kunit *test)
{
	struct kretprobe last = {
		.kp.symbol_name = "cpuhp_report_idle_dead",
		.handler = hotplug_count_return,
	};
	unsigned int cpu = cpumask_last(cpu_online_mask);

	if (num_online_cpus() < 2)
		kunit_skip(test, "there is no other CPU");
	hotplug_early_hits = 0;
	KUNIT_ASSERT_EQ(test, register_kretprobe(&last), 0);
	KUNIT_EXPECT_EQ(test, remove_cpu(cpu), 0);
	KUNIT_EXPECT_EQ(test, add_cpu(cpu), 0);
	unregister_kretprobe(&last);
	KUNIT_EXPECT_EQ(test, hotplug_early_hits, 0);
	KUNIT_EXPECT_EQ(test, last.kp.nmissed, 0);
	hotplug_expect_hit(test, cpu);
}

static void hotplug_count_work(struct irq_work *work)
{
	hotplug_works++;
}

static struct irq_work hotplug_late_work = IRQ_WORK_INIT_HARD(hotplug_count_work);
static struct irq_work hotplug_new_work = IRQ_WORK_INIT_HARD(hotplug_count_work);

static int hotplug_queue_late(struct kprobe *p, struct pt_regs *regs)
{
	hotplug_hits++;
	irq_work_queue(&hotplug_late_work);
	return 0;
}

/* An interrupt runs the work of this CPU, at once unless none is raised */
static int hotplug_try_work(void *unused)
{
	int tries;

	irq_work_queue(&hotplug_new_work);
	for (tries = 0; irq_work_is_busy(&hotplug_new_work) && tries < 50; tries++)
		msleep(20);
	return irq_work_is_busy(&hotplug_new_work) ? -ETIMEDOUT : 0;
}

/* After a failure this module's work is still queued, and the CPU runs none */
static int hotplug_flush_work(void *unused)
{
	local_irq_disable();
	irq_work_run();
	local_irq_enable();
	return 0;
}

/*
 * A CPU that goes runs its irq_works for the last time in smpcfd_dying_cpu(), and this
 * function after that. The flush comes before the kprobe goes, which may wait for work.
 */
static void test_goes_with_work(struct kunit *test)
{
	struct kprobe late = {
		.symbol_name = "sched_cpu_dying",
		.pre_handler = hotplug_queue_late,
	};
	unsigned int cpu = cpumask_last(cpu_online_mask);

	if (num_online_cpus() < 2)
		kunit_skip(test, "there is no other CPU");
	hotplug_hits = 0;
	hotplug_works = 0;
	KUNIT_ASSERT_EQ(test, register_kprobe(&late), 0);
	KUNIT_EXPECT_EQ(test, remove_cpu(cpu), 0);
	KUNIT_EXPECT_EQ(test, hotplug_hits, 1);
	KUNIT_EXPECT_EQ(test, hotplug_works, 1);
	KUNIT_EXPECT_EQ(test, add_cpu(cpu), 0);
	KUNIT_EXPECT_EQ(test, smp_call_on_cpu(cpu, hotplug_try_work, NULL, false), 0);
	KUNIT_EXPECT_EQ(test, hotplug_works, 2);
	smp_call_on_cpu(cpu, hotplug_flush_work, NULL, false);
	unregister_kprobe(&late);
}

static struct kunit_case hotplug_cases[] = {
	KUNIT_CASE_SLOW(test_comes_up),
	KUNIT_CASE_SLOW(test_goes),
	KUNIT_CASE_SLOW(test_goes_with_work),
	{}
};

static struct kunit_suite hotplug_suite = {
	.name = "kprobes_hotplug",
	.test_cases = hotplug_cases,
};

kunit_test_suite(hotplug_suite);

MODULE_DESCRIPTION("KUnit tests of probes on CPUs that come up and go");
MODULE_IMPORT_NS(EXPORTED_FOR_KUNIT_TESTING);
MODULE_LICENSE("GPL");
