// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Probes inside functions: what their handlers see, how the instruction under
 * them is executed, and what comes and goes while others execute it.
 */
#include <kunit/test.h>
#include <linux/completion.h>
#include <linux/delay.h>
#include <linux/hrtimer.h>
#include <linux/jiffies.h>
#include <linux/jump_label.h>
#include <linux/kallsyms.h>
#include <linux/kprobes.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/preempt.h>
#include <linux/stacktrace.h>
#include <linux/string.h>
#include <asm/irq_regs.h>
#include "machine.h"
#include "ours.h"
#include "trap_places.h"

static struct pt_regs seen, seen_post;
static unsigned int pre_hits, post_hits, other_hits;
static unsigned int running;

static int trap_pre(struct kprobe *p, struct pt_regs *regs)
{
	pre_hits++;
	running += RUNS(p);
	seen = *regs;
	return 0;
}

static void trap_post(struct kprobe *p, struct pt_regs *regs, unsigned long flags)
{
	post_hits++;
	running += RUNS(p);
	seen_post = *regs;
}

static int other_pre(struct kprobe *p, struct pt_regs *regs)
{
	other_hits++;
	return 0;
}

static void reset(void)
{
	pre_hits = 0;
	post_hits = 0;
	other_hits = 0;
	running = 0;
}

/* Where a probe can be in trap_place(), and what is the next instruction */
static const struct trap_where {
	const u8	*addr;
	const char	*name;
} wheres[] = {
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
	KUNIT_EXPECT_EQ(test, instruction_pointer(&seen),
			(unsigned long)addr + TRAP_LEAVES_IP);
	KUNIT_EXPECT_EQ(test, place_argument(&seen), 10);
	check_trap_regs(test, &seen);
}

static void check_place(struct kunit *test, const struct trap_where *where, bool post)
{
	struct kprobe p = {
		.addr = (void *)where->addr,
		.pre_handler = trap_pre,
		.post_handler = post ? trap_post : NULL,
	};

	reset();
	KUNIT_ASSERT_EQ_MSG(test, register_kprobe(&p), 0, "%s", where->name);
	KUNIT_EXPECT_EQ_MSG(test, trap_place(10), 13, "%s", where->name);
	KUNIT_EXPECT_EQ_MSG(test, trap_place(10), 13, "%s", where->name);
	unregister_kprobe(&p);
	KUNIT_EXPECT_EQ_MSG(test, trap_place(10), 13, "%s", where->name);
	KUNIT_EXPECT_EQ_MSG(test, pre_hits, 2, "%s", where->name);
	KUNIT_EXPECT_EQ_MSG(test, post_hits, post ? 2 : 0, "%s", where->name);
	KUNIT_EXPECT_EQ_MSG(test, running, post ? 4 : 2, "%s", where->name);
	KUNIT_EXPECT_EQ(test, p.nmissed, 0);
	KUNIT_EXPECT_FALSE(test, anybody_runs());
	/* Where registering has put it: behind an entry's landing pad */
	check_regs(test, (const u8 *)p.addr);
}

static void test_pre(struct kunit *test)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(wheres); i++)
		check_place(test, &wheres[i], false);
}

static void test_post(struct kunit *test)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(wheres); i++)
		check_place(test, &wheres[i], true);
}

/* What a post-handler sees: the address behind the instruction, or where it went */
static void test_post_regs(struct kunit *test)
{
	check_place(test, &wheres[1], true);
	KUNIT_EXPECT_EQ(test, instruction_pointer(&seen_post), (unsigned long)trap_place_inside);
	KUNIT_EXPECT_EQ(test, place_result(&seen), 11);
	KUNIT_EXPECT_EQ(test, place_result(&seen_post), 12);
	KUNIT_EXPECT_EQ(test, seen_post.sp, seen.sp);
	check_place(test, &wheres[2], true);
	KUNIT_EXPECT_EQ(test, instruction_pointer(&seen_post),
			(unsigned long)trap_place_jumped_to);
}

static int skip_pre(struct kprobe *p, struct pt_regs *regs)
{
	pre_hits++;
	instruction_pointer_set(regs, (unsigned long)trap_place_inside);
	return 1;
}

static void test_changed_ip(struct kunit *test)
{
	struct kprobe p = { .addr = (void *)trap_place_copied, .pre_handler = skip_pre };

	reset();
	KUNIT_ASSERT_EQ(test, register_kprobe(&p), 0);
	KUNIT_EXPECT_EQ(test, trap_place(10), 12);
	unregister_kprobe(&p);
	KUNIT_EXPECT_EQ(test, pre_hits, 1);
	KUNIT_EXPECT_EQ(test, trap_place(10), 13);
}

static void test_clients(struct kunit *test)
{
	struct kprobe first = { .addr = (void *)trap_place_copied, .pre_handler = trap_pre };
	struct kprobe second = { .addr = (void *)trap_place_copied, .pre_handler = other_pre };

	reset();
	KUNIT_ASSERT_EQ(test, register_kprobe(&first), 0);
	KUNIT_ASSERT_EQ(test, register_kprobe(&second), 0);
	trap_place(1);
	KUNIT_EXPECT_EQ(test, disable_kprobe(&first), 0);
	trap_place(1);
	KUNIT_EXPECT_EQ(test, disable_kprobe(&second), 0);
	trap_place(1);
	KUNIT_EXPECT_EQ(test, enable_kprobe(&first), 0);
	trap_place(1);
	KUNIT_EXPECT_EQ(test, pre_hits, 2);
	KUNIT_EXPECT_EQ(test, other_hits, 2);
	unregister_kprobe(&first);
	trap_place(1);
	unregister_kprobe(&second);
	KUNIT_EXPECT_EQ(test, pre_hits, 2);
	KUNIT_EXPECT_EQ(test, trap_place(10), 13);
}

static void test_boundary(struct kunit *test)
{
	struct kprobe p = { .addr = (void *)trap_place_copied + 1, .pre_handler = trap_pre };

	KUNIT_EXPECT_EQ(test, register_kprobe(&p), -EILSEQ);
}

/* A trap that is in the text already does not hide where instructions begin */
static void test_neighbours(struct kunit *test)
{
	struct kprobe first = { .addr = (void *)trap_place, .pre_handler = trap_pre };
	struct kprobe inside = { .addr = (void *)trap_place + 1, .pre_handler = trap_pre };
	struct kprobe second = { .addr = (void *)trap_place_copied, .pre_handler = other_pre };

	reset();
	KUNIT_ASSERT_EQ(test, register_kprobe(&first), 0);
	KUNIT_EXPECT_EQ(test, register_kprobe(&inside), -EILSEQ);
	KUNIT_EXPECT_EQ(test, register_kprobe(&second), 0);
	KUNIT_EXPECT_EQ(test, trap_place(10), 13);
	unregister_kprobe(&first);
	unregister_kprobe(&second);
	KUNIT_EXPECT_EQ(test, pre_hits, 1);
	KUNIT_EXPECT_EQ(test, other_hits, 1);
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

/* Traces of handlers lead to who was hit */
static unsigned long traced[32];
static unsigned int traced_num;

static int trace_pre(struct kprobe *p, struct pt_regs *regs)
{
	traced_num = stack_trace_save(traced, ARRAY_SIZE(traced), 0);
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

	traced_num = 0;
	KUNIT_ASSERT_EQ(test, register_kprobe(&p), 0);
	trace_caller();
	unregister_kprobe(&p);
	for (i = 0; i < traced_num; i++)
		found += traced[i] - (unsigned long)trace_caller < 64;
	KUNIT_EXPECT_EQ(test, found, 1);
}

/*
 * An interrupt that came up during a trap is taken when the trap is left, in the
 * slot. What its trace begins with is the probed instruction, not the slot.
 */
static unsigned int in_slot, in_slot_right;

static bool is_slot(unsigned long ip)
{
	char text[KSYM_SYMBOL_LEN];

	/* No symbol is there */
	sprint_symbol(text, ip);
	return !strncmp(text, "0x", 2);
}

static bool leads_to_loop(const unsigned long *trace, unsigned int num)
{
	unsigned int i;

	for (i = 0; i < num; i++) {
		if (trace[i] - (unsigned long)trap_place_loop_body < 16)
			return true;
	}
	return false;
}

static enum hrtimer_restart look_around(struct hrtimer *timer)
{
	struct pt_regs *regs = get_irq_regs();
	unsigned long trace[32];

	if (regs && !user_mode(regs) && is_slot(instruction_pointer(regs))) {
		in_slot++;
		in_slot_right += leads_to_loop(trace, stack_trace_save(trace,
								       ARRAY_SIZE(trace), 0));
	}
	hrtimer_forward_now(timer, ns_to_ktime(NSEC_PER_MSEC));
	return HRTIMER_RESTART;
}

static void test_trace_in_slot(struct kunit *test)
{
	struct kprobe p = { .addr = (void *)trap_place_loop_body, .pre_handler = other_pre };
	unsigned long end = jiffies + 10 * HZ;
	struct hrtimer timer;

	in_slot = 0;
	in_slot_right = 0;
	KUNIT_ASSERT_EQ(test, register_kprobe(&p), 0);
	hrtimer_init(&timer, CLOCK_MONOTONIC, HRTIMER_MODE_REL_HARD);
	timer.function = look_around;
	hrtimer_start(&timer, ns_to_ktime(NSEC_PER_MSEC), HRTIMER_MODE_REL_HARD);
	while (READ_ONCE(in_slot) < 20 && time_before(jiffies, end))
		trap_place_loop(100);
	hrtimer_cancel(&timer);
	unregister_kprobe(&p);
	KUNIT_EXPECT_GT(test, in_slot, 0);
	KUNIT_EXPECT_EQ(test, in_slot_right, in_slot);
}

/* One task executes, another arms, disarms and has the slot used by others */
static bool spin;
static unsigned long spun;

static int spinner(void *done)
{
	while (READ_ONCE(spin)) {
		trap_place_loop(100);
		if (trap_place(10) != 13)
			break;
		spun++;
		cond_resched();
	}
	complete(done);
	return 0;
}

static const u8 *const reusers[] = {
	trap_place_loop_body, trap_place_inner_copied, trap_place_copied, trap_place_emulated,
};

static void toggle(struct kunit *test, struct kprobe *p, int round)
{
	p->addr = (void *)reusers[round % ARRAY_SIZE(reusers)];
	p->symbol_name = NULL;
	p->flags = 0;
	p->post_handler = round % 3 ? NULL : trap_post;
	KUNIT_ASSERT_EQ(test, register_kprobe(p), 0);
	KUNIT_EXPECT_EQ(test, disable_kprobe(p), 0);
	KUNIT_EXPECT_EQ(test, enable_kprobe(p), 0);
	unregister_kprobe(p);
}

static void test_storm(struct kunit *test)
{
	static struct kprobe p = { .pre_handler = other_pre };
	DECLARE_COMPLETION_ONSTACK(done);
	struct task_struct *task;
	int round;

	spin = true;
	spun = 0;
	task = kthread_run(spinner, &done, "kprobes_trap");
	KUNIT_ASSERT_FALSE(test, IS_ERR(task));
	for (round = 0; round < 200; round++)
		toggle(test, &p, round);
	WRITE_ONCE(spin, false);
	wait_for_completion(&done);
	KUNIT_EXPECT_GT(test, spun, 0);
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
	KUNIT_CASE_SLOW(test_trace_in_slot),
	KUNIT_CASE_SLOW(test_storm),
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
