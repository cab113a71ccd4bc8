// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Kernels in which calls through pointers are checked. The caller compares the hash
 * before the called function, and the report of a failure decodes the comparison.
 * Both must not be probed; the code around them may.
 */
#include <kunit/test.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include "../ours.h"

/* The movl that holds the hash, and the padding before it */
#define PREAMBLE_SIZE	(5 + CONFIG_FUNCTION_PADDING_CFI)

/* movl, addl and je, before the ud2 that the je skips */
#define MOVL_TO_UD2	12
#define ADDL_TO_UD2	6
#define UD2_SIZE	2

/* The ud2 lies within this distance of the start of cfi_caller(). */
#define CALLER_SIZE	128

static unsigned int cfi_hits, cfi_returns;

static int cfi_count_hit(struct kprobe *p, struct pt_regs *regs)
{
	cfi_hits++;
	return 0;
}

static int cfi_count_return(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	cfi_returns++;
	return 0;
}

noinline int cfi_target(int value);
noinline int cfi_target(int value)
{
	OPTIMIZER_HIDE_VAR(value);
	return value + 1;
}

noinline int cfi_caller(int (*func)(int value), int value);
noinline int cfi_caller(int (*func)(int value), int value)
{
	return func(value) + 1;
}

static int call_checked(int value)
{
	return OPAQUE(cfi_caller)(OPAQUE(cfi_target), value);
}

/* je, ud2 */
static const u8 *find_ud2(struct kunit *test)
{
	static const u8 wanted[] = { 0x74, UD2_SIZE, 0x0f, 0x0b };
	const u8 *at = (const u8 *)cfi_caller;
	int i;

	for (i = MOVL_TO_UD2; i < CALLER_SIZE; i++) {
		if (!memcmp(at + i - 2, wanted, sizeof(wanted)))
			return at + i;
	}
	KUNIT_FAIL(test, "no check in cfi_caller()");
	return NULL;
}

static void expect_refused(struct kunit *test, const void *addr, int error)
{
	struct kprobe p = { .addr = (void *)addr, .pre_handler = cfi_count_hit };

	KUNIT_EXPECT_EQ_MSG(test, register_kprobe(&p), error, "%pS", addr);
}

static void expect_hit(struct kunit *test, const void *addr)
{
	struct kprobe p = { .addr = (void *)addr, .pre_handler = cfi_count_hit };

	cfi_hits = 0;
	KUNIT_ASSERT_EQ_MSG(test, register_kprobe(&p), 0, "%pS", addr);
	KUNIT_EXPECT_EQ(test, call_checked(10), 12);
	unregister_kprobe(&p);
	KUNIT_EXPECT_EQ_MSG(test, cfi_hits, 1, "%pS", addr);
	KUNIT_EXPECT_EQ(test, call_checked(10), 12);
}

static void test_preamble(struct kunit *test)
{
	int i;

	for (i = 1; i <= PREAMBLE_SIZE; i++)
		expect_refused(test, (const u8 *)cfi_target - i, -EINVAL);
	KUNIT_EXPECT_EQ(test, call_checked(10), 12);
}

static void test_check(struct kunit *test)
{
	const u8 *ud2 = find_ud2(test);

	KUNIT_ASSERT_NOT_NULL(test, ud2);
	expect_refused(test, ud2 - MOVL_TO_UD2, -EINVAL);
	expect_refused(test, ud2 - ADDL_TO_UD2, -EINVAL);
	expect_refused(test, ud2, -EINVAL);
	expect_hit(test, ud2 + UD2_SIZE);
}

static void test_entry(struct kunit *test)
{
	expect_hit(test, cfi_target);
	expect_hit(test, cfi_caller);
}

static void test_return(struct kunit *test)
{
	struct kretprobe rp = {
		.kp.addr = (void *)cfi_target,
		.handler = cfi_count_return,
	};

	cfi_returns = 0;
	KUNIT_ASSERT_EQ(test, register_kretprobe(&rp), 0);
	KUNIT_EXPECT_EQ(test, call_checked(10), 12);
	unregister_kretprobe(&rp);
	KUNIT_EXPECT_EQ(test, cfi_returns, 1);
}

static struct kunit_case cfi_cases[] = {
	KUNIT_CASE(test_preamble),
	KUNIT_CASE(test_check),
	KUNIT_CASE(test_entry),
	KUNIT_CASE(test_return),
	{}
};

static struct kunit_suite cfi_suite = {
	.name = "kprobes_cfi",
	.test_cases = cfi_cases,
};

kunit_test_suite(cfi_suite);

MODULE_DESCRIPTION("KUnit tests of probes where calls through pointers are checked");
MODULE_LICENSE("GPL");
