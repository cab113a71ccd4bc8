// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The data of instances, and the counters of missed calls.
 */
#include <kunit/test.h>
#include <linux/align.h>
#include <linux/array_size.h>
#include <linux/cache.h>
#include <linux/kprobes.h>
#include <linux/limits.h>
#include <linux/module.h>
#include <linux/string.h>
#include "ours.h"

#define INSTANCE_DEPTH	20

static unsigned int instance_entries, instance_returns, instance_wrong;

/* The cache lines in which the instances begin */
static unsigned long instance_lines[INSTANCE_DEPTH];

/* Returns the sum of 1 to @depth; the addition keeps a frame for each call */
static noinline int instance_recursive(int depth)
{
	return depth ? depth + OPAQUE(instance_recursive)(depth - 1) : 0;
}

/* Each call fills its data with a value of its own */
static int instance_fill(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	struct kretprobe *rp = get_kretprobe(ri);

	instance_lines[instance_entries % INSTANCE_DEPTH] = (unsigned long)ri / SMP_CACHE_BYTES;
	memset(ri->data, ++instance_entries, rp->data_size);
	if (!IS_ALIGNED((unsigned long)ri->data, sizeof(u64)))
		instance_wrong++;
	return 0;
}

static int instance_check(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	struct kretprobe *rp = get_kretprobe(ri);
	u8 value = INSTANCE_DEPTH - instance_returns++;

	if (memchr_inv(ri->data, value, rp->data_size))
		instance_wrong++;
	return 0;
}

static void instance_fresh(struct kretprobe *rp, size_t data_size)
{
	*rp = (struct kretprobe) {
		.kp.addr = (void *)instance_recursive,
		.entry_handler = instance_fill,
		.handler = instance_check,
		.maxactive = INSTANCE_DEPTH,
		.data_size = data_size,
	};
	instance_entries = 0;
	instance_returns = 0;
	instance_wrong = 0;
}

static void instance_run(struct kunit *test, size_t data_size)
{
	static struct kretprobe rp;

	instance_fresh(&rp, data_size);
	KUNIT_ASSERT_EQ(test, register_kretprobe(&rp), 0);
	OPAQUE(instance_recursive)(INSTANCE_DEPTH - 1);
	unregister_kretprobe(&rp);
	KUNIT_EXPECT_EQ(test, instance_returns, INSTANCE_DEPTH);
	KUNIT_EXPECT_EQ(test, rp.nmissed, 0);
	KUNIT_EXPECT_EQ_MSG(test, instance_wrong, 0, "%zu bytes", data_size);
}

static void instance_test_room(struct kunit *test)
{
	static const size_t sizes[] = { 0, 1, 7, 8, 9, 64, KRETPROBE_MAX_DATA_SIZE };
	int i;

	for (i = 0; i < ARRAY_SIZE(sizes); i++)
		instance_run(test, sizes[i]);
}

/* CPUs write to their instances at each hit: none waits for the cache line of another one */
static void instance_test_lines(struct kunit *test)
{
	int i, other;

	instance_run(test, 0);
	for (i = 0; i < INSTANCE_DEPTH; i++) {
		for (other = 0; other < i; other++)
			KUNIT_EXPECT_NE(test, instance_lines[i], instance_lines[other]);
	}
}

static void instance_test_too_big(struct kunit *test)
{
	static const size_t bad[] = { KRETPROBE_MAX_DATA_SIZE + 1, INT_MAX, SIZE_MAX };
	static struct kretprobe rp;
	int i;

	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		instance_fresh(&rp, bad[i]);
		KUNIT_EXPECT_EQ(test, register_kretprobe(&rp), -E2BIG);
		unregister_kretprobe(&rp);
	}
}

/* A return probe counts misses in two counters, one for each cause */
static void instance_test_missed(struct kunit *test)
{
	static struct kretprobe rp;

	instance_fresh(&rp, 0);
	rp.maxactive = INSTANCE_DEPTH / 2;
	rp.handler = NULL;
	KUNIT_ASSERT_EQ(test, register_kretprobe(&rp), 0);
	OPAQUE(instance_recursive)(INSTANCE_DEPTH - 1);
	KUNIT_EXPECT_EQ(test, instance_entries, INSTANCE_DEPTH);
	KUNIT_EXPECT_EQ(test, rp.nmissed, 0);
	unregister_kretprobe(&rp);

	instance_fresh(&rp, 0);
	rp.maxactive = INSTANCE_DEPTH / 2;
	KUNIT_ASSERT_EQ(test, register_kretprobe(&rp), 0);
	OPAQUE(instance_recursive)(INSTANCE_DEPTH - 1);
	KUNIT_EXPECT_EQ(test, instance_entries, INSTANCE_DEPTH / 2);
	KUNIT_EXPECT_EQ(test, rp.nmissed, INSTANCE_DEPTH / 2);
	KUNIT_EXPECT_EQ(test, rp.kp.nmissed, 0);
	kprobe_busy_begin();
	OPAQUE(instance_recursive)(0);
	kprobe_busy_end();
	unregister_kretprobe(&rp);
	KUNIT_EXPECT_EQ(test, rp.nmissed, INSTANCE_DEPTH / 2);
	KUNIT_EXPECT_EQ(test, rp.kp.nmissed, 1);
}

static struct kunit_case instance_cases[] = {
	KUNIT_CASE(instance_test_room),
	KUNIT_CASE(instance_test_lines),
	KUNIT_CASE(instance_test_too_big),
	KUNIT_CASE(instance_test_missed),
	{}
};

static struct kunit_suite instance_suite = {
	.name = "kprobes_instance",
	.test_cases = instance_cases,
};

kunit_test_suite(instance_suite);

MODULE_IMPORT_NS(EXPORTED_FOR_KUNIT_TESTING);
MODULE_DESCRIPTION("KUnit tests of the instances of return probes");
MODULE_LICENSE("GPL");
