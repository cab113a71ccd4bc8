// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Return probes: which are registered and which are refused, and their instances.
 */
#include <kunit/test.h>
#include <linux/kprobes.h>
#include <linux/limits.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/string.h>
#include "ours.h"

#define DEPTH	50

static unsigned int retprobe_entries, retprobe_returns, retprobe_wrong;
static int retprobe_entry_result;

static noinline int retprobe_target(int value)
{
	return value + 1;
}

/* Returns the sum of 1 to @depth. No tail call: each level needs a frame of its own. */
static noinline int retprobe_recursive(int depth)
{
	return depth ? depth + OPAQUE(retprobe_recursive)(depth - 1) : 0;
}

static int retprobe_count_entry(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	retprobe_entries++;
	return retprobe_entry_result;
}

static int retprobe_count_return(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	retprobe_returns++;
	return 0;
}

static void retprobe_fresh(struct kretprobe *rp, void *func)
{
	*rp = (struct kretprobe) {
		.kp.addr = func,
		.entry_handler = retprobe_count_entry,
		.handler = retprobe_count_return,
	};
	retprobe_entries = 0;
	retprobe_returns = 0;
	retprobe_wrong = 0;
	retprobe_entry_result = 0;
}

/* Unregistering a probe that is not registered has no effect; stock crashes. */
static void unregister_failed(struct kretprobe *rp)
{
	if (OURS)
		unregister_kretprobe(rp);
}

static void test_recursion(struct kunit *test)
{
	static struct kretprobe rp;

	retprobe_fresh(&rp, retprobe_recursive);
	rp.maxactive = 10;
	KUNIT_ASSERT_EQ(test, register_kretprobe(&rp), 0);
	KUNIT_EXPECT_EQ(test, OPAQUE(retprobe_recursive)(DEPTH - 1), DEPTH * (DEPTH - 1) / 2);
	unregister_kretprobe(&rp);
	KUNIT_EXPECT_EQ(test, retprobe_entries, 10);
	KUNIT_EXPECT_EQ(test, retprobe_returns, 10);
	KUNIT_EXPECT_EQ(test, rp.nmissed, DEPTH - 10);
	rp.kp.addr = (void *)retprobe_recursive;
	rp.kp.flags = 0;
	KUNIT_ASSERT_EQ(test, register_kretprobe(&rp), 0);
	KUNIT_EXPECT_EQ(test, rp.nmissed, 0);
	unregister_kretprobe(&rp);
}

static void test_entry_refuses(struct kunit *test)
{
	static struct kretprobe rp;
	int i;

	retprobe_fresh(&rp, retprobe_target);
	rp.maxactive = 1;
	retprobe_entry_result = -1;
	KUNIT_ASSERT_EQ(test, register_kretprobe(&rp), 0);
	for (i = 0; i < 100000; i++)
		OPAQUE(retprobe_target)(i);
	retprobe_entry_result = 0;
	KUNIT_EXPECT_EQ(test, OPAQUE(retprobe_target)(1), 2);
	unregister_kretprobe(&rp);
	KUNIT_EXPECT_EQ(test, retprobe_entries, 100001);
	KUNIT_EXPECT_EQ(test, retprobe_returns, 1);
	KUNIT_EXPECT_EQ(test, rp.nmissed, 0);
}

/* The entry handler fills all bytes of a call's data with one value. */
static int fill_data(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	memset(ri->data, ++retprobe_entries, get_kretprobe(ri)->data_size);
	return 0;
}

static int check_data(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	u8 want = DEPTH - retprobe_returns++;

	if (memchr_inv(ri->data, want, get_kretprobe(ri)->data_size))
		retprobe_wrong++;
	return 0;
}

static void run_data_size(struct kunit *test, size_t size)
{
	static struct kretprobe rp;

	retprobe_fresh(&rp, retprobe_recursive);
	rp.entry_handler = fill_data;
	rp.handler = check_data;
	rp.maxactive = DEPTH;
	rp.data_size = size;
	KUNIT_ASSERT_EQ(test, register_kretprobe(&rp), 0);
	OPAQUE(retprobe_recursive)(DEPTH - 1);
	unregister_kretprobe(&rp);
	KUNIT_EXPECT_EQ_MSG(test, retprobe_returns, DEPTH, "%zu bytes", size);
	KUNIT_EXPECT_EQ_MSG(test, retprobe_wrong, 0, "%zu bytes", size);
}

static void test_data_size(struct kunit *test)
{
	static const size_t good[] = { 0, 1, 7, 8, 9, 4095, 4096 };
	static const size_t bad[] = { 4097, INT_MAX, SIZE_MAX - 64, SIZE_MAX };
	static struct kretprobe rp;
	int i;

	for (i = 0; i < ARRAY_SIZE(good); i++)
		run_data_size(test, good[i]);
	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		retprobe_fresh(&rp, retprobe_target);
		rp.data_size = bad[i];
		KUNIT_EXPECT_EQ(test, register_kretprobe(&rp), -E2BIG);
		unregister_failed(&rp);
	}
}

static void run_maxactive(struct kunit *test, int asked, int got)
{
	static struct kretprobe rp;

	retprobe_fresh(&rp, retprobe_target);
	rp.maxactive = asked;
	KUNIT_ASSERT_EQ(test, register_kretprobe(&rp), 0);
	KUNIT_EXPECT_EQ(test, rp.maxactive, got);
	OPAQUE(retprobe_target)(1);
	unregister_kretprobe(&rp);
	KUNIT_EXPECT_EQ(test, retprobe_returns, 1);
}

static void test_maxactive(struct kunit *test)
{
	int some = max(10, 2 * (int)num_possible_cpus());
	static struct kretprobe rp;

	run_maxactive(test, 0, some);
	run_maxactive(test, -1, some);
	run_maxactive(test, INT_MIN, some);
	run_maxactive(test, 1, 1);
	run_maxactive(test, 4096, 4096);
	retprobe_fresh(&rp, retprobe_target);
	rp.maxactive = INT_MAX;
	rp.data_size = KRETPROBE_MAX_DATA_SIZE;
	KUNIT_EXPECT_EQ(test, register_kretprobe(&rp), -ENOMEM);
	unregister_failed(&rp);
}

static void run_place(struct kunit *test, struct kprobe kp, int want)
{
	static struct kretprobe rp;

	retprobe_fresh(&rp, NULL);
	rp.kp = kp;
	KUNIT_EXPECT_EQ_MSG(test, register_kretprobe(&rp), want, "%s+%u",
			    kp.symbol_name, kp.offset);
	if (want)
		unregister_failed(&rp);
	else
		unregister_kretprobe(&rp);
}

static void test_place(struct kunit *test)
{
	struct kprobe both = { .addr = (void *)retprobe_target, .symbol_name = "vfs_read" };

	run_place(test, (struct kprobe) { .symbol_name = "vfs_read" }, 0);
	run_place(test, (struct kprobe) { .symbol_name = "vfs_read", .offset = 1 }, -EINVAL);
	run_place(test, (struct kprobe) { .symbol_name = "no_such_symbol" }, -ENOENT);
	/* Stock also refuses it, but under IBT compares the wrong address. */
	if (OURS)
		run_place(test, (struct kprobe) { .symbol_name = "__switch_to" }, -EINVAL);
	/* Stock accepts it, and traces of sleeping tasks end there. */
	if (OURS && IS_ENABLED(CONFIG_X86_64))
		run_place(test, (struct kprobe) { .symbol_name = "__switch_to_asm" }, -EINVAL);
	run_place(test, (struct kprobe) { .addr = (void *)retprobe_target }, 0);
	run_place(test, both, -EINVAL);
	run_place(test, (struct kprobe) { }, -EINVAL);
}

#define ARM64_DIRECT_CALLS \
	(IS_ENABLED(CONFIG_ARM64) && IS_ENABLED(CONFIG_DYNAMIC_FTRACE_WITH_DIRECT_CALLS))

/* Code that is returned or branched to, with a stack or link register of other code. */
static void test_not_called(struct kunit *test)
{
	static const struct {
		const char *name;
		bool is_there;
	} targets[] = {
		{ "return_to_handler", IS_ENABLED(CONFIG_FUNCTION_GRAPH_TRACER) },
		{ IS_ENABLED(CONFIG_ARM64) ? "ret_from_fork" : "ret_from_fork_asm", true },
		{ IS_ENABLED(CONFIG_ARM64) ? "ftrace_caller" : "ftrace_regs_caller",
		  IS_ENABLED(CONFIG_DYNAMIC_FTRACE) },
		{ "ftrace_caller_direct", ARM64_DIRECT_CALLS },
		{ "ftrace_caller_direct_late", ARM64_DIRECT_CALLS },
		{ "__efi_rt_asm_recover", IS_ENABLED(CONFIG_ARM64) && IS_ENABLED(CONFIG_EFI) },
	};
	/* Stock accepts all of them and only survives the first. */
	unsigned int i, num = OURS ? ARRAY_SIZE(targets) : 1;

	for (i = 0; i < num; i++)
		run_place(test, (struct kprobe) { .symbol_name = targets[i].name },
			  targets[i].is_there ? -EINVAL : -ENOENT);
}

static void test_twice(struct kunit *test)
{
	static struct kretprobe rp;

	retprobe_fresh(&rp, retprobe_target);
	KUNIT_ASSERT_EQ(test, register_kretprobe(&rp), 0);
	KUNIT_EXPECT_EQ(test, register_kretprobe(&rp), -EINVAL);
	OPAQUE(retprobe_target)(1);
	KUNIT_EXPECT_EQ(test, retprobe_returns, 1);
	unregister_kretprobe(&rp);
	unregister_failed(&rp);
	OPAQUE(retprobe_target)(1);
	KUNIT_EXPECT_EQ(test, retprobe_returns, 1);
	/* After it is unregistered it can be registered again, once addr and flags are reset. */
	rp.kp.addr = (void *)retprobe_target;
	rp.kp.flags = 0;
	KUNIT_ASSERT_EQ(test, register_kretprobe(&rp), 0);
	OPAQUE(retprobe_target)(1);
	KUNIT_EXPECT_EQ(test, retprobe_returns, 2);
	unregister_kretprobe(&rp);
}

/* A client need not clear the memory: it sets all public members, but no private one */
static void test_not_cleared(struct kunit *test)
{
	static struct kretprobe rp;

	if (!OURS)
		return;
	retprobe_fresh(&rp, NULL);
	memset(&rp, 0xa5, sizeof(rp));
	rp.kp.addr = (void *)retprobe_target;
	rp.kp.symbol_name = NULL;
	rp.kp.offset = 0;
	rp.kp.flags = 0;
	rp.entry_handler = retprobe_count_entry;
	rp.handler = retprobe_count_return;
	rp.maxactive = 0;
	rp.data_size = 0;
	KUNIT_ASSERT_EQ(test, register_kretprobe(&rp), 0);
	OPAQUE(retprobe_target)(1);
	KUNIT_EXPECT_EQ(test, retprobe_returns, 1);
	unregister_kretprobe(&rp);
}

static void run_handlers(struct kunit *test, bool entry, bool ret)
{
	static struct kretprobe rp;

	retprobe_fresh(&rp, retprobe_target);
	if (!entry)
		rp.entry_handler = NULL;
	if (!ret)
		rp.handler = NULL;
	KUNIT_ASSERT_EQ(test, register_kretprobe(&rp), 0);
	KUNIT_EXPECT_EQ(test, OPAQUE(retprobe_target)(41), 42);
	unregister_kretprobe(&rp);
	KUNIT_EXPECT_EQ(test, retprobe_entries, entry);
	KUNIT_EXPECT_EQ(test, retprobe_returns, ret);
}

static void test_handlers(struct kunit *test)
{
	run_handlers(test, true, true);
	run_handlers(test, true, false);
	run_handlers(test, false, true);
	run_handlers(test, false, false);
}

static unsigned int retprobe_order;

static int retprobe_note_entry(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	retprobe_order = retprobe_order * 10 + get_kretprobe(ri)->data_size;
	return 0;
}

static int retprobe_note_return(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	return retprobe_note_entry(ri, regs);
}

/* The entry is the latest client's first; the return is that of the last entry first */
static void test_handlers_order(struct kunit *test)
{
	static struct kretprobe rps[3];
	int i;

	for (i = 0; i < ARRAY_SIZE(rps); i++) {
		retprobe_fresh(&rps[i], retprobe_target);
		rps[i].entry_handler = retprobe_note_entry;
		rps[i].handler = retprobe_note_return;
		rps[i].data_size = i + 1;
		KUNIT_ASSERT_EQ(test, register_kretprobe(&rps[i]), 0);
	}
	retprobe_order = 0;
	KUNIT_EXPECT_EQ(test, OPAQUE(retprobe_target)(41), 42);
	KUNIT_EXPECT_EQ(test, retprobe_order, 321123);
	for (i = 0; i < ARRAY_SIZE(rps); i++)
		unregister_kretprobe(&rps[i]);
}

static void test_disabled(struct kunit *test)
{
	static struct kretprobe rp;

	retprobe_fresh(&rp, retprobe_target);
	rp.kp.flags = KPROBE_FLAG_DISABLED;
	KUNIT_ASSERT_EQ(test, register_kretprobe(&rp), 0);
	OPAQUE(retprobe_target)(1);
	KUNIT_EXPECT_EQ(test, retprobe_entries, 0);
	KUNIT_EXPECT_EQ(test, enable_kretprobe(&rp), 0);
	OPAQUE(retprobe_target)(1);
	KUNIT_EXPECT_EQ(test, retprobe_returns, 1);
	KUNIT_EXPECT_EQ(test, disable_kretprobe(&rp), 0);
	OPAQUE(retprobe_target)(1);
	KUNIT_EXPECT_EQ(test, retprobe_entries, 1);
	unregister_kretprobe(&rp);
	KUNIT_EXPECT_EQ(test, retprobe_returns, 1);
}

static void test_batch(struct kunit *test)
{
	static struct kretprobe a, b, bad;
	struct kretprobe *all[] = { &a, &b, &bad };

	retprobe_fresh(&bad, NULL);
	bad.kp.symbol_name = "no_such_symbol";
	retprobe_fresh(&a, retprobe_target);
	retprobe_fresh(&b, retprobe_recursive);
	KUNIT_EXPECT_EQ(test, register_kretprobes(all, 0), -EINVAL);
	KUNIT_EXPECT_EQ(test, register_kretprobes(all, 3), -ENOENT);
	OPAQUE(retprobe_target)(OPAQUE(retprobe_recursive)(0));
	KUNIT_EXPECT_EQ(test, retprobe_entries, 0);
	retprobe_fresh(&a, retprobe_target);
	retprobe_fresh(&b, retprobe_recursive);
	KUNIT_ASSERT_EQ(test, register_kretprobes(all, 2), 0);
	OPAQUE(retprobe_target)(OPAQUE(retprobe_recursive)(0));
	KUNIT_EXPECT_EQ(test, retprobe_returns, 2);
	unregister_kretprobes(all, OURS ? 3 : 2);
	OPAQUE(retprobe_target)(OPAQUE(retprobe_recursive)(0));
	KUNIT_EXPECT_EQ(test, retprobe_returns, 2);
}

static struct kunit_case retprobe_cases[] = {
	KUNIT_CASE(test_recursion),
	KUNIT_CASE(test_entry_refuses),
	KUNIT_CASE(test_data_size),
	KUNIT_CASE(test_maxactive),
	KUNIT_CASE(test_place),
	KUNIT_CASE(test_not_called),
	KUNIT_CASE(test_twice),
	KUNIT_CASE(test_not_cleared),
	KUNIT_CASE(test_handlers),
	KUNIT_CASE(test_handlers_order),
	KUNIT_CASE(test_disabled),
	KUNIT_CASE(test_batch),
	{}
};

static struct kunit_suite retprobe_suite = {
	.name = "kprobes_retprobe",
	.test_cases = retprobe_cases,
};

kunit_test_suite(retprobe_suite);

MODULE_DESCRIPTION("KUnit tests of return probes");
MODULE_LICENSE("GPL");
