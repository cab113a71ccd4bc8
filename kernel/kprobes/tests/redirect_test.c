// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Return probes whose entry handler changes the address that the function returns to.
 */
#include <kunit/test.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include "machine.h"
#include "ours.h"
#include "return_places.h"

static unsigned int redirect_entries, redirect_returns, redirect_wrong;
static int redirect_result;

static int redirect_entry(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	entry_set_return_address(regs, (unsigned long)return_elsewhere);
	redirect_entries++;
	return redirect_result;
}

static int redirect_return(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	if (get_kretprobe_retaddr(ri) != (unsigned long)return_elsewhere)
		redirect_wrong++;
	redirect_returns++;
	return 0;
}

static void redirect_fresh(struct kretprobe *rp)
{
	*rp = (struct kretprobe){
		.kp.addr = (kprobe_opcode_t *)return_probed,
		.entry_handler = redirect_entry,
		.handler = redirect_return,
	};
	redirect_entries = 0;
	redirect_returns = 0;
	redirect_wrong = 0;
	redirect_result = 0;
}

/* An entry handler may change the address that the function returns to. */
static void test_redirected(struct kunit *test)
{
	static struct kretprobe rp;

	redirect_fresh(&rp);
	KUNIT_EXPECT_EQ(test, return_place(), 2);
	KUNIT_ASSERT_EQ(test, register_kretprobe(&rp), 0);
	KUNIT_EXPECT_EQ(test, return_place(), 1);
	redirect_result = -1;
	KUNIT_EXPECT_EQ(test, return_place(), 1);
	unregister_kretprobe(&rp);
	KUNIT_EXPECT_EQ(test, return_place(), 2);
	KUNIT_EXPECT_EQ(test, redirect_entries, 2);
	KUNIT_EXPECT_EQ(test, redirect_returns, 1);
	KUNIT_EXPECT_EQ(test, redirect_wrong, 0);
}

/* Those who have caught the call before miss its return, and do not lose the instance. */
static void test_redirected_others(struct kunit *test)
{
	static struct kretprobe rp, other;
	int i;

	if (!OURS)
		kunit_skip(test, "stock loses an instance a call");
	redirect_fresh(&rp);
	KUNIT_ASSERT_EQ(test, register_kretprobe(&rp), 0);
	other = (struct kretprobe){
		.kp.addr = (kprobe_opcode_t *)return_probed,
		.handler = redirect_return,
		.maxactive = 1,
	};
	KUNIT_EXPECT_EQ(test, register_kretprobe(&other), 0);
	for (i = 0; i < 10; i++)
		KUNIT_EXPECT_EQ(test, return_place(), 1);
	unregister_kretprobe(&other);
	unregister_kretprobe(&rp);
	KUNIT_EXPECT_EQ(test, redirect_returns, 10);
	KUNIT_EXPECT_EQ(test, other.kp.nmissed, 10);
	KUNIT_EXPECT_EQ(test, other.nmissed, 0);
}

static struct kunit_case redirect_cases[] = {
	KUNIT_CASE(test_redirected),
	KUNIT_CASE(test_redirected_others),
	{}
};

static struct kunit_suite redirect_suite = {
	.name = "kprobes_redirect",
	.test_cases = redirect_cases,
};

kunit_test_suite(redirect_suite);

MODULE_DESCRIPTION("KUnit tests of return probes that change where a function returns to");
MODULE_LICENSE("GPL");
