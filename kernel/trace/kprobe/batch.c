// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Batches of events: what is switched on and off together, and what is deleted
 * together, is one batch of the core. A write that has to do with one event is a
 * batch of one.
 *
 * trace_events.c opens a batch where it is about to go through files: the enable
 * of a group or of all, set_event, an instance that goes. Until it is committed
 * an event has its sinks, but no hits yet, or none any more but for those of its
 * armed probes. Then its probes are brought to what the sinks are by then.
 *
 * An event that cannot have all of its probes has none. In a batch trace_events.c
 * takes it to be on already: its files are switched off again, and only they.
 */
#include <linux/list.h>
#include <linux/mm.h>
#include <linux/slab.h>

#include "event.h"

/* Events whose probes may not be what their sinks ask for [event_mutex] */
static LIST_HEAD(pending);

/* Batches that are open, each in the one before [event_mutex] */
static unsigned int depth;

/* Deleted, still registered, linked by event_probe::sibling [event_mutex] */
static LIST_HEAD(leaving);

/*
 * The live probes of @events that are on, or not: how many, and where @kps is,
 * which. The next time there may be fewer, where a module goes meanwhile.
 */
static unsigned int pick(struct list_head *events, bool on, struct kprobe **kps)
{
	struct kprobe_event *event;
	struct event_probe *probe;
	unsigned int num = 0;

	list_for_each_entry(event, events, pending) {
		if (on != !!event->sinks)
			continue;
		list_for_each_entry(probe, &event->probes, sibling) {
			if (!event_probe_is_live(probe))
				continue;
			if (kps)
				kps[num] = &probe->rp.kp;
			num++;
		}
	}
	return num;
}

/* Disarming must not fail for want of memory: nobody could do anything about it */
static void disarm(struct list_head *events, bool on)
{
	unsigned int num = pick(events, on, NULL);
	struct kprobe **kps;

	if (!num)
		return;
	kps = kvmalloc_array(num, sizeof(*kps), GFP_KERNEL | __GFP_NOFAIL);
	disable_kprobes(kps, pick(events, on, kps));
	kvfree(kps);
}

/* What could not be armed, unless its module went a moment ago: that is no error */
static void note_errors(struct kprobe **kps, const int *errors, unsigned int num,
			struct list_head *failed)
{
	struct probe_error err = {};
	struct event_probe *probe;
	unsigned int i;

	for (i = 0; i < num; i++) {
		probe = container_of(kps[i], struct event_probe, rp.kp);
		if (!errors[i] || !event_probe_is_live(probe))
			continue;
		list_move_tail(&probe->event->pending, failed);
		kprobe_event_refused(probe, errors[i], 0, &err);
		kprobe_event_log_late(probe, &err);
	}
}

static int arm(struct list_head *failed)
{
	unsigned int num = pick(&pending, true, NULL);
	struct kprobe **kps __free(kvfree) = NULL;
	int *errors __free(kvfree) = NULL;
	int ret;

	if (!num)
		return 0;
	kps = kvmalloc_array(num, sizeof(*kps), GFP_KERNEL);
	errors = kvmalloc_array(num, sizeof(*errors), GFP_KERNEL);
	if (!kps || !errors) {
		list_splice_init(&pending, failed);
		return -ENOMEM;
	}
	num = pick(&pending, true, kps);
	ret = enable_kprobes(kps, errors, num);
	note_errors(kps, errors, num, failed);
	return list_empty(failed) ? 0 : ret;
}

static void forget(struct list_head *events, bool on)
{
	struct kprobe_event *event, *next;

	list_for_each_entry_safe(event, next, events, pending)
		if (on == !!event->sinks)
			list_del_init(&event->pending);
}

/* Bring probes to what sinks ask for; those of @failed are disarmed then */
static int switch_probes(struct list_head *failed)
{
	int ret;

	disarm(&pending, false);
	forget(&pending, false);
	ret = arm(failed);
	forget(&pending, true);
	disarm(failed, true);
	return ret;
}

/**
 * event_batch_add() - have the probes of an event follow its sinks
 * @event: the event, whose sinks have changed
 *
 * In an open batch: when that is committed. Else now.
 *
 * Context: event_mutex held.
 * Return: 0, or why not all probes could be armed: then none is.
 */
int event_batch_add(struct kprobe_event *event)
{
	LIST_HEAD(failed);
	int ret;

	lockdep_assert_held(&event_mutex);
	if (list_empty(&event->pending))
		list_add_tail(&event->pending, &pending);
	if (depth)
		return 0;
	ret = switch_probes(&failed);
	forget(&failed, true);
	return ret;
}

/**
 * kprobe_events_begin() - open a batch of events
 *
 * Context: event_mutex held, and until kprobe_events_commit().
 */
void kprobe_events_begin(void)
{
	lockdep_assert_held(&event_mutex);
	depth++;
}

static void switch_off_files(struct kprobe_event *event)
{
	struct event_link *link, *next;

	pr_info("event trace: Could not enable event %s\n", trace_event_name(&event->call));
	list_for_each_entry_safe(link, next, &event->links, list)
		trace_event_enable_disable(link->file, 0, 0);
}

/**
 * kprobe_events_commit() - switch the probes of a batch of events
 *
 * Where one could not be armed its event is off, with the files it was switched
 * on for; the others are on.
 *
 * Context: event_mutex held.
 * Return: 0, or the error of the first probe that could not be armed.
 */
int kprobe_events_commit(void)
{
	struct kprobe_event *event, *next;
	LIST_HEAD(failed);
	int ret;

	lockdep_assert_held(&event_mutex);
	if (--depth)
		return 0;
	ret = switch_probes(&failed);
	list_for_each_entry_safe(event, next, &failed, pending) {
		list_del_init(&event->pending);
		switch_off_files(event);
	}
	return ret;
}

/**
 * event_batch_delete() - delete a probe with the batch of those being deleted
 * @probe: the probe, which no user can find any more
 * @with_event: it is the last of the event, which has been removed
 *
 * Context: event_mutex held, and until event_batch_delete_commit().
 */
void event_batch_delete(struct event_probe *probe, bool with_event)
{
	lockdep_assert_held(&event_mutex);
	probe->takes_event = with_event;
	guard(mutex)(&kprobe_event_probes_mutex);
	list_move_tail(&probe->sibling, &leaving);
}

/* In one batch for each kind of client */
static void unregister_leaving(void)
{
	unsigned int num = list_count_nodes(&leaving), entries = 0, returns = 0;
	struct kretprobe **rps __free(kvfree) =
		kvmalloc_array(num, sizeof(*rps), GFP_KERNEL | __GFP_NOFAIL);
	struct kprobe **kps __free(kvfree) =
		kvmalloc_array(num, sizeof(*kps), GFP_KERNEL | __GFP_NOFAIL);
	struct event_probe *probe;

	list_for_each_entry(probe, &leaving, sibling) {
		if (!probe->is_registered)
			continue;
		if (probe->place.is_return)
			rps[returns++] = &probe->rp;
		else
			kps[entries++] = &probe->rp.kp;
		probe->is_registered = false;
	}
	unregister_kprobes_nowait(kps, entries);
	unregister_kretprobes_nowait(rps, returns);
}

/**
 * event_batch_delete_commit() - end what event_batch_delete() has begun
 *
 * Waits for nothing: memory is freed behind the last hit.
 *
 * Context: event_mutex held.
 */
void event_batch_delete_commit(void)
{
	struct event_probe *probe, *next;

	lockdep_assert_held(&event_mutex);
	if (list_empty(&leaving))
		return;
	unregister_leaving();
	list_for_each_entry_safe(probe, next, &leaving, sibling) {
		list_del(&probe->sibling);
		if (probe->takes_event)
			kprobe_event_retire(probe->event);
		event_probe_retire(probe);
	}
}
