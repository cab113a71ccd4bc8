// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * KUnit tests of points that become jumps, and traps again, while a task executes them.
 */
#include <kunit/test.h>
#include <linux/array_size.h>
#include <linux/completion.h>
#include <linux/delay.h>
#include <linux/kprobes.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/rcupdate.h>
#include <linux/string.h>
#include "../jump.h"
#include "jump_places.h"

/* Instructions that become jumps: copied, a call, a branch */
static const u8 *const jump_raced[] = {
	jump_place_copied, jump_place_call, jump_place_branch,
};

static int race_pre(struct kprobe *p, struct pt_regs *regs)
{
	return 0;
}

static bool jump_spin;
static unsigned long jump_spun;

static int jump_spinner(void *done)
{
	while (READ_ONCE(jump_spin)) {
		if (jump_place(10) != 13)
			break;
		jump_spun++;
		cond_resched();
	}
	complete(done);
	return 0;
}

static unsigned int jump_pres, jump_posts;

static int jump_count_pre(struct kprobe *p, struct pt_regs *regs)
{
	WRITE_ONCE(jump_pres, jump_pres + 1);
	return 0;
}

static void jump_count_post(struct kprobe *p, struct pt_regs *regs, unsigned long flags)
{
	WRITE_ONCE(jump_posts, jump_posts + 1);
}

/* While jumps become traps for a client, its two handlers are called in pairs */
static void jump_check_pairs(struct kunit *test)
{
	struct kprobe q = {
		.addr = (void *)jump_place_copied,
		.pre_handler = jump_count_pre,
		.post_handler = jump_count_post,
	};
	int i;

	jump_pres = 0;
	jump_posts = 0;
	KUNIT_ASSERT_EQ(test, register_kprobe(&q), 0);
	for (i = 0; i < 500 && !READ_ONCE(jump_posts); i++)
		msleep(20);
	KUNIT_EXPECT_GT(test, READ_ONCE(jump_posts), 0);
	KUNIT_EXPECT_EQ(test, disable_kprobe(&q), 0);
	synchronize_rcu();
	/* One hit may have been between the two */
	KUNIT_EXPECT_LE(test, jump_pres - jump_posts, 1);
	unregister_kprobe(&q);
}

/* Rounds in which the point was a jump, and those in which it was none */
static unsigned int jump_rounds[2];

static void jump_toggle(struct kunit *test, struct kprobe *p, int round)
{
	p->addr = (void *)jump_raced[round % ARRAY_SIZE(jump_raced)];
	p->symbol_name = NULL;
	p->flags = 0;
	KUNIT_ASSERT_EQ(test, register_kprobe(p), 0);
	kprobe_set_jumps_forbidden(round & 1);
	KUNIT_EXPECT_EQ(test, disable_kprobe(p), 0);
	kprobe_set_jumps_forbidden(!(round & 1));
	KUNIT_EXPECT_EQ(test, enable_kprobe(p), 0);
	jump_rounds[!!kprobe_optimized(p)]++;
	unregister_kprobe(p);
}

/* Call @change while a task executes the code */
static void jump_beside(struct kunit *test, void (*change)(struct kunit *test))
{
	DECLARE_COMPLETION_ONSTACK(done);
	struct task_struct *task;

	jump_spin = true;
	jump_spun = 0;
	task = kthread_run(jump_spinner, &done, "kprobes_jump");
	KUNIT_ASSERT_FALSE(test, IS_ERR(task));
	change(test);
	WRITE_ONCE(jump_spin, false);
	wait_for_completion(&done);
	KUNIT_EXPECT_GT(test, jump_spun, 0);
	KUNIT_EXPECT_EQ(test, jump_place(10), 13);
}

static void jump_change_methods(struct kunit *test)
{
	static struct kprobe p = { .pre_handler = race_pre };
	int round;

	memset(jump_rounds, 0, sizeof(jump_rounds));
	for (round = 0; round < 150; round++)
		jump_toggle(test, &p, round);
	kprobe_set_jumps_forbidden(false);
	KUNIT_EXPECT_GT(test, jump_rounds[true], 0);
	KUNIT_EXPECT_GT(test, jump_rounds[false], 0);
}

/* Traps become jumps, and jumps traps */
static void race_test_arming(struct kunit *test)
{
	jump_beside(test, jump_change_methods);
}

static void jump_change_posts(struct kunit *test)
{
	struct kprobe p = { .addr = (void *)jump_place_copied, .pre_handler = race_pre };
	int round;

	KUNIT_ASSERT_EQ(test, register_kprobe(&p), 0);
	for (round = 0; round < 20; round++)
		jump_check_pairs(test);
	unregister_kprobe(&p);
}

static void race_test_post_arrives(struct kunit *test)
{
	jump_beside(test, jump_change_posts);
}

static struct kunit_case jump_race_cases[] = {
	KUNIT_CASE_SLOW(race_test_arming),
	KUNIT_CASE_SLOW(race_test_post_arrives),
	{}
};

static struct kunit_suite jump_race_suite = {
	.name = "kprobes_jump_race",
	.test_cases = jump_race_cases,
};

kunit_test_suite(jump_race_suite);

MODULE_DESCRIPTION("KUnit tests of jumps that come and go under load");
MODULE_IMPORT_NS(EXPORTED_FOR_KUNIT_TESTING);
MODULE_LICENSE("GPL");
