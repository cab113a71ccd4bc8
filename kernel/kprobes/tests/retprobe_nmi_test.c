// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A storm of NMIs on a CPU that calls a function with a return probe. The NMIs call
 * the same function. Every call is handled or counted as missed, and no instance is
 * lost.
 */
#include <kunit/test.h>
#include <linux/cpumask.h>
#include <linux/jiffies.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/sched.h>
#include <linux/smp.h>
#include "counted.h"
#include "nmi.h"
#include "ours.h"

#define NMIS		500
#define INSTANCES	10

static atomic_t nmi_task_calls, nmi_nmi_calls, nmi_wrong;
static int retprobe_nmi_cpu = -1;

static noinline int retprobe_nmi_target(int depth)
{
	return depth ? 1 + OPAQUE(retprobe_nmi_target)(depth - 1) : 0;
}

static struct kretprobe nmi_rp;

static bool retprobe_nmi_nmi(struct pt_regs *regs)
{
	if (raw_smp_processor_id() != READ_ONCE(retprobe_nmi_cpu))
		return false;
	atomic_inc(&nmi_nmi_calls);
	if (OPAQUE(retprobe_nmi_target)(0))
		atomic_inc(&nmi_wrong);
	return true;
}

static void run_storm(struct kunit *test)
{
	unsigned long end = jiffies + 10 * HZ;

	while (atomic_read(&nmi_nmi_calls) < NMIS && time_before(jiffies, end)) {
		atomic_inc(&nmi_task_calls);
		if (OPAQUE(retprobe_nmi_target)(0))
			atomic_inc(&nmi_wrong);
	}
}

/* All instances are available again: none was lost, none was handed out twice. */
static void count_instances(struct kunit *test)
{
	atomic_set(&counted_returns, 0);
	nmi_rp.nmissed = 0;
	KUNIT_EXPECT_EQ(test, OPAQUE(retprobe_nmi_target)(2 * INSTANCES - 1), 2 * INSTANCES - 1);
	KUNIT_EXPECT_EQ(test, atomic_read(&counted_returns), INSTANCES);
	KUNIT_EXPECT_EQ(test, nmi_rp.nmissed, INSTANCES);
}

static void check_sums(struct kunit *test)
{
	unsigned int calls = atomic_read(&nmi_task_calls) + atomic_read(&nmi_nmi_calls);

	KUNIT_EXPECT_EQ(test, atomic_read(&nmi_wrong), 0);
	KUNIT_EXPECT_GT(test, atomic_read(&nmi_nmi_calls), 0);
	KUNIT_EXPECT_EQ(test, atomic_read(&counted_entries), atomic_read(&counted_returns));
	KUNIT_EXPECT_EQ(test, calls,
			atomic_read(&counted_returns) + nmi_rp.nmissed + nmi_rp.kp.nmissed);
	kunit_info(test, "%d calls, %d in NMIs, missed %d and %lu\n", calls,
		   atomic_read(&nmi_nmi_calls), nmi_rp.nmissed, nmi_rp.kp.nmissed);
}

static void test_storm(struct kunit *test)
{
	int ret, cpu = cpumask_first(cpu_online_mask);

	if (!nmi_possible() || num_online_cpus() < 2)
		kunit_skip(test, "needs NMIs, and two CPUs");
	KUNIT_ASSERT_EQ(test, set_cpus_allowed_ptr(current, cpumask_of(cpu)), 0);
	nmi_rp = counted_retprobe(retprobe_nmi_target, INSTANCES);
	KUNIT_ASSERT_EQ(test, register_kretprobe(&nmi_rp), 0);
	WRITE_ONCE(retprobe_nmi_cpu, cpu);
	ret = nmi_storm_begin(cpu, 0);
	KUNIT_EXPECT_EQ(test, ret, 0);
	if (!ret) {
		run_storm(test);
		nmi_storm_end();
	}
	WRITE_ONCE(retprobe_nmi_cpu, -1);
	set_cpus_allowed_ptr(current, cpu_possible_mask);
	check_sums(test);
	count_instances(test);
	unregister_kretprobe(&nmi_rp);
}

static int retprobe_nmi_suite_init(struct kunit_suite *suite)
{
	return nmi_init(retprobe_nmi_nmi);
}

static void retprobe_nmi_suite_exit(struct kunit_suite *suite)
{
	nmi_exit_all();
}

static struct kunit_case retprobe_nmi_cases[] = {
	KUNIT_CASE_SLOW(test_storm),
	{}
};

static struct kunit_suite retprobe_nmi_suite = {
	.name = "kprobes_retprobe_nmi",
	.suite_init = retprobe_nmi_suite_init,
	.suite_exit = retprobe_nmi_suite_exit,
	.test_cases = retprobe_nmi_cases,
};

kunit_test_suite(retprobe_nmi_suite);

MODULE_DESCRIPTION("KUnit test of return probes in a storm of NMIs");
MODULE_LICENSE("GPL");
