// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Which hits are missed: while a handler runs in one context, a probe is hit in
 * the same context or in one that interrupts it.
 *
 * A client of the exported interface is called only if no handler runs on its
 * CPU. A client marked reentrant is called if no handler runs in its context.
 * Each hit is either called or counted as missed, exactly once.
 */
#include <kunit/test.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include "machine.h"
#include "ours.h"
#include "run_in.h"
#include "trap_places.h"

/* The handler that makes the inner hit */
enum outer_kind {
	OUTER_KPROBE,
	OUTER_TRAP,
	OUTER_ENTRY,
	OUTER_RETURN,
	OUTER_KINDS,
};

/* The probe that is hit there */
enum inner_kind {
	INNER_KPROBE,
	INNER_TRAP,
	INNER_KRETPROBE,
	INNER_KINDS,
};

static const char *const outer_name[OUTER_KINDS] = { "kprobe", "trap", "entry", "return" };
static const char *const inner_name[INNER_KINDS] = { "kprobe", "trap", "kretprobe" };

struct reentry_case {
	enum outer_kind		outer;
	enum inner_kind		inner;
	enum run_context	outer_in;
	enum run_context	inner_in;
	bool			reentrant;
};

/* The case that runs now, and its counts */
static struct reentry_case reentry_now;
static unsigned int reentry_outer_hits, reentry_inner_hits, reentry_inner_calls;
static bool reentry_ran;

static noinline int outer_target(int value)
{
	return value + 1;
}

static noinline int inner_target(int value)
{
	reentry_inner_calls++;
	return value + 2;
}

static void reentry_call_inner(void *unused)
{
	OPAQUE(inner_target)(1);
	trap_place_inner(1);
}

static void reentry_call_outer(void *unused)
{
	OPAQUE(outer_target)(1);
	trap_place(1);
}

static void outer_hit(void)
{
	if (reentry_outer_hits++)
		return;
	reentry_ran = run_in(reentry_now.inner_in, reentry_call_inner, NULL);
}

static int outer_pre(struct kprobe *p, struct pt_regs *regs)
{
	outer_hit();
	return 0;
}

static int outer_handler(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	outer_hit();
	return 0;
}

static int inner_pre(struct kprobe *p, struct pt_regs *regs)
{
	reentry_inner_hits++;
	return 0;
}

static int inner_handler(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	reentry_inner_hits++;
	return 0;
}

static struct kprobe outer_kp = { .pre_handler = outer_pre };
static struct kretprobe outer_rp;
static struct kprobe inner_kp = { .pre_handler = inner_pre };
static struct kretprobe inner_rp = { .handler = inner_handler };

static bool is_kprobe(int kind)
{
	static_assert((int)OUTER_KPROBE == INNER_KPROBE && (int)OUTER_TRAP == INNER_TRAP);
	return kind == OUTER_KPROBE || kind == OUTER_TRAP;
}

static int register_outer(void)
{
	outer_kp.addr = reentry_now.outer == OUTER_TRAP ? (void *)trap_place_copied :
						  (void *)outer_target;
	outer_rp.kp.addr = (void *)outer_target;
	outer_rp.entry_handler = reentry_now.outer == OUTER_ENTRY ? outer_handler : NULL;
	outer_rp.handler = reentry_now.outer == OUTER_RETURN ? outer_handler : NULL;
	if (is_kprobe(reentry_now.outer))
		return register_kprobe(&outer_kp);
	return register_kretprobe(&outer_rp);
}

/* Sets the flag itself: kprobe_set_reentrant() is not exported. */
static int register_inner(void)
{
	struct kprobe *p = is_kprobe(reentry_now.inner) ? &inner_kp : &inner_rp.kp;
	int ret;

	p->addr = reentry_now.inner == INNER_TRAP ? (void *)trap_place_inner_copied :
					    (void *)inner_target;
	p->flags = 0;
	if (is_kprobe(reentry_now.inner))
		ret = register_kprobe(&inner_kp);
	else
		ret = register_kretprobe(&inner_rp);
	if (reentry_now.reentrant)
		p->flags |= KPROBE_FLAG_REENTRANT;
	return ret;
}

static void unregister_both(void)
{
	if (is_kprobe(reentry_now.outer))
		unregister_kprobe(&outer_kp);
	else
		unregister_kretprobe(&outer_rp);
	if (is_kprobe(reentry_now.inner))
		unregister_kprobe(&inner_kp);
	else
		unregister_kretprobe(&inner_rp);
	outer_kp.flags = 0;
	outer_rp.kp.flags = 0;
}

static unsigned long inner_missed(void)
{
	if (is_kprobe(reentry_now.inner))
		return inner_kp.nmissed;
	return inner_rp.kp.nmissed + inner_rp.nmissed;
}

static void reentry_check(struct kunit *test)
{
	bool called = reentry_now.reentrant && reentry_now.inner_in > reentry_now.outer_in;
	char what[64];

	snprintf(what, sizeof(what), "%s in %s's %s handler in %s%s",
		 run_context_name[reentry_now.inner_in], run_context_name[reentry_now.outer_in],
		 outer_name[reentry_now.outer], inner_name[reentry_now.inner],
		 reentry_now.reentrant ? ", reentrant" : "");
	KUNIT_EXPECT_TRUE_MSG(test, reentry_ran, "%s", what);
	KUNIT_EXPECT_EQ_MSG(test, reentry_outer_hits, 1, "%s", what);
	KUNIT_EXPECT_EQ_MSG(test, reentry_inner_calls, 1, "%s", what);
	KUNIT_EXPECT_EQ_MSG(test, reentry_inner_hits, called, "%s", what);
	KUNIT_EXPECT_EQ_MSG(test, inner_missed(), !called, "%s", what);
}

/* After every case, the next hits are called again. */
static void reentry_check_after(struct kunit *test)
{
	reentry_inner_hits = 0;
	KUNIT_EXPECT_TRUE(test, run_in(reentry_now.inner_in, reentry_call_inner, NULL));
	KUNIT_EXPECT_EQ(test, reentry_inner_hits, 1);
	KUNIT_EXPECT_TRUE(test, run_in(reentry_now.outer_in, reentry_call_outer, NULL));
	KUNIT_EXPECT_EQ(test, reentry_outer_hits, 2);
}

static void run_case(struct kunit *test, struct reentry_case c)
{
	reentry_now = c;
	reentry_outer_hits = 0;
	reentry_inner_hits = 0;
	reentry_inner_calls = 0;
	reentry_ran = false;
	KUNIT_ASSERT_EQ(test, register_outer(), 0);
	KUNIT_ASSERT_EQ(test, register_inner(), 0);
	KUNIT_EXPECT_TRUE(test, run_in(c.outer_in, reentry_call_outer, NULL));
	reentry_check(test);
	reentry_check_after(test);
	unregister_both();
}

/* Handlers of a trap run with interrupts off: only an NMI can interrupt them. */
static bool by_trap(enum outer_kind outer)
{
	return outer == OUTER_TRAP || (!ENTRY_BY_FTRACE && outer != OUTER_RETURN);
}

static bool can_be(struct reentry_case c)
{
	if (!run_in_possible(c.outer_in) || !run_in_possible(c.inner_in))
		return false;
	if (!by_trap(c.outer) || c.inner_in == c.outer_in)
		return true;
	return c.inner_in == IN_NMI && !TRAP_MASKS_NMI;
}

static void run_contexts(struct kunit *test, struct reentry_case c)
{
	for (c.outer_in = IN_TASK; c.outer_in < RUN_CONTEXTS; c.outer_in++) {
		for (c.inner_in = c.outer_in; c.inner_in < RUN_CONTEXTS; c.inner_in++) {
			if (can_be(c))
				run_case(test, c);
		}
	}
}

static void run_kinds(struct kunit *test, bool reentrant)
{
	struct reentry_case c = { .reentrant = reentrant };

	for (c.outer = 0; c.outer < OUTER_KINDS; c.outer++) {
		for (c.inner = 0; c.inner < INNER_KINDS; c.inner++)
			run_contexts(test, c);
	}
}

static void test_exclusive(struct kunit *test)
{
	run_kinds(test, false);
}

static void test_reentrant(struct kunit *test)
{
	if (!OURS)
		kunit_skip(test, "not on this kernel");
	run_kinds(test, true);
}

static int reentry_suite_init(struct kunit_suite *suite)
{
	return run_in_init();
}

static void reentry_suite_exit(struct kunit_suite *suite)
{
	run_in_exit();
}

static struct kunit_case reentry_cases[] = {
	KUNIT_CASE_SLOW(test_exclusive),
	KUNIT_CASE_SLOW(test_reentrant),
	{}
};

static struct kunit_suite reentry_suite = {
	.name = "kprobes_reentry",
	.suite_init = reentry_suite_init,
	.suite_exit = reentry_suite_exit,
	.test_cases = reentry_cases,
};

kunit_test_suite(reentry_suite);

MODULE_DESCRIPTION("KUnit tests of hits inside handlers, context by context");
MODULE_IMPORT_NS(EXPORTED_FOR_KUNIT_TESTING);
MODULE_LICENSE("GPL");
