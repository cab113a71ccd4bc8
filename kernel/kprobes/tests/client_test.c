// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * KUnit tests of clients: which addresses are accepted, which handlers are called
 * and in what order, and that a failed call leaves nothing registered.
 */
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/string.h>
#include <kunit/test.h>
#include "machine.h"

#define MAX_CALLS	8

/* The ids of the clients whose handlers ran since the last client_forget_calls(). */
static char client_calls[MAX_CALLS + 1];

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

/* Called through volatile pointers, so that the compiler does not inline them. */
static int (*volatile client_call)(int value) = client_target;
static int (*volatile client_other_call)(int value) = client_other_target;

static void client_forget_calls(void)
{
	memset(client_calls, 0, sizeof(client_calls));
}

static void client_note_call(char id)
{
	size_t length = strlen(client_calls);

	if (length < MAX_CALLS)
		client_calls[length] = id;
}

static int note_pre(struct kprobe *p, struct pt_regs *regs)
{
	struct client *client = container_of(p, struct client, kp);

	client_note_call(client->id);
	if (client->answer)
		instruction_pointer_set(regs, (unsigned long)client_detour);
	return client->answer;
}

static void note_post(struct kprobe *p, struct pt_regs *regs, unsigned long flags)
{
	client_note_call(container_of(p, struct client, kp)->id - 'a' + 'A');
}

static struct client client_at(const char *symbol, char id)
{
	return (struct client) {
		.kp = { .symbol_name = symbol, .pre_handler = note_pre },
		.id = id,
	};
}

static int client_try(struct client *client, unsigned int offset)
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
	KUNIT_EXPECT_EQ(test, client_try(&none, 0), -EINVAL);
	KUNIT_EXPECT_EQ(test, client_try(&both, 0), -EINVAL);
	KUNIT_EXPECT_EQ(test, client_try(&unknown, 0), -ENOENT);
	KUNIT_EXPECT_EQ(test, client_try(&listed, 0), -EINVAL);
	KUNIT_EXPECT_NE(test, client_try(&data, 0), 0);
	KUNIT_EXPECT_EQ(test, client_try(&body, MISALIGNED), -EILSEQ);
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

	client_forget_calls();
	KUNIT_ASSERT_EQ(test, register_kprobes(kps, 3), 0);
	KUNIT_EXPECT_EQ(test, client_call(1), 2);
	KUNIT_EXPECT_STREQ(test, client_calls, "cba");
	unregister_kprobe(&b.kp);
	client_forget_calls();
	KUNIT_EXPECT_EQ(test, client_call(1), 2);
	KUNIT_EXPECT_STREQ(test, client_calls, "ca");
	unregister_kprobes(kps, 3);
	client_forget_calls();
	KUNIT_EXPECT_EQ(test, client_call(1), 2);
	KUNIT_EXPECT_STREQ(test, client_calls, "");
}

static unsigned long returns_to;

static int note_return_address(struct kprobe *p, struct pt_regs *regs)
{
	returns_to = entry_return_address(regs);
	return 0;
}

static int ignore_return(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	return 0;
}

/* The return address that the entry handler sees, of a call that is always the same */
static noinline unsigned long seen_return_address(void)
{
	returns_to = 0;
	client_call(1);
	return returns_to;
}

/* An entry handler sees the caller's address if it is newer than the return probe */
static void entry_beside_return(struct kunit *test)
{
	struct kprobe p = { .symbol_name = "client_target", .pre_handler = note_return_address };
	struct kretprobe rp = { .kp.symbol_name = "client_target", .handler = ignore_return };
	unsigned long caller;

	KUNIT_ASSERT_EQ(test, register_kprobe(&p), 0);
	caller = seen_return_address();
	KUNIT_ASSERT_EQ(test, register_kretprobe(&rp), 0);
	KUNIT_EXPECT_NE(test, seen_return_address(), caller);
	unregister_kprobe(&p);
	p.addr = NULL;
	KUNIT_ASSERT_EQ(test, register_kprobe(&p), 0);
	KUNIT_EXPECT_EQ(test, seen_return_address(), caller);
	unregister_kprobe(&p);
	unregister_kretprobe(&rp);
}

static void registered_once(struct kunit *test)
{
	struct client a = client_at("client_target", 'a');
	kprobe_opcode_t *addr;

	client_forget_calls();
	KUNIT_ASSERT_EQ(test, register_kprobe(&a.kp), 0);
	KUNIT_EXPECT_EQ(test, register_kprobe(&a.kp), -EINVAL);
	addr = a.kp.addr;
	a.kp.addr = NULL;
	KUNIT_EXPECT_EQ(test, register_kprobe(&a.kp), -EINVAL);
	a.kp.addr = addr;
	a.kp.symbol_name = NULL;
	KUNIT_EXPECT_EQ(test, register_kprobe(&a.kp), -EINVAL);
	client_call(1);
	KUNIT_EXPECT_STREQ(test, client_calls, "a");
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

	client_forget_calls();
	KUNIT_EXPECT_EQ(test, register_kprobes(kps, 2), -ENOENT);
	client_call(1);
	KUNIT_EXPECT_STREQ(test, client_calls, "");
	KUNIT_EXPECT_EQ(test, register_kprobe(&a.kp), 0);
	client_call(1);
	KUNIT_EXPECT_STREQ(test, client_calls, "a");
	unregister_kprobe(&a.kp);
	KUNIT_EXPECT_EQ(test, register_kprobes(kps, 0), -EINVAL);
}

static void enabled_and_disabled(struct kunit *test)
{
	struct client a = client_at("client_target", 'a'), b = client_at("client_target", 'b');

	client_forget_calls();
	a.kp.flags = KPROBE_FLAG_DISABLED;
	KUNIT_ASSERT_EQ(test, register_kprobe(&a.kp), 0);
	KUNIT_ASSERT_EQ(test, register_kprobe(&b.kp), 0);
	client_call(1);
	KUNIT_EXPECT_STREQ(test, client_calls, "b");
	KUNIT_EXPECT_EQ(test, enable_kprobe(&a.kp), 0);
	KUNIT_EXPECT_EQ(test, enable_kprobe(&a.kp), 0);
	client_call(1);
	KUNIT_EXPECT_STREQ(test, client_calls, "bba");
	KUNIT_EXPECT_EQ(test, disable_kprobe(&a.kp), 0);
	KUNIT_EXPECT_EQ(test, disable_kprobe(&b.kp), 0);
	client_call(1);
	KUNIT_EXPECT_STREQ(test, client_calls, "bba");
	unregister_kprobe(&b.kp);
	KUNIT_EXPECT_EQ(test, enable_kprobe(&a.kp), 0);
	client_call(1);
	KUNIT_EXPECT_STREQ(test, client_calls, "bbaa");
	unregister_kprobe(&a.kp);
}

static void handler_sets_ip(struct kunit *test)
{
	struct client a = client_at("client_target", 'a'), b = client_at("client_target", 'b');

	client_forget_calls();
	a.answer = 1;
	KUNIT_ASSERT_EQ(test, register_kprobe(&b.kp), 0);
	KUNIT_ASSERT_EQ(test, register_kprobe(&a.kp), 0);
	targets_run = 0;
	KUNIT_EXPECT_EQ(test, client_call(1), 101);
	KUNIT_EXPECT_EQ(test, targets_run, 0);
	KUNIT_EXPECT_STREQ(test, client_calls, "a");
	unregister_kprobe(&a.kp);
	KUNIT_EXPECT_EQ(test, client_call(1), 2);
	unregister_kprobe(&b.kp);
}

/* A point moves to the other ftrace_ops and back while it is armed. */
static void post_handlers(struct kunit *test)
{
	struct client a = client_at("client_target", 'a'), b = client_at("client_target", 'b');

	client_forget_calls();
	b.kp.post_handler = note_post;
	KUNIT_ASSERT_EQ(test, register_kprobe(&a.kp), 0);
	KUNIT_ASSERT_EQ(test, register_kprobe(&b.kp), 0);
	KUNIT_EXPECT_EQ(test, client_call(1), 2);
	KUNIT_EXPECT_STREQ(test, client_calls, "baB");
	unregister_kprobe(&b.kp);
	KUNIT_EXPECT_EQ(test, client_call(1), 2);
	KUNIT_EXPECT_STREQ(test, client_calls, "baBa");
	KUNIT_ASSERT_EQ(test, register_kprobe(&b.kp), -EINVAL);
	b.kp.addr = NULL;
	KUNIT_ASSERT_EQ(test, register_kprobe(&b.kp), 0);
	unregister_kprobe(&a.kp);
	client_forget_calls();
	KUNIT_EXPECT_EQ(test, client_call(1), 2);
	KUNIT_EXPECT_STREQ(test, client_calls, "bB");
	unregister_kprobe(&b.kp);
}

static void points_keep_apart(struct kunit *test)
{
	struct client a = client_at("client_target", 'a');
	struct client o = client_at("client_other_target", 'o');
	struct kprobe *kps[] = { &a.kp, &o.kp };

	client_forget_calls();
	KUNIT_ASSERT_EQ(test, register_kprobes(kps, 2), 0);
	client_other_call(1);
	client_call(1);
	KUNIT_EXPECT_STREQ(test, client_calls, "oa");
	unregister_kprobe(&a.kp);
	client_other_call(1);
	client_call(1);
	KUNIT_EXPECT_STREQ(test, client_calls, "oao");
	unregister_kprobe(&o.kp);
}

static struct kunit_case client_cases[] = {
	KUNIT_CASE(refused_places),
	KUNIT_CASE(entry_is_one_point),
	KUNIT_CASE(clients_in_order),
	KUNIT_CASE(entry_beside_return),
	KUNIT_CASE(registered_once),
	KUNIT_CASE(all_or_none),
	KUNIT_CASE(enabled_and_disabled),
	KUNIT_CASE(handler_sets_ip),
	KUNIT_CASE(post_handlers),
	KUNIT_CASE(points_keep_apart),
	{}
};

static struct kunit_suite client_suite = {
	.name = "kprobes_client",
	.test_cases = client_cases,
};
kunit_test_suite(client_suite);

MODULE_DESCRIPTION("KUnit tests of kprobes' clients");
MODULE_IMPORT_NS(EXPORTED_FOR_KUNIT_TESTING);
MODULE_LICENSE("GPL");
