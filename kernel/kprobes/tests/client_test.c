// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * KUnit tests of clients: which addresses are taken, who is called, in what order,
 * and that what fails leaves nothing behind.
 */
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/string.h>
#include <kunit/test.h>
#include "machine.h"

#define MAX_CALLS	8

/* What handlers have been called since the last forget_calls(), by their client's id */
static char calls[MAX_CALLS + 1];

struct client {
	struct kprobe	kp;
	char		id;
	int		answer;
};

static int targets_run;

static noinline int client_target(int value)
{
	targets_run++;
	return value + 1;
}

static noinline int client_other_target(int value)
{
	targets_run++;
	return value + 2;
}

static noinline int client_detour(int value)
{
	return value + 100;
}

/* By pointer, so that the compiler does not look into them */
static int (*volatile target)(int value) = client_target;
static int (*volatile other_target)(int value) = client_other_target;

static void forget_calls(void)
{
	memset(calls, 0, sizeof(calls));
}

static void note_call(char id)
{
	size_t length = strlen(calls);

	if (length < MAX_CALLS)
		calls[length] = id;
}

static int note_pre(struct kprobe *p, struct pt_regs *regs)
{
	struct client *client = container_of(p, struct client, kp);

	note_call(client->id);
	if (client->answer)
		instruction_pointer_set(regs, (unsigned long)client_detour);
	return client->answer;
}

static void note_post(struct kprobe *p, struct pt_regs *regs, unsigned long flags)
{
	note_call(container_of(p, struct client, kp)->id - 'a' + 'A');
}

static struct client client_at(const char *symbol, char id)
{
	return (struct client) {
		.kp = { .symbol_name = symbol, .pre_handler = note_pre },
		.id = id,
	};
}

static int try(struct client *client, unsigned int offset)
{
	int ret;

	client->kp.offset = offset;
	ret = register_kprobe(&client->kp);
	unregister_kprobe(&client->kp);
	return ret;
}

static void refused_places(struct kunit *test)
{
	struct client none = client_at(NULL, 'a'), unknown = client_at("no_such_symbol", 'a');
	struct client both = client_at("client_target", 'a'), listed = client_at("get_kprobe", 'a');
	struct client body = client_at("client_target", 'a'), data = client_at(NULL, 'a');

	both.kp.addr = (kprobe_opcode_t *)client_target;
	data.kp.addr = (kprobe_opcode_t *)&targets_run;
	KUNIT_EXPECT_EQ(test, try(&none, 0), -EINVAL);
	KUNIT_EXPECT_EQ(test, try(&both, 0), -EINVAL);
	KUNIT_EXPECT_EQ(test, try(&unknown, 0), -ENOENT);
	KUNIT_EXPECT_EQ(test, try(&listed, 0), -EINVAL);
	KUNIT_EXPECT_NE(test, try(&data, 0), 0);
	KUNIT_EXPECT_EQ(test, try(&body, MISALIGNED), -EILSEQ);
}

static void entry_is_one_point(struct kunit *test)
{
	struct client start = client_at("client_target", 'a'), again = client_at(NULL, 'b');

	KUNIT_ASSERT_EQ(test, register_kprobe(&start.kp), 0);
	again.kp.addr = (kprobe_opcode_t *)client_target;
	KUNIT_EXPECT_EQ(test, register_kprobe(&again.kp), 0);
	KUNIT_EXPECT_PTR_EQ(test, start.kp.addr, again.kp.addr);
	KUNIT_EXPECT_EQ(test, kprobe_ftrace(&start.kp), ENTRY_BY_FTRACE);
	KUNIT_EXPECT_TRUE(test, start.kp.flags & KPROBE_FLAG_ON_FUNC_ENTRY);
	unregister_kprobe(&again.kp);
	again.kp.addr = start.kp.addr;
	KUNIT_EXPECT_EQ(test, register_kprobe(&again.kp), 0);
	KUNIT_EXPECT_PTR_EQ(test, start.kp.addr, again.kp.addr);
	unregister_kprobe(&again.kp);
	unregister_kprobe(&start.kp);
}

static void clients_in_order(struct kunit *test)
{
	struct client a = client_at("client_target", 'a'), b = client_at("client_target", 'b');
	struct client c = client_at("client_target", 'c');
	struct kprobe *kps[] = { &a.kp, &b.kp, &c.kp };

	forget_calls();
	KUNIT_ASSERT_EQ(test, register_kprobes(kps, 3), 0);
	KUNIT_EXPECT_EQ(test, target(1), 2);
	KUNIT_EXPECT_STREQ(test, calls, "abc");
	unregister_kprobe(&b.kp);
	forget_calls();
	KUNIT_EXPECT_EQ(test, target(1), 2);
	KUNIT_EXPECT_STREQ(test, calls, "ac");
	unregister_kprobes(kps, 3);
	forget_calls();
	KUNIT_EXPECT_EQ(test, target(1), 2);
	KUNIT_EXPECT_STREQ(test, calls, "");
}

static void registered_once(struct kunit *test)
{
	struct client a = client_at("client_target", 'a');

	forget_calls();
	KUNIT_ASSERT_EQ(test, register_kprobe(&a.kp), 0);
	KUNIT_EXPECT_EQ(test, register_kprobe(&a.kp), -EINVAL);
	a.kp.symbol_name = NULL;
	KUNIT_EXPECT_EQ(test, register_kprobe(&a.kp), -EINVAL);
	target(1);
	KUNIT_EXPECT_STREQ(test, calls, "a");
	unregister_kprobe(&a.kp);
	unregister_kprobe(&a.kp);
	KUNIT_EXPECT_EQ(test, enable_kprobe(&a.kp), -EINVAL);
	KUNIT_EXPECT_EQ(test, disable_kprobe(&a.kp), -EINVAL);
}

static void all_or_none(struct kunit *test)
{
	struct client a = client_at("client_target", 'a');
	struct client bad = client_at("no_such_symbol", 'b');
	struct kprobe *kps[] = { &a.kp, &bad.kp };

	forget_calls();
	KUNIT_EXPECT_EQ(test, register_kprobes(kps, 2), -ENOENT);
	target(1);
	KUNIT_EXPECT_STREQ(test, calls, "");
	KUNIT_EXPECT_EQ(test, register_kprobe(&a.kp), 0);
	target(1);
	KUNIT_EXPECT_STREQ(test, calls, "a");
	unregister_kprobe(&a.kp);
	KUNIT_EXPECT_EQ(test, register_kprobes(kps, 0), -EINVAL);
}

static void enabled_and_disabled(struct kunit *test)
{
	struct client a = client_at("client_target", 'a'), b = client_at("client_target", 'b');

	forget_calls();
	a.kp.flags = KPROBE_FLAG_DISABLED;
	KUNIT_ASSERT_EQ(test, register_kprobe(&a.kp), 0);
	KUNIT_ASSERT_EQ(test, register_kprobe(&b.kp), 0);
	target(1);
	KUNIT_EXPECT_STREQ(test, calls, "b");
	KUNIT_EXPECT_EQ(test, enable_kprobe(&a.kp), 0);
	KUNIT_EXPECT_EQ(test, enable_kprobe(&a.kp), 0);
	target(1);
	KUNIT_EXPECT_STREQ(test, calls, "bab");
	KUNIT_EXPECT_EQ(test, disable_kprobe(&a.kp), 0);
	KUNIT_EXPECT_EQ(test, disable_kprobe(&b.kp), 0);
	target(1);
	KUNIT_EXPECT_STREQ(test, calls, "bab");
	unregister_kprobe(&b.kp);
	KUNIT_EXPECT_EQ(test, enable_kprobe(&a.kp), 0);
	target(1);
	KUNIT_EXPECT_STREQ(test, calls, "baba");
	unregister_kprobe(&a.kp);
}

static void handler_sets_ip(struct kunit *test)
{
	struct client a = client_at("client_target", 'a'), b = client_at("client_target", 'b');

	forget_calls();
	a.answer = 1;
	KUNIT_ASSERT_EQ(test, register_kprobe(&a.kp), 0);
	KUNIT_ASSERT_EQ(test, register_kprobe(&b.kp), 0);
	targets_run = 0;
	KUNIT_EXPECT_EQ(test, target(1), 101);
	KUNIT_EXPECT_EQ(test, targets_run, 0);
	KUNIT_EXPECT_STREQ(test, calls, "a");
	unregister_kprobe(&a.kp);
	KUNIT_EXPECT_EQ(test, target(1), 2);
	unregister_kprobe(&b.kp);
}

/* A point goes over to the other ftrace_ops and comes back while it is armed */
static void post_handlers(struct kunit *test)
{
	struct client a = client_at("client_target", 'a'), b = client_at("client_target", 'b');

	forget_calls();
	b.kp.post_handler = note_post;
	KUNIT_ASSERT_EQ(test, register_kprobe(&a.kp), 0);
	KUNIT_ASSERT_EQ(test, register_kprobe(&b.kp), 0);
	KUNIT_EXPECT_EQ(test, target(1), 2);
	KUNIT_EXPECT_STREQ(test, calls, "abB");
	unregister_kprobe(&b.kp);
	KUNIT_EXPECT_EQ(test, target(1), 2);
	KUNIT_EXPECT_STREQ(test, calls, "abBa");
	KUNIT_ASSERT_EQ(test, register_kprobe(&b.kp), -EINVAL);
	b.kp.addr = NULL;
	KUNIT_ASSERT_EQ(test, register_kprobe(&b.kp), 0);
	unregister_kprobe(&a.kp);
	forget_calls();
	KUNIT_EXPECT_EQ(test, target(1), 2);
	KUNIT_EXPECT_STREQ(test, calls, "bB");
	unregister_kprobe(&b.kp);
}

static void points_keep_apart(struct kunit *test)
{
	struct client a = client_at("client_target", 'a');
	struct client o = client_at("client_other_target", 'o');
	struct kprobe *kps[] = { &a.kp, &o.kp };

	forget_calls();
	KUNIT_ASSERT_EQ(test, register_kprobes(kps, 2), 0);
	other_target(1);
	target(1);
	KUNIT_EXPECT_STREQ(test, calls, "oa");
	unregister_kprobe(&a.kp);
	other_target(1);
	target(1);
	KUNIT_EXPECT_STREQ(test, calls, "oao");
	unregister_kprobe(&o.kp);
}

static void busy_counts(struct kunit *test)
{
	struct client a = client_at("client_target", 'a');

	forget_calls();
	KUNIT_ASSERT_EQ(test, register_kprobe(&a.kp), 0);
	kprobe_busy_begin();
	kprobe_busy_begin();
	target(1);
	kprobe_busy_end();
	target(1);
	kprobe_busy_end();
	KUNIT_EXPECT_EQ(test, a.kp.nmissed, 2);
	target(1);
	KUNIT_EXPECT_STREQ(test, calls, "a");
	unregister_kprobe(&a.kp);
}

static struct kunit_case client_cases[] = {
	KUNIT_CASE(refused_places),
	KUNIT_CASE(entry_is_one_point),
	KUNIT_CASE(clients_in_order),
	KUNIT_CASE(registered_once),
	KUNIT_CASE(all_or_none),
	KUNIT_CASE(enabled_and_disabled),
	KUNIT_CASE(handler_sets_ip),
	KUNIT_CASE(post_handlers),
	KUNIT_CASE(points_keep_apart),
	KUNIT_CASE(busy_counts),
	{}
};

static struct kunit_suite client_suite = {
	.name = "kprobes-clients",
	.test_cases = client_cases,
};
kunit_test_suite(client_suite);

MODULE_DESCRIPTION("KUnit tests of kprobes' clients");
MODULE_IMPORT_NS(EXPORTED_FOR_KUNIT_TESTING);
MODULE_LICENSE("GPL");
