// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The registers that handlers see, and the effect of changing them.
 *
 * The caller is in assembly. The target only changes the register of its return
 * value.
 */
#include <kunit/test.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include "ours.h"
#include "regs.h"

#define OTHER_RESULT	4242
#define OVERRIDE	77

static struct pt_regs regs_at_entry, regs_at_return, regs_at_kprobe;
static unsigned long retaddr_at_entry, retaddr_at_return;
static unsigned long regs_override;

/* Without dynamic ftrace the function tracer's call is always there, and changes flags */
#ifdef CONFIG_DYNAMIC_FTRACE
#define TRACED
#else
#define TRACED	notrace
#endif

noinline TRACED unsigned long regs_test_target(void)
{
	return REGS_TEST_RESULT;
}

static noinline unsigned long regs_other_target(void)
{
	return OTHER_RESULT;
}

static int save_entry(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	regs_at_entry = *regs;
	retaddr_at_entry = get_kretprobe_retaddr(ri);
	return 0;
}

static int save_return(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	regs_at_return = *regs;
	retaddr_at_return = get_kretprobe_retaddr(ri);
	if (regs_override)
		regs_set_return_value(regs, regs_override);
	return 0;
}

static int save_kprobe(struct kprobe *p, struct pt_regs *regs)
{
	regs_at_kprobe = *regs;
	return 0;
}

static void test_regs_kprobe(struct kunit *test)
{
	static struct kprobe kp = {
		.symbol_name = "regs_test_target",
		.pre_handler = save_kprobe,
	};

	KUNIT_ASSERT_EQ(test, register_kprobe(&kp), 0);
	regs_make_call();
	unregister_kprobe(&kp);
	regs_check_entry(test, &regs_at_kprobe, kp.addr);
	KUNIT_EXPECT_EQ(test, regs_call.result, REGS_TEST_RESULT);
	KUNIT_EXPECT_EQ(test, regs_call.flag, 1);
}

static void test_regs_kretprobe(struct kunit *test)
{
	static struct kretprobe rp = {
		.kp.symbol_name = "regs_test_target",
		.entry_handler = save_entry,
		.handler = save_return,
	};

	KUNIT_ASSERT_EQ(test, register_kretprobe(&rp), 0);
	regs_make_call();
	KUNIT_EXPECT_EQ(test, regs_call.result, REGS_TEST_RESULT);
	regs_check_return(test, &regs_at_return);
	regs_override = OVERRIDE;
	regs_make_call();
	regs_override = 0;
	unregister_kretprobe(&rp);
	KUNIT_EXPECT_EQ(test, regs_call.result, OVERRIDE);
	KUNIT_EXPECT_EQ(test, regs_call.flag, 1);
	regs_check_entry(test, &regs_at_entry, rp.kp.addr);
	regs_check_return(test, &regs_at_return);
	if (OURS) {
		regs_check_pair(test, &regs_at_entry, &regs_at_return);
		KUNIT_EXPECT_EQ(test, retaddr_at_entry, regs_call.ip);
	}
	KUNIT_EXPECT_EQ(test, retaddr_at_return, regs_call.ip);
}

static int regs_go_elsewhere(struct kprobe *p, struct pt_regs *regs)
{
	instruction_pointer_set(regs, (unsigned long)regs_other_target);
	return 1;
}

/* The other function runs instead of the target, and returns to the target's caller. */
static void test_divert(struct kunit *test)
{
	static struct kprobe kp = {
		.symbol_name = "regs_test_target",
		.pre_handler = regs_go_elsewhere,
	};
	static struct kretprobe rp = {
		.kp.symbol_name = "regs_test_target",
		.handler = save_return,
	};

	KUNIT_ASSERT_EQ(test, register_kprobe(&kp), 0);
	/* The return probe is newer, so it is called first. */
	KUNIT_ASSERT_EQ(test, register_kretprobe(&rp), 0);
	regs_make_call();
	KUNIT_EXPECT_EQ(test, regs_call.result, OTHER_RESULT);
	KUNIT_EXPECT_EQ(test, regs_return_value(&regs_at_return), OTHER_RESULT);
	KUNIT_EXPECT_EQ(test, instruction_pointer(&regs_at_return), regs_call.ip);
	unregister_kretprobe(&rp);
	regs_call.result = 0;
	regs_make_call();
	KUNIT_EXPECT_EQ(test, regs_call.result, OTHER_RESULT);
	unregister_kprobe(&kp);
	regs_make_call();
	KUNIT_EXPECT_EQ(test, regs_call.result, REGS_TEST_RESULT);
}

static struct kunit_case regs_cases[] = {
	KUNIT_CASE(test_regs_kprobe),
	KUNIT_CASE(test_regs_kretprobe),
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
