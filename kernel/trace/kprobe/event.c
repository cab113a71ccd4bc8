// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Trace events of kprobes: how one begins, how probes join it, how it ends.
 *
 * What a probe is and where its hits come from is not known here; who is on and
 * off is in enable.c, what a record looks like in print.c.
 */
#include <linux/hashtable.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/stringhash.h>

#include "event.h"

/*
 * Every event that has a name, by that name: a line that is written has to find
 * out whether it makes an event or joins one, and there may be thousands.
 */
static DEFINE_HASHTABLE(event_names, 10);

/*
 * Held, with event_mutex around it, by who changes kprobe_event::probes: for readers
 * inside of perf's mutexes, where event_mutex must not be taken.
 */
DEFINE_MUTEX(kprobe_event_probes_mutex);

static u32 name_hash(const char *name)
{
	return full_name_hash(NULL, name, strlen(name));
}

static bool has_name(struct trace_event_call *call, const char *group, const char *name)
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
	hash_for_each_possible(event_names, event, name_node, name_hash(name))
		if (has_name(&event->call, group, name))
			return event;
	return NULL;
}

/**
 * kprobe_event_free() - free an event nobody knows
 * @event: the event, or NULL; it has no probes and no links
 */
void kprobe_event_free(struct kprobe_event *event)
{
	if (!event)
		return;
	kfree(event->call.print_fmt);
	kfree(event->call.name);
	kfree(event->class.system);
	event_fields_free(event->fields);
	kfree(event);
}

static void free_after_hits(struct rcu_head *rcu)
{
	kprobe_event_free(container_of(rcu, struct kprobe_event, rcu));
}

static void init_call(struct kprobe_event *event)
{
	struct trace_event_call *call = &event->call;

	INIT_LIST_HEAD(&event->class.fields);
	event->class.fields_array = kprobe_event_fields;
	event->class.reg = kprobe_event_reg;
	call->class = &event->class;
	call->event.funcs = event->is_return ? &kprobe_return_output :
					       &kprobe_entry_output;
	call->flags = TRACE_EVENT_FL_KPROBE;
}

static bool init_texts(struct kprobe_event *event, const char *group, const char *name,
		       const struct fetch_args *args)
{
	event->class.system = kstrdup(group, GFP_KERNEL);
	event->call.name = kstrdup(name, GFP_KERNEL);
	event->fields = event_fields_alloc(args);
	if (!event->class.system || !event->call.name || IS_ERR(event->fields))
		return false;
	event->call.print_fmt = kprobe_event_print_fmt(event);
	return event->call.print_fmt;
}

/**
 * kprobe_event_alloc() - make an event
 * @group: its group
 * @name: its name
 * @is_return: do its records have the head of a return probe
 * @args: of its first probe: they are what its records hold
 *
 * Context: may sleep.
 * Return: the event, or an error pointer.
 */
struct kprobe_event *kprobe_event_alloc(const char *group, const char *name,
					bool is_return, const struct fetch_args *args)
{
	struct kprobe_event *event = kzalloc(sizeof(*event), GFP_KERNEL);

	if (!event)
		return ERR_PTR(-ENOMEM);
	INIT_LIST_HEAD(&event->probes);
	INIT_LIST_HEAD(&event->links);
	INIT_LIST_HEAD(&event->pending);
	event->is_return = is_return;
	event->retired = get_completed_synchronize_rcu();
	init_call(event);
	if (init_texts(event, group, name, args))
		return event;
	kprobe_event_free(event);
	return ERR_PTR(-ENOMEM);
}

static bool name_is_taken(struct kprobe_event *event)
{
	struct trace_event_call *call;
	bool taken = false;

	down_read(&trace_event_sem);
	list_for_each_entry(call, &ftrace_events, list)
		if (has_name(call, event->class.system, event->call.name)) {
			taken = true;
			break;
		}
	up_read(&trace_event_sem);
	return taken;
}

/**
 * kprobe_event_add() - give an event a directory in tracefs
 * @event: an event with its first probe
 *
 * Context: event_mutex held.
 * Return: 0; -EEXIST if an event of another kind has the name, or what the
 * trace events say.
 */
int kprobe_event_add(struct kprobe_event *event)
{
	int ret;

	lockdep_assert_held(&event_mutex);
	if (name_is_taken(event))
		return -EEXIST;
	if (!register_trace_event(&event->call.event))
		return -ENODEV;
	ret = trace_add_event_call(&event->call);
	if (ret) {
		unregister_trace_event(&event->call.event);
		return ret;
	}
	hash_add(event_names, &event->name_node, name_hash(event->call.name));
	return 0;
}

static bool has_filter(struct trace_event_call *call)
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
 * A hit that was under way when the last file was switched off may still be at
 * that file. The file waits for it, its filter does not: trace_events.c frees
 * that at once. So wait here, for the one event in many that has a filter and
 * was on a moment ago.
 */
static void wait_for_filter(struct kprobe_event *event)
{
	if (!poll_state_synchronize_rcu(event->retired) && has_filter(&event->call))
		cond_synchronize_rcu(event->retired);
}

/**
 * kprobe_event_remove() - take an event out of tracefs
 * @event: an event that was added
 *
 * From here on its name is free. Its memory stays until kprobe_event_retire().
 *
 * Context: event_mutex held.
 * Return: 0, or -EBUSY if somebody uses it.
 */
int kprobe_event_remove(struct kprobe_event *event)
{
	int ret;

	lockdep_assert_held(&event_mutex);
	if (kprobe_event_is_busy(event))
		return -EBUSY;
	wait_for_filter(event);
	ret = trace_remove_event_call(&event->call);
	if (!ret)
		hash_del(&event->name_node);
	return ret;
}

/**
 * kprobe_event_retire() - free an event when the last hit has left it
 * @event: an event that was removed, or never added
 */
void kprobe_event_retire(struct kprobe_event *event)
{
	call_rcu(&event->rcu, free_after_hits);
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
	return event->sinks || trace_event_dyn_busy(&event->call);
}
