// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * KUnit tests of ftrace that asks for another try of a change of its filter, as it does while a
 * BPF trampoline of the function changes.
 */
#include <kunit/static_stub.h>
#include <kunit/test.h>
#include <linux/compiler.h>
#include <linux/ftrace.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include "../../ftrace.h"

/* More often than anybody tries */
#define FILTER_EVER	1000

static unsigned int filter_hits, filter_busy;

static noinline int filter_target(int value)
{
	barrier();
	return value + 1;
}

static int filter_pre(struct kprobe *p, struct pt_regs *regs)
{
	filter_hits++;
	return 0;
}

static int filter_change(struct ftrace_ops *ops, unsigned long *addrs, unsigned int num, int remove)
{
	if (!remove && filter_busy) {
		filter_busy--;
		return -EAGAIN;
	}
	return ftrace_set_filter_ips(ops, addrs, num, remove, 0);
}

static void filter_test_again(struct kunit *test)
{
	struct kprobe p = { .addr = (void *)filter_target, .pre_handler = filter_pre };
	int (*target)(int value) = filter_target;

	OPTIMIZER_HIDE_VAR(target);
	filter_hits = 0;
	kunit_activate_static_stub(test, kprobe_ftrace_filter, filter_change);
	filter_busy = FILTER_EVER;
	KUNIT_EXPECT_EQ(test, register_kprobe(&p), -EAGAIN);
	filter_busy = 3;
	KUNIT_EXPECT_EQ(test, register_kprobe(&p), 0);
	KUNIT_EXPECT_EQ(test, target(1), 2);
	KUNIT_EXPECT_EQ(test, filter_hits, 1);
	kunit_deactivate_static_stub(test, kprobe_ftrace_filter);
	unregister_kprobe(&p);
}

static struct kunit_case filter_cases[] = {
	KUNIT_CASE(filter_test_again),
	{}
};

static struct kunit_suite filter_suite = {
	.name = "kprobes_filter",
	.test_cases = filter_cases,
};

kunit_test_suite(filter_suite);

MODULE_DESCRIPTION("KUnit tests of ftrace that asks for another try");
MODULE_IMPORT_NS(EXPORTED_FOR_KUNIT_TESTING);
MODULE_LICENSE("GPL");
