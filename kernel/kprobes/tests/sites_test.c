// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Users of ftrace join and leave the same functions in a random order: probes, tracers
 * with and without registers, an owner with IPMODIFY, as live patching is, and direct
 * calls. A change of a filter touches the records that it names. After each step the
 * records of all functions are compared with what the registered users want of them, and
 * each function is called: it is seen by those who have it.
 */
#include <kunit/test.h>
#include <linux/array_size.h>
#include <linux/bits.h>
#include <linux/compiler.h>
#include <linux/ftrace.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/prandom.h>
#include <linux/string.h>
#include "../../trace/ftrace_internal.h"
#include "direct.h"
#include "machine.h"
#include "ours.h"
#include "switch.h"

#define SITES	4
#define STEPS	400

#define FTRACE_SWITCH	"/proc/sys/kernel/ftrace_enabled"

static noinline int site_0(int value)
{
	return value + 1;
}

static noinline int site_1(int value)
{
	return value + 2;
}

static noinline int site_2(int value)
{
	return value + 3;
}

static noinline int site_3(int value)
{
	return value + 4;
}

/* No tracer has it */
static noinline int sites_unwanted(int value)
{
	return value + 5;
}

static int (*const sites[SITES])(int value) = { site_0, site_1, site_2, site_3 };

enum sites_user {
	PLAIN,		/* a probe */
	POST,		/* a probe with a post-handler: IPMODIFY, if ftrace is how it is hit */
	BARE,		/* a tracer */
	REGS,		/* a tracer that wants registers */
	CHOOSY,		/* a tracer with a notrace filter */
	EMPTIED,	/* a tracer that is not registered while it has no site */
	OWNER,		/* IPMODIFY */
	DIRECT,		/* a direct call */
	USERS
};

/* Enough others for a change that needs memory */
#define SITES_OTHER(n)						\
static noinline int sites_other_##n(int value)			\
{								\
	return value * ((n) + 2);				\
}

SITES_OTHER(0) SITES_OTHER(1) SITES_OTHER(2) SITES_OTHER(3) SITES_OTHER(4)
SITES_OTHER(5) SITES_OTHER(6) SITES_OTHER(7) SITES_OTHER(8) SITES_OTHER(9)
SITES_OTHER(10) SITES_OTHER(11) SITES_OTHER(12) SITES_OTHER(13) SITES_OTHER(14)
SITES_OTHER(15) SITES_OTHER(16)

static const unsigned long sites_others[] = {
	(unsigned long)sites_other_0, (unsigned long)sites_other_1,
	(unsigned long)sites_other_2, (unsigned long)sites_other_3,
	(unsigned long)sites_other_4, (unsigned long)sites_other_5,
	(unsigned long)sites_other_6, (unsigned long)sites_other_7,
	(unsigned long)sites_other_8, (unsigned long)sites_other_9,
	(unsigned long)sites_other_10, (unsigned long)sites_other_11,
	(unsigned long)sites_other_12, (unsigned long)sites_other_13,
	(unsigned long)sites_other_14, (unsigned long)sites_other_15,
	(unsigned long)sites_other_16,
};

/* A bit for each site that the user has */
static unsigned int sites_had[USERS];

unsigned int direct_calls;

/* How often the last call of a site was seen by each user */
static unsigned int sites_seen[USERS];

static void notrace sites_bare(unsigned long ip, unsigned long parent_ip,
			       struct ftrace_ops *ops, struct ftrace_regs *fregs);

#define TRACER(more)	{ .func = sites_bare, .flags = (more) }

static struct ftrace_ops sites_ops[USERS] = {
	[BARE]		= TRACER(0),
	[REGS]		= TRACER(FTRACE_OPS_FL_SAVE_REGS_IF_SUPPORTED),
	[CHOOSY]	= TRACER(FTRACE_OPS_FL_RECURSION),
	[EMPTIED]	= TRACER(FTRACE_OPS_FL_SAVE_REGS_IF_SUPPORTED),
	[OWNER]		= TRACER(FTRACE_OPS_FL_SAVE_REGS_IF_SUPPORTED | FTRACE_OPS_FL_IPMODIFY),
};

static struct ftrace_ops sites_direct[SITES];
static struct kprobe sites_probes[2][SITES];

/* Other functions of the module must not be counted */
static void notrace sites_bare(unsigned long ip, unsigned long parent_ip,
			       struct ftrace_ops *ops, struct ftrace_regs *fregs)
{
	sites_seen[ops - sites_ops]++;
}

static int sites_pre(struct kprobe *p, struct pt_regs *regs)
{
	sites_seen[p->post_handler ? POST : PLAIN]++;
	return 0;
}

static void sites_post(struct kprobe *p, struct pt_regs *regs, unsigned long flags)
{
}

static int sites_probe(enum sites_user user, int site, bool leave)
{
	struct kprobe *p = &sites_probes[user == POST][site];

	if (leave) {
		unregister_kprobe(p);
		return 0;
	}
	*p = (struct kprobe) {
		.addr = (void *)sites[site],
		.pre_handler = sites_pre,
		.post_handler = user == POST ? sites_post : NULL,
	};
	return register_kprobe(p);
}

static int sites_filter(enum sites_user user, int site, bool leave)
{
	return ftrace_set_filter_ip(&sites_ops[user], (unsigned long)sites[site], leave, 0);
}

static int sites_emptied(int site, bool leave)
{
	int ret;

	if (leave && sites_had[EMPTIED] == BIT(site)) {
		ret = unregister_ftrace_function(&sites_ops[EMPTIED]);
		return ret ?: sites_filter(EMPTIED, site, true);
	}
	ret = sites_filter(EMPTIED, site, leave);
	if (!ret && !sites_had[EMPTIED])
		ret = register_ftrace_function(&sites_ops[EMPTIED]);
	return ret;
}

static int sites_call_direct(int site, bool leave)
{
	struct ftrace_ops *ops = &sites_direct[site];
	int ret;

	if (leave)
		return unregister_ftrace_direct(ops, (unsigned long)direct_trampoline, true);
	memset(ops, 0, sizeof(*ops));
	ret = ftrace_set_filter_ip(ops, (unsigned long)sites[site], 0, 0);
	if (ret)
		return ret;
	ret = register_ftrace_direct(ops, (unsigned long)direct_trampoline);
	if (ret)
		ftrace_free_filter(ops);
	return ret;
}

static int sites_change(enum sites_user user, int site, bool leave)
{
	switch (user) {
	case PLAIN:
	case POST:
		return sites_probe(user, site, leave);
	case EMPTIED:
		return sites_emptied(site, leave);
	case DIRECT:
		return sites_call_direct(site, leave);
	default:
		return sites_filter(user, site, leave);
	}
}

/* Those of which a site can have one */
static bool sites_is_sole(enum sites_user user)
{
	return user == OWNER || user == DIRECT || (user == POST && ENTRY_BY_FTRACE);
}

static int sites_answer(enum sites_user user, int site)
{
	int other;

	for (other = 0; other < USERS; other++) {
		if (sites_is_sole(user) && sites_is_sole(other) && (sites_had[other] & BIT(site)))
			return -EBUSY;
	}
	return 0;
}

static int sites_call(int site)
{
	int (*func)(int value) = sites[site];

	OPTIMIZER_HIDE_VAR(func);
	return func(0);
}

/* Call each site: those see it who have it */
static void sites_expect(struct kunit *test, int step)
{
	int site, user;

	for (site = 0; site < SITES; site++) {
		memset(sites_seen, 0, sizeof(sites_seen));
		direct_calls = 0;
		KUNIT_EXPECT_EQ(test, sites_call(site), site + 1);
		sites_seen[DIRECT] = direct_calls;
		for (user = 0; user < USERS; user++)
			KUNIT_EXPECT_EQ_MSG(test, sites_seen[user],
					    !!(sites_had[user] & BIT(site)),
					    "step %d, site %d, user %d", step, site, user);
	}
	memset(sites_seen, 0, sizeof(sites_seen));
	KUNIT_EXPECT_EQ(test, OPAQUE(sites_unwanted)(0), 5);
	for (user = 0; user < USERS; user++)
		KUNIT_EXPECT_EQ_MSG(test, sites_seen[user], 0, "step %d, user %d", step, user);
	KUNIT_EXPECT_EQ_MSG(test, ftrace_wrong_records(), 0, "step %d", step);
}

static void sites_step(struct kunit *test, enum sites_user user, int site, int step)
{
	bool leave = sites_had[user] & BIT(site);
	int want = leave ? 0 : sites_answer(user, site);
	int have = sites_change(user, site, leave);

	KUNIT_EXPECT_EQ_MSG(test, have, want, "step %d, site %d, user %d, %s", step, site, user,
			    leave ? "leaves" : "comes");
	if (!have)
		sites_had[user] ^= BIT(site);
}

static void sites_test_random(struct kunit *test)
{
	struct rnd_state random;
	int step;

	prandom_seed_state(&random, 20260116);
	for (step = 0; step < STEPS; step++) {
		sites_step(test, prandom_u32_state(&random) % USERS,
			   prandom_u32_state(&random) % SITES, step);
		sites_expect(test, step);
	}
}

/* All at once: the answer is for all of them, and nothing was changed if it is an error */
static void sites_test_all_or_none(struct kunit *test)
{
	unsigned long ips[SITES + 1];
	int i;

	for (i = 0; i < SITES; i++)
		ips[SITES - 1 - i] = (unsigned long)sites[i];
	ips[SITES] = (unsigned long)&direct_calls;
	KUNIT_EXPECT_EQ(test, ftrace_set_filter_ips(&sites_ops[BARE], ips, SITES + 1, 0, 0),
			-EINVAL);
	sites_expect(test, 0);
	KUNIT_EXPECT_EQ(test, ftrace_set_filter_ips(&sites_ops[BARE], ips, 2, 0, 0), 0);
	sites_had[BARE] = BIT(SITES - 1) | BIT(SITES - 2);
	sites_expect(test, 1);
	KUNIT_EXPECT_EQ(test, ftrace_set_filter_ips(&sites_ops[BARE], ips, SITES, 1, 0), -ENOENT);
	sites_expect(test, 2);
	ips[2] = ips[0];
	KUNIT_EXPECT_EQ(test, ftrace_set_filter_ips(&sites_ops[BARE], ips, SITES, 0, 0), 0);
	sites_had[BARE] |= BIT(0);
	sites_expect(test, 3);
	KUNIT_EXPECT_EQ(test, ftrace_set_filter_ips(&sites_ops[BARE], ips, 2, 1, 0), 0);
	sites_had[BARE] = BIT(0);
	sites_expect(test, 4);
	sites_step(test, OWNER, 1, 5);
	ips[2] = (unsigned long)sites[1];
	KUNIT_EXPECT_EQ(test, ftrace_set_filter_ips(&sites_ops[OWNER], ips, SITES, 0, 0), 0);
	sites_had[OWNER] = BIT(SITES) - 1;
	sites_expect(test, 6);
}

/* The table of the filter grows, and the list of sites needs memory */
static void sites_test_many(struct kunit *test)
{
	unsigned long ips[ARRAY_SIZE(sites_others)];
	int step;

	memcpy(ips, sites_others, sizeof(ips));
	sites_step(test, REGS, 0, 0);
	sites_expect(test, 0);
	for (step = 1; step < 9; step++) {
		bool leave = step % 2 == 0;

		KUNIT_EXPECT_EQ(test, ftrace_set_filter_ips(&sites_ops[BARE], ips,
							    ARRAY_SIZE(ips), leave, 0), 0);
		sites_step(test, BARE, step % SITES, step);
		sites_seen[BARE] = 0;
		KUNIT_EXPECT_EQ(test, OPAQUE(sites_other_3)(1), 5);
		KUNIT_EXPECT_EQ(test, sites_seen[BARE], !leave);
		sites_expect(test, step);
	}
}

static void notrace sites_ignore(unsigned long ip, unsigned long parent_ip,
				 struct ftrace_ops *ops, struct ftrace_regs *fregs)
{
}

/* Another tracer has all functions meanwhile */
static void sites_test_all_traced(struct kunit *test)
{
	static struct ftrace_ops all = { .func = sites_ignore };
	int user;

	KUNIT_ASSERT_EQ(test, register_ftrace_function(&all), 0);
	sites_expect(test, 0);
	for (user = 0; user < USERS; user++)
		sites_step(test, user, user % SITES, user);
	sites_expect(test, 1);
	for (user = 0; user < USERS; user += 2)
		sites_step(test, user, user % SITES, user);
	sites_expect(test, 2);
	KUNIT_EXPECT_EQ(test, unregister_ftrace_function(&all), 0);
	sites_expect(test, 3);
}

/* The same, one that lists of callers skip, as the graph tracer of some architectures */
static void sites_test_all_skipped(struct kunit *test)
{
	static struct ftrace_ops all = { .func = sites_ignore, .flags = FTRACE_OPS_FL_STUB };

	KUNIT_ASSERT_EQ(test, register_ftrace_function(&all), 0);
	sites_step(test, EMPTIED, 0, 0);
	sites_step(test, EMPTIED, 0, 1);
	sites_expect(test, 2);
	KUNIT_EXPECT_EQ(test, unregister_ftrace_function(&all), 0);
}

/* Filters change while ftrace is off, and count when it is on again */
static void sites_test_off(struct kunit *test)
{
	int user;

	if (make_switch_text(test) || switch_turn(FTRACE_SWITCH, true))
		kunit_skip(test, "no " FTRACE_SWITCH);
	for (user = BARE; user <= OWNER; user++)
		sites_step(test, user, user % 2, 0);
	sites_expect(test, 0);
	KUNIT_EXPECT_EQ(test, switch_turn(FTRACE_SWITCH, false), 0);
	KUNIT_EXPECT_EQ(test, ftrace_wrong_records(), 0);
	for (user = BARE; user <= OWNER; user++) {
		sites_step(test, user, user % 2, 1);
		KUNIT_EXPECT_EQ(test, ftrace_wrong_records(), 0);
		sites_step(test, user, user % 3, 2);
		KUNIT_EXPECT_EQ(test, ftrace_wrong_records(), 0);
	}
	KUNIT_EXPECT_EQ(test, switch_turn(FTRACE_SWITCH, true), 0);
	sites_expect(test, 3);
}

/* Those that stay registered trace nothing at first */
static int sites_begin(struct kunit *test)
{
	int user, ret = 0;

	memset(sites_had, 0, sizeof(sites_had));
	for (user = BARE; user <= OWNER && !ret; user++) {
		if (user == EMPTIED)
			continue;
		ret = ftrace_set_filter_none(&sites_ops[user]);
		if (user == CHOOSY && !ret)
			ret = ftrace_set_notrace(&sites_ops[user], "sites_unwanted", 14, 0);
		ret = ret ?: register_ftrace_function(&sites_ops[user]);
	}
	return ret;
}

static void sites_end(struct kunit *test)
{
	int user, site;

	for (user = 0; user < USERS; user++) {
		for (site = 0; site < SITES; site++) {
			if (sites_had[user] & BIT(site))
				sites_step(test, user, site, -1);
		}
	}
	sites_expect(test, -1);
	for (user = BARE; user <= OWNER; user++) {
		if (user == EMPTIED)
			continue;
		KUNIT_EXPECT_EQ(test, unregister_ftrace_function(&sites_ops[user]), 0);
		ftrace_free_filter(&sites_ops[user]);
		sites_ops[user].func_hash->filter_hash = NULL;
		sites_ops[user].func_hash->notrace_hash = NULL;
	}
	KUNIT_EXPECT_EQ(test, ftrace_wrong_records(), 0);
}

static struct kunit_case sites_cases[] = {
	KUNIT_CASE_SLOW(sites_test_random),
	KUNIT_CASE_SLOW(sites_test_all_or_none),
	KUNIT_CASE_SLOW(sites_test_many),
	KUNIT_CASE_SLOW(sites_test_all_traced),
	KUNIT_CASE_SLOW(sites_test_all_skipped),
	KUNIT_CASE_SLOW(sites_test_off),
	{}
};

static struct kunit_suite sites_suite = {
	.name = "kprobes_sites",
	.init = sites_begin,
	.exit = sites_end,
	.test_cases = sites_cases,
};

kunit_test_suite(sites_suite);

MODULE_DESCRIPTION("KUnit tests of ftrace's users that share functions");
MODULE_IMPORT_NS(EXPORTED_FOR_KUNIT_TESTING);
MODULE_LICENSE("GPL");
