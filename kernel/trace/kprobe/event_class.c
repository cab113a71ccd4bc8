// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The class of an event: how trace_events.c switches it on, prints its records and
 * learns their fields.
 */
#include <linux/err.h>

#include "event.h"
#include "event_class.h"
#include "print.h"
#include "sink.h"
#include "stats.h"

static void event_class_init(struct kprobe_event *event)
{
	struct trace_event_call *call = &event->call;

	INIT_LIST_HEAD(&event->class.fields);
	event->class.fields_array = kprobe_event_fields;
	event->class.reg = kprobe_event_reg;
	event->class.stats = &kprobe_event_stats_fops;
	call->class = &event->class;
	call->event.funcs = event->is_return ? &kprobe_return_output :
					       &kprobe_entry_output;
	call->flags = TRACE_EVENT_FL_KPROBE | TRACE_EVENT_FL_PERF_RCU;
}

/**
 * kprobe_event_make() - make an event
 * @group: its group
 * @name: its name
 * @is_return: do its records have the head of a return probe
 * @args: the arguments of its first probe: its records hold their values
 *
 * Context: may sleep.
 * Return: the event, without probes; or an error pointer.
 */
struct kprobe_event *kprobe_event_make(const char *group, const char *name, bool is_return,
				       const struct fetch_args *args)
{
	struct kprobe_event *event = kprobe_event_alloc(group, name, is_return, args);

	if (IS_ERR(event))
		return event;
	event_class_init(event);
	event->call.print_fmt = kprobe_event_print_fmt(event);
	if (event->call.print_fmt)
		return event;
	kprobe_event_free(event);
	return ERR_PTR(-ENOMEM);
}
