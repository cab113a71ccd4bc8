// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Several clients of one function: who is called when which of them are
 * enabled, what registering and disabling in any order leaves behind, and what
 * the switch for all of them does.
 */
#include <kunit/test.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include "machine.h"
#include "ours.h"
#include "switch.h"

#define CLIENTS		3
#define FTRACE_SWITCH	"/proc/sys/kernel/ftrace_enabled"

static struct kprobe clients[CLIENTS];
static unsigned int pre[CLIENTS], post[CLIENTS];

static noinline int target(int value)
{
	return value + 1;
}

static int count_pre(struct kprobe *p, struct pt_regs *regs)
{
	pre[p - clients]++;
	return 0;
}

static void count_post(struct kprobe *p, struct pt_regs *regs, unsigned long flags)
{
	post[p - clients]++;
}

/* Client I has a post-handler if bit I of @posts is set */
static void fresh(unsigned int posts)
{
	int i;

	for (i = 0; i < CLIENTS; i++)
		clients[i] = (struct kprobe) {
			.addr = (void *)target,
			.pre_handler = count_pre,
			.post_handler = posts & BIT(i) ? count_post : NULL,
		};
}

/* One call: who is in @want is called once, and nobody else */
static void expect(struct kunit *test, unsigned int want, const char *when)
{
	int i;

	memset(pre, 0, sizeof(pre));
	memset(post, 0, sizeof(post));
	KUNIT_EXPECT_EQ(test, OPAQUE(target)(41), 42);
	for (i = 0; i < CLIENTS; i++) {
		bool called = want & BIT(i);

		KUNIT_EXPECT_EQ_MSG(test, pre[i], called, "client %d, %s", i, when);
		KUNIT_EXPECT_EQ_MSG(test, post[i], called && clients[i].post_handler,
				    "post-handler of client %d, %s", i, when);
	}
}

static void test_enable(struct kunit *test)
{
	unsigned int step, bit, on = 0;
	int i;

	fresh(0);
	for (i = 0; i < CLIENTS; i++) {
		clients[i].flags = KPROBE_FLAG_DISABLED;
		KUNIT_ASSERT_EQ(test, register_kprobe(&clients[i]), 0);
	}
	expect(test, 0, "registered disabled");
	/* A Gray code: from one step to the next one client changes */
	for (step = 1; step <= 2 * BIT(CLIENTS); step++) {
		bit = __ffs(step) % CLIENTS;
		on ^= BIT(bit);
		KUNIT_EXPECT_EQ(test, on & BIT(bit) ? enable_kprobe(&clients[bit]) :
				disable_kprobe(&clients[bit]), 0);
		expect(test, on, "enabled and disabled");
	}
	for (i = 0; i < CLIENTS; i++)
		unregister_kprobe(&clients[i]);
	expect(test, 0, "unregistered");
}

static const u8 orders[][CLIENTS] = {
	{ 0, 1, 2 }, { 0, 2, 1 }, { 1, 0, 2 }, { 1, 2, 0 }, { 2, 0, 1 }, { 2, 1, 0 },
};

static void run_order(struct kunit *test, unsigned int posts, const u8 *order)
{
	unsigned int on = 0;
	int i;

	fresh(posts);
	for (i = 0; i < CLIENTS; i++) {
		KUNIT_ASSERT_EQ(test, register_kprobe(&clients[i]), 0);
		expect(test, on |= BIT(i), "registering");
	}
	for (i = 0; i < CLIENTS; i++) {
		unregister_kprobe(&clients[order[i]]);
		expect(test, on &= ~BIT(order[i]), "unregistering");
	}
}

/*
 * With and without post-handlers, out in any order; see what they leave behind.
 * Stock loses sight of which ftrace_ops it armed when some have one, and dies.
 */
static void test_order(struct kunit *test)
{
	unsigned int posts;
	int i;

	for (posts = 0; posts < BIT(CLIENTS); posts += OURS ? 1 : BIT(CLIENTS) - 1) {
		for (i = 0; i < ARRAY_SIZE(orders); i++)
			run_order(test, posts, orders[i]);
	}
}

/* The state model: five things that can be done, and what is the case then */
enum step {
	DISABLE,
	SWITCH_OFF,
	UNREGISTER,
	SWITCH_ON,
	ENABLE,
	STEPS,
};

struct state {
	bool	registered;
	bool	enabled;
	bool	on;
	bool	other;		/* another client is registered throughout */
};

static void do_step(struct kunit *test, struct state *state, enum step step)
{
	int want = state->registered ? 0 : -EINVAL;

	switch (step) {
	case DISABLE:
		KUNIT_EXPECT_EQ(test, disable_kprobe(&clients[0]), want);
		state->enabled = false;
		break;
	case ENABLE:
		KUNIT_EXPECT_EQ(test, enable_kprobe(&clients[0]), want);
		state->enabled = true;
		break;
	case UNREGISTER:
		unregister_kprobe(&clients[0]);
		state->registered = false;
		break;
	case SWITCH_OFF:
		KUNIT_EXPECT_EQ(test, turn(SWITCH, false), 0);
		state->on = false;
		break;
	default:
		KUNIT_EXPECT_EQ(test, turn(SWITCH, true), 0);
		state->on = true;
		break;
	}
}

static void expect_state(struct kunit *test, const struct state *state, const char *when)
{
	unsigned int want = 0;

	if (state->on && state->registered && state->enabled)
		want |= BIT(0);
	if (state->on && state->other)
		want |= BIT(1);
	expect(test, want, when);
}

static void run_steps(struct kunit *test, const enum step *steps, bool other)
{
	struct state state = { .registered = true, .enabled = true, .on = true, .other = other };
	char when[STEPS + 1] = "";
	int i;

	fresh(0);
	KUNIT_ASSERT_EQ(test, register_kprobe(&clients[0]), 0);
	if (other)
		KUNIT_ASSERT_EQ(test, register_kprobe(&clients[1]), 0);
	for (i = 0; i < STEPS; i++) {
		do_step(test, &state, steps[i]);
		when[i] = "d0u1e"[steps[i]];
		expect_state(test, &state, when);
	}
	if (!state.on)
		KUNIT_EXPECT_EQ(test, turn(SWITCH, true), 0);
	unregister_kprobe(&clients[0]);
	unregister_kprobe(&clients[1]);
	expect(test, 0, "in the end");
}

/* The next permutation in the order of the alphabet; false behind the last */
static bool next_permutation(enum step *steps)
{
	int i = STEPS - 2, j = STEPS - 1;

	while (i >= 0 && steps[i] > steps[i + 1])
		i--;
	if (i < 0)
		return false;
	while (steps[j] < steps[i])
		j--;
	swap(steps[i], steps[j]);
	for (i++, j = STEPS - 1; i < j; i++, j--)
		swap(steps[i], steps[j]);
	return true;
}

static void test_states(struct kunit *test)
{
	enum step steps[STEPS] = { DISABLE, SWITCH_OFF, UNREGISTER, SWITCH_ON, ENABLE };
	bool other = false;

	if (turn(SWITCH, true))
		kunit_skip(test, "no " SWITCH);
	do {
		run_steps(test, steps, other);
		other = !other;
	} while (next_permutation(steps));
}

/*
 * With ftrace switched off nothing can be armed, and that is an answer, not a
 * probe that never fires; what was armed before comes back with ftrace.
 */
static void test_ftrace_off(struct kunit *test)
{
	if (!OURS)
		kunit_skip(test, "stock registers what never fires");
	if (!ENTRY_BY_FTRACE)
		kunit_skip(test, "entries are probed without ftrace");
	if (turn(FTRACE_SWITCH, false))
		kunit_skip(test, "no " FTRACE_SWITCH);
	fresh(0);
	KUNIT_EXPECT_EQ(test, register_kprobe(&clients[0]), -EAGAIN);
	KUNIT_EXPECT_EQ(test, turn(FTRACE_SWITCH, true), 0);
	expect(test, 0, "refused");
	KUNIT_ASSERT_EQ(test, register_kprobe(&clients[0]), 0);
	KUNIT_ASSERT_EQ(test, register_kprobe(&clients[1]), 0);
	expect(test, BIT(0) | BIT(1), "ftrace on");
	KUNIT_EXPECT_EQ(test, turn(FTRACE_SWITCH, false), 0);
	expect(test, 0, "ftrace off");
	unregister_kprobe(&clients[0]);
	KUNIT_EXPECT_EQ(test, turn(FTRACE_SWITCH, true), 0);
	expect(test, BIT(1), "ftrace on again");
	unregister_kprobe(&clients[1]);
	expect(test, 0, "unregistered");
}

static struct kunit_case state_cases[] = {
	KUNIT_CASE(test_enable),
	KUNIT_CASE_SLOW(test_order),
	KUNIT_CASE_SLOW(test_states),
	KUNIT_CASE(test_ftrace_off),
	{}
};

static struct kunit_suite state_suite = {
	.name = "kprobes_state",
	.init = make_switch_text,
	.test_cases = state_cases,
};

kunit_test_suite(state_suite);

MODULE_DESCRIPTION("KUnit tests of the states several clients of an address can be in");
MODULE_LICENSE("GPL");
