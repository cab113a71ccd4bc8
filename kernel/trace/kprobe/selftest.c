// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Self-test at boot: an event at the entry of a function, one inside it and one at its
 * return are defined, hit once, read and deleted.
 *
 * They are on in an instance of their own, so that nobody else sees their records.
 */
#include <linux/cleanup.h>
#include <linux/ftrace.h>
#include <linux/init.h>
#include <linux/security.h>
#include <linux/slab.h>
#include <linux/trace.h>
#include <linux/trace_events.h>
#include <linux/unaligned.h>

#include "../trace.h"
#include "../trace_kprobe.h"
#include "event.h"
#include "selftest_target.h"

#define SELFTEST_GROUP	"kprobe_selftest"
#define SELFTEST_TARGET	"kprobe_event_selftest_sum"
#define SELFTEST_INSIDE	"p:" SELFTEST_GROUP "/inside " SELFTEST_TARGET

/* A kernel without the function tracer has no ftrace sites. */
#ifndef MCOUNT_INSN_SIZE
#define MCOUNT_INSN_SIZE 0
#endif

/* The event inside the function reads these words. */
static u64 selftest_words[] = { 11, 12 };

/**
 * struct selftest_case - an event, and the record it must write
 * @name: the event's name
 * @first: value of the record's first field
 * @second: value of the second
 * @event: the event
 * @right: number of its records that hold these values
 * @wrong: number of its other records
 */
struct selftest_case {
	const char			*name;
	u64				first;
	u64				second;
	const struct kprobe_event	*event;
	unsigned int			right;
	unsigned int			wrong;
};

static struct selftest_case selftest_cases[] __initdata = {
	{ .name = "entry",  .first = 1,  .second = 6 },
	{ .name = "inside", .first = 11, .second = 12 },
	{ .name = "return", .first = 1,  .second = 21 },
};

/* The compiler keeps the calls, because their result is stored. */
static unsigned long selftest_sum;

static void __init selftest_call(void)
{
	WRITE_ONCE(selftest_sum, kprobe_event_selftest_sum(1, 2, 3, 4, 5, 6));
}

/* Offset of the instruction after ftrace's; 0 in a function without an ftrace site */
static unsigned long __init selftest_offset(void)
{
	unsigned long entry = (unsigned long)kprobe_event_selftest_sum;
	unsigned long site = ftrace_location(entry);

	return site ? site + MCOUNT_INSN_SIZE - entry : 0;
}

static char * __init selftest_inside_line(void)
{
	return kasprintf(GFP_KERNEL, SELFTEST_INSIDE "+%lu first=@0x%lx:u64 second=@0x%lx:u64",
			 selftest_offset(), (unsigned long)&selftest_words[0],
			 (unsigned long)&selftest_words[1]);
}

static int __init selftest_define_inside(void)
{
	char *line __free(kfree) = selftest_inside_line();

	return line ? kprobe_event_run_line(line) : -ENOMEM;
}

static int __init selftest_define(void)
{
	int ret;

	ret = kprobe_event_run_line("p:" SELFTEST_GROUP "/entry " SELFTEST_TARGET
				    " first=$arg1:u64 second=$arg6:u64");
	if (!ret)
		ret = selftest_define_inside();
	if (!ret)
		ret = kprobe_event_run_line("r:" SELFTEST_GROUP "/return " SELFTEST_TARGET
					    " first=$arg1:u64 second=$retval:u64");
	return ret;
}

static void __init selftest_find_events(void)
{
	unsigned int i;

	guard(mutex)(&event_mutex);
	for (i = 0; i < ARRAY_SIZE(selftest_cases); i++)
		selftest_cases[i].event = kprobe_event_find(SELFTEST_GROUP,
							    selftest_cases[i].name);
}

static void __init selftest_judge(struct selftest_case *test, const void *record)
{
	const struct event_field *field = test->event->fields->field;

	if (get_unaligned((u64 *)(record + field[0].offset)) == test->first &&
	    get_unaligned((u64 *)(record + field[1].offset)) == test->second)
		test->right++;
	else
		test->wrong++;
}

static void __init selftest_read(struct trace_array *tr, int cpu)
{
	struct ring_buffer_event *event;
	const struct trace_entry *entry;
	unsigned int i;

	while ((event = ring_buffer_consume(tr->array_buffer.buffer, cpu, NULL, NULL))) {
		entry = ring_buffer_event_data(event);
		for (i = 0; i < ARRAY_SIZE(selftest_cases); i++)
			if (selftest_cases[i].event->call.event.type == entry->type)
				selftest_judge(&selftest_cases[i], entry);
	}
}

/* A call while the events are on, and one that must leave no record */
static int __init selftest_record(struct trace_array *tr)
{
	int ret, cpu;

	ret = trace_array_set_clr_event(tr, SELFTEST_GROUP, NULL, true);
	if (!ret)
		selftest_call();
	ret = trace_array_set_clr_event(tr, SELFTEST_GROUP, NULL, false) ?: ret;
	selftest_call();
	for_each_online_cpu(cpu)
		selftest_read(tr, cpu);
	return ret;
}

static int __init selftest_compare(void)
{
	const struct selftest_case *test;
	int ret = 0;

	for (test = selftest_cases; test < selftest_cases + ARRAY_SIZE(selftest_cases); test++) {
		if (test->right == 1 && !test->wrong)
			continue;
		pr_err("kprobe events: %s: %u right and %u wrong records of one hit\n",
		       test->name, test->right, test->wrong);
		ret = -EIO;
	}
	return ret;
}

static int __init selftest_run_in_instance(void)
{
	struct trace_array *tr = trace_array_get_by_name(SELFTEST_GROUP, SELFTEST_GROUP);
	int ret;

	if (!tr)
		return -ENOMEM;
	ret = selftest_record(tr);
	trace_array_put(tr);
	ret = trace_array_destroy(tr) ?: ret;
	return ret ?: selftest_compare();
}

static int __init selftest_run(void)
{
	int ret = selftest_define(), deleted;

	if (!ret) {
		selftest_find_events();
		ret = selftest_run_in_instance();
	}
	deleted = kprobe_event_run_line("-:" SELFTEST_GROUP "/");
	return ret ?: deleted;
}

/* late_initcall_sync, because a worker may set up tracefs until then. */
static int __init kprobe_event_selftest(void)
{
	int ret;

	if (tracing_is_disabled() || tracing_selftest_disabled ||
	    security_locked_down(LOCKDOWN_KPROBES))
		return 0;
	ret = selftest_run();
	if (!ret)
		pr_info("Testing kprobe tracing: OK\n");
	else
		WARN_ONCE(1, "Testing kprobe tracing: FAILED (%d)\n", ret);
	return 0;
}
late_initcall_sync(kprobe_event_selftest);
