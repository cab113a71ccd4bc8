// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * KUnit tests of tasks in the code of windows when jumps come and go: no task is inside when
 * one comes.
 */
#include <kunit/test.h>
#include <linux/cleanup.h>
#include <linux/completion.h>
#include <linux/delay.h>
#include <linux/err.h>
#include <linux/kprobes.h>
#include <linux/kthread.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/preempt.h>
#include <linux/ptrace.h>
#include <linux/rcupdate.h>
#include <linux/sizes.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>
#include "../../core.h"
#include "../../jump.h"
#include "../../window.h"
#include "window_places.h"

/* Bytes that a slow instruction reads: QEMU takes seconds */
#define SLOW_SIZE	SZ_512M

static unsigned int inside_hits;

static int inside_pre(struct kprobe *p, struct pt_regs *regs)
{
	inside_hits++;
	return 0;
}

static int inside_skip(struct kprobe *p, struct pt_regs *regs)
{
	instruction_pointer_set(regs, (unsigned long)window_second);
	return 1;
}

static struct kprobe inside_client(u8 *addr)
{
	return (struct kprobe){ .addr = (void *)addr, .pre_handler = inside_pre };
}

/**
 * struct inside_reader - a task that is in a slow instruction for long
 * @memory: what it reads
 * @first: bytes that the first slow instruction reads
 * @second: bytes that the second one reads
 * @begun: it is about to
 * @left: it has left that function
 * @end: where it has ended
 * @done: it is over
 */
struct inside_reader {
	const u8		*memory;
	size_t			first;
	size_t			second;
	struct completion	begun;
	bool			left;
	const u8		*end;
	struct completion	done;
};

static int inside_reads(void *data)
{
	struct inside_reader *reader = data;

	complete(&reader->begun);
	reader->end = window_place_slow(reader->memory, reader->first, reader->second);
	WRITE_ONCE(reader->left, true);
	complete(&reader->done);
	return 0;
}

/* One page, many times */
static const u8 *inside_map(struct kunit *test)
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

static void inside_begin(struct kunit *test, struct inside_reader *reader)
{
	init_completion(&reader->begun);
	init_completion(&reader->done);
	KUNIT_ASSERT_FALSE(test, IS_ERR(kthread_run(inside_reads, reader, "kprobes_inside")));
	wait_for_completion(&reader->begun);
	msleep(50);
	KUNIT_EXPECT_FALSE(test, READ_ONCE(reader->left));
}

/* The jump comes, but not before the task has left the window */
static void inside_end(struct kunit *test, struct inside_reader *reader, const struct kprobe *p)
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

static bool inside_owned(void)
{
	guard(preempt)();
	return kprobe_owns_text((unsigned long)window_inside_slow);
}

/* A task is inside of the window when the trap comes; another probe comes and goes */
static void inside_test_window(struct kunit *test)
{
	struct kprobe p = inside_client(window_before_slow);
	struct kprobe q = inside_client(window_inside_slow);
	struct inside_reader reader = { .memory = inside_map(test), .second = SLOW_SIZE };

	inside_begin(test, &reader);
	KUNIT_ASSERT_EQ(test, register_kprobe(&p), 0);
	msleep(100);
	KUNIT_EXPECT_TRUE(test, inside_owned());
	KUNIT_EXPECT_EQ(test, register_kprobe(&q), 0);
	unregister_kprobe(&q);
	inside_end(test, &reader, &p);
	unregister_kprobe(&p);
}

/* A point that was a jump before waits as long as the first time */
static void inside_test_again(struct kunit *test)
{
	struct kprobe p = inside_client(window_before_slow);
	struct kprobe other = inside_client(window_before_slow);
	struct inside_reader reader = { .memory = inside_map(test), .second = SLOW_SIZE };

	KUNIT_ASSERT_EQ(test, register_kprobe(&p), 0);
	kprobe_windows_wait();
	KUNIT_EXPECT_TRUE(test, kprobe_optimized(&p));
	KUNIT_EXPECT_EQ(test, disable_kprobe(&p), 0);
	inside_begin(test, &reader);
	KUNIT_EXPECT_EQ(test, enable_kprobe(&p), 0);
	msleep(100);
	KUNIT_EXPECT_EQ(test, register_kprobe(&other), 0);
	inside_end(test, &reader, &p);
	unregister_kprobe(&other);
	unregister_kprobe(&p);
}

/* A task is in the slot of the trap, which returns into the window */
static void inside_test_slot(struct kunit *test)
{
	struct inside_reader reader = { .memory = inside_map(test), .first = SLOW_SIZE };
	struct kprobe p = inside_client(window_slow);

	kprobe_set_jumps_forbidden(true);
	inside_hits = 0;
	KUNIT_ASSERT_EQ(test, register_kprobe(&p), 0);
	inside_begin(test, &reader);
	kprobe_set_jumps_forbidden(false);
	KUNIT_EXPECT_EQ(test, inside_hits, 1);
	inside_end(test, &reader, &p);
	unregister_kprobe(&p);
}

static bool inside_spin, inside_wrong, inside_skips;

static int inside_spinner(void *done)
{
	int i = 0, added;

	while (READ_ONCE(inside_spin)) {
		added = window_place(i) - i;
		inside_wrong |= added != 7 && !(inside_skips && added == 6);
		i++;
		cond_resched_tasks_rcu_qs();
	}
	complete(done);
	return 0;
}

static void inside_toggle(struct kunit *test, int round)
{
	static struct kprobe p, q;

	p = inside_client(window_first);
	if (inside_skips)
		p.pre_handler = inside_skip;
	q = inside_client(window_second);
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
static void inside_test_arming(struct kunit *test)
{
	DECLARE_COMPLETION_ONSTACK(done);
	int round;

	inside_spin = true;
	inside_wrong = false;
	inside_hits = 0;
	KUNIT_ASSERT_FALSE(test, IS_ERR(kthread_run(inside_spinner, &done, "kprobes_inside")));
	for (round = 0; round < 24; round++)
		inside_toggle(test, round);
	WRITE_ONCE(inside_spin, false);
	wait_for_completion(&done);
	KUNIT_EXPECT_FALSE(test, inside_wrong);
	KUNIT_EXPECT_GT(test, inside_hits, 0);
	KUNIT_EXPECT_EQ(test, window_place(10), 17);
}

/* The same while the handler goes on inside of the window */
static void inside_test_skip(struct kunit *test)
{
	inside_skips = true;
	inside_test_arming(test);
	inside_skips = false;
}

static struct kunit_case inside_cases[] = {
	KUNIT_CASE_SLOW(inside_test_window),
	KUNIT_CASE_SLOW(inside_test_again),
	KUNIT_CASE_SLOW(inside_test_slot),
	KUNIT_CASE_SLOW(inside_test_arming),
	KUNIT_CASE_SLOW(inside_test_skip),
	{}
};

static struct kunit_suite inside_suite = {
	.name = "kprobes_inside",
	.test_cases = inside_cases,
};

kunit_test_suite(inside_suite);

MODULE_DESCRIPTION("KUnit tests of tasks inside of windows");
MODULE_IMPORT_NS(EXPORTED_FOR_KUNIT_TESTING);
MODULE_LICENSE("GPL");
