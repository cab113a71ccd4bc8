// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A storm of NMIs on a CPU that goes in and out of a function with a return
 * probe, and the NMIs call the same function: every call is handled or counted,
 * and no instance is lost.
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

static atomic_t task_calls, nmi_calls, wrong;
static int stormed = -1;

static noinline int target(int depth)
{
	return depth ? 1 + OPAQUE(target)(depth - 1) : 0;
}

static struct kretprobe rp;

static bool storm_nmi(struct pt_regs *regs)
{
	if (raw_smp_processor_id() != READ_ONCE(stormed))
		return false;
	atomic_inc(&nmi_calls);
	if (OPAQUE(target)(0))
		atomic_inc(&wrong);
	return true;
}

static void run_storm(struct kunit *test)
{
	unsigned long end = jiffies + 10 * HZ;

	while (atomic_read(&nmi_calls) < NMIS && time_before(jiffies, end)) {
		atomic_inc(&task_calls);
		if (OPAQUE(target)(0))
			atomic_inc(&wrong);
	}
}

/* As many as there are: then none was lost and none was given out twice */
static void count_instances(struct kunit *test)
{
	atomic_set(&returns, 0);
	rp.nmissed = 0;
	KUNIT_EXPECT_EQ(test, OPAQUE(target)(2 * INSTANCES - 1), 2 * INSTANCES - 1);
	KUNIT_EXPECT_EQ(test, atomic_read(&returns), INSTANCES);
	KUNIT_EXPECT_EQ(test, rp.nmissed, INSTANCES);
}

static void check_sums(struct kunit *test)
{
	unsigned int calls = atomic_read(&task_calls) + atomic_read(&nmi_calls);

	KUNIT_EXPECT_EQ(test, atomic_read(&wrong), 0);
	KUNIT_EXPECT_GT(test, atomic_read(&nmi_calls), 0);
	KUNIT_EXPECT_EQ(test, atomic_read(&entries), atomic_read(&returns));
	KUNIT_EXPECT_EQ(test, calls, atomic_read(&returns) + rp.nmissed + rp.kp.nmissed);
	kunit_info(test, "%d calls, %d in NMIs, missed %d and %lu\n", calls,
		   atomic_read(&nmi_calls), rp.nmissed, rp.kp.nmissed);
}

static void test_storm(struct kunit *test)
{
	int ret, cpu = cpumask_first(cpu_online_mask);

	if (!nmi_possible() || num_online_cpus() < 2)
		kunit_skip(test, "needs NMIs, and two CPUs");
	KUNIT_ASSERT_EQ(test, set_cpus_allowed_ptr(current, cpumask_of(cpu)), 0);
	rp = counted_retprobe(target, INSTANCES);
	KUNIT_ASSERT_EQ(test, register_kretprobe(&rp), 0);
	WRITE_ONCE(stormed, cpu);
	ret = nmi_storm_begin(cpu, 0);
	KUNIT_EXPECT_EQ(test, ret, 0);
	if (!ret) {
		run_storm(test);
		nmi_storm_end();
	}
	WRITE_ONCE(stormed, -1);
	set_cpus_allowed_ptr(current, cpu_possible_mask);
	check_sums(test);
	count_instances(test);
	unregister_kretprobe(&rp);
}

static int suite_init(struct kunit_suite *suite)
{
	return nmi_init(storm_nmi);
}

static void suite_exit(struct kunit_suite *suite)
{
	nmi_exit_all();
}

static struct kunit_case storm_cases[] = {
	KUNIT_CASE_SLOW(test_storm),
	{}
};

static struct kunit_suite storm_suite = {
	.name = "kprobes_storm",
	.suite_init = suite_init,
	.suite_exit = suite_exit,
	.test_cases = storm_cases,
};

kunit_test_suite(storm_suite);

MODULE_DESCRIPTION("KUnit test of return probes in a storm of NMIs");
MODULE_LICENSE("GPL");
