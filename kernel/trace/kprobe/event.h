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

#include "definition.h"
#include "fields.h"

struct record_plan;

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
 * @probes: struct event_probe::sibling, the oldest first [event_mutex, or to read
 *	kprobe_event_probes_mutex]
 * @links: the files that are on [event_mutex, hits: RCU]
 * @sinks: EVENT_SINK_* [event_mutex; hits: acquire]
 * @is_return: its records have the head of a return probe
 * @is_local: belongs to one perf event and has no name anybody can look up
 * @fields: of the records; has_fault may become true with a sibling
 * @retired: RCU state as of the last link that was taken off [event_mutex]
 * @pending: in a list of batch.c [event_mutex]
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
	struct event_fields		*fields;
	unsigned long			retired;
	struct list_head		pending;
	struct rcu_head			rcu;
};

/**
 * struct event_probe - one place whose hits write records of an event
 * @devent: in the list of all dynamic events [event_mutex]
 * @sibling: in kprobe_event::probes, or of those being deleted [event_mutex]
 * @event: the event; there is always one
 * @hits: how often there was a record, if one was wanted; a count for every CPU
 * @lost: how often the ring buffer refused one; and the misses of @rp before its
 *	module came back
 * @args: the compiled arguments; their layout is that of the event's fields
 * @rp: the client of the core. An entry probe uses only @rp.kp of it
 * @is_registered: the core knows @rp [event_mutex]
 * @takes_event: is being deleted, and its event with it [event_mutex]
 * @by_place: the line that deletes it does not mean all of the event [event_mutex]
 * @place: as typed
 * @maxactive: as typed, 0 if it was not
 * @rcu: frees the probe behind the last hit
 */
struct event_probe {
	struct dyn_event		devent;
	struct list_head		sibling;
	struct kprobe_event		*event;
	unsigned long __percpu		*hits;
	atomic_long_t			lost;
	struct fetch_args		*args;
	struct kretprobe		rp;
	bool				is_registered;
	bool				takes_event;
	bool				by_place;
	struct probe_place		place;
	unsigned int			maxactive;
	struct rcu_head			rcu;
};

/**
 * event_probe_of() - the probe behind a dynamic event
 * @devent: a dynamic event for which is_kprobe_event() is true
 *
 * Return: the probe.
 */
static inline struct event_probe *event_probe_of(struct dyn_event *devent)
{
	return container_of(devent, struct event_probe, devent);
}

/**
 * kprobe_event_of() - the kprobe event behind a trace event
 * @call: a trace event with TRACE_EVENT_FL_KPROBE
 *
 * Return: the kprobe event.
 */
static inline struct kprobe_event *kprobe_event_of(struct trace_event_call *call)
{
	return container_of(call, struct kprobe_event, call);
}

/**
 * kprobe_event_first() - the oldest probe of an event
 * @event: an event with at least one probe
 *
 * Context: event_mutex held, or @event is local and the caller owns it.
 * Return: the probe.
 */
static inline struct event_probe *kprobe_event_first(struct kprobe_event *event)
{
	return list_first_entry(&event->probes, struct event_probe, sibling);
}

/* trace_kprobe.c */
bool is_kprobe_event(const struct dyn_event *devent);
int kprobe_events_clear(void);
int kprobe_event_run_line(const char *line);

/* log.c */
void kprobe_event_log(const char *line, const struct probe_error *err);
void kprobe_event_log_late(const struct event_probe *probe, struct probe_error *err);
int kprobe_event_refused(const struct event_probe *probe, int error, unsigned int column,
			 struct probe_error *err);

/* event.c */
extern struct mutex kprobe_event_probes_mutex;
struct kprobe_event *kprobe_event_find(const char *group, const char *name);
struct kprobe_event *kprobe_event_alloc(const char *group, const char *name,
					bool is_return, const struct fetch_args *args);
void kprobe_event_free(struct kprobe_event *event);
int kprobe_event_add(struct kprobe_event *event);
int kprobe_event_remove(struct kprobe_event *event);
void kprobe_event_retire(struct kprobe_event *event);
bool kprobe_event_is_busy(struct kprobe_event *event);

/* enable.c */
int kprobe_event_reg(struct trace_event_call *call, enum trace_reg type, void *data);
bool event_probe_is_live(struct event_probe *probe);

/* batch.c */
int event_batch_add(struct kprobe_event *event);
void event_batch_delete(struct event_probe *probe, bool with_event);
void event_batch_delete_commit(void);

/* probe.c */
struct event_probe *event_probe_alloc(struct probe_definition *def);
void event_probe_free(struct event_probe *probe);
void event_probe_retire(struct event_probe *probe);
int event_probe_register(struct event_probe *probe);
void event_probe_unregister(struct event_probe *probe);
unsigned long event_probe_address(const struct event_probe *probe);
char *event_probe_place_name(const struct event_probe *probe);
unsigned long event_probe_hits(const struct event_probe *probe);
unsigned long event_probe_missed(const struct event_probe *probe);
bool event_probe_equal(const struct event_probe *a, const struct event_probe *b);

/* join.c */
int event_join(struct kprobe_event *event, struct event_probe *probe,
	       struct probe_error *err);

/* What became of a hit with those who want records: bits, for one can fare better */
enum outcome {
	OUTCOME_NONE	= 0,		/* there is nobody any more */
	OUTCOME_SERVED	= BIT(0),	/* a record, or none was wanted */
	OUTCOME_LOST	= BIT(1),	/* a record was wanted and could not be had */
};

/* hit.c */
int event_entry_hit(struct kprobe *kp, struct pt_regs *regs);
int event_return_hit(struct kretprobe_instance *ri, struct pt_regs *regs);

/* print.c */
extern struct trace_event_functions kprobe_entry_output;
extern struct trace_event_functions kprobe_return_output;
extern struct trace_event_fields kprobe_event_fields[];
char *kprobe_event_print_fmt(const struct kprobe_event *event);
int kprobe_event_add_fault_field(struct kprobe_event *event);

/* module.c */
void event_probe_resolve(struct event_probe *probe);

/* lookup.c */
extern const struct probe_lookup kprobe_event_lookup;

/* perf.c */
#ifdef CONFIG_PERF_EVENTS
int event_perf_hit(struct record_plan *plan, struct kprobe_event *event,
		   unsigned int *outcome);
bool event_perf_admits(struct event_probe *probe);
#else
static inline int event_perf_hit(struct record_plan *plan, struct kprobe_event *event,
				 unsigned int *outcome)
{
	return 0;
}

static inline bool event_perf_admits(struct event_probe *probe)
{
	return true;
}
#endif

#endif /* _TRACE_KPROBE_EVENT_H */
