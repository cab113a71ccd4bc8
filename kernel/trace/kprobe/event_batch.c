// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Batches of events: events that are switched on and off together, or deleted
 * together, are one batch of the core. A write that concerns one event is a batch of
 * one.
 *
 * trace_events.c opens a batch before it walks over files: the enable file of a group
 * or of all, set_event, an instance that is removed. Until the batch is committed, the
 * state of probes may differ from kprobe_event::sinks: an enabled event may not hit
 * yet, a disabled one may still hit.
 *
 * An event that cannot have all of its probes has none; the other events of the batch are
 * on, and the write fails with the first error. trace_events.c takes the events of a batch
 * to be on already, so a commit switches the files of such an event off again.
 */
#include <linux/list.h>

#include "event_batch.h"
#include "log.h"
#include "probe.h"

/* [E] events whose probes may differ from what their sinks ask for */
static LIST_HEAD(event_batch_pending);

/* [E] batches that are open, each in the one before */
static unsigned int event_batch_depth;

/* [E] deleted, still registered, linked by trace_kprobe::sibling */
static LIST_HEAD(event_batch_leaving);

/* The probes of an event follow its sinks */
static void event_batch_fill(struct kprobe_batch *batch, struct kprobe_event *event)
{
	struct trace_kprobe *probe;

	list_for_each_entry(probe, &event->probes, sibling) {
		if (!trace_kprobe_is_live(probe))
			continue;
		if (event->sinks)
			kprobe_batch_enable(batch, &probe->rp.kp);
		else
			kprobe_batch_disable(batch, &probe->rp.kp);
	}
}

/* The first error of an event. A probe whose module has just gone has none */
static int event_batch_error(struct kprobe_event *event)
{
	struct probe_error err = {};
	struct trace_kprobe *probe;
	int error, ret = 0;

	list_for_each_entry(probe, &event->probes, sibling) {
		error = kprobe_error(&probe->rp.kp);
		if (!error || !trace_kprobe_is_live(probe))
			continue;
		kprobe_event_refused(probe, error, 0, &err);
		kprobe_event_log_late(probe, &err);
		ret = ret ?: error;
	}
	return ret;
}

/* Settle pending events; those whose probes cannot all be armed are in @failed then */
static int event_batch_run(struct list_head *failed)
{
	struct kprobe_batch *batch = kprobe_batch_alloc();
	struct kprobe_event *event, *next;
	int failure, error, ret = 0;

	list_for_each_entry(event, &event_batch_pending, pending)
		event_batch_fill(batch, event);
	failure = kprobe_batch_commit(batch);
	kprobe_batch_put(batch);
	list_for_each_entry_safe(event, next, &event_batch_pending, pending) {
		list_del_init(&event->pending);
		error = failure && event->sinks ? event_batch_error(event) : 0;
		if (error)
			list_add_tail(&event->pending, failed);
		ret = ret ?: error;
	}
	return ret;
}

/* A probe that could not be registered when its module came would stay silent */
static int event_batch_complete(struct kprobe_event *event)
{
	struct trace_kprobe *probe;
	int ret;

	list_for_each_entry(probe, &event->probes, sibling) {
		ret = event_module_try_again(probe);
		if (ret)
			return ret;
	}
	return 0;
}

/**
 * event_batch_add() - have the probes of an event follow its sinks
 * @event: the event, whose sinks have changed
 *
 * A probe that was refused when its module came is registered now. The probes are armed when an
 * open batch is committed, or else now. If either fails, some of them may be armed; the caller
 * takes the sinks back and adds the event once more.
 *
 * Context: event_mutex held.
 * Return: 0, or why not all probes could be registered or armed.
 */
int event_batch_add(struct kprobe_event *event)
{
	LIST_HEAD(failed);
	int ret;

	lockdep_assert_held(&event_mutex);
	ret = event->sinks ? event_batch_complete(event) : 0;
	if (ret)
		return ret;
	if (list_empty(&event->pending))
		list_add_tail(&event->pending, &event_batch_pending);
	if (event_batch_depth)
		return 0;
	ret = event_batch_run(&failed);
	list_del_init(&event->pending);
	return ret;
}

/**
 * event_batch_begin() - open a batch of events
 *
 * Context: event_mutex held, and until event_batch_commit().
 */
void event_batch_begin(void)
{
	lockdep_assert_held(&event_mutex);
	event_batch_depth++;
}

static void event_batch_files_off(struct kprobe_event *event)
{
	struct hlist_node *next;
	struct event_link *link;

	pr_info("event trace: Could not enable event %s\n", trace_event_name(&event->call));
	hlist_for_each_entry_safe(link, next, &event->links, node)
		trace_event_enable_disable(link->file, 0, 0);
}

/* A batch of its own: the files of events that failed go off, then their probes */
static void event_batch_revert(struct list_head *failed)
{
	struct kprobe_event *event, *next;

	event_batch_depth++;
	list_for_each_entry_safe(event, next, failed, pending) {
		list_del_init(&event->pending);
		event_batch_files_off(event);
	}
	event_batch_depth--;
	/* Events without sinks do not fail */
	event_batch_run(failed);
}

/**
 * event_batch_commit() - switch the probes of a batch of events
 *
 * An event with a probe that cannot be armed is off afterwards, with the files it was
 * switched on for; the others are on.
 *
 * Context: event_mutex held.
 * Return: 0, or the error of the first probe that could not be armed.
 */
int event_batch_commit(void)
{
	LIST_HEAD(failed);
	int ret;

	lockdep_assert_held(&event_mutex);
	if (--event_batch_depth || list_empty(&event_batch_pending))
		return 0;
	ret = event_batch_run(&failed);
	if (ret)
		event_batch_revert(&failed);
	return ret;
}

/**
 * event_batch_delete() - delete a probe with the batch of those being deleted
 * @probe: the probe, which no user can find any more
 * @with_event: it is the last of the event, which has been removed
 *
 * Context: event_mutex held, and until event_batch_delete_commit().
 */
void event_batch_delete(struct trace_kprobe *probe, bool with_event)
{
	lockdep_assert_held(&event_mutex);
	probe->takes_event = with_event;
	guard(mutex)(&kprobe_event_probes_mutex);
	list_move_tail(&probe->sibling, &event_batch_leaving);
}

static void event_batch_unregister_leaving(void)
{
	struct kprobe_batch *batch = kprobe_batch_alloc();
	struct trace_kprobe *probe;

	list_for_each_entry(probe, &event_batch_leaving, sibling) {
		if (probe->is_registered)
			kprobe_batch_unregister(batch, &probe->rp.kp);
		probe->is_registered = false;
	}
	kprobe_batch_commit(batch);
	kprobe_batch_put(batch);
}

/**
 * event_batch_delete_commit() - end what event_batch_delete() has begun
 *
 * Waits for nothing: memory is freed after the last hit.
 *
 * Context: event_mutex held.
 */
void event_batch_delete_commit(void)
{
	struct trace_kprobe *probe, *next;

	lockdep_assert_held(&event_mutex);
	if (list_empty(&event_batch_leaving))
		return;
	event_batch_unregister_leaving();
	list_for_each_entry_safe(probe, next, &event_batch_leaving, sibling) {
		list_del(&probe->sibling);
		if (probe->takes_event)
			kprobe_event_retire(probe->event);
		else
			trace_kprobe_keep_counts(probe);
		trace_kprobe_retire(probe);
	}
}
