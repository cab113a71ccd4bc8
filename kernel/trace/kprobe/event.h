/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef _TRACE_KPROBE_EVENT_H
#define _TRACE_KPROBE_EVENT_H
/*
 * The kernel's half of the kprobe event layer: trace events, the probes that
 * feed them, and the files they are seen in.
 *
 * An event is what has a name, a record layout and a directory in tracefs. It
 * has one probe or several (siblings): places in the kernel whose hits write
 * its records. Text is taken apart in command.c and below, which know nothing
 * of this file.
 *
 * Locks: event_mutex of trace_events.c protects everything here that changes.
 * Hits read under RCU (preemption is off in a handler); what they can reach is
 * freed by call_rcu().
 */
#include <linux/kprobes.h>
#include <linux/trace_events.h>

#include "../trace.h"
#include "../trace_dynevent.h"
#include "../trace_output.h"

#include "command.h"
#include "layout.h"
#include "program.h"

/* The part of trace_array's subsystem names that error_log prints */
#define KPROBE_EVENT_SUBSYSTEM	"trace_kprobe"

/* The group of events that were given none */
#define KPROBE_EVENT_GROUP	"kprobes"

/* Who wants the records of an event: bits of kprobe_event::sinks */
#define EVENT_SINK_TRACE	BIT(0)	/* at least one trace event file */
#define EVENT_SINK_PERF		BIT(1)	/* perf events, BPF programs */

/**
 * struct event_link - a trace event file that an event writes to
 * @list: in kprobe_event::links
 * @file: the file, with a reference: a hit may still write to it when the
 *	directory it stands for has gone
 * @rcu: frees the link behind the last such hit
 */
struct event_link {
	struct list_head		list;
	struct trace_event_file		*file;
	struct rcu_head			rcu;
};

/**
 * struct kprobe_event - one trace event
 * @call: what trace_events.c knows it by
 * @class: the class of @call; nobody else is in it
 * @name_node: in the table of names [event_mutex]
 * @probes: struct event_probe::sibling, the oldest first [event_mutex]
 * @links: the files that are on [event_mutex, hits: RCU]
 * @sinks: EVENT_SINK_* [event_mutex; hits: acquire]
 * @is_return: its records have the head of a return probe
 * @is_local: belongs to one perf event and has no name anybody can look up
 * @layout: of the records; owns the names and types of the fields
 * @retired: RCU state as of the last link that was taken off [event_mutex]
 * @rcu: frees the event behind the last hit
 */
struct kprobe_event {
	struct trace_event_call		call;
	struct trace_event_class	class;
	struct hlist_node		name_node;
	struct list_head		probes;
	struct list_head		links;
	unsigned int			sinks;
	bool				is_return;
	bool				is_local;
	struct record_layout		*layout;
	unsigned long			retired;
	struct rcu_head			rcu;
};

/**
 * struct event_probe - one place whose hits write records of an event
 * @devent: in the list of all dynamic events [event_mutex]
 * @sibling: in kprobe_event::probes [event_mutex]
 * @event: the event; there is always one
 * @hits: how often the handler ran, a count for every CPU
 * @rp: the client of the core. An entry probe uses only @rp.kp of it
 * @args: the compiled arguments, in the order of the event's layout
 * @nr_args: how many
 * @is_registered: the core knows @rp [event_mutex]
 * @symbol: as typed, with the module if one was given; NULL: by @address
 * @module: the module's name in @symbol, or NULL
 * @offset: from @symbol
 * @address: as typed
 * @maxactive: as typed, 0 if it was not
 * @text: the arguments as they were typed, one string after the other
 * @rcu: frees the probe behind the last hit
 */
struct event_probe {
	struct dyn_event		devent;
	struct list_head		sibling;
	struct kprobe_event		*event;
	unsigned long __percpu		*hits;
	struct kretprobe		rp;
	struct fetch_program		*args;
	unsigned int			nr_args;
	bool				is_registered;
	char				*symbol;
	char				*module;
	unsigned long			offset;
	unsigned long			address;
	unsigned int			maxactive;
	char				**text;
	struct rcu_head			rcu;
};
