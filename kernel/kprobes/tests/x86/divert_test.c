// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * KUnit tests of handlers that go on inside of another point's window.
 */
#include <kunit/test.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/ptrace.h>
#include "../../window.h"
#include "../ours.h"
#include "window_places.h"

static unsigned int divert_hits;

static int divert_pre(struct kprobe *p, struct pt_regs *regs)
{
	divert_hits++;
	return 0;
}

/* Skip the first instruction of the window, and what is before it */
static int divert_skip(struct kprobe *p, struct pt_regs *regs)
{
	regs->ax = regs->di;
	instruction_pointer_set(regs, (unsigned long)window_second);
	return 1;
}

/* Not a tail call, which would need no frame: an ftrace site, and nothing that is reached */
static noinline int divert_function(int value)
{
	return OPAQUE(window_place)(value) + 100;
}

/* Calls, of which each passes a point at @from whose handler goes on inside of the window */
static void divert_call(struct kunit *test, void *from, int (*call)(int value))
{
	struct kprobe p = { .addr = (void *)window_first, .pre_handler = divert_pre };
	struct kprobe skipper = { .addr = from, .pre_handler = divert_skip };

	divert_hits = 0;
	KUNIT_ASSERT_EQ(test, register_kprobe(&skipper), 0);
	KUNIT_ASSERT_EQ(test, register_kprobe(&p), 0);
	/* With a trap at the window, then with a jump, then with a trap again */
	KUNIT_EXPECT_EQ(test, call(10), 16);
	kprobe_windows_wait();
	KUNIT_EXPECT_TRUE(test, kprobe_optimized(&p));
	KUNIT_EXPECT_EQ(test, call(10), 16);
	KUNIT_EXPECT_EQ(test, disable_kprobe(&p), 0);
	KUNIT_EXPECT_EQ(test, call(10), 16);
	KUNIT_EXPECT_EQ(test, divert_hits, 0);
	unregister_kprobe(&p);
	unregister_kprobe(&skipper);
	KUNIT_EXPECT_EQ(test, window_place(10), 17);
}

/* The point before the window would have the window in its own, and keeps its trap */
static void divert_test_trap(struct kunit *test)
{
	divert_call(test, window_first - 1, window_place);
}

static void divert_test_jump(struct kunit *test)
{
	divert_call(test, window_place, window_place);
}

static void divert_test_function(struct kunit *test)
{
	divert_call(test, divert_function, divert_function);
}

static struct kunit_case divert_cases[] = {
	KUNIT_CASE(divert_test_trap),
	KUNIT_CASE(divert_test_jump),
	KUNIT_CASE(divert_test_function),
	{}
};

static struct kunit_suite divert_suite = {
	.name = "kprobes_divert",
	.test_cases = divert_cases,
};

kunit_test_suite(divert_suite);

MODULE_DESCRIPTION("KUnit tests of handlers that go on inside of a window");
MODULE_IMPORT_NS(EXPORTED_FOR_KUNIT_TESTING);
MODULE_LICENSE("GPL");
