// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * KUnit tests of windows for which there was no memory at first.
 */
#include <kunit/test.h>
#include <linux/jiffies.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include "../../window.h"
#include "../scarce.h"
#include "window_places.h"

static unsigned int scarce_window_hits;

static int scarce_window_pre(struct kprobe *p, struct pt_regs *regs)
{
	scarce_window_hits++;
	return 0;
}

static void scarce_window_call(struct kunit *test)
{
	scarce_window_hits = 0;
	KUNIT_EXPECT_EQ(test, window_place(10), 17);
	KUNIT_EXPECT_EQ(test, scarce_window_hits, 1);
}

/* A probe that has its trap, and gets no slot of @kind for a jump */
static void scarce_window_check(struct kunit *test, enum kprobe_slot_kind kind)
{
	struct kprobe p = {
		.addr		= (void *)window_first,
		.pre_handler	= scarce_window_pre,
		.flags		= KPROBE_FLAG_DISABLED,
	};
	unsigned long began = jiffies;
	unsigned int refused;

	KUNIT_ASSERT_EQ(test, register_kprobe(&p), 0);
	scarce_begin(test, kind, p.addr);
	KUNIT_EXPECT_EQ(test, enable_kprobe(&p), 0);
	KUNIT_EXPECT_FALSE(test, scarce_becomes_jump(&p, SCARCE_TRIES));
	scarce_window_call(test);
	kprobe_windows_wait();
	refused = scarce_end();
	/* Once a second, not as often as it can be */
	KUNIT_EXPECT_GE(test, refused, 1);
	KUNIT_EXPECT_LE(test, refused, 4 + (jiffies - began) / HZ);
	KUNIT_EXPECT_TRUE(test, scarce_becomes_jump(&p, SCARCE_END));
	scarce_window_call(test);
	unregister_kprobe(&p);
	KUNIT_EXPECT_EQ(test, window_place(10), 17);
}

static void scarce_window_test_copies(struct kunit *test)
{
	scarce_window_check(test, KPROBE_SLOT_RESUME);
}

static void scarce_window_test_detour(struct kunit *test)
{
	scarce_window_check(test, KPROBE_SLOT_DETOUR);
}

static unsigned int scarce_window_tries;

static noinline int scarce_window_none(void)
{
	barrier();
	return -ENOMEM;
}

/* The symbols of this module cannot be collected, so its branches cannot be found out. */
static int scarce_window_refuse(struct kprobe *p, struct pt_regs *regs)
{
	scarce_window_tries++;
	instruction_pointer_set(regs, (unsigned long)scarce_window_none);
	return 1;
}

/* One try a second, however many probes wait for it. The first case: nobody has tried before */
static void scarce_window_test_index(struct kunit *test)
{
	struct kprobe refuse = {
		.symbol_name	= "kprobe_target_symbols_collect",
		.pre_handler	= scarce_window_refuse,
	};
	struct kprobe first = { .addr = window_first, .pre_handler = scarce_window_pre };
	struct kprobe three = { .addr = window_three, .pre_handler = scarce_window_pre };
	struct kprobe last = { .addr = window_return, .pre_handler = scarce_window_pre };
	struct kprobe *kps[] = { &first, &three, &last };
	unsigned long began = jiffies;

	scarce_window_tries = 0;
	KUNIT_ASSERT_EQ(test, register_kprobe(&refuse), 0);
	KUNIT_ASSERT_EQ(test, register_kprobes(kps, ARRAY_SIZE(kps)), 0);
	KUNIT_EXPECT_FALSE(test, scarce_becomes_jump(&first, SCARCE_TRIES));
	unregister_kprobe(&refuse);
	KUNIT_EXPECT_GE(test, scarce_window_tries, 1);
	KUNIT_EXPECT_LE(test, scarce_window_tries, 2 + (jiffies - began) / HZ);
	KUNIT_EXPECT_TRUE(test, scarce_becomes_jump(&first, SCARCE_END));
	KUNIT_EXPECT_TRUE(test, scarce_becomes_jump(&three, SCARCE_END));
	unregister_kprobes(kps, ARRAY_SIZE(kps));
	KUNIT_EXPECT_EQ(test, window_place(10), 17);
}

static struct kunit_case scarce_window_cases[] = {
	KUNIT_CASE_SLOW(scarce_window_test_index),
	KUNIT_CASE_SLOW(scarce_window_test_copies),
	KUNIT_CASE_SLOW(scarce_window_test_detour),
	{}
};

static struct kunit_suite scarce_window_suite = {
	.name = "kprobes_scarce_window",
	.test_cases = scarce_window_cases,
};

kunit_test_suite(scarce_window_suite);

MODULE_DESCRIPTION("KUnit tests of windows without memory");
MODULE_IMPORT_NS(EXPORTED_FOR_KUNIT_TESTING);
MODULE_LICENSE("GPL");
