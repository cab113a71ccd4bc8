// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Probes inside functions: the registers that handlers see, how the probed
 * instruction is executed, and registering while other tasks execute it.
 */
#include <kunit/test.h>
#include <linux/completion.h>
#include <linux/delay.h>
#include <linux/jump_label.h>
#include <linux/kprobes.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/preempt.h>
#include <linux/stacktrace.h>
#include "machine.h"
#include "ours.h"
#include "trap_places.h"

static struct pt_regs trap_seen, trap_seen_post;
static unsigned int trap_pre_hits, trap_post_hits, trap_other_hits;
static unsigned int trap_running;

static int trap_pre(struct kprobe *p, struct pt_regs *regs)
{
	trap_pre_hits++;
	trap_running += RUNS(p);
	trap_seen = *regs;
	return 0;
}

static void trap_post(struct kprobe *p, struct pt_regs *regs, unsigned long flags)
{
	trap_post_hits++;
	trap_running += RUNS(p);
	trap_seen_post = *regs;
}

static int trap_other_pre(struct kprobe *p, struct pt_regs *regs)
{
	trap_other_hits++;
	return 0;
}

static void trap_reset(void)
{
	trap_pre_hits = 0;
	trap_post_hits = 0;
	trap_other_hits = 0;
	trap_running = 0;
}

/* The probed addresses in trap_place(), and the kind of instruction there */
static const struct trap_where {
	const u8	*addr;
	const char	*name;
} trap_wheres[] = {
	{ (const u8 *)trap_place, "entry" },
	{ trap_place_copied, "copied" },
	{ trap_place_emulated, "emulated" },
	{ trap_place_faulting, "return" },
};

static bool anybody_runs(void)
{
	guard(preempt)();
	return !RUNS(NULL);
}

static void check_regs(struct kunit *test, const u8 *addr)
{
	KUNIT_EXPECT_EQ(test, instruction_pointer(&trap_seen),
			(unsigned long)addr + TRAP_LEAVES_IP);
	KUNIT_EXPECT_EQ(test, place_argument(&trap_seen), 10);
	check_trap_regs(test, &trap_seen);
}

static void trap_check_place(struct kunit *test, const struct trap_where *where, bool post)
{
	struct kprobe p = {
		.addr = (void *)where->addr,
		.pre_handler = trap_pre,
		.post_handler = post ? trap_post : NULL,
	};

	trap_reset();
	KUNIT_ASSERT_EQ_MSG(test, register_kprobe(&p), 0, "%s", where->name);
	KUNIT_EXPECT_EQ_MSG(test, trap_place(10), 13, "%s", where->name);
	KUNIT_EXPECT_EQ_MSG(test, trap_place(10), 13, "%s", where->name);
	unregister_kprobe(&p);
	KUNIT_EXPECT_EQ_MSG(test, trap_place(10), 13, "%s", where->name);
	KUNIT_EXPECT_EQ_MSG(test, trap_pre_hits, 2, "%s", where->name);
	KUNIT_EXPECT_EQ_MSG(test, trap_post_hits, post ? 2 : 0, "%s", where->name);
	KUNIT_EXPECT_EQ_MSG(test, trap_running, post ? 4 : 2, "%s", where->name);
	KUNIT_EXPECT_EQ(test, p.nmissed, 0);
	KUNIT_EXPECT_FALSE(test, anybody_runs());
	/* Registering moves an entry's address to after the landing pad. */
	check_regs(test, (const u8 *)p.addr);
}

static void test_pre(struct kunit *test)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(trap_wheres); i++)
		trap_check_place(test, &trap_wheres[i], false);
}

static void test_post(struct kunit *test)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(trap_wheres); i++)
		trap_check_place(test, &trap_wheres[i], true);
}

/* A post-handler sees the ip after the instruction, or the target of the branch. */
static void test_post_regs(struct kunit *test)
{
	trap_check_place(test, &trap_wheres[1], true);
	KUNIT_EXPECT_EQ(test, instruction_pointer(&trap_seen_post),
			(unsigned long)trap_place_inside);
	KUNIT_EXPECT_EQ(test, place_result(&trap_seen), 11);
	KUNIT_EXPECT_EQ(test, place_result(&trap_seen_post), 12);
	KUNIT_EXPECT_EQ(test, trap_seen_post.sp, trap_seen.sp);
	trap_check_place(test, &trap_wheres[2], true);
	KUNIT_EXPECT_EQ(test, instruction_pointer(&trap_seen_post),
			(unsigned long)trap_place_jumped_to);
}

static int skip_pre(struct kprobe *p, struct pt_regs *regs)
{
	trap_pre_hits++;
	instruction_pointer_set(regs, (unsigned long)trap_place_inside);
	return 1;
}

static void test_changed_ip(struct kunit *test)
{
	struct kprobe p = { .addr = (void *)trap_place_copied, .pre_handler = skip_pre };

	trap_reset();
	KUNIT_ASSERT_EQ(test, register_kprobe(&p), 0);
	KUNIT_EXPECT_EQ(test, trap_place(10), 12);
	unregister_kprobe(&p);
	KUNIT_EXPECT_EQ(test, trap_pre_hits, 1);
	KUNIT_EXPECT_EQ(test, trap_place(10), 13);
}

static void test_clients(struct kunit *test)
{
	struct kprobe first = { .addr = (void *)trap_place_copied, .pre_handler = trap_pre };
	struct kprobe second = { .addr = (void *)trap_place_copied, .pre_handler = trap_other_pre };

	trap_reset();
	KUNIT_ASSERT_EQ(test, register_kprobe(&first), 0);
	KUNIT_ASSERT_EQ(test, register_kprobe(&second), 0);
	trap_place(1);
	KUNIT_EXPECT_EQ(test, disable_kprobe(&first), 0);
	trap_place(1);
	KUNIT_EXPECT_EQ(test, disable_kprobe(&second), 0);
	trap_place(1);
	KUNIT_EXPECT_EQ(test, enable_kprobe(&first), 0);
	trap_place(1);
	KUNIT_EXPECT_EQ(test, trap_pre_hits, 2);
	KUNIT_EXPECT_EQ(test, trap_other_hits, 2);
	unregister_kprobe(&first);
	trap_place(1);
	unregister_kprobe(&second);
	KUNIT_EXPECT_EQ(test, trap_pre_hits, 2);
	KUNIT_EXPECT_EQ(test, trap_place(10), 13);
}

static void test_boundary(struct kunit *test)
{
	struct kprobe p = { .addr = (void *)trap_place_copied + 1, .pre_handler = trap_pre };

	KUNIT_EXPECT_EQ(test, register_kprobe(&p), -EILSEQ);
}

/* A trap that is already in the text does not hide instruction boundaries. */
static void test_neighbours(struct kunit *test)
{
	struct kprobe first = { .addr = (void *)trap_place, .pre_handler = trap_pre };
	struct kprobe inside = { .addr = (void *)trap_place + 1, .pre_handler = trap_pre };
	struct kprobe second = { .addr = (void *)trap_place_copied, .pre_handler = trap_other_pre };

	trap_reset();
	KUNIT_ASSERT_EQ(test, register_kprobe(&first), 0);
	KUNIT_EXPECT_EQ(test, register_kprobe(&inside), -EILSEQ);
	KUNIT_EXPECT_EQ(test, register_kprobe(&second), 0);
	KUNIT_EXPECT_EQ(test, trap_place(10), 13);
	unregister_kprobe(&first);
	unregister_kprobe(&second);
	KUNIT_EXPECT_EQ(test, trap_pre_hits, 1);
	KUNIT_EXPECT_EQ(test, trap_other_hits, 1);
}

#if defined(MODULE) && defined(CONFIG_JUMP_LABEL)
static DEFINE_STATIC_KEY_FALSE(trap_key);

static noinline int key_target(int value)
{
	return static_branch_unlikely(&trap_key) ? value + 1 : value;
}

static void test_jump_label(struct kunit *test)
{
	struct jump_entry *entry = THIS_MODULE->jump_entries;
	struct jump_entry *end = entry + THIS_MODULE->num_jump_entries;
	struct kprobe p = { .pre_handler = trap_pre };

	KUNIT_EXPECT_EQ(test, key_target(1), 1);
	KUNIT_EXPECT_TRUE(test, entry < end);
	for (; entry < end; entry++) {
		if (jump_entry_is_init(entry))
			continue;
		p.addr = (void *)jump_entry_code(entry);
		KUNIT_EXPECT_EQ(test, register_kprobe(&p), -EINVAL);
	}
}

#define CASE_JUMP_LABEL	KUNIT_CASE(test_jump_label),
#else
#define CASE_JUMP_LABEL
#endif

/* Stack traces of handlers contain the caller of the probed function. */
static unsigned long trap_traced[32];
static unsigned int trap_traced_num;

static int trace_pre(struct kprobe *p, struct pt_regs *regs)
{
	trap_traced_num = stack_trace_save(trap_traced, ARRAY_SIZE(trap_traced), 0);
	return 0;
}

static noinline void trace_caller(void)
{
	trap_place(1);
	barrier();
}

static void test_trace(struct kunit *test)
{
	struct kprobe p = { .addr = (void *)trap_place_copied, .pre_handler = trace_pre };
	unsigned int i, found = 0;

	trap_traced_num = 0;
	KUNIT_ASSERT_EQ(test, register_kprobe(&p), 0);
	trace_caller();
	unregister_kprobe(&p);
	for (i = 0; i < trap_traced_num; i++)
		found += trap_traced[i] - (unsigned long)trace_caller < 64;
	KUNIT_EXPECT_EQ(test, found, 1);
}

/* One task executes the code; another arms, disarms and lets slots be reused. */
static bool trap_spin;
static unsigned long trap_spun;

static int trap_spinner(void *done)
{
	while (READ_ONCE(trap_spin)) {
		trap_place_loop(100);
		if (trap_place(10) != 13)
			break;
		trap_spun++;
		cond_resched();
	}
	complete(done);
	return 0;
}

static const u8 *const trap_reusers[] = {
	trap_place_loop_body, trap_place_inner_copied, trap_place_copied, trap_place_emulated,
};

static void trap_toggle(struct kunit *test, struct kprobe *p, int round)
{
	p->addr = (void *)trap_reusers[round % ARRAY_SIZE(trap_reusers)];
	p->symbol_name = NULL;
	p->flags = 0;
	p->post_handler = round % 3 ? NULL : trap_post;
	KUNIT_ASSERT_EQ(test, register_kprobe(p), 0);
	KUNIT_EXPECT_EQ(test, disable_kprobe(p), 0);
	KUNIT_EXPECT_EQ(test, enable_kprobe(p), 0);
	unregister_kprobe(p);
}

static void test_arming(struct kunit *test)
{
	static struct kprobe p = { .pre_handler = trap_other_pre };
	DECLARE_COMPLETION_ONSTACK(done);
	struct task_struct *task;
	int round;

	trap_spin = true;
	trap_spun = 0;
	task = kthread_run(trap_spinner, &done, "kprobes_trap");
	KUNIT_ASSERT_FALSE(test, IS_ERR(task));
	for (round = 0; round < 200; round++)
		trap_toggle(test, &p, round);
	WRITE_ONCE(trap_spin, false);
	wait_for_completion(&done);
	KUNIT_EXPECT_GT(test, trap_spun, 0);
	KUNIT_EXPECT_EQ(test, trap_place(10), 13);
}

static struct kunit_case trap_cases[] = {
	KUNIT_CASE(test_pre),
	KUNIT_CASE(test_post),
	KUNIT_CASE(test_post_regs),
	KUNIT_CASE(test_changed_ip),
	KUNIT_CASE(test_clients),
	KUNIT_CASE(test_boundary),
	KUNIT_CASE(test_neighbours),
	CASE_JUMP_LABEL
	KUNIT_CASE(test_trace),
	KUNIT_CASE_SLOW(test_arming),
	{}
};

static struct kunit_suite trap_suite = {
	.name = "kprobes_trap",
	.test_cases = trap_cases,
};

kunit_test_suite(trap_suite);

MODULE_DESCRIPTION("KUnit tests of probes inside functions");
MODULE_IMPORT_NS(EXPORTED_FOR_KUNIT_TESTING);
MODULE_LICENSE("GPL");
