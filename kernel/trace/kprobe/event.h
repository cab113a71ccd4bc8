/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef _TRACE_KPROBE_EVENT_H
#define _TRACE_KPROBE_EVENT_H
/*
 * Events: trace events whose records kprobes write.
 *
 * An event has a name, a record layout and a directory in tracefs. It has one probe or
 * several (siblings, probe.h): places in the kernel whose hits write its records.
 *
 * Lock tags of members: [I] immutable once published; [E] event_mutex of
 * trace_events.c; [R] written under event_mutex, read by hits under RCU (preemption is
 * off in a handler); [C] per CPU; [A] atomic. Memory that a hit can reach is freed by
 * call_rcu().
 */
#include <linux/list.h>
#include <linux/trace_events.h>

#include "../trace.h"

#include "fields.h"
#include "parse/span.h"
#include "tally.h"

/* The group of an event that is defined without one */
#define KPROBE_EVENT_GROUP	"kprobes"

/* Consumers of an event's records: bits of kprobe_event::sinks */
#define EVENT_SINK_TRACE	BIT(0)	/* at least one trace event file */
#define EVENT_SINK_PERF		BIT(1)	/* perf events, BPF programs */

/**
 * struct event_link - a trace event file that an event writes to
 * @node: in kprobe_event::links [R]
 * @file: the file, with a reference: a hit may write to it after its directory has
 *	been removed [I]
 * @tally: counts what is written; it outlives the link [I]
 * @recorded: the counter of records of @tally [C]
 * @head: the beginning of records, without the task and the context [I]
 * @rcu: frees the link after the last such hit
 */
struct event_link {
	struct hlist_node		node;
	struct trace_event_file		*file;
	struct event_tally		*tally;
	local_t __percpu		*recorded;
	struct trace_entry		head;
	struct rcu_head			rcu;
};

/**
 * struct kprobe_event - one trace event
 * @call: how trace_events.c knows the event; its class is that of the group
 * @name_node: in the table of names [E]
 * @probes: struct trace_kprobe::sibling, as they are listed [E]; readers may hold
 *	kprobe_event_probes_mutex instead
 * @links: the files that are on [R]
 * @tallies: the instances in which it was ever on [E]
 * @past: what was counted for probes that it has no more: COUNT_OF_EVENT numbers, or NULL
 *	for zeros [E]
 * @sinks: EVENT_SINK_* [R]; hits read it with acquire semantics
 * @is_return: its records have the head of a return probe [I]
 * @is_local: belongs to one perf event and is not in the table of names [I]
 * @is_described: trace_events.c has all of its fields [E]
 * @only: the one link of an event that has no other sink, else NULL [R]
 * @fields: the layout of its records [I]
 * @quiet_after: RCU state when a link was last removed, or a probe that may come back [E]
 * @pending: in a list of event_batch.c [E]
 * @rcu: frees the event after the last hit
 *
 * An event dies with its last probe. There can be very many: none is larger than it must be.
 */
struct kprobe_event {
	struct trace_event_call		call;
	struct hlist_node		name_node;
	struct list_head		probes;
	struct hlist_head		links;
	struct hlist_head		tallies;
	unsigned long			*past;
	u8				sinks;
	bool				is_return;
	bool				is_local;
	bool				is_described;
	struct event_link		*only;
	struct event_fields		*fields;
	unsigned long			quiet_after;
	union {
		struct list_head	pending;
		struct rcu_head		rcu;
	};
};

/**
 * kprobe_event_of() - the kprobe event of a trace event
 * @call: a trace event with TRACE_EVENT_FL_KPROBE
 *
 * Return: the kprobe event.
 */
static inline struct kprobe_event *kprobe_event_of(struct trace_event_call *call)
{
	return container_of(call, struct kprobe_event, call);
}

extern struct mutex kprobe_event_probes_mutex;
struct hlist_head *kprobe_event_bucket(struct probe_span name);
struct kprobe_event *kprobe_event_find(const char *group, const char *name);
bool kprobe_event_is_added(const struct kprobe_event *event);
bool kprobe_event_name_is_taken(const struct kprobe_event *event);
struct kprobe_event *kprobe_event_alloc(struct trace_event_class *class, const char *name,
					bool is_return, const struct fetch_args *args);
void kprobe_event_free(struct kprobe_event *event);
int kprobe_event_add(struct kprobe_event *event);
int kprobe_event_remove(struct kprobe_event *event);
void kprobe_event_retire(struct kprobe_event *event);
bool kprobe_event_is_busy(struct kprobe_event *event);
int kprobe_event_make_past(struct kprobe_event *event);

#endif /* _TRACE_KPROBE_EVENT_H */
