/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef _TRACE_KPROBE_TALLY_H
#define _TRACE_KPROBE_TALLY_H
/*
 * Tally: what became of an event's hits in one instance. Lock tags: event.h.
 *
 * It is made when the event is first switched on in the instance, and stays until the
 * event is freed, or until the next tally is made after the instance was removed.
 */
#include <linux/atomic.h>
#include <linux/percpu.h>
#include <linux/trace_events.h>
#include <asm/local.h>

/**
 * enum event_count - what an event counts
 * @COUNT_HITS: hits that were recorded, or that no sink wanted recorded
 * @COUNT_NESTED: misses: handlers were running already
 * @COUNT_NO_INSTANCE: misses: too many calls of the function were under way
 * @COUNT_UNWATCHED: misses: RCU was not watching the CPU
 * @COUNT_RETIRING: misses: the probe was being unregistered
 * @COUNT_DIVERTED: misses: another probe's handler had made the function return, or continue
 *	elsewhere
 * @COUNT_LOST: misses: every sink wanted the record, and none could take it
 * @COUNT_OF_EVENT: number of those above, which an event has in common
 * @COUNT_RECORDED: records in the instance
 * @COUNT_FILTERED: a filter or a trigger of the instance kept the record out
 * @COUNT_OFF: tracing was off in the instance, or on the CPU
 * @COUNT_NO_BUFFER: the instance's buffer had no room, or was in use
 * @COUNT_ALL: number of all
 */
enum event_count {
	COUNT_HITS,
	COUNT_NESTED,
	COUNT_NO_INSTANCE,
	COUNT_UNWATCHED,
	COUNT_RETIRING,
	COUNT_DIVERTED,
	COUNT_LOST,
	COUNT_OF_EVENT,
	COUNT_RECORDED = COUNT_OF_EVENT,
	COUNT_FILTERED,
	COUNT_OFF,
	COUNT_NO_BUFFER,
	COUNT_ALL,
};

/**
 * struct event_tally - what became of an event's hits in one instance
 * @node: in kprobe_event::tallies [E]
 * @file: the event's file in the instance, with a reference [I]
 * @recorded: number of records [C]
 * @filtered: see COUNT_FILTERED [C]
 * @off: see COUNT_OFF [A]
 * @no_buffer: see COUNT_NO_BUFFER [A]
 * @since: what was counted when a user last began anew [E]
 * @rcu: frees the tally after the last hit
 */
struct event_tally {
	struct hlist_node		node;
	struct trace_event_file		*file;
	local_t __percpu		*recorded;
	local_t __percpu		*filtered;
	atomic_long_t			off;
	atomic_long_t			no_buffer;
	unsigned long			since[COUNT_ALL];
	struct rcu_head			rcu;
};

struct event_tally *event_tally_find(struct hlist_head *tallies,
				     const struct trace_event_file *file);
struct event_tally *event_tally_get(struct hlist_head *tallies, struct trace_event_file *file);
void event_tallies_free(struct hlist_head *tallies);

#endif /* _TRACE_KPROBE_TALLY_H */
