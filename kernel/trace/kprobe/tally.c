// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tallies: made, found, read and freed; and the counts of probes that an event has no
 * more.
 */
#include <linux/slab.h>

#include "probe.h"
#include "tally.h"

static void event_tally_free(struct event_tally *tally)
{
	if (tally->file)
		event_file_put(tally->file);
	free_percpu(tally->recorded);
	kfree(tally);
}

static void event_tally_free_after_hits(struct rcu_head *rcu)
{
	event_tally_free(container_of(rcu, struct event_tally, rcu));
}

/* Tallies of instances that were removed; their events have been switched off before */
static void event_tallies_prune(struct kprobe_event *event)
{
	struct event_tally *tally, *next;

	list_for_each_entry_safe(tally, next, &event->tallies, list) {
		if (!(tally->file->flags & EVENT_FILE_FL_FREED))
			continue;
		list_del(&tally->list);
		call_rcu(&tally->rcu, event_tally_free_after_hits);
	}
}

static struct event_tally *event_tally_alloc(struct trace_event_file *file)
{
	struct event_tally *tally = kzalloc(sizeof(*tally), GFP_KERNEL);

	if (!tally)
		return NULL;
	tally->recorded = alloc_percpu(local_t);
	if (!tally->recorded) {
		event_tally_free(tally);
		return NULL;
	}
	event_file_get(file);
	tally->file = file;
	return tally;
}

/**
 * event_tally_find() - the tally of an instance
 * @event: the event
 * @file: its file in the instance
 *
 * Context: event_mutex held.
 * Return: the tally, or NULL if the event was never on there.
 */
struct event_tally *event_tally_find(struct kprobe_event *event,
				     const struct trace_event_file *file)
{
	struct event_tally *tally;

	lockdep_assert_held(&event_mutex);
	list_for_each_entry(tally, &event->tallies, list)
		if (tally->file == file)
			return tally;
	return NULL;
}

/**
 * event_tally_get() - the tally of an instance, made if there is none
 * @event: the event
 * @file: its file in the instance
 *
 * Context: event_mutex held; may sleep.
 * Return: the tally, or NULL if there is no memory.
 */
struct event_tally *event_tally_get(struct kprobe_event *event, struct trace_event_file *file)
{
	struct event_tally *tally = event_tally_find(event, file);

	lockdep_assert_held(&event_mutex);
	if (tally)
		return tally;
	event_tallies_prune(event);
	tally = event_tally_alloc(file);
	if (tally)
		list_add_tail(&tally->list, &event->tallies);
	return tally;
}

/**
 * event_tallies_free() - free the tallies of an event
 * @event: an event that no hit can reach any more
 *
 * Context: any.
 */
void event_tallies_free(struct kprobe_event *event)
{
	struct event_tally *tally, *next;

	list_for_each_entry_safe(tally, next, &event->tallies, list)
		event_tally_free(tally);
}

/* The counts that the core keeps with its client, added to @counts */
static void event_tally_add_misses(const struct trace_kprobe *probe, unsigned long *counts)
{
	const struct kprobe *kp = &probe->rp.kp;

	counts[COUNT_NESTED] += kprobe_missed(kp, KPROBE_MISSED_NESTED);
	counts[COUNT_NO_INSTANCE] += kprobe_missed(kp, KPROBE_MISSED_NO_INSTANCE);
	counts[COUNT_UNWATCHED] += kprobe_missed(kp, KPROBE_MISSED_UNWATCHED);
	counts[COUNT_RETIRING] += kprobe_missed(kp, KPROBE_MISSED_RETIRING);
}

static void event_tally_add(const struct trace_kprobe *probe, unsigned long *counts)
{
	event_tally_add_misses(probe, counts);
	counts[COUNT_HITS] += trace_kprobe_hits(probe);
	counts[COUNT_LOST] += atomic_long_read(&probe->lost);
}

static unsigned long event_tally_recorded(const struct event_tally *tally)
{
	unsigned long recorded = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		recorded += local_read(per_cpu_ptr(tally->recorded, cpu));
	return recorded;
}

/**
 * event_tally_read() - what was counted since the event was defined
 * @event: the event
 * @tally: of an instance; NULL if it was never on there
 * @counts: COUNT_ALL numbers, filled in
 *
 * Context: event_mutex held. Hits may be under way.
 */
void event_tally_read(struct kprobe_event *event, const struct event_tally *tally,
		      unsigned long *counts)
{
	const struct trace_kprobe *probe;

	lockdep_assert_held(&event_mutex);
	memset(counts, 0, COUNT_ALL * sizeof(*counts));
	memcpy(counts, event->past, sizeof(event->past));
	list_for_each_entry(probe, &event->probes, sibling)
		event_tally_add(probe, counts);
	if (!tally)
		return;
	counts[COUNT_RECORDED] = event_tally_recorded(tally);
	counts[COUNT_FILTERED] = atomic_long_read(&tally->filtered);
	counts[COUNT_OFF] = atomic_long_read(&tally->off);
	counts[COUNT_NO_BUFFER] = atomic_long_read(&tally->no_buffer);
}

/**
 * event_tally_keep_misses() - keep what the core has counted for a probe
 * @probe: a probe with an event, about to be registered with the core once more
 *
 * kprobe_profile shows those misses with trace_kprobe::lost from now on, but the event
 * still knows their reasons.
 *
 * Context: event_mutex held.
 */
void event_tally_keep_misses(struct trace_kprobe *probe)
{
	unsigned long *past = probe->event->past;
	unsigned long missed = probe->rp.kp.nmissed + probe->rp.nmissed;

	lockdep_assert_held(&event_mutex);
	event_tally_add_misses(probe, past);
	past[COUNT_LOST] -= missed;
	atomic_long_add(missed, &probe->lost);
}

/**
 * event_tally_keep() - keep the counts of a probe that leaves its event
 * @probe: the probe; the event has others
 *
 * Context: event_mutex held.
 */
void event_tally_keep(struct trace_kprobe *probe)
{
	lockdep_assert_held(&event_mutex);
	event_tally_add(probe, probe->event->past);
}
