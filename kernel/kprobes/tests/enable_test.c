// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Several clients of one function: which are called depending on which are enabled,
 * the state after registering and disabling in every order, and the effect of the
 * switch for all probes.
 */
#include <kunit/test.h>
#include <linux/delay.h>
#include <linux/kprobes.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include "machine.h"
#include "ours.h"
#include "switch.h"

#define CLIENTS		3
#define FTRACE_SWITCH	"/proc/sys/kernel/ftrace_enabled"

static struct kprobe enable_clients[CLIENTS];
static unsigned int enable_pre[CLIENTS], enable_post[CLIENTS];

static noinline int enable_target(int value)
{
	return value + 1;
}

static int enable_count_pre(struct kprobe *p, struct pt_regs *regs)
{
	enable_pre[p - enable_clients]++;
	return 0;
}

static void enable_count_post(struct kprobe *p, struct pt_regs *regs, unsigned long flags)
{
	enable_post[p - enable_clients]++;
}

/* Client I has a post-handler if bit I of @posts is set. */
static void enable_fresh(unsigned int posts)
{
	int i;

	for (i = 0; i < CLIENTS; i++)
		enable_clients[i] = (struct kprobe) {
			.addr = (void *)enable_target,
			.pre_handler = enable_count_pre,
			.post_handler = posts & BIT(i) ? enable_count_post : NULL,
		};
}

/* One call of the target calls each client in @want once, and no other client. */
static void enable_expect(struct kunit *test, unsigned int want, const char *when)
{
	int i;

	memset(enable_pre, 0, sizeof(enable_pre));
	memset(enable_post, 0, sizeof(enable_post));
	KUNIT_EXPECT_EQ(test, OPAQUE(enable_target)(41), 42);
	for (i = 0; i < CLIENTS; i++) {
		bool called = want & BIT(i);

		KUNIT_EXPECT_EQ_MSG(test, enable_pre[i], called, "client %d, %s", i, when);
		KUNIT_EXPECT_EQ_MSG(test, enable_post[i], called && enable_clients[i].post_handler,
				    "post-handler of client %d, %s", i, when);
	}
}

static void test_enable(struct kunit *test)
{
	unsigned int step, bit, on = 0;
	int i;

	enable_fresh(0);
	for (i = 0; i < CLIENTS; i++) {
		enable_clients[i].flags = KPROBE_FLAG_DISABLED;
		KUNIT_ASSERT_EQ(test, register_kprobe(&enable_clients[i]), 0);
	}
	enable_expect(test, 0, "registered disabled");
	/* A Gray code: each step changes one client. */
	for (step = 1; step <= 2 * BIT(CLIENTS); step++) {
		bit = __ffs(step) % CLIENTS;
		on ^= BIT(bit);
		KUNIT_EXPECT_EQ(test, on & BIT(bit) ? enable_kprobe(&enable_clients[bit]) :
				disable_kprobe(&enable_clients[bit]), 0);
		enable_expect(test, on, "enabled and disabled");
	}
	for (i = 0; i < CLIENTS; i++)
		unregister_kprobe(&enable_clients[i]);
	enable_expect(test, 0, "unregistered");
}

static const u8 enable_orders[][CLIENTS] = {
	{ 0, 1, 2 }, { 0, 2, 1 }, { 1, 0, 2 }, { 1, 2, 0 }, { 2, 0, 1 }, { 2, 1, 0 },
};

static void run_order(struct kunit *test, unsigned int posts, const u8 *order)
{
	unsigned int on = 0;
	int i;

	enable_fresh(posts);
	for (i = 0; i < CLIENTS; i++) {
		KUNIT_ASSERT_EQ(test, register_kprobe(&enable_clients[i]), 0);
		enable_expect(test, on |= BIT(i), "registering");
	}
	for (i = 0; i < CLIENTS; i++) {
		unregister_kprobe(&enable_clients[order[i]]);
		enable_expect(test, on &= ~BIT(order[i]), "unregistering");
	}
}

/*
 * With and without post-handlers, unregistered in every order. When some clients
 * have a post-handler, stock loses track of the ftrace_ops it armed, and crashes.
 */
static void test_order(struct kunit *test)
{
	unsigned int posts;
	int i;

	for (posts = 0; posts < BIT(CLIENTS); posts += OURS ? 1 : BIT(CLIENTS) - 1) {
		for (i = 0; i < ARRAY_SIZE(enable_orders); i++)
			run_order(test, posts, enable_orders[i]);
	}
}

/* The state model: five steps, and the state that follows */
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
		KUNIT_EXPECT_EQ(test, disable_kprobe(&enable_clients[0]), want);
		state->enabled = false;
		break;
	case ENABLE:
		KUNIT_EXPECT_EQ(test, enable_kprobe(&enable_clients[0]), want);
		state->enabled = true;
		break;
	case UNREGISTER:
		unregister_kprobe(&enable_clients[0]);
		state->registered = false;
		break;
	case SWITCH_OFF:
		KUNIT_EXPECT_EQ(test, switch_turn(SWITCH, false), 0);
		state->on = false;
		break;
	default:
		KUNIT_EXPECT_EQ(test, switch_turn(SWITCH, true), 0);
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
	enable_expect(test, want, when);
}

static void run_steps(struct kunit *test, const enum step *steps, bool other)
{
	struct state state = { .registered = true, .enabled = true, .on = true, .other = other };
	char when[STEPS + 1] = "";
	int i;

	enable_fresh(0);
	KUNIT_ASSERT_EQ(test, register_kprobe(&enable_clients[0]), 0);
	if (other)
		KUNIT_ASSERT_EQ(test, register_kprobe(&enable_clients[1]), 0);
	for (i = 0; i < STEPS; i++) {
		do_step(test, &state, steps[i]);
		when[i] = "d0u1e"[steps[i]];
		expect_state(test, &state, when);
	}
	if (!state.on)
		KUNIT_EXPECT_EQ(test, switch_turn(SWITCH, true), 0);
	unregister_kprobe(&enable_clients[0]);
	unregister_kprobe(&enable_clients[1]);
	enable_expect(test, 0, "in the end");
}

/* The next permutation in lexicographic order; false after the last one. */
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

	if (switch_turn(SWITCH, true))
		kunit_skip(test, "no " SWITCH);
	do {
		run_steps(test, steps, other);
		other = !other;
	} while (next_permutation(steps));
}

/*
 * While ftrace is switched off no entry can be armed; register_kprobe() then fails
 * instead of returning a probe that never hits. Probes that were armed before are
 * armed again with ftrace.
 */
static void test_ftrace_off(struct kunit *test)
{
	if (!OURS)
		kunit_skip(test, "stock registers what never fires");
	if (!ENTRY_BY_FTRACE)
		kunit_skip(test, "entries are probed without ftrace");
	if (switch_turn(FTRACE_SWITCH, false))
		kunit_skip(test, "no " FTRACE_SWITCH);
	enable_fresh(0);
	KUNIT_EXPECT_EQ(test, register_kprobe(&enable_clients[0]), -EAGAIN);
	KUNIT_EXPECT_EQ(test, switch_turn(FTRACE_SWITCH, true), 0);
	enable_expect(test, 0, "refused");
	KUNIT_ASSERT_EQ(test, register_kprobe(&enable_clients[0]), 0);
	KUNIT_ASSERT_EQ(test, register_kprobe(&enable_clients[1]), 0);
	enable_expect(test, BIT(0) | BIT(1), "ftrace on");
	KUNIT_EXPECT_EQ(test, switch_turn(FTRACE_SWITCH, false), 0);
	enable_expect(test, 0, "ftrace off");
	KUNIT_EXPECT_EQ(test, kprobe_arming_error(&enable_clients[1]), -EAGAIN);
	unregister_kprobe(&enable_clients[0]);
	KUNIT_EXPECT_EQ(test, switch_turn(FTRACE_SWITCH, true), 0);
	enable_expect(test, BIT(1), "ftrace on again");
	KUNIT_EXPECT_EQ(test, kprobe_arming_error(&enable_clients[1]), 0);
	unregister_kprobe(&enable_clients[1]);
	enable_expect(test, 0, "unregistered");
}

/* A client that is enabled already stays so, whatever becomes of the batch */
static void test_enabled_stays(struct kunit *test)
{
	struct kprobe_batch *batch;

	if (!OURS || !ENTRY_BY_FTRACE || switch_turn(SWITCH, true))
		kunit_skip(test, "entries are probed without ftrace, or no " SWITCH);
	batch = kprobe_batch_alloc();
	enable_fresh(0);
	KUNIT_ASSERT_EQ(test, register_kprobe(&enable_clients[0]), 0);
	KUNIT_EXPECT_EQ(test, switch_turn(SWITCH, false), 0);
	KUNIT_EXPECT_EQ(test, switch_turn(FTRACE_SWITCH, false), 0);
	KUNIT_EXPECT_NE(test, switch_turn(SWITCH, true), 0);
	kprobe_batch_enable(batch, &enable_clients[0]);
	kprobe_batch_register(batch, &enable_clients[1]);
	KUNIT_EXPECT_EQ(test, kprobe_batch_commit(batch), -EAGAIN);
	kprobe_batch_put(batch);
	KUNIT_EXPECT_EQ(test, kprobe_error(&enable_clients[0]), 0);
	KUNIT_EXPECT_EQ(test, switch_turn(FTRACE_SWITCH, true), 0);
	msleep(2500);
	enable_expect(test, BIT(0), "ftrace on again");
	unregister_kprobe(&enable_clients[0]);
}

#define ENABLE_ROUNDS	300

static int enable_race_thread(void *unused)
{
	int i, ret = 0;

	for (i = 0; i < ENABLE_ROUNDS; i++) {
		ret = ret ?: disable_kprobe(&enable_clients[1]);
		cond_resched();
		ret = ret ?: enable_kprobe(&enable_clients[1]);
	}
	while (!kthread_should_stop())
		schedule_timeout_interruptible(1);
	return ret;
}

/*
 * Two tasks enable and disable the same client at once, while a third tries to register
 * it again, and registers and unregisters others: no call disturbs another.
 */
static void test_race(struct kunit *test)
{
	struct kprobe *all[] = { &enable_clients[0], &enable_clients[2] };
	struct task_struct *one, *two;
	int i;

	enable_fresh(0);
	KUNIT_ASSERT_EQ(test, register_kprobe(&enable_clients[1]), 0);
	one = kthread_run(enable_race_thread, NULL, "kprobe_race_1");
	two = kthread_run(enable_race_thread, NULL, "kprobe_race_2");
	KUNIT_ASSERT_FALSE(test, IS_ERR(one) || IS_ERR(two));
	for (i = 0; i < ENABLE_ROUNDS / 10; i++) {
		KUNIT_EXPECT_EQ(test, register_kprobes(all, ARRAY_SIZE(all)), 0);
		KUNIT_EXPECT_EQ(test, register_kprobe(&enable_clients[1]), -EINVAL);
		unregister_kprobes(all, ARRAY_SIZE(all));
	}
	KUNIT_EXPECT_EQ(test, kthread_stop(one), 0);
	KUNIT_EXPECT_EQ(test, kthread_stop(two), 0);
	enable_expect(test, BIT(1), "after the race");
	unregister_kprobe(&enable_clients[1]);
	enable_expect(test, 0, "unregistered");
}

static struct kunit_case enable_cases[] = {
	KUNIT_CASE(test_enable),
	KUNIT_CASE_SLOW(test_order),
	KUNIT_CASE_SLOW(test_states),
	KUNIT_CASE(test_ftrace_off),
	KUNIT_CASE_SLOW(test_enabled_stays),
	KUNIT_CASE_SLOW(test_race),
	{}
};

static struct kunit_suite enable_suite = {
	.name = "kprobes_enable",
	.init = make_switch_text,
	.test_cases = enable_cases,
};

kunit_test_suite(enable_suite);

MODULE_DESCRIPTION("KUnit tests of the states several clients of an address can be in");
MODULE_IMPORT_NS(EXPORTED_FOR_KUNIT_TESTING);
MODULE_LICENSE("GPL");
