// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * KUnit tests of jumps: when a point is one, what its handlers see, and what they leave.
 * That of a trap at the same place is the measure.
 */
#include <kunit/test.h>
#include <linux/kprobe-arch.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/preempt.h>
#include <linux/stacktrace.h>
#include <linux/string.h>
#include "../core.h"
#include "../jump.h"
#include "jump_places.h"
#include "machine.h"
#include "switch.h"

#define OPTIMIZATION	"/proc/sys/debug/kprobes-optimization"

static unsigned int jump_hits, jump_preempt_count;
static bool jump_state_good, jump_irqs_off;
static struct pt_regs jump_regs;

static int jump_pre(struct kprobe *p, struct pt_regs *regs)
{
	jump_hits++;
	jump_regs = *regs;
	jump_preempt_count = preempt_count();
	jump_state_good = jump_state_is_handlers();
	jump_irqs_off = irqs_disabled();
	return 0;
}

static void jump_post(struct kprobe *p, struct pt_regs *regs, unsigned long flags)
{
}

static struct kprobe jump_client(const u8 *addr)
{
	return (struct kprobe){ .addr = (void *)addr, .pre_handler = jump_pre };
}

/* Calls and their hits; @optimized tells whether the point is a jump meanwhile */
static noinline void jump_expect(struct kunit *test, const struct kprobe *p, bool optimized)
{
	unsigned long missed = p->nmissed;

	jump_hits = 0;
	KUNIT_EXPECT_EQ(test, kprobe_optimized(p), optimized);
	KUNIT_EXPECT_EQ(test, jump_place(10), 13);
	KUNIT_EXPECT_EQ(test, jump_place(20), 23);
	KUNIT_EXPECT_EQ(test, jump_hits, 2);
	KUNIT_EXPECT_EQ(test, p->nmissed, missed);
}

/* The addresses in jump_place() that become jumps, and the kind of instruction there */
static const struct jump_where {
	const u8	*addr;
	const char	*name;
} jump_wheres[] = {
	{ jump_place_copied, "copied" },
	{ jump_place_call, "call" },
	{ jump_place_branch, "branch" },
};

static void jump_read(struct kunit *test, const u8 *addr, u8 *buf)
{
	guard(mutex)(&kprobe_mutex);
	KUNIT_EXPECT_EQ(test, kprobe_text_read((unsigned long)addr, buf, ARCH_KPROBE_JUMP_SIZE),
			ARCH_KPROBE_JUMP_SIZE);
}

static void jump_check_text(struct kunit *test, const struct jump_where *where)
{
	u8 before[ARCH_KPROBE_JUMP_SIZE], during[ARCH_KPROBE_JUMP_SIZE];
	struct kprobe p = jump_client(where->addr);

	memcpy(before, where->addr, sizeof(before));
	KUNIT_ASSERT_EQ_MSG(test, register_kprobe(&p), 0, "%s", where->name);
	KUNIT_EXPECT_TRUE_MSG(test, kprobe_optimized(&p), "%s", where->name);
	KUNIT_EXPECT_MEMNEQ(test, where->addr, before, sizeof(before));
	jump_read(test, where->addr, during);
	KUNIT_EXPECT_MEMEQ(test, during, before, sizeof(before));
	unregister_kprobe(&p);
	KUNIT_EXPECT_MEMEQ(test, where->addr, before, sizeof(before));
}

/* The text is a branch while the point is a jump, but nobody reads it as one */
static void jump_test_text(struct kunit *test)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(jump_wheres); i++)
		jump_check_text(test, &jump_wheres[i]);
}

static void jump_check_hits(struct kunit *test, const struct jump_where *where)
{
	struct kprobe p = jump_client(where->addr);

	KUNIT_ASSERT_EQ_MSG(test, register_kprobe(&p), 0, "%s", where->name);
	jump_expect(test, &p, true);
	KUNIT_EXPECT_EQ(test, disable_kprobe(&p), 0);
	jump_hits = 0;
	KUNIT_EXPECT_EQ(test, jump_place(10), 13);
	KUNIT_EXPECT_EQ(test, jump_hits, 0);
	KUNIT_EXPECT_EQ(test, enable_kprobe(&p), 0);
	jump_expect(test, &p, true);
	unregister_kprobe(&p);
}

static void jump_test_hits(struct kunit *test)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(jump_wheres); i++)
		jump_check_hits(test, &jump_wheres[i]);
}

/* An instruction that is shorter than a branch */
static void jump_test_short(struct kunit *test)
{
	struct kprobe p = jump_client(jump_place_short);

	if (!HAVE_JUMP_SHORT)
		kunit_skip(test, "no instruction is shorter than a branch");
	KUNIT_ASSERT_EQ(test, register_kprobe(&p), 0);
	jump_expect(test, &p, false);
	unregister_kprobe(&p);
}

/* A client with a post-handler needs the trap; when it goes the jump is back */
static void jump_test_post_handler(struct kunit *test)
{
	struct kprobe p = jump_client(jump_place_copied);
	struct kprobe q = { .addr = (void *)jump_place_copied, .post_handler = jump_post };

	KUNIT_ASSERT_EQ(test, register_kprobe(&p), 0);
	KUNIT_ASSERT_EQ(test, register_kprobe(&q), 0);
	jump_expect(test, &p, false);
	KUNIT_EXPECT_EQ(test, disable_kprobe(&q), 0);
	jump_expect(test, &p, true);
	KUNIT_EXPECT_EQ(test, enable_kprobe(&q), 0);
	jump_expect(test, &p, false);
	unregister_kprobe(&q);
	jump_expect(test, &p, true);
	unregister_kprobe(&p);
}

/* The switch, and that of all probes */
static void jump_test_switches(struct kunit *test)
{
	struct kprobe p = jump_client(jump_place_copied);

	KUNIT_ASSERT_EQ(test, make_switch_text(test), 0);
	KUNIT_ASSERT_EQ(test, register_kprobe(&p), 0);
	jump_expect(test, &p, true);
	KUNIT_EXPECT_EQ(test, switch_turn(OPTIMIZATION, false), 0);
	jump_expect(test, &p, false);
	KUNIT_EXPECT_EQ(test, switch_turn(SWITCH, false), 0);
	KUNIT_EXPECT_EQ(test, switch_turn(OPTIMIZATION, true), 0);
	KUNIT_EXPECT_FALSE(test, kprobe_optimized(&p));
	KUNIT_EXPECT_EQ(test, switch_turn(SWITCH, true), 0);
	jump_expect(test, &p, true);
	unregister_kprobe(&p);
}

/* Whether the point is a jump or not, the call comes from one place, with the same stack */
static noinline __noclone void jump_save_regs(struct kunit *test, const u8 *addr, bool jump,
					      struct pt_regs *regs)
{
	struct kprobe p = jump_client(addr);

	kprobe_set_jumps_forbidden(!jump);
	KUNIT_EXPECT_EQ(test, register_kprobe(&p), 0);
	jump_expect(test, &p, jump);
	unregister_kprobe(&p);
	*regs = jump_regs;
	kprobe_set_jumps_forbidden(false);
}

static void jump_test_regs(struct kunit *test)
{
	struct pt_regs regs[2];
	int i;

	for (i = 0; i < ARRAY_SIZE(jump_wheres); i++) {
		jump_save_regs(test, jump_wheres[i].addr, false, &regs[0]);
		jump_save_regs(test, jump_wheres[i].addr, true, &regs[1]);
		KUNIT_EXPECT_EQ(test, regs[0].sp, regs[1].sp);
		KUNIT_EXPECT_EQ(test, instruction_pointer(&regs[0]),
				instruction_pointer(&regs[1]));
		KUNIT_EXPECT_EQ(test, place_argument(&regs[0]), place_argument(&regs[1]));
		check_trap_regs(test, &regs[1]);
	}
}

static int jump_change_result(struct kprobe *p, struct pt_regs *regs)
{
	jump_hits++;
	place_set_result(regs, place_result(regs) + 100);
	return 0;
}

/* A register that a handler changes, before a copied and before an emulated instruction */
static void jump_test_changed_register(struct kunit *test)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(jump_wheres); i++) {
		struct kprobe p = jump_client(jump_wheres[i].addr);

		p.pre_handler = jump_change_result;
		KUNIT_ASSERT_EQ(test, register_kprobe(&p), 0);
		KUNIT_EXPECT_TRUE(test, kprobe_optimized(&p));
		KUNIT_EXPECT_EQ(test, jump_place(10), 113);
		unregister_kprobe(&p);
	}
}

static int jump_skip(struct kprobe *p, struct pt_regs *regs)
{
	instruction_pointer_set(regs, (unsigned long)jump_place_branched_to);
	return 1;
}

/* The instruction pointer that a handler sets; the others miss the hit */
static void jump_test_changed_ip(struct kunit *test)
{
	struct kprobe skips = { .addr = (void *)jump_place_copied, .pre_handler = jump_skip };
	struct kprobe p = jump_client(jump_place_copied);

	KUNIT_ASSERT_EQ(test, register_kprobe(&p), 0);
	KUNIT_ASSERT_EQ(test, register_kprobe(&skips), 0);
	KUNIT_EXPECT_TRUE(test, kprobe_optimized(&p));
	KUNIT_EXPECT_EQ(test, jump_place(10), 11);
	KUNIT_EXPECT_EQ(test, p.nmissed, 1);
	unregister_kprobe(&skips);
	jump_expect(test, &p, true);
	unregister_kprobe(&p);
}

static int jump_nest(struct kprobe *p, struct pt_regs *regs)
{
	jump_hits += jump_place(30) == 33;
	return 0;
}

/* A hit by a handler is a missed one; the handler's own call is right all the same */
static void jump_test_nested(struct kunit *test)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(jump_wheres); i++) {
		struct kprobe p = jump_client(jump_wheres[i].addr);

		jump_hits = 0;
		p.pre_handler = jump_nest;
		KUNIT_ASSERT_EQ(test, register_kprobe(&p), 0);
		KUNIT_EXPECT_TRUE(test, kprobe_optimized(&p));
		KUNIT_EXPECT_EQ(test, jump_place(10), 13);
		unregister_kprobe(&p);
		KUNIT_EXPECT_EQ(test, jump_hits, 1);
		KUNIT_EXPECT_EQ(test, p.nmissed, 1);
	}
}

static unsigned long jump_call_state(void)
{
	guard(irqsave)();
	return jump_place_state();
}

/* Handlers run in a state of their own, and the probed code gets its own back */
static void jump_test_state(struct kunit *test)
{
	struct kprobe p = jump_client(jump_place_stated);
	unsigned long bare = jump_call_state(), probed;

	jump_hits = 0;
	KUNIT_ASSERT_EQ(test, register_kprobe(&p), 0);
	KUNIT_EXPECT_TRUE(test, kprobe_optimized(&p));
	probed = jump_call_state();
	unregister_kprobe(&p);
	KUNIT_EXPECT_EQ(test, probed, bare);
	KUNIT_EXPECT_EQ(test, jump_hits, 1);
	KUNIT_EXPECT_TRUE(test, jump_state_good);
	KUNIT_EXPECT_TRUE(test, jump_irqs_off);
	KUNIT_EXPECT_TRUE(test, irqs_disabled_flags(arch_kprobe_irq_flags(&jump_regs)));
}

/* Preemption is off for handlers, interrupts are as they were */
static void jump_test_context(struct kunit *test)
{
	struct kprobe p = jump_client(jump_place_copied);
	unsigned int count = preempt_count();

	KUNIT_ASSERT_EQ(test, register_kprobe(&p), 0);
	jump_expect(test, &p, true);
	unregister_kprobe(&p);
	KUNIT_EXPECT_FALSE(test, jump_irqs_off);
	KUNIT_EXPECT_EQ(test, preempt_count(), count);
	if (IS_ENABLED(CONFIG_PREEMPT_COUNT))
		KUNIT_EXPECT_EQ(test, jump_preempt_count, count + 1);
}

static unsigned long jump_traced[32];
static unsigned int jump_traced_num;

static int jump_trace(struct kprobe *p, struct pt_regs *regs)
{
	jump_traced_num = stack_trace_save(jump_traced, ARRAY_SIZE(jump_traced), 0);
	return 0;
}

static noinline void jump_trace_caller(void)
{
	jump_place(1);
	barrier();
}

static unsigned int jump_traced_in(unsigned long func, unsigned int size)
{
	unsigned int i, found = 0;

	for (i = 0; i < jump_traced_num; i++)
		found += jump_traced[i] - func < size;
	return found;
}

/* Stack traces of handlers have the probed function and its caller */
static void jump_test_trace(struct kunit *test)
{
	struct kprobe p = jump_client(jump_place_copied);

	if (IS_ENABLED(CONFIG_UNWINDER_GUESS))
		kunit_skip(test, "the unwinder guesses");
	p.pre_handler = jump_trace;
	KUNIT_ASSERT_EQ(test, register_kprobe(&p), 0);
	KUNIT_EXPECT_TRUE(test, kprobe_optimized(&p));
	jump_trace_caller();
	unregister_kprobe(&p);
	KUNIT_EXPECT_EQ(test, jump_traced_in((unsigned long)jump_trace_caller, 64), 1);
	KUNIT_EXPECT_EQ(test, jump_traced_in((unsigned long)jump_place, 64), 1);
}

static struct kunit_case jump_cases[] = {
	KUNIT_CASE(jump_test_text),
	KUNIT_CASE(jump_test_hits),
	KUNIT_CASE(jump_test_short),
	KUNIT_CASE(jump_test_post_handler),
	KUNIT_CASE(jump_test_switches),
	KUNIT_CASE(jump_test_regs),
	KUNIT_CASE(jump_test_changed_register),
	KUNIT_CASE(jump_test_changed_ip),
	KUNIT_CASE(jump_test_nested),
	KUNIT_CASE(jump_test_state),
	KUNIT_CASE(jump_test_context),
	KUNIT_CASE(jump_test_trace),
	{}
};

static struct kunit_suite jump_suite = {
	.name = "kprobes_jump",
	.test_cases = jump_cases,
};

kunit_test_suite(jump_suite);

MODULE_DESCRIPTION("KUnit tests of probes that are jumps");
MODULE_IMPORT_NS(EXPORTED_FOR_KUNIT_TESTING);
MODULE_LICENSE("GPL");
