// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Events: made, found by name, added to tracefs, removed, freed.
 *
 * sink.c switches events on and off, print.c prints their records.
 */
#include <linux/bpf.h>
#include <linux/hashtable.h>
#include <linux/init.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/slab.h>
#include <linux/stringhash.h>

#include "../trace_output.h"
#include "event.h"
#include "group.h"

/* There can be very many, and kmalloc() has no such size */
static struct kmem_cache *event_cache __ro_after_init;

/* Events that were added, by name; local events have none [E] */
static DEFINE_HASHTABLE(event_names, 10);

/*
 * Writers of kprobe_event::probes hold it inside event_mutex. Readers that run inside
 * perf's mutexes, where event_mutex must not be taken, hold only this.
 */
DEFINE_MUTEX(kprobe_event_probes_mutex);

/**
 * kprobe_event_bucket() - the events that may have a name
 * @name: the name
 *
 * Context: event_mutex held, and while the bucket is read.
 * Return: a list linked by kprobe_event::name_node; not all of it have the name.
 */
struct hlist_head *kprobe_event_bucket(struct probe_span name)
{
	u32 hash = full_name_hash(NULL, name.text, name.len);

	lockdep_assert_held(&event_mutex);
	return &event_names[hash_min(hash, HASH_BITS(event_names))];
}

static bool event_has_name(struct trace_event_call *call, const char *group, const char *name)
{
	return !strcmp(trace_event_name(call), name) &&
	       !strcmp(call->class->system, group);
}

/**
 * kprobe_event_find() - the kprobe event of a name
 * @group: its group
 * @name: its name
 *
 * Context: event_mutex held.
 * Return: the event, or NULL.
 */
struct kprobe_event *kprobe_event_find(const char *group, const char *name)
{
	struct kprobe_event *event;

	lockdep_assert_held(&event_mutex);
	hlist_for_each_entry(event, kprobe_event_bucket(probe_span_of(name)), name_node)
		if (event_has_name(&event->call, group, name))
			return event;
	return NULL;
}

#ifdef CONFIG_PERF_EVENTS
/*
 * perf leaves its lists, see TRACE_EVENT_FL_PERF_RCU. The programs are gone, but their array
 * stays if there was no memory for the one without them.
 */
static void event_free_perf(struct kprobe_event *event)
{
	free_percpu(event->call.perf_events);
	if (IS_ENABLED(CONFIG_BPF_EVENTS))
		bpf_prog_array_free(rcu_dereference_raw(event->call.prog_array));
}
#else
static void event_free_perf(struct kprobe_event *event) {}
#endif

/**
 * kprobe_event_free() - free an event that no hit can reach
 * @event: the event, or NULL; it has no probes and no links
 */
void kprobe_event_free(struct kprobe_event *event)
{
	if (!event)
		return;
	kfree(event->call.name);
	kfree(event->past);
	event_fields_free(event->fields);
	event_free_perf(event);
	event_tallies_free(&event->tallies);
	if (event->call.class)
		event_group_put(event->call.class);
	kmem_cache_free(event_cache, event);
}

static void event_free_after_hits(struct rcu_head *rcu)
{
	kprobe_event_free(container_of(rcu, struct kprobe_event, rcu));
}

/**
 * kprobe_event_alloc() - allocate an event
 * @class: the class of its group; the event takes the caller's reference
 * @name: its name
 * @is_return: do its records have the head of a return probe
 * @args: of its first probe: they are what its records hold
 *
 * Context: may sleep.
 * Return: the event, or an error pointer; the reference is still the caller's then.
 */
struct kprobe_event *kprobe_event_alloc(struct trace_event_class *class, const char *name,
					bool is_return, const struct fetch_args *args)
{
	struct kprobe_event *event = kmem_cache_zalloc(event_cache, GFP_KERNEL);

	if (!event)
		return ERR_PTR(-ENOMEM);
	INIT_LIST_HEAD(&event->probes);
	INIT_LIST_HEAD(&event->pending);
	event->is_return = is_return;
	event->is_described = !args->nr;
	event->quiet_after = get_completed_synchronize_rcu();
	event->call.name = kstrdup(name, GFP_KERNEL);
	event->fields = event_fields_alloc(args, is_return);
	if (!event->call.name || !event->fields) {
		kprobe_event_free(event);
		return ERR_PTR(-ENOMEM);
	}
	event->call.class = class;
	return event;
}

/**
 * kprobe_event_name_is_taken() - has an event of another kind the name of an event
 * @event: the event
 *
 * Events of other kinds have no table of names. They need not be asked where all
 * events of the group are kprobe events, which have.
 *
 * Context: event_mutex held.
 * Return: true if so.
 */
bool kprobe_event_name_is_taken(const struct kprobe_event *event)
{
	struct trace_event_call *call;

	lockdep_assert_held(&event_mutex);
	if (event_group_is_ours(event->call.class))
		return false;
	guard(rwsem_read)(&trace_event_sem);
	list_for_each_entry(call, &ftrace_events, list)
		if (event_has_name(call, event->call.class->system, event->call.name))
			return true;
	return false;
}

/*
 * trace_events.c accepts an event for whose fields or directory there was no memory.
 * Directories of events that are added before tracefs has any are made with it.
 */
static bool event_is_complete(struct kprobe_event *event)
{
	struct trace_array *tr = top_trace_array();
	struct trace_event_file *file;

	if (!tr)
		return true;
	if (!event->is_described || !tr->event_dir)
		return event->is_described;
	/* It is the newest, and the first of the list */
	list_for_each_entry(file, &tr->events, list)
		if (file->event_call == &event->call)
			return file->ei;
	return false;
}

static int event_add_call(struct kprobe_event *event)
{
	int ret;

	if (!register_trace_event(&event->call.event))
		return -ENODEV;
	ret = trace_add_event_call(&event->call);
	if (ret) {
		unregister_trace_event(&event->call.event);
		return ret;
	}
	event_group_count();
	if (event_is_complete(event))
		return 0;
	trace_remove_event_call(&event->call);
	return -ENOMEM;
}

/**
 * kprobe_event_add() - give an event a directory in tracefs
 * @event: an event with its first probe; no kprobe event has its name
 *
 * Context: event_mutex held.
 * Return: 0; -EEXIST if an event of another kind has the name; -ENODEV if it gets no event
 * type; -ENOMEM; or an error of the trace events.
 */
int kprobe_event_add(struct kprobe_event *event)
{
	int ret;

	lockdep_assert_held(&event_mutex);
	if (kprobe_event_name_is_taken(event))
		return -EEXIST;
	ret = event_add_call(event);
	if (ret)
		return ret;
	hlist_add_head(&event->name_node, kprobe_event_bucket(probe_span_of(event->call.name)));
	return 0;
}

/**
 * kprobe_event_is_added() - does tracefs show an event
 * @event: the event
 *
 * Context: event_mutex held.
 * Return: true from kprobe_event_add() to kprobe_event_remove().
 */
bool kprobe_event_is_added(const struct kprobe_event *event)
{
	lockdep_assert_held(&event_mutex);
	return !hlist_unhashed(&event->name_node);
}

static bool event_has_filter(struct trace_event_call *call)
{
	struct trace_event_file *file;
	struct trace_array *tr;

	list_for_each_entry(tr, &ftrace_trace_arrays, list)
		list_for_each_entry(file, &tr->events, list)
			if (file->event_call == call &&
			    file->flags & EVENT_FILE_FL_FILTERED)
				return true;
	return false;
}

/*
 * A hit that began before the last file was switched off may still use that file. The
 * file is freed after the hit, but trace_events.c frees its filter at once. So wait for
 * the hit here. Only an event with a filter that was on until recently has to wait.
 */
static void event_wait_for_filter(struct kprobe_event *event)
{
	if (!poll_state_synchronize_rcu(event->quiet_after) && event_has_filter(&event->call))
		cond_synchronize_rcu(event->quiet_after);
}

/**
 * kprobe_event_remove() - take an event out of tracefs
 * @event: an event that was added
 *
 * Its name can be used again. Its memory stays until kprobe_event_retire().
 *
 * Context: event_mutex held. May wait for an RCU grace period if it has a filter.
 * Return: 0, or -EBUSY if it is in use.
 */
int kprobe_event_remove(struct kprobe_event *event)
{
	int ret;

	lockdep_assert_held(&event_mutex);
	if (kprobe_event_is_busy(event))
		return -EBUSY;
	event_wait_for_filter(event);
	ret = trace_remove_event_call(&event->call);
	if (ret)
		return ret;
	hash_del(&event->name_node);
	return 0;
}

/**
 * kprobe_event_retire() - free an event after the last hit that uses it
 * @event: an event that was removed, or never added
 *
 * Context: any.
 */
void kprobe_event_retire(struct kprobe_event *event)
{
	call_rcu(&event->rcu, event_free_after_hits);
}

/**
 * kprobe_event_is_busy() - can an event not be removed
 * @event: the event
 *
 * Context: event_mutex held.
 * Return: true if it is on, or if perf, a trigger or another event holds it.
 */
bool kprobe_event_is_busy(struct kprobe_event *event)
{
	lockdep_assert_held(&event_mutex);
	return event->sinks || trace_event_dyn_busy(&event->call);
}

/**
 * kprobe_event_make_past() - get the memory for what probes that leave have counted
 * @event: the event, which might lose one of several probes, or counts of a probe
 *
 * Context: event_mutex held; may sleep.
 * Return: 0 or -ENOMEM.
 */
int kprobe_event_make_past(struct kprobe_event *event)
{
	lockdep_assert_held(&event_mutex);
	if (!event->past)
		event->past = kcalloc(COUNT_OF_EVENT, sizeof(*event->past), GFP_KERNEL);
	return event->past ? 0 : -ENOMEM;
}

static int __init event_make_cache(void)
{
	event_cache = KMEM_CACHE(kprobe_event, SLAB_PANIC);
	return 0;
}
core_initcall(event_make_cache);
