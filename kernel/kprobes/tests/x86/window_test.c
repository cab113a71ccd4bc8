// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * KUnit tests of windows: jumps that replace several instructions. When there is one, and when
 * it goes.
 */
#include <kunit/test.h>
#include <linux/kprobe-arch.h>
#include <linux/kprobes.h>
#include <linux/ktime.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/preempt.h>
#include <linux/ptrace.h>
#include <linux/string.h>
#include <linux/vmalloc.h>
#include "../../core.h"
#include "../../jump.h"
#include "../../targets.h"
#include "../../window.h"
#include "window_places.h"

static unsigned int window_hits;

static int window_pre(struct kprobe *p, struct pt_regs *regs)
{
	window_hits++;
	return 0;
}

static void window_post(struct kprobe *p, struct pt_regs *regs, unsigned long flags)
{
}

static struct kprobe window_client(u8 *addr)
{
	return (struct kprobe){ .addr = (void *)addr, .pre_handler = window_pre };
}

/* Calls of the two windows in window_place(), which cause @hits hits each */
static noinline void window_expect(struct kunit *test, const struct kprobe *p, bool optimized,
				   unsigned int hits)
{
	window_hits = 0;
	KUNIT_EXPECT_EQ(test, kprobe_optimized(p), optimized);
	KUNIT_EXPECT_EQ(test, window_place(10), 17);
	KUNIT_EXPECT_EQ(test, window_place(-20), -13);
	KUNIT_EXPECT_EQ(test, window_hits, 2 * hits);
	KUNIT_EXPECT_EQ(test, p->nmissed, 0);
}

static void window_read(struct kunit *test, const u8 *addr, u8 *buf)
{
	guard(mutex)(&kprobe_mutex);
	KUNIT_EXPECT_EQ(test, kprobe_text_read((unsigned long)addr, buf, 8), 8);
}

static void window_check(struct kunit *test, u8 *addr)
{
	struct kprobe p = window_client(addr);
	u8 before[8], during[8];

	memcpy(before, addr, sizeof(before));
	KUNIT_ASSERT_EQ(test, register_kprobe(&p), 0);
	kprobe_windows_wait();
	window_expect(test, &p, true, 1);
	KUNIT_EXPECT_EQ(test, *addr, JMP32_INSN_OPCODE);
	window_read(test, addr, during);
	KUNIT_EXPECT_MEMEQ(test, during, before, sizeof(before));
	unregister_kprobe(&p);
	KUNIT_EXPECT_MEMEQ(test, addr, before, sizeof(before));
	KUNIT_EXPECT_EQ(test, window_place(10), 17);
}

/* After a while a jump replaces two instructions, or three; nobody reads it as one */
static void window_test_window(struct kunit *test)
{
	window_check(test, window_first);
	window_check(test, window_second);
	window_check(test, window_three);
	window_check(test, window_return);
}

static enum kprobe_window_refusal window_find(u8 *addr)
{
	struct kprobe_window window;

	kprobe_targets_index((unsigned long)addr);
	guard(mutex)(&kprobe_mutex);
	return kprobe_window_find((unsigned long)addr, &window);
}

/* Text that is no window, and why */
static void window_test_refusals(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, window_find(window_first), KPROBE_WINDOW_OK);
	KUNIT_EXPECT_EQ(test, window_find(window_target), KPROBE_WINDOW_TARGET);
	KUNIT_EXPECT_EQ(test, window_find(window_indirect), KPROBE_WINDOW_INDIRECT);
	KUNIT_EXPECT_EQ(test, window_find(window_short), KPROBE_WINDOW_INSN);
	KUNIT_EXPECT_EQ(test, window_find(window_reserved), KPROBE_WINDOW_RESERVED);
	KUNIT_EXPECT_NOT_NULL(test, kprobe_window_refusal_text(KPROBE_WINDOW_TARGET));
}

/* The index of the kernel's image is made when it is first asked for */
static void window_test_image(struct kunit *test)
{
	ktime_t begun = ktime_get();

	KUNIT_EXPECT_NE(test, window_find((u8 *)vmap + 16), KPROBE_WINDOW_UNKNOWN);
	kunit_info(test, "made in %lld ms", ktime_ms_delta(ktime_get(), begun));
}

/* A trap stays where a branch lands on the second instruction */
static void window_test_target(struct kunit *test)
{
	struct kprobe p = window_client(window_target);

	window_hits = 0;
	KUNIT_ASSERT_EQ(test, register_kprobe(&p), 0);
	kprobe_windows_wait();
	KUNIT_EXPECT_FALSE(test, kprobe_optimized(&p));
	KUNIT_EXPECT_EQ(test, window_place_target(10), 13);
	KUNIT_EXPECT_EQ(test, window_place_target(-10), -8);
	KUNIT_EXPECT_EQ(test, window_hits, 1);
	unregister_kprobe(&p);
}

/* A second probe in the window takes the jump back at once; without it the jump returns */
static void window_test_neighbour(struct kunit *test)
{
	struct kprobe p = window_client(window_first), q = window_client(window_second);

	KUNIT_ASSERT_EQ(test, register_kprobe(&p), 0);
	kprobe_windows_wait();
	window_expect(test, &p, true, 1);
	KUNIT_ASSERT_EQ(test, register_kprobe(&q), 0);
	window_expect(test, &p, false, 2);
	kprobe_windows_wait();
	window_expect(test, &p, false, 2);
	KUNIT_EXPECT_TRUE(test, kprobe_optimized(&q));
	unregister_kprobe(&q);
	kprobe_windows_wait();
	window_expect(test, &p, true, 1);
	unregister_kprobe(&p);
}

/* A probe after the window does not matter */
static void window_test_next(struct kunit *test)
{
	struct kprobe p = window_client(window_first), q = window_client(window_after);

	KUNIT_ASSERT_EQ(test, register_kprobe(&p), 0);
	KUNIT_ASSERT_EQ(test, register_kprobe(&q), 0);
	kprobe_windows_wait();
	window_expect(test, &p, true, 2);
	unregister_kprobe(&q);
	window_expect(test, &p, true, 1);
	unregister_kprobe(&p);
}

static bool window_owns(u8 *addr)
{
	guard(preempt)();
	return kprobe_owns_text((unsigned long)addr);
}

/* A debugger's breakpoint must not come into a window */
static void window_test_owner(struct kunit *test)
{
	struct kprobe p = window_client(window_first);

	KUNIT_EXPECT_FALSE(test, window_owns(window_first));
	KUNIT_ASSERT_EQ(test, register_kprobe(&p), 0);
	kprobe_windows_wait();
	KUNIT_EXPECT_TRUE(test, window_owns(window_first));
	KUNIT_EXPECT_TRUE(test, window_owns(window_second));
	KUNIT_EXPECT_FALSE(test, window_owns(window_after));
	kprobe_set_jumps_forbidden(true);
	KUNIT_EXPECT_FALSE(test, window_owns(window_second));
	kprobe_set_jumps_forbidden(false);
	unregister_kprobe(&p);
}

static void window_test_post_handler(struct kunit *test)
{
	struct kprobe p = window_client(window_first);
	struct kprobe q = { .addr = (void *)window_first, .post_handler = window_post };

	KUNIT_ASSERT_EQ(test, register_kprobe(&p), 0);
	kprobe_windows_wait();
	KUNIT_ASSERT_EQ(test, register_kprobe(&q), 0);
	window_expect(test, &p, false, 1);
	kprobe_windows_wait();
	window_expect(test, &p, false, 1);
	KUNIT_EXPECT_EQ(test, disable_kprobe(&q), 0);
	kprobe_windows_wait();
	window_expect(test, &p, true, 1);
	unregister_kprobe(&q);
	unregister_kprobe(&p);
}

/* The switch of jumps, and a probe that is disabled: the jump is not back at once */
static void window_test_switches(struct kunit *test)
{
	struct kprobe p = window_client(window_first);

	KUNIT_ASSERT_EQ(test, register_kprobe(&p), 0);
	kprobe_windows_wait();
	kprobe_set_jumps_forbidden(true);
	window_expect(test, &p, false, 1);
	kprobe_windows_wait();
	window_expect(test, &p, false, 1);
	kprobe_set_jumps_forbidden(false);
	window_expect(test, &p, false, 1);
	kprobe_windows_wait();
	window_expect(test, &p, true, 1);
	KUNIT_EXPECT_EQ(test, disable_kprobe(&p), 0);
	window_expect(test, &p, false, 0);
	KUNIT_EXPECT_EQ(test, enable_kprobe(&p), 0);
	window_expect(test, &p, false, 1);
	kprobe_windows_wait();
	window_expect(test, &p, true, 1);
	unregister_kprobe(&p);
}

static int window_skip(struct kprobe *p, struct pt_regs *regs)
{
	instruction_pointer_set(regs, (unsigned long)window_second);
	return 1;
}

/* A handler that skips the first instruction goes on in the copy of the second one */
static void window_test_skip(struct kunit *test)
{
	struct kprobe p = window_client(window_first);

	p.pre_handler = window_skip;
	KUNIT_ASSERT_EQ(test, register_kprobe(&p), 0);
	KUNIT_EXPECT_EQ(test, window_place(10), 16);
	kprobe_windows_wait();
	KUNIT_EXPECT_TRUE(test, kprobe_optimized(&p));
	KUNIT_EXPECT_EQ(test, window_place(10), 16);
	unregister_kprobe(&p);
}

static struct kunit_case window_cases[] = {
	KUNIT_CASE(window_test_window),
	KUNIT_CASE(window_test_refusals),
	KUNIT_CASE_SLOW(window_test_image),
	KUNIT_CASE(window_test_target),
	KUNIT_CASE(window_test_neighbour),
	KUNIT_CASE(window_test_next),
	KUNIT_CASE(window_test_owner),
	KUNIT_CASE(window_test_post_handler),
	KUNIT_CASE(window_test_switches),
	KUNIT_CASE(window_test_skip),
	{}
};

static struct kunit_suite window_suite = {
	.name = "kprobes_window",
	.test_cases = window_cases,
};

kunit_test_suite(window_suite);

MODULE_DESCRIPTION("KUnit tests of jumps that replace several instructions");
MODULE_IMPORT_NS(EXPORTED_FOR_KUNIT_TESTING);
MODULE_LICENSE("GPL");
