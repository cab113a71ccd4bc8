/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef _TRACE_KPROBE_PROBE_H
#define _TRACE_KPROBE_PROBE_H
/*
 * Probes: places in the kernel whose hits write records of an event. Lock tags: event.h.
 */
#include <linux/build_bug.h>
#include <linux/kprobes.h>
#include <linux/percpu.h>
#include <asm/local.h>

#include "../trace_dynevent.h"
#include "event.h"
#include "parse/definition.h"

/**
 * struct trace_kprobe - one place whose hits write records of an event
 * @devent: in the list of all dynamic events [E]
 * @sibling: in kprobe_event::probes, or in the list of those being deleted [E]
 * @rcu: frees the probe after the last hit; it is no sibling any more then
 * @event: its event, never NULL once the probe is published [I]
 * @hits: number of hits whose record was written, or not wanted [C]
 * @lost: number of records that the ring buffer refused, and the misses of @rp before
 *	its module came back [A]
 * @args: the compiled arguments; their layout is that of kprobe_event::fields. [I]
 *	but for the addresses of symbols, which follow modules [R]
 * @is_registered: the core knows @rp [E]
 * @takes_event: is being deleted, and its event with it [E]
 * @boot_skip: older than the lines of the command line, which do not enable it [E]
 * @maxactive: as typed, 0 if it was not [I]
 * @location: as typed [I]
 * @function: what is at @location now; its address follows modules [E]
 * @rp: the client of the core; an entry probe has only @rp.kp of it
 */
struct trace_kprobe {
	struct dyn_event		devent;
	union {
		struct list_head	sibling;
		struct rcu_head		rcu;
	};
	struct kprobe_event		*event;
	local_t __percpu		*hits;
	atomic_long_t			lost;
	struct fetch_args		*args;
	bool				is_registered;
	bool				takes_event;
	bool				boot_skip;
	unsigned int			maxactive;
	struct probe_location		location;
	struct probe_function		function;
	struct kretprobe		rp;
};

/* There can be very many: a return probe fits in 256 bytes, a size that kmalloc() has */
static_assert(sizeof(struct trace_kprobe) <= 256);

/**
 * enum record_shape - what is in a record after its head
 * @RECORD_BARE: nothing
 * @RECORD_WORDS: fields, all of them words of the stack and of registers
 * @RECORD_VALUES: any fields; the size is fixed
 * @RECORD_VARIES: fields, and texts of any size
 * @RECORD_SHAPES: number of those above
 */
enum record_shape {
	RECORD_BARE,
	RECORD_WORDS,
	RECORD_VALUES,
	RECORD_VARIES,
	RECORD_SHAPES,
};

/**
 * struct trace_kprobe_handlers - what the core calls when a probe hits
 * @entry: handlers of probes that are not return probes, by the shape of the record
 * @keep: handler of return probes that keep words of the entry, at the entry
 * @keep_values: the same, of those that keep values as well
 * @ret: handlers of return probes, by the shape of the record
 */
struct trace_kprobe_handlers {
	kprobe_pre_handler_t	entry[RECORD_SHAPES];
	kretprobe_handler_t	keep;
	kretprobe_handler_t	keep_values;
	kretprobe_handler_t	ret[RECORD_SHAPES];
};

/* The type of dynamic events that probes are, in trace_kprobe.c */
extern struct dyn_event_operations kprobe_event_ops;

/**
 * is_kprobe_event() - is a dynamic event a probe
 * @devent: the dynamic event
 *
 * Context: any.
 * Return: true if so.
 */
static inline bool is_kprobe_event(const struct dyn_event *devent)
{
	return devent->ops == &kprobe_event_ops;
}

/**
 * trace_kprobe_of() - the probe of a dynamic event
 * @devent: a dynamic event for which is_kprobe_event() is true
 *
 * Return: the probe.
 */
static inline struct trace_kprobe *trace_kprobe_of(struct dyn_event *devent)
{
	return container_of(devent, struct trace_kprobe, devent);
}

/**
 * trace_kprobe_address() - where a probe is now
 * @probe: the probe
 *
 * Context: any. The address stays while event_mutex is held.
 * Return: the address of the location; 0 if its module is not loaded.
 */
static inline unsigned long trace_kprobe_address(const struct trace_kprobe *probe)
{
	return READ_ONCE(probe->function.address);
}

/**
 * kprobe_event_first() - the probe of an event that is listed first
 * @event: an event with at least one probe
 *
 * Context: event_mutex held, or @event is local and the caller owns it.
 * Return: the probe.
 */
static inline struct trace_kprobe *kprobe_event_first(struct kprobe_event *event)
{
	return list_first_entry(&event->probes, struct trace_kprobe, sibling);
}

struct trace_kprobe *trace_kprobe_alloc(struct probe_definition *def,
					const struct trace_kprobe_handlers *handlers);
void trace_kprobe_free(struct trace_kprobe *probe);
void trace_kprobe_retire(struct trace_kprobe *probe);
int trace_kprobe_register(struct trace_kprobe *probe);
void trace_kprobe_unregister(struct trace_kprobe *probe);
bool trace_kprobe_is_live(const struct trace_kprobe *probe);
void trace_kprobe_list(struct trace_kprobe *probe);
char *trace_kprobe_location_name(const struct probe_location *location);
int trace_kprobe_show(struct seq_file *m, const struct trace_kprobe *probe);
unsigned long trace_kprobe_hits(const struct trace_kprobe *probe);
unsigned long trace_kprobe_missed(const struct trace_kprobe *probe);
void trace_kprobe_add_counts(const struct trace_kprobe *probe, unsigned long *counts);
void trace_kprobe_keep_counts(struct trace_kprobe *probe);
bool trace_kprobe_equal(const struct trace_kprobe *a, const struct trace_kprobe *b);

#ifdef CONFIG_MODULES
/* event_module.c */
int event_module_try_again(struct trace_kprobe *probe);
#else
static inline int event_module_try_again(struct trace_kprobe *probe)
{
	return 0;
}
#endif

#endif /* _TRACE_KPROBE_PROBE_H */
