// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * One function with each subset of two return probes, a kprobe, an fprobe and the
 * graph tracer, added in one order and in the reverse order. Three of them hijack the
 * return address. The function's return value, its return address, and stack traces
 * taken inside it and in return handlers must be the same as without any of them.
 *
 * The interface of the graph tracer is not exported: a modular build leaves it out.
 * An architecture without fprobe leaves that out.
 */
#include <kunit/test.h>
#include <linux/fprobe.h>
#include <linux/ftrace.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/stacktrace.h>
#include "machine.h"
#include "ours.h"

#define FRAMES	16

/* The frames of stack_body, stack_target, stack_call_target and stack_call */
#define INSIDE	4

enum site_user {
	KRETPROBE_A,
	FPROBE,
	KPROBE,
	GRAPH,
	KRETPROBE_B,
	USERS,
};

struct trace {
	unsigned long	frame[FRAMES];
	unsigned int	num;
	unsigned int	calls;
};

static struct trace stack_inside, stack_at_return[USERS], stack_plain;
static unsigned long return_ip[USERS], caller_ip;

static noinline int stack_body(int value)
{
	stack_inside.num = stack_trace_save(stack_inside.frame, INSIDE, 0);
	stack_inside.calls++;
	return value;
}

/* Not a tail call: the function must have a frame of its own. */
static noinline int stack_target(int value)
{
	return OPAQUE(stack_body)(value) + 1;
}

static noinline int stack_call_target(int value)
{
	int result = OPAQUE(stack_target)(value);

	OPTIMIZER_HIDE_VAR(result);
	return result;
}

static void record_return(enum site_user user, unsigned long ip)
{
	struct trace *trace = &stack_at_return[user];

	trace->num = stack_trace_save(trace->frame, FRAMES, 0);
	trace->calls++;
	return_ip[user] = ip;
}

static struct kretprobe rp_a, rp_b;

static int kretprobe_return(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	record_return(get_kretprobe(ri) == &rp_a ? KRETPROBE_A : KRETPROBE_B,
		      get_kretprobe_retaddr(ri));
	return 0;
}

static struct kprobe stack_kp;

#ifdef CONFIG_FPROBE
#define FPROBE_USERS	BIT(FPROBE)

static struct fprobe *stack_fprobe;

static void fprobe_return(struct fprobe *unused, unsigned long entry_ip, unsigned long ret_ip,
			  struct pt_regs *regs, void *entry_data)
{
	record_return(FPROBE, ret_ip);
}

/*
 * Allocated: ftrace keeps the trampoline of a static fprobe in vmlinux on a list after
 * its end.
 */
static int fprobe_on(void)
{
	unsigned long site = (unsigned long)stack_target;
	int ret;

	stack_fprobe = kzalloc(sizeof(*stack_fprobe), GFP_KERNEL);
	if (!stack_fprobe)
		return -ENOMEM;
	stack_fprobe->exit_handler = fprobe_return;
	ret = register_fprobe_ips(stack_fprobe, &site, 1);
	if (ret)
		kfree(stack_fprobe);
	return ret;
}

static void fprobe_off(void)
{
	unregister_fprobe(stack_fprobe);
	kfree(stack_fprobe);
}
#else
#define FPROBE_USERS	0

static int fprobe_on(void)
{
	return -EOPNOTSUPP;
}

static void fprobe_off(void)
{
}
#endif

static int kprobe_pre(struct kprobe *p, struct pt_regs *regs)
{
	stack_at_return[KPROBE].calls++;
	return 0;
}

#if IS_MODULE(CONFIG_KPROBES_STACK_KUNIT_TEST) || !IS_ENABLED(CONFIG_FUNCTION_GRAPH_TRACER)
#define GRAPH_USERS	0

static int graph_on(void)
{
	return -EOPNOTSUPP;
}

static void graph_off(void)
{
}
#else
#define GRAPH_USERS	BIT(GRAPH)

static int graph_entry(struct ftrace_graph_ent *ent, struct fgraph_ops *gops)
{
	return 1;
}

static void graph_return(struct ftrace_graph_ret *ret, struct fgraph_ops *gops)
{
	stack_at_return[GRAPH].calls++;
}

static struct fgraph_ops stack_graph = {
	.entryfunc	= graph_entry,
	.retfunc	= graph_return,
};

static int graph_on(void)
{
	int ret = ftrace_set_filter_ip(&stack_graph.ops, (unsigned long)stack_target, 0, 1);

	return ret ?: register_ftrace_graph(&stack_graph);
}

static void graph_off(void)
{
	unregister_ftrace_graph(&stack_graph);
}
#endif

static int kretprobe_on(struct kretprobe *rp)
{
	*rp = (struct kretprobe) {
		.kp.addr = (void *)stack_target,
		.handler = kretprobe_return,
	};
	return register_kretprobe(rp);
}

static int user_on(enum site_user user)
{
	switch (user) {
	case KRETPROBE_A:
		return kretprobe_on(&rp_a);
	case KRETPROBE_B:
		return kretprobe_on(&rp_b);
	case KPROBE:
		stack_kp = (struct kprobe) {
			.addr = (void *)stack_target,
			.pre_handler = kprobe_pre,
		};
		return register_kprobe(&stack_kp);
	case FPROBE:
		return fprobe_on();
	default:
		return graph_on();
	}
}

static void user_off(enum site_user user)
{
	switch (user) {
	case KRETPROBE_A:
		unregister_kretprobe(&rp_a);
		break;
	case KRETPROBE_B:
		unregister_kretprobe(&rp_b);
		break;
	case KPROBE:
		unregister_kprobe(&stack_kp);
		break;
	case FPROBE:
		fprobe_off();
		break;
	default:
		graph_off();
		break;
	}
}

static bool stack_hijacks(enum site_user user)
{
	return user == KRETPROBE_A || user == KRETPROBE_B || user == FPROBE;
}

static int frame_of(const struct trace *trace, unsigned long ip)
{
	int i;

	for (i = 0; i < trace->num && trace->frame[i] != ip; i++)
		;
	return i;
}

/* Stock does not always know it; fprobe does not if the graph tracer came before it. */
static bool knows_caller(enum site_user user, unsigned int users)
{
	return OURS && !(user == FPROBE && (users & BIT(GRAPH)));
}

/* In a return handler's trace the caller is followed by its callers. */
static void stack_check_return(struct kunit *test, enum site_user user, unsigned int users,
			       const char *what)
{
	const struct trace *trace = &stack_at_return[user];
	int i = frame_of(trace, caller_ip), j = frame_of(&stack_plain, caller_ip);

	KUNIT_EXPECT_LT_MSG(test, i, trace->num, "no caller for %d, %s", user, what);
	for (; i < trace->num && j < stack_plain.num; i++, j++)
		KUNIT_EXPECT_EQ_MSG(test, trace->frame[i], stack_plain.frame[j],
				    "frame %d for %d, %s", i, user, what);
	if (knows_caller(user, users))
		KUNIT_EXPECT_EQ_MSG(test, return_ip[user], caller_ip, "%d, %s", user, what);
}

static void check_users(struct kunit *test, unsigned int users, const char *what)
{
	enum site_user user;

	for (user = 0; user < USERS; user++) {
		KUNIT_EXPECT_EQ_MSG(test, stack_at_return[user].calls, !!(users & BIT(user)),
				    "calls of %d, %s", user, what);
		if ((users & BIT(user)) && stack_hijacks(user))
			stack_check_return(test, user, users, what);
	}
}

/* A trace taken in the body does not differ from one without probes. */
static void check_inside(struct kunit *test, const char *what)
{
	int i;

	KUNIT_EXPECT_EQ_MSG(test, stack_inside.calls, 1, "%s", what);
	KUNIT_EXPECT_EQ_MSG(test, stack_inside.num, stack_plain.num, "%s", what);
	for (i = 0; i < stack_plain.num; i++)
		KUNIT_EXPECT_EQ_MSG(test, stack_inside.frame[i], stack_plain.frame[i],
				    "frame %d, %s", i, what);
}

static noinline void stack_call(struct kunit *test, const char *what)
{
	memset(stack_at_return, 0, sizeof(stack_at_return));
	memset(&stack_inside, 0, sizeof(stack_inside));
	KUNIT_EXPECT_EQ_MSG(test, stack_call_target(41), 42, "%s", what);
}

static void run_users(struct kunit *test, unsigned int users, bool backwards)
{
	char what[32];
	int i, user;

	snprintf(what, sizeof(what), "users 0x%x%s", users, backwards ? " backwards" : "");
	for (i = 0; i < USERS; i++) {
		user = backwards ? USERS - 1 - i : i;
		if (users & BIT(user))
			KUNIT_ASSERT_EQ_MSG(test, user_on(user), 0, "%d, %s", user, what);
	}
	stack_call(test, what);
	for (user = 0; user < USERS; user++) {
		if (users & BIT(user))
			user_off(user);
	}
	check_users(test, users, what);
	check_inside(test, what);
}

static void run_all(struct kunit *test, unsigned int possible)
{
	unsigned int users;

	if (IS_ENABLED(CONFIG_UNWINDER_GUESS))
		kunit_skip(test, "the unwinder guesses");
	/* First without users, for the plain trace: body, target, its caller and so on */
	stack_call(test, "plain");
	stack_plain = stack_inside;
	KUNIT_ASSERT_LT(test, frame_of(&stack_plain, caller_ip), stack_plain.num);
	for (users = 0; users < BIT(USERS); users++) {
		if (users & ~possible)
			continue;
		run_users(test, users, false);
		run_users(test, users, true);
	}
}

static int find_caller(struct kprobe *p, struct pt_regs *regs)
{
	caller_ip = entry_return_address(regs);
	return 0;
}

static int stack_suite_init(struct kunit_suite *suite)
{
	int ret;

	stack_kp = (struct kprobe) { .addr = (void *)stack_target, .pre_handler = find_caller };
	ret = register_kprobe(&stack_kp);
	if (ret)
		return ret;
	stack_call_target(41);
	unregister_kprobe(&stack_kp);
	return 0;
}

static void test_subsets(struct kunit *test)
{
	run_all(test, BIT(KRETPROBE_A) | BIT(KRETPROBE_B) | BIT(KPROBE) | FPROBE_USERS);
}

static void test_subsets_graph(struct kunit *test)
{
	if (!GRAPH_USERS)
		kunit_skip(test, "not as a module");
	run_all(test, BIT(KRETPROBE_A) | BIT(KRETPROBE_B) | BIT(KPROBE) | FPROBE_USERS |
		      GRAPH_USERS);
}

static struct kunit_case stack_cases[] = {
	KUNIT_CASE_SLOW(test_subsets),
	KUNIT_CASE_SLOW(test_subsets_graph),
	{}
};

static struct kunit_suite stack_suite = {
	.name = "kprobes_stack",
	.suite_init = stack_suite_init,
	.test_cases = stack_cases,
};

kunit_test_suite(stack_suite);

MODULE_DESCRIPTION("KUnit tests of hijacked returns and stack traces");
MODULE_LICENSE("GPL");
