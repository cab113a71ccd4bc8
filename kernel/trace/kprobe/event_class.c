// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The class of an event: how trace_events.c switches it on, prints its records and
 * learns their fields.
 */
#include <linux/err.h>

#include "event.h"
#include "event_class.h"
#include "group.h"
#include "print.h"
#include "print_fmt.h"
#include "sink.h"
#include "stats.h"

static struct list_head *event_class_fields(struct trace_event_call *call)
{
	return &kprobe_event_of(call)->fields->described;
}

static const struct trace_event_class event_class_methods = {
	.fields_array	= kprobe_event_fields,
	.get_fields	= event_class_fields,
	.reg		= kprobe_event_reg,
	.stats		= &kprobe_event_stats_fops,
};

static char *event_class_print_fmt(const struct kprobe_event *event)
{
	if (event->is_return)
		return event_fields_print_fmt(event->fields, PRINT_RETURN, PRINT_RETURN_ARGS);
	return event_fields_print_fmt(event->fields, PRINT_ENTRY, PRINT_ENTRY_ARGS);
}

static struct kprobe_event *event_class_alloc(struct trace_event_class *class,
					      const char *name, bool is_return,
					      const struct fetch_args *args)
{
	struct kprobe_event *event = kprobe_event_alloc(class, name, is_return, args);

	if (IS_ERR(event))
		event_group_put(class);
	return event;
}

/**
 * kprobe_event_make() - make an event
 * @group: its group
 * @name: its name
 * @is_return: do its records have the head of a return probe
 * @args: the arguments of its first probe: its records hold their values
 *
 * Context: event_mutex held; may sleep.
 * Return: the event, without probes; or an error pointer.
 */
struct kprobe_event *kprobe_event_make(const char *group, const char *name, bool is_return,
				       const struct fetch_args *args)
{
	struct trace_event_class *class = event_group_get(group, &event_class_methods);
	struct kprobe_event *event;

	lockdep_assert_held(&event_mutex);
	event = class ? event_class_alloc(class, name, is_return, args) : ERR_PTR(-ENOMEM);
	if (IS_ERR(event))
		return event;
	event->call.event.funcs = is_return ? &kprobe_return_output : &kprobe_entry_output;
	event->call.flags = TRACE_EVENT_FL_KPROBE | TRACE_EVENT_FL_PERF_RCU;
	if (!args->nr)
		event->call.flags |= TRACE_EVENT_FL_KEEP_FIELDS;
	else
		event->fields->print_fmt = event_class_print_fmt(event);
	event->call.print_fmt = event->fields->print_fmt;
	if (event->call.print_fmt)
		return event;
	kprobe_event_free(event);
	return ERR_PTR(-ENOMEM);
}
