// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * KUnit tests of the client that a hit calls without a walk over the clients of its point:
 * the only one, enabled, and of the kernel's own kind that may interrupt any handler. Others
 * come and go beside it.
 */
#include <kunit/test.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include "../core.h"
#include "ours.h"
#include "trap_places.h"

static unsigned int sole_hits, sole_others, sole_posts;

static noinline int sole_target(int value)
{
	OPTIMIZER_HIDE_VAR(value);
	return value + 1;
}

static noinline int sole_skipped_to(int value)
{
	OPTIMIZER_HIDE_VAR(value);
	return value + 100;
}

static int sole_pre(struct kprobe *p, struct pt_regs *regs)
{
	sole_hits++;
	return 0;
}

static int sole_skip(struct kprobe *p, struct pt_regs *regs)
{
	sole_hits++;
	instruction_pointer_set(regs, (unsigned long)sole_skipped_to);
	return 1;
}

static int sole_other_pre(struct kprobe *p, struct pt_regs *regs)
{
	sole_others++;
	return 0;
}

static void sole_other_post(struct kprobe *p, struct pt_regs *regs, unsigned long flags)
{
	sole_posts++;
}

/* As events do it */
static int sole_register(struct kprobe *p)
{
	int ret;

	p->flags = KPROBE_FLAG_DISABLED;
	ret = register_kprobe(p);
	if (ret)
		return ret;
	p->flags |= KPROBE_FLAG_REENTRANT;
	return enable_kprobe(p);
}

static void sole_expect(struct kunit *test, unsigned int hits, unsigned int others)
{
	sole_hits = 0;
	sole_others = 0;
	KUNIT_EXPECT_EQ(test, OPAQUE(sole_target)(1), 2);
	KUNIT_EXPECT_EQ(test, trap_place(10), 13);
	KUNIT_EXPECT_EQ(test, sole_hits, hits);
	KUNIT_EXPECT_EQ(test, sole_others, others);
}

/* An entry, and an instruction inside a function */
static void *const sole_places[] = { sole_target, (void *)trap_place_copied };

static void sole_check_others(struct kunit *test, void *addr)
{
	struct kprobe p = { .addr = addr, .pre_handler = sole_pre };
	struct kprobe q = { .addr = addr, .pre_handler = sole_other_pre };

	KUNIT_ASSERT_EQ(test, sole_register(&p), 0);
	sole_expect(test, 1, 0);
	KUNIT_ASSERT_EQ(test, register_kprobe(&q), 0);
	sole_expect(test, 1, 1);
	KUNIT_EXPECT_EQ(test, disable_kprobe(&p), 0);
	sole_expect(test, 0, 1);
	unregister_kprobe(&q);
	sole_expect(test, 0, 0);
	KUNIT_EXPECT_EQ(test, enable_kprobe(&p), 0);
	sole_expect(test, 1, 0);
	KUNIT_EXPECT_EQ(test, p.nmissed, 0);
	unregister_kprobe(&p);
	sole_expect(test, 0, 0);
}

static void sole_test_others(struct kunit *test)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(sole_places); i++)
		sole_check_others(test, sole_places[i]);
}

/* A post-handler that comes and goes beside it */
static void sole_test_post_handler(struct kunit *test)
{
	struct kprobe p = { .addr = (void *)trap_place_copied, .pre_handler = sole_pre };
	struct kprobe q = { .addr = (void *)trap_place_copied, .post_handler = sole_other_post };

	sole_posts = 0;
	KUNIT_ASSERT_EQ(test, sole_register(&p), 0);
	KUNIT_ASSERT_EQ(test, register_kprobe(&q), 0);
	sole_expect(test, 1, 0);
	unregister_kprobe(&q);
	sole_expect(test, 1, 0);
	unregister_kprobe(&p);
	KUNIT_EXPECT_EQ(test, sole_posts, 1);
}

/* It sets the instruction pointer: nobody else misses the hit */
static void sole_test_changed_ip(struct kunit *test)
{
	struct kprobe p = { .addr = (void *)sole_target, .pre_handler = sole_skip };

	sole_hits = 0;
	KUNIT_ASSERT_EQ(test, sole_register(&p), 0);
	KUNIT_EXPECT_EQ(test, OPAQUE(sole_target)(1), 101);
	unregister_kprobe(&p);
	KUNIT_EXPECT_EQ(test, OPAQUE(sole_target)(1), 2);
	KUNIT_EXPECT_EQ(test, sole_hits, 1);
	KUNIT_EXPECT_EQ(test, p.nmissed, 0);
}

static struct kunit_case sole_cases[] = {
	KUNIT_CASE(sole_test_others),
	KUNIT_CASE(sole_test_post_handler),
	KUNIT_CASE(sole_test_changed_ip),
	{}
};

static struct kunit_suite sole_suite = {
	.name = "kprobes_sole",
	.test_cases = sole_cases,
};

kunit_test_suite(sole_suite);

MODULE_DESCRIPTION("KUnit tests of the only client of a point");
MODULE_LICENSE("GPL");
