// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * KUnit tests of jumps for which there was no memory at first: probes are traps meanwhile, and
 * do not stay that for ever.
 */
#include <kunit/test.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include "jump_places.h"
#include "scarce.h"

static unsigned int scarce_hits;

static int scarce_pre(struct kprobe *p, struct pt_regs *regs)
{
	scarce_hits++;
	return 0;
}

static void scarce_call(struct kunit *test)
{
	scarce_hits = 0;
	KUNIT_EXPECT_EQ(test, jump_place(10), 13);
	KUNIT_EXPECT_EQ(test, scarce_hits, 1);
}

/* Of one instruction, which is a jump as soon as it is armed */
static void scarce_test_detour(struct kunit *test)
{
	struct kprobe p = { .addr = (void *)jump_place_copied, .pre_handler = scarce_pre };

	scarce_begin(test, KPROBE_SLOT_DETOUR, p.addr);
	KUNIT_EXPECT_EQ(test, register_kprobe(&p), 0);
	KUNIT_EXPECT_FALSE(test, kprobe_optimized(&p));
	scarce_call(test);
	KUNIT_EXPECT_GE(test, scarce_end(), 1);
	KUNIT_EXPECT_TRUE(test, scarce_becomes_jump(&p, SCARCE_END));
	scarce_call(test);
	unregister_kprobe(&p);
}

/* A probe that is disabled before its jump could be made gets none */
static void scarce_test_gone(struct kunit *test)
{
	struct kprobe p = { .addr = (void *)jump_place_copied, .pre_handler = scarce_pre };

	scarce_begin(test, KPROBE_SLOT_DETOUR, p.addr);
	KUNIT_EXPECT_EQ(test, register_kprobe(&p), 0);
	KUNIT_EXPECT_EQ(test, disable_kprobe(&p), 0);
	KUNIT_EXPECT_GE(test, scarce_end(), 1);
	KUNIT_EXPECT_FALSE(test, scarce_becomes_jump(&p, SCARCE_TRIES));
	unregister_kprobe(&p);
	KUNIT_EXPECT_EQ(test, jump_place(10), 13);
}

static struct kunit_case scarce_cases[] = {
	KUNIT_CASE_SLOW(scarce_test_detour),
	KUNIT_CASE_SLOW(scarce_test_gone),
	{}
};

static struct kunit_suite scarce_suite = {
	.name = "kprobes_scarce",
	.test_cases = scarce_cases,
};

kunit_test_suite(scarce_suite);

MODULE_DESCRIPTION("KUnit tests of jumps without memory");
MODULE_IMPORT_NS(EXPORTED_FOR_KUNIT_TESTING);
MODULE_LICENSE("GPL");
