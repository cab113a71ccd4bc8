/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef _TRACE_KPROBE_TRACE_SINK_H
#define _TRACE_KPROBE_TRACE_SINK_H
/*
 * The trace sink: from the record of a hit to the ring buffers of trace event files.
 *
 * A file without filter, trigger or soft-disable takes the shortest way. The functions of
 * trace_events.c handle all other files.
 */
#include <linux/jump_label.h>
#include <linux/rculist.h>
#include <linux/ring_buffer.h>

#include "event.h"
#include "outcome.h"
#include "record.h"

/* Flags of a file whose records trace_events.c has to judge. */
#define FILE_IS_JUDGED		(EVENT_FILE_FL_TRIGGER_MODE |	\
				 EVENT_FILE_FL_TRIGGER_COND |	\
				 EVENT_FILE_FL_SOFT_DISABLED |	\
				 EVENT_FILE_FL_FILTERED |	\
				 EVENT_FILE_FL_PID_FILTER)

/* Options of an instance that add a stack after each record. */
#define TRACE_ADDS_STACK	(TRACE_ITER_STACKTRACE | TRACE_ITER_USERSTACKTRACE)

enum outcome trace_sink_refused(const struct event_link *link);
enum outcome trace_sink_write_judged(const struct record_plan *plan,
				     const struct event_link *link);

static __always_inline bool trace_sink_is_plain(const struct trace_event_file *file)
{
	return !(file->flags & FILE_IS_JUDGED) &&
	       !(file->tr->trace_flags & TRACE_ADDS_STACK) &&
	       !trace_event_has_listeners();
}

/* ring_buffer_event_data(), inline unless a time stamp comes first */
static __always_inline void *trace_sink_data(struct ring_buffer_event *event)
{
	if (unlikely(event->type_len > RINGBUF_TYPE_DATA_TYPE_LEN_MAX))
		return ring_buffer_event_data(event);
	return event->array + !event->type_len;
}

static __always_inline enum outcome trace_sink_write_plain(const struct record_plan *plan,
							   const struct event_link *link)
{
	struct trace_event_file *file = link->file;
	struct trace_buffer *buffer = file->tr->array_buffer.buffer;
	/* The reservation changes the preempt count, so the context comes first. */
	unsigned int context = record_context(plan->frame.regs);
	struct ring_buffer_event *rb_event;
	struct trace_entry *entry;

	rb_event = ring_buffer_lock_reserve(buffer, plan->size);
	if (unlikely(!rb_event))
		return trace_sink_refused(link);
	entry = trace_sink_data(rb_event);
	tracing_generic_entry_update(entry, link->type, context);
	record_write(plan, entry);
	/* As the commit functions of trace.c do, for saved_cmdlines. */
	__this_cpu_write(trace_taskinfo_save, true);
	ring_buffer_unlock_commit(buffer);
	local_inc(raw_cpu_ptr(link->tally->recorded));
	return OUTCOME_SERVED;
}

/**
 * trace_sink_write() - write the record of a hit to all files of its event
 * @plan: the plan of the record
 * @event: the event
 *
 * Context: preemption off.
 * Return: what became of the hit: bits of enum outcome.
 */
static __always_inline unsigned int trace_sink_write(struct record_plan *plan,
						     struct kprobe_event *event)
{
	unsigned int outcome = OUTCOME_NONE;
	struct event_link *link;

	if (unlikely(!record_prepare(plan)))
		return OUTCOME_LOST;
	list_for_each_entry_rcu(link, &event->links, list)
		if (likely(trace_sink_is_plain(link->file)))
			outcome |= trace_sink_write_plain(plan, link);
		else
			outcome |= trace_sink_write_judged(plan, link);
	record_finish(plan);
	return outcome;
}

#endif /* _TRACE_KPROBE_TRACE_SINK_H */
