// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * KUnit tests of probes whose text another owner has changed: what it wrote stays, and a
 * client that can have no hits is told so.
 */
#include <kunit/test.h>
#include <linux/delay.h>
#include <linux/kprobe-arch.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/string.h>
#include "../core.h"
#include "../jump.h"
#include "jump_places.h"
#include "poke.h"

/* Milliseconds in which a worker arms a probe that could not be armed */
#define FOREIGN_RETRY	5000

/* The text that probes are made for, and what another owner makes of it */
static u8 foreign_own[ARCH_KPROBE_JUMP_SIZE], foreign_other[ARCH_KPROBE_JUMP_SIZE];

static unsigned int foreign_hits, foreign_posts;

static int foreign_pre(struct kprobe *p, struct pt_regs *regs)
{
	foreign_hits++;
	return 0;
}

static void foreign_post(struct kprobe *p, struct pt_regs *regs, unsigned long flags)
{
	foreign_posts++;
}

static struct kprobe foreign_client(u32 flags)
{
	return (struct kprobe){
		.addr		= (void *)jump_place_copied,
		.pre_handler	= foreign_pre,
		.flags		= flags,
	};
}

/* The worker that arms late points looks at the text before or after, not meanwhile */
static void foreign_write(struct kunit *test, const u8 *text)
{
	guard(mutex)(&kprobe_mutex);
	poke_text(test, jump_place_copied, text, ARCH_KPROBE_JUMP_SIZE);
}

static void foreign_expect_text(struct kunit *test, const u8 *text)
{
	KUNIT_EXPECT_MEMEQ(test, jump_place_copied, text, ARCH_KPROBE_JUMP_SIZE);
}

/* A call that executes the text @more away from the probes' own, and is hit so often */
static void foreign_call(struct kunit *test, int more, int hits, int posts)
{
	foreign_hits = 0;
	foreign_posts = 0;
	KUNIT_EXPECT_EQ(test, jump_place(10), 13 + more);
	KUNIT_EXPECT_EQ(test, foreign_hits, hits);
	KUNIT_EXPECT_EQ(test, foreign_posts, posts);
}

static void foreign_call_later(struct kunit *test)
{
	int i;

	for (i = 0; i < FOREIGN_RETRY / 100; i++) {
		foreign_hits = 0;
		jump_place(10);
		if (foreign_hits)
			break;
		msleep(100);
	}
	foreign_call(test, 0, 1, 0);
}

/* The instruction is another one when a probe is enabled */
static void foreign_test_enable(struct kunit *test)
{
	struct kprobe p = foreign_client(KPROBE_FLAG_DISABLED);

	KUNIT_ASSERT_EQ(test, register_kprobe(&p), 0);
	foreign_write(test, foreign_other);
	KUNIT_EXPECT_EQ(test, enable_kprobe(&p), -EBUSY);
	KUNIT_EXPECT_TRUE(test, kprobe_disabled(&p));
	foreign_call(test, JUMP_OTHER_MORE, 0, 0);
	foreign_write(test, foreign_own);
	KUNIT_EXPECT_EQ(test, enable_kprobe(&p), 0);
	foreign_call(test, 0, 1, 0);
	unregister_kprobe(&p);
	foreign_expect_text(test, foreign_own);
}

/* Probes at two addresses, one of which has changed: the other one keeps its hits */
static void foreign_test_two(struct kunit *test)
{
	struct kprobe p = foreign_client(KPROBE_FLAG_DISABLED);
	struct kprobe other = { .addr = (void *)jump_place_call, .pre_handler = foreign_pre };
	struct kprobe *both[] = { &other, &p };

	KUNIT_ASSERT_EQ(test, register_kprobe(&p), 0);
	foreign_write(test, foreign_other);
	KUNIT_ASSERT_EQ(test, register_kprobe(&other), 0);
	KUNIT_EXPECT_EQ(test, enable_kprobe(&p), -EBUSY);
	foreign_call(test, JUMP_OTHER_MORE, 1, 0);
	unregister_kprobes(both, ARRAY_SIZE(both));
	foreign_expect_text(test, foreign_other);
}

/* The text of an armed trap or jump is another one when its probe goes: it stays */
static void foreign_check_leaves(struct kunit *test, const u8 *text, int more)
{
	struct kprobe p = foreign_client(0);

	KUNIT_ASSERT_EQ(test, register_kprobe(&p), 0);
	foreign_write(test, text);
	foreign_call(test, more, 0, 0);
	unregister_kprobe(&p);
	foreign_expect_text(test, text);
	foreign_write(test, foreign_own);
}

static void foreign_test_leaves(struct kunit *test)
{
	foreign_check_leaves(test, foreign_own, 0);
	foreign_check_leaves(test, foreign_other, JUMP_OTHER_MORE);
	kprobe_set_jumps_forbidden(true);
	foreign_check_leaves(test, foreign_own, 0);
	foreign_check_leaves(test, foreign_other, JUMP_OTHER_MORE);
}

/* A jump that somebody has removed becomes a trap */
static void foreign_test_removed(struct kunit *test)
{
	struct kprobe p = foreign_client(0), post = foreign_client(0);

	post.post_handler = foreign_post;
	KUNIT_ASSERT_EQ(test, register_kprobe(&p), 0);
	KUNIT_EXPECT_TRUE(test, kprobe_optimized(&p));
	foreign_write(test, foreign_own);
	KUNIT_EXPECT_EQ(test, register_kprobe(&post), 0);
	foreign_call(test, 0, 2, 1);
	unregister_kprobe(&post);
	foreign_call(test, 0, 1, 0);
	unregister_kprobe(&p);
	foreign_expect_text(test, foreign_own);
}

/* It cannot become a trap: the probe that needs this is refused, the other one comes back */
static void foreign_test_replaced(struct kunit *test)
{
	struct kprobe p = foreign_client(0), post = foreign_client(0);

	post.post_handler = foreign_post;
	KUNIT_ASSERT_EQ(test, register_kprobe(&p), 0);
	foreign_write(test, foreign_other);
	KUNIT_EXPECT_EQ(test, register_kprobe(&post), -EBUSY);
	unregister_kprobe(&post);
	foreign_call(test, JUMP_OTHER_MORE, 0, 0);
	foreign_write(test, foreign_own);
	foreign_call_later(test);
	unregister_kprobe(&p);
	foreign_expect_text(test, foreign_own);
}

static int foreign_init(struct kunit *test)
{
	memcpy(foreign_own, jump_place_copied, sizeof(foreign_own));
	memcpy(foreign_other, foreign_own, sizeof(foreign_other));
	foreign_other[JUMP_OTHER_AT] = JUMP_OTHER;
	return 0;
}

static void foreign_exit(struct kunit *test)
{
	kprobe_set_jumps_forbidden(false);
	foreign_write(test, foreign_own);
}

static struct kunit_case foreign_cases[] = {
	KUNIT_CASE(foreign_test_enable),
	KUNIT_CASE(foreign_test_two),
	KUNIT_CASE(foreign_test_leaves),
	KUNIT_CASE(foreign_test_removed),
	KUNIT_CASE_SLOW(foreign_test_replaced),
	{}
};

static struct kunit_suite foreign_suite = {
	.name = "kprobes_foreign",
	.init = foreign_init,
	.exit = foreign_exit,
	.test_cases = foreign_cases,
};

kunit_test_suite(foreign_suite);

MODULE_DESCRIPTION("KUnit tests of probes in text that another owner changes");
MODULE_IMPORT_NS(EXPORTED_FOR_KUNIT_TESTING);
MODULE_LICENSE("GPL");
