// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * KUnit tests of windows: jumps that replace several instructions. When there is one, when it
 * goes, and that no task is inside when it comes.
 */
#include <kunit/test.h>
#include <linux/completion.h>
#include <linux/delay.h>
#include <linux/kprobe-arch.h>
#include <linux/kprobes.h>
#include <linux/kthread.h>
#include <linux/ktime.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/preempt.h>
#include <linux/rcupdate.h>
#include <linux/sizes.h>
#include <linux/string.h>
#include <linux/vmalloc.h>
#include "../../core.h"
#include "../../jump.h"
#include "../../targets.h"
#include "../../window.h"
#include "window_places.h"

/* Bytes that a slow instruction reads: QEMU takes seconds */
#define SLOW_SIZE	SZ_512M

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

/**
 * struct window_reader - a task that is in a slow instruction for long
 * @memory: what it reads
 * @first: bytes that the first slow instruction reads
 * @second: bytes that the second one reads
 * @begun: it is about to
 * @left: it has left that function
 * @end: where it has ended
 * @done: it is over
 */
struct window_reader {
	const u8		*memory;
	size_t			first;
	size_t			second;
	struct completion	begun;
	bool			left;
	const u8		*end;
	struct completion	done;
};

static int window_reads(void *data)
{
	struct window_reader *reader = data;

	complete(&reader->begun);
	reader->end = window_place_slow(reader->memory, reader->first, reader->second);
	WRITE_ONCE(reader->left, true);
	complete(&reader->done);
	return 0;
}

/* One page, many times */
static const u8 *window_map(struct kunit *test)
{
	unsigned int i, num = SLOW_SIZE / PAGE_SIZE;
	struct page **pages = kvmalloc_array(num, sizeof(*pages), GFP_KERNEL);
	const u8 *memory;

	KUNIT_ASSERT_NOT_NULL(test, pages);
	/* vmap() takes no more pages than there are */
	for (i = 0; i < num; i++)
		pages[i] = ZERO_PAGE(0);
	memory = vmap(pages, num, VM_MAP, PAGE_KERNEL_RO);
	kvfree(pages);
	KUNIT_ASSERT_NOT_NULL(test, memory);
	return memory;
}

static void window_begin_reader(struct kunit *test, struct window_reader *reader)
{
	init_completion(&reader->begun);
	init_completion(&reader->done);
	KUNIT_ASSERT_FALSE(test, IS_ERR(kthread_run(window_reads, reader, "kprobes_window")));
	wait_for_completion(&reader->begun);
	msleep(50);
	KUNIT_EXPECT_FALSE(test, READ_ONCE(reader->left));
}

/* The jump comes, but not before the task has left the window */
static void window_end_reader(struct kunit *test, struct window_reader *reader,
			      const struct kprobe *p)
{
	bool early = false;
	int i;

	for (i = 0; i < 6000 && !READ_ONCE(reader->left); i++) {
		early |= kprobe_optimized(p) && !READ_ONCE(reader->left);
		msleep(20);
	}
	wait_for_completion(&reader->done);
	KUNIT_EXPECT_FALSE(test, early);
	KUNIT_EXPECT_PTR_EQ(test, reader->end, reader->memory + SLOW_SIZE);
	kprobe_windows_wait();
	KUNIT_EXPECT_TRUE(test, kprobe_optimized(p));
	KUNIT_EXPECT_PTR_EQ(test, window_place_slow(reader->memory, 5, 7), reader->memory + 12);
	vunmap(reader->memory);
}

/* A task is inside of the window when the trap comes; another probe comes and goes */
static void window_test_inside(struct kunit *test)
{
	struct kprobe p = window_client(window_before_slow);
	struct kprobe q = window_client(window_inside_slow);
	struct window_reader reader = { .memory = window_map(test), .second = SLOW_SIZE };

	window_begin_reader(test, &reader);
	KUNIT_ASSERT_EQ(test, register_kprobe(&p), 0);
	msleep(100);
	KUNIT_EXPECT_EQ(test, register_kprobe(&q), 0);
	unregister_kprobe(&q);
	window_end_reader(test, &reader, &p);
	unregister_kprobe(&p);
}

/* A task is in the slot of the trap, which returns into the window */
static void window_test_in_slot(struct kunit *test)
{
	struct window_reader reader = { .memory = window_map(test), .first = SLOW_SIZE };
	struct kprobe p = window_client(window_slow);

	kprobe_set_jumps_forbidden(true);
	window_hits = 0;
	KUNIT_ASSERT_EQ(test, register_kprobe(&p), 0);
	window_begin_reader(test, &reader);
	kprobe_set_jumps_forbidden(false);
	KUNIT_EXPECT_EQ(test, window_hits, 1);
	window_end_reader(test, &reader, &p);
	unregister_kprobe(&p);
}

static bool window_spin, window_wrong;

static int window_spinner(void *done)
{
	int i = 0;

	while (READ_ONCE(window_spin)) {
		window_wrong |= window_place(i) != i + 7;
		i++;
		cond_resched_tasks_rcu_qs();
	}
	complete(done);
	return 0;
}

static void window_toggle(struct kunit *test, int round)
{
	static struct kprobe p, q;

	p = window_client(window_first);
	q = window_client(window_second);
	KUNIT_EXPECT_EQ(test, register_kprobe(&p), 0);
	if (round & 1)
		kprobe_windows_wait();
	KUNIT_EXPECT_EQ(test, register_kprobe(&q), 0);
	if (round & 2)
		kprobe_windows_wait();
	unregister_kprobe(&q);
	if (round & 4)
		kprobe_windows_wait();
	unregister_kprobe(&p);
}

/* One task executes the code while jumps come and go */
static void window_test_arming(struct kunit *test)
{
	DECLARE_COMPLETION_ONSTACK(done);
	int round;

	window_spin = true;
	window_wrong = false;
	window_hits = 0;
	KUNIT_ASSERT_FALSE(test, IS_ERR(kthread_run(window_spinner, &done, "kprobes_window")));
	for (round = 0; round < 24; round++)
		window_toggle(test, round);
	WRITE_ONCE(window_spin, false);
	wait_for_completion(&done);
	KUNIT_EXPECT_FALSE(test, window_wrong);
	KUNIT_EXPECT_GT(test, window_hits, 0);
	KUNIT_EXPECT_EQ(test, window_place(10), 17);
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
	KUNIT_CASE_SLOW(window_test_inside),
	KUNIT_CASE_SLOW(window_test_in_slot),
	KUNIT_CASE_SLOW(window_test_arming),
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
