// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tallies: made, found and freed.
 */
#include <linux/slab.h>

#include "../trace.h"
#include "counter.h"
#include "tally.h"

static void event_tally_free(struct event_tally *tally)
{
	if (tally->file)
		event_file_put(tally->file);
	event_counter_free(tally->filtered);
	event_counter_free(tally->recorded);
	kfree(tally);
}

static void event_tally_free_after_hits(struct rcu_head *rcu)
{
	event_tally_free(container_of(rcu, struct event_tally, rcu));
}

/* Tallies of instances that were removed; their events have been switched off before */
static void event_tallies_prune(struct hlist_head *tallies)
{
	struct hlist_node *next;
	struct event_tally *tally;

	hlist_for_each_entry_safe(tally, next, tallies, node) {
		if (!(tally->file->flags & EVENT_FILE_FL_FREED))
			continue;
		hlist_del(&tally->node);
		call_rcu(&tally->rcu, event_tally_free_after_hits);
	}
}

static struct event_tally *event_tally_alloc(struct trace_event_file *file)
{
	struct event_tally *tally = kzalloc(sizeof(*tally), GFP_KERNEL);

	if (!tally)
		return NULL;
	tally->recorded = event_counter_alloc();
	tally->filtered = event_counter_alloc();
	if (!tally->recorded || !tally->filtered) {
		event_tally_free(tally);
		return NULL;
	}
	event_file_get(file);
	tally->file = file;
	return tally;
}

/**
 * event_tally_find() - the tally of an instance
 * @tallies: those of the event
 * @file: its file in the instance
 *
 * Context: event_mutex held.
 * Return: the tally, or NULL if the event was never on there.
 */
struct event_tally *event_tally_find(struct hlist_head *tallies,
				     const struct trace_event_file *file)
{
	struct event_tally *tally;

	lockdep_assert_held(&event_mutex);
	hlist_for_each_entry(tally, tallies, node)
		if (tally->file == file)
			return tally;
	return NULL;
}

/**
 * event_tally_get() - the tally of an instance, made if there is none
 * @tallies: those of the event
 * @file: its file in the instance
 *
 * Context: event_mutex held; may sleep.
 * Return: the tally, or NULL if there is no memory.
 */
struct event_tally *event_tally_get(struct hlist_head *tallies, struct trace_event_file *file)
{
	struct event_tally *tally = event_tally_find(tallies, file);

	lockdep_assert_held(&event_mutex);
	if (tally)
		return tally;
	event_tallies_prune(tallies);
	tally = event_tally_alloc(file);
	if (tally)
		hlist_add_head(&tally->node, tallies);
	return tally;
}

/**
 * event_tallies_free() - free the tallies of an event
 * @tallies: those of an event that no hit can reach any more
 *
 * Context: any.
 */
void event_tallies_free(struct hlist_head *tallies)
{
	struct hlist_node *next;
	struct event_tally *tally;

	hlist_for_each_entry_safe(tally, next, tallies, node)
		event_tally_free(tally);
}
