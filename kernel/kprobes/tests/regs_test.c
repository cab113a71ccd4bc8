// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What handlers see in the registers, and what becomes of what they write there.
 *
 * The caller is in assembly; the target touches nothing but its return value.
 */
#include <kunit/test.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include "ours.h"
#include "regs.h"

#define OTHER_RESULT	4242
#define OVERRIDE	77

static struct pt_regs at_entry, at_return, at_kprobe;
static unsigned long retaddr_at_entry, retaddr_at_return;
static unsigned long override;

noinline unsigned long regs_test_target(void)
{
	return REGS_TEST_RESULT;
}

static noinline unsigned long other_target(void)
{
	return OTHER_RESULT;
}

static int save_entry(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	at_entry = *regs;
	retaddr_at_entry = get_kretprobe_retaddr(ri);
	return 0;
}

static int save_return(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	at_return = *regs;
	retaddr_at_return = get_kretprobe_retaddr(ri);
	if (override)
		regs_set_return_value(regs, override);
	return 0;
}

static int save_kprobe(struct kprobe *p, struct pt_regs *regs)
{
	at_kprobe = *regs;
	return 0;
}

static void test_kprobe(struct kunit *test)
{
	static struct kprobe kp = {
		.symbol_name = "regs_test_target",
		.pre_handler = save_kprobe,
	};

	KUNIT_ASSERT_EQ(test, register_kprobe(&kp), 0);
	regs_make_call();
	unregister_kprobe(&kp);
	regs_check_entry(test, &at_kprobe, kp.addr);
	KUNIT_EXPECT_EQ(test, regs_call.result, REGS_TEST_RESULT);
	KUNIT_EXPECT_EQ(test, regs_call.flag, 1);
}

static void test_kretprobe(struct kunit *test)
{
	static struct kretprobe rp = {
		.kp.symbol_name = "regs_test_target",
		.entry_handler = save_entry,
		.handler = save_return,
	};

	KUNIT_ASSERT_EQ(test, register_kretprobe(&rp), 0);
	regs_make_call();
	KUNIT_EXPECT_EQ(test, regs_call.result, REGS_TEST_RESULT);
	regs_check_return(test, &at_return);
	override = OVERRIDE;
	regs_make_call();
	override = 0;
	unregister_kretprobe(&rp);
	KUNIT_EXPECT_EQ(test, regs_call.result, OVERRIDE);
	KUNIT_EXPECT_EQ(test, regs_call.flag, 1);
	regs_check_entry(test, &at_entry, rp.kp.addr);
	regs_check_return(test, &at_return);
	if (OURS) {
		regs_check_pair(test, &at_entry, &at_return);
		KUNIT_EXPECT_EQ(test, retaddr_at_entry, regs_call.ip);
	}
	KUNIT_EXPECT_EQ(test, retaddr_at_return, regs_call.ip);
}

static int go_elsewhere(struct kprobe *p, struct pt_regs *regs)
{
	instruction_pointer_set(regs, (unsigned long)other_target);
	return 1;
}

/* The other function is run instead, and returns to the caller */
static void test_divert(struct kunit *test)
{
	static struct kprobe kp = {
		.symbol_name = "regs_test_target",
		.pre_handler = go_elsewhere,
	};
	static struct kretprobe rp = {
		.kp.symbol_name = "regs_test_target",
		.handler = save_return,
	};

	KUNIT_ASSERT_EQ(test, register_kretprobe(&rp), 0);
	KUNIT_ASSERT_EQ(test, register_kprobe(&kp), 0);
	regs_make_call();
	KUNIT_EXPECT_EQ(test, regs_call.result, OTHER_RESULT);
	/* The return probe is the older, and comes first; on stock the newer does */
	KUNIT_EXPECT_EQ(test, regs_return_value(&at_return),
			OURS ? OTHER_RESULT : REGS_TEST_RESULT);
	KUNIT_EXPECT_EQ(test, instruction_pointer(&at_return), regs_call.ip);
	unregister_kretprobe(&rp);
	regs_call.result = 0;
	regs_make_call();
	KUNIT_EXPECT_EQ(test, regs_call.result, OTHER_RESULT);
	unregister_kprobe(&kp);
	regs_make_call();
	KUNIT_EXPECT_EQ(test, regs_call.result, REGS_TEST_RESULT);
}

static struct kunit_case regs_cases[] = {
	KUNIT_CASE(test_kprobe),
	KUNIT_CASE(test_kretprobe),
	KUNIT_CASE(test_divert),
	{}
};

static struct kunit_suite regs_suite = {
	.name = "kprobes_regs",
	.test_cases = regs_cases,
};

kunit_test_suite(regs_suite);

MODULE_DESCRIPTION("KUnit tests of the registers probe handlers see");
MODULE_LICENSE("GPL");
