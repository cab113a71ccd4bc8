// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The flags in the records of kprobe events, compared with tracing_gen_ctx() in the probed code:
 * in each context, in each state of a task, by each method.
 */
#include <kunit/test.h>
#include <linux/bottom_half.h>
#include <linux/irqflags.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/trace_events.h>
#include "../../trace/kprobe/record.h"
#include "jump_places.h"
#include "ours.h"
#include "run_in.h"

/* A reschedule may become due between the two readings: a call that differs is repeated */
#define CONTEXT_TRIES	20

enum context_method {
	BY_ENTRY,
	BY_JUMP,
	BY_TRAP,
	BY_RETURN,
	CONTEXT_METHODS,
};

static const char *const context_method_name[CONTEXT_METHODS] = {
	"entry", "jump", "trap", "return",
};

/**
 * struct context_state - what a call is made with
 * @name: its name
 * @begin: sets it
 * @end: undoes @begin
 * @anywhere: may be set in any context, not only by tasks
 * @is_plain: of a task, there is nothing to record
 */
struct context_state {
	const char	*name;
	void		(*begin)(void);
	void		(*end)(void);
	bool		anywhere;
	bool		is_plain;
};

static enum context_method context_method;
static const struct context_state *context_state;
static unsigned int context_want, context_got, context_hits;
static bool context_is_plain;
static unsigned long context_irq_flags;

static void context_nothing(void)
{
}

static void context_preempt_off(void)
{
	preempt_disable();
	preempt_disable();
}

static void context_preempt_on(void)
{
	preempt_enable();
	preempt_enable();
}

static void context_irqs_off(void)
{
	local_irq_save(context_irq_flags);
}

static void context_irqs_on(void)
{
	local_irq_restore(context_irq_flags);
}

static void context_bh_off(void)
{
	local_bh_disable();
}

static void context_bh_on(void)
{
	local_bh_enable();
}

static void context_pin(void)
{
	migrate_disable();
	migrate_disable();
}

static void context_unpin(void)
{
	migrate_enable();
	migrate_enable();
}

/* More often than a record can tell */
#define CONTEXT_OFTEN	20

static void context_preempt_off_often(void)
{
	int i;

	for (i = 0; i < CONTEXT_OFTEN; i++)
		preempt_disable();
}

static void context_preempt_on_often(void)
{
	int i;

	for (i = 0; i < CONTEXT_OFTEN; i++)
		preempt_enable();
}

static void context_pin_often(void)
{
	int i;

	for (i = 0; i < CONTEXT_OFTEN; i++)
		migrate_disable();
}

static void context_unpin_often(void)
{
	int i;

	for (i = 0; i < CONTEXT_OFTEN; i++)
		migrate_enable();
}

/* Only the flag of the task, which other CPUs set */
static void context_due(void)
{
	preempt_disable();
	set_tsk_need_resched(current);
}

/* The flag beside the preempt count as well */
static void context_due_folded(void)
{
	context_due();
	set_preempt_need_resched();
}

static void context_resched(void)
{
	preempt_enable();
}

static const struct context_state context_states[] = {
	{ "plain", context_nothing, context_nothing, .anywhere = true, .is_plain = true },
	{ "preemption off", context_preempt_off, context_preempt_on, .anywhere = true },
	{ "interrupts off", context_irqs_off, context_irqs_on, .anywhere = true },
	{ "softirqs off", context_bh_off, context_bh_on },
	{ "preemption off often", context_preempt_off_often, context_preempt_on_often,
	  .anywhere = true },
	{ "pinned", context_pin, context_unpin },
	{ "pinned often", context_pin_often, context_unpin_often },
	{ "due", context_due, context_resched },
	{ "due and folded", context_due_folded, context_resched },
};

static noinline int context_target(int value)
{
	return value + 1;
}

static void context_note(struct pt_regs *regs)
{
	context_got = record_context(regs);
	context_is_plain = record_context_is_plain(regs);
	context_hits++;
}

static int context_pre(struct kprobe *p, struct pt_regs *regs)
{
	context_note(regs);
	return 0;
}

static void context_post(struct kprobe *p, struct pt_regs *regs, unsigned long flags)
{
}

static int context_returned(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	context_note(regs);
	return 0;
}

static struct kprobe context_kp;
static struct kretprobe context_rp;

static int context_register(void)
{
	context_kp = (struct kprobe){ .pre_handler = context_pre };
	context_rp = (struct kretprobe){ .handler = context_returned };
	if (context_method == BY_RETURN) {
		context_rp.kp.addr = (void *)context_target;
		return register_kretprobe(&context_rp);
	}
	context_kp.addr = context_method == BY_ENTRY ? (void *)context_target :
						       (void *)jump_place_copied;
	if (context_method == BY_TRAP)
		context_kp.post_handler = context_post;
	return register_kprobe(&context_kp);
}

static void context_unregister(void)
{
	if (context_method == BY_RETURN)
		unregister_kretprobe(&context_rp);
	else
		unregister_kprobe(&context_kp);
}

static void context_call(void *unused)
{
	context_state->begin();
	context_want = tracing_gen_ctx();
	if (context_method == BY_ENTRY || context_method == BY_RETURN)
		OPAQUE(context_target)(1);
	else
		jump_place(1);
	context_state->end();
}

/* Return: true if the flags of a record are what they should be */
static bool context_is_right(enum run_context context)
{
	if (context_got != context_want || (context_is_plain && context_got))
		return false;
	return context_is_plain || !IS_ENABLED(CONFIG_PREEMPTION) ||
	       !context_state->is_plain || context != IN_TASK;
}

static void context_check(struct kunit *test, enum run_context context)
{
	bool right = false;
	int i;

	for (i = 0; i < CONTEXT_TRIES && !right; i++) {
		context_hits = 0;
		right = run_in(context, context_call, NULL) && context_hits == 1 &&
			context_is_right(context);
	}
	KUNIT_EXPECT_TRUE_MSG(test, right, "%s, %s, %s: %u hits, %x instead of %x, %s plain",
			      context_method_name[context_method], run_context_name[context],
			      context_state->name, context_hits, context_got, context_want,
			      context_is_plain ? "taken as" : "not");
}

static void context_check_states(struct kunit *test, enum run_context context)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(context_states); i++) {
		context_state = &context_states[i];
		if (context == IN_TASK || context_state->anywhere)
			context_check(test, context);
	}
}

static void context_run(struct kunit *test, enum run_context context)
{
	if (!run_in_possible(context))
		kunit_skip(test, "no %s", run_context_name[context]);
	for (context_method = 0; context_method < CONTEXT_METHODS; context_method++) {
		KUNIT_ASSERT_EQ(test, context_register(), 0);
		context_check_states(test, context);
		context_unregister();
	}
}

static void context_test_task(struct kunit *test)
{
	context_run(test, IN_TASK);
}

static void context_test_softirq(struct kunit *test)
{
	context_run(test, IN_SOFTIRQ);
}

static void context_test_irq(struct kunit *test)
{
	context_run(test, IN_IRQ);
}

static void context_test_nmi(struct kunit *test)
{
	context_run(test, IN_NMI);
}

static int context_suite_init(struct kunit_suite *suite)
{
	return run_in_init();
}

static void context_suite_exit(struct kunit_suite *suite)
{
	run_in_exit();
}

static struct kunit_case context_cases[] = {
	KUNIT_CASE(context_test_task),
	KUNIT_CASE(context_test_softirq),
	KUNIT_CASE(context_test_irq),
	KUNIT_CASE(context_test_nmi),
	{}
};

static struct kunit_suite context_suite = {
	.name = "kprobes_context",
	.suite_init = context_suite_init,
	.suite_exit = context_suite_exit,
	.test_cases = context_cases,
};

kunit_test_suite(context_suite);

MODULE_IMPORT_NS(EXPORTED_FOR_KUNIT_TESTING);
MODULE_DESCRIPTION("KUnit tests of the flags in records of kprobe events");
MODULE_LICENSE("GPL");
