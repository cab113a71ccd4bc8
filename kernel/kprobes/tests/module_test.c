// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Clients that follow a module in a notifier of their own, of any priority.
 *
 * KUnit runs the cases in a module notifier, in which no notifier can be registered.
 * The init function of this module registers them.
 */
#include <kunit/test.h>
#include <linux/array_size.h>
#include <linux/compiler.h>
#include <linux/errno.h>
#include <linux/init.h>
#include <linux/jump_label.h>
#include <linux/kmod.h>
#include <linux/kprobes.h>
#include <linux/limits.h>
#include <linux/module.h>
#include <linux/notifier.h>
#include <linux/ptrace.h>
#include <linux/string.h>
#include <linux/umh.h>
#include "machine.h"
#include "module_places.h"

/**
 * struct follower - a client that follows the module
 * @nb: its notifier
 * @label: kprobe at the jump label
 * @beside: kprobe at the target of the jump label
 * @init: kprobe in init text
 * @coming: results of register_kprobe() in MODULE_STATE_COMING
 * @gone: result of enable_kprobe() of @init in MODULE_STATE_LIVE
 * @live: its result for @init in MODULE_STATE_LIVE
 * @unused: its result at the jump label when the module has no reference any more
 * @going: its result for @beside in MODULE_STATE_GOING
 * @hits: hits of @beside
 * @init_hits: hits of @init
 */
struct follower {
	struct notifier_block	nb;
	struct kprobe		label;
	struct kprobe		beside;
	struct kprobe		init;
	struct {
		int		label;
		int		beside;
		int		init;
	} coming;
	int			gone;
	int			live;
	int			unused;
	int			going;
	unsigned int		hits;
	unsigned int		init_hits;
};

struct module_leaving kprobes_module_leaving;
EXPORT_SYMBOL_GPL(kprobes_module_leaving);

static int follower_count_beside(struct kprobe *p, struct pt_regs *regs)
{
	container_of(p, struct follower, beside)->hits++;
	return 0;
}

static int follower_count_init(struct kprobe *p, struct pt_regs *regs)
{
	container_of(p, struct follower, init)->init_hits++;
	return 0;
}

static void follower_coming(struct follower *f, struct module *mod)
{
	struct jump_entry *entry = mod->jump_entries;

	f->label = (struct kprobe) { .addr = (void *)jump_entry_code(entry) };
	f->beside = (struct kprobe) {
		.addr = (void *)after_pad(jump_entry_target(entry)),
		.pre_handler = follower_count_beside,
	};
	f->init = (struct kprobe) {
		.symbol_name = MODULE_PLACES ":module_places_init",
		.pre_handler = follower_count_init,
	};
	f->coming.label = register_kprobe(&f->label);
	f->coming.beside = register_kprobe(&f->beside);
	f->coming.init = register_kprobe(&f->init);
}

#ifdef CONFIG_MODULE_UNLOAD
/*
 * As between the moments when delete_module takes the last reference, and changes the state: the
 * label may still be changed
 */
static int follower_register_unused(struct module *mod)
{
	struct kprobe label = { .addr = (void *)jump_entry_code(mod->jump_entries) };
	int references = atomic_xchg(&mod->refcnt, 0);
	int ret = register_kprobe(&label);

	atomic_set(&mod->refcnt, references);
	unregister_kprobe(&label);
	return ret;
}
#else
static int follower_register_unused(struct module *mod)
{
	return -EINVAL;
}
#endif

/* The core drops the point in init text before or after this */
static void follower_live(struct follower *f, struct module *mod)
{
	f->gone = enable_kprobe(&f->init);
	unregister_kprobe(&f->init);
	f->init.addr = NULL;
	f->init.flags = 0;
	f->live = register_kprobe(&f->init);
	f->unused = follower_register_unused(mod);
}

static void follower_going(struct follower *f, struct module *mod)
{
	unregister_kprobe(&f->label);
	unregister_kprobe(&f->beside);
	f->beside = (struct kprobe) { .addr = (void *)jump_entry_target(mod->jump_entries) };
	f->going = register_kprobe(&f->beside);
	unregister_kprobe(&f->beside);
}

static int follower_notified(struct notifier_block *nb, unsigned long state, void *data)
{
	struct follower *f = container_of(nb, struct follower, nb);
	struct module *mod = data;

	if (strcmp(mod->name, MODULE_PLACES))
		return NOTIFY_DONE;
	if (state == MODULE_STATE_COMING)
		follower_coming(f, mod);
	else if (state == MODULE_STATE_LIVE)
		follower_live(f, mod);
	else
		follower_going(f, mod);
	return NOTIFY_DONE;
}

#define FOLLOWER(prio)	{ .nb = { .notifier_call = follower_notified, .priority = prio } }

static struct follower module_followers[] = {
	FOLLOWER(INT_MAX),
	FOLLOWER(2),
	FOLLOWER(1),
	FOLLOWER(0),
	FOLLOWER(-1),
	FOLLOWER(INT_MIN),
};

static int module_places_remove(void)
{
	char *argv[] = { "/bin/sh", "-c", "rmmod " MODULE_PLACES, NULL };
	char *envp[] = { "PATH=/usr/sbin:/usr/bin:/sbin:/bin", NULL };

	return call_usermodehelper(argv[0], argv, envp, UMH_WAIT_PROC);
}

/* Not a result of register_kprobe() */
#define UNSET	1

static void followers_reset(void)
{
	struct follower *f;

	for (f = module_followers; f < module_followers + ARRAY_SIZE(module_followers); f++) {
		f->coming.label = UNSET;
		f->coming.beside = UNSET;
		f->coming.init = UNSET;
		f->gone = UNSET;
		f->live = UNSET;
		f->unused = UNSET;
		f->going = UNSET;
		f->hits = 0;
		f->init_hits = 0;
	}
	kprobes_module_leaving = (struct module_leaving) { UNSET, UNSET };
}

static void follower_check(struct kunit *test, const struct follower *f)
{
	int priority = f->nb.priority;

	KUNIT_EXPECT_EQ_MSG(test, f->coming.label, -EINVAL, "priority %d", priority);
	KUNIT_EXPECT_EQ_MSG(test, f->coming.beside, 0, "priority %d", priority);
	KUNIT_EXPECT_EQ_MSG(test, f->coming.init, 0, "priority %d", priority);
	KUNIT_EXPECT_EQ_MSG(test, f->hits, 1, "priority %d", priority);
	KUNIT_EXPECT_EQ_MSG(test, f->init_hits, 1, "priority %d", priority);
	KUNIT_EXPECT_EQ_MSG(test, f->live, -ENOENT, "priority %d", priority);
	KUNIT_EXPECT_EQ_MSG(test, f->unused, -EINVAL, "priority %d", priority);
	KUNIT_EXPECT_EQ_MSG(test, f->going, -ENOENT, "priority %d", priority);
	KUNIT_EXPECT_EQ_MSG(test, f->gone, -EINVAL, "priority %d", priority);
}

static void module_test_any_priority(struct kunit *test)
{
	int i, round;

	for (round = 0; round < 2; round++) {
		followers_reset();
		KUNIT_ASSERT_EQ(test, request_module(MODULE_PLACES), 0);
		KUNIT_ASSERT_EQ(test, module_places_remove(), 0);
		for (i = 0; i < ARRAY_SIZE(module_followers); i++)
			follower_check(test, &module_followers[i]);
	}
}

/* A leaving module may still change any of its text, so all of it is refused */
static void module_test_leaving(struct kunit *test)
{
	followers_reset();
	KUNIT_ASSERT_EQ(test, request_module(MODULE_PLACES), 0);
	KUNIT_ASSERT_EQ(test, module_places_remove(), 0);
	KUNIT_EXPECT_EQ(test, kprobes_module_leaving.label, -ENOENT);
	KUNIT_EXPECT_EQ(test, kprobes_module_leaving.plain, -ENOENT);
}

static noinline int module_no_memory(void)
{
	barrier();
	return -ENOMEM;
}

static int module_refuse(struct kprobe *p, struct pt_regs *regs)
{
	instruction_pointer_set(regs, (unsigned long)module_no_memory);
	return 1;
}

/* A module that is there, but unknown, would seem to be away: definitions would wait for it */
static void module_test_no_memory(struct kunit *test)
{
	struct kprobe refuse = {
		.symbol_name	= "kprobe_blacklist_add_module",
		.pre_handler	= module_refuse,
	};
	int i;

	followers_reset();
	KUNIT_ASSERT_EQ(test, register_kprobe(&refuse), 0);
	KUNIT_EXPECT_NE(test, request_module(MODULE_PLACES), 0);
	unregister_kprobe(&refuse);
	KUNIT_EXPECT_NE(test, module_places_remove(), 0);
	for (i = 0; i < ARRAY_SIZE(module_followers); i++)
		KUNIT_EXPECT_EQ(test, module_followers[i].coming.beside, UNSET);
	KUNIT_ASSERT_EQ(test, request_module(MODULE_PLACES), 0);
	KUNIT_ASSERT_EQ(test, module_places_remove(), 0);
	for (i = 0; i < ARRAY_SIZE(module_followers); i++)
		follower_check(test, &module_followers[i]);
}

static struct kunit_case module_cases[] = {
	KUNIT_CASE(module_test_any_priority),
	KUNIT_CASE(module_test_leaving),
	KUNIT_CASE(module_test_no_memory),
	{}
};

static struct kunit_suite module_suite = {
	.name = "kprobes_module",
	.test_cases = module_cases,
};

kunit_test_suite(module_suite);

static void followers_stop(int num)
{
	while (num--)
		unregister_module_notifier(&module_followers[num].nb);
}

static int __init followers_begin(void)
{
	int i, ret;

	for (i = 0; i < ARRAY_SIZE(module_followers); i++) {
		ret = register_module_notifier(&module_followers[i].nb);
		if (ret) {
			followers_stop(i);
			return ret;
		}
	}
	return 0;
}
module_init(followers_begin);

static void __exit followers_end(void)
{
	followers_stop(ARRAY_SIZE(module_followers));
}
module_exit(followers_end);

MODULE_DESCRIPTION("KUnit tests of probes in modules that come and go");
MODULE_IMPORT_NS(EXPORTED_FOR_KUNIT_TESTING);
MODULE_LICENSE("GPL");
