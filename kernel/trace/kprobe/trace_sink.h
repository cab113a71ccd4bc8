/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef _TRACE_KPROBE_TRACE_SINK_H
#define _TRACE_KPROBE_TRACE_SINK_H
/*
 * The trace sink: from the record of a hit to the ring buffers of trace event files.
 *
 * A file without filter, trigger or soft-disable takes the shortest way. A file that has a
 * filter and nothing else is asked before anything is reserved. The functions of
 * trace_events.c handle all other files.
 */
#include <linux/jump_label.h>
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

/* Bytes of the largest record that is built on the stack to ask a filter */
#define SINK_SMALL	256

enum outcome trace_sink_refused(const struct event_link *link);
enum outcome trace_sink_write_built(const struct event_link *link, char *record,
				    unsigned int size, unsigned int context);
unsigned int trace_sink_write(struct record_plan *plan, struct kprobe_event *event);
enum outcome trace_sink_write_file(const struct record_plan *plan,
				   const struct event_link *link);

/* A record is all that a hit adds, and nobody else gets it */
static __always_inline bool trace_sink_adds_no_more(const struct trace_event_file *file)
{
	return !(file->tr->trace_flags & TRACE_ADDS_STACK) && !trace_event_has_listeners();
}

static __always_inline bool trace_sink_is_plain(const struct trace_event_file *file)
{
	return !(file->flags & FILE_IS_JUDGED) && trace_sink_adds_no_more(file);
}

/* Is the filter all that there is to judge? */
static __always_inline bool trace_sink_is_asked(const struct trace_event_file *file)
{
	return (file->flags & FILE_IS_JUDGED) == EVENT_FILE_FL_FILTERED &&
	       trace_sink_adds_no_more(file);
}

/* ring_buffer_event_data(), inline if the record is small and has no time stamp before it */
static __always_inline void *trace_sink_data(struct ring_buffer_event *event)
{
	unsigned int words = event->type_len;

	if (unlikely(words - 1 >= RINGBUF_TYPE_DATA_TYPE_LEN_MAX))
		return ring_buffer_event_data(event);
	return event->array;
}

/* tracing_generic_entry_update(), by whole words if there is nothing in the context */
static __always_inline void trace_sink_put_entry(struct trace_entry *entry,
						 const struct event_link *link,
						 unsigned int context)
{
	*entry = link->head;
	entry->pid = current->pid;
	if (!context)
		return;
	entry->preempt_count = context & 0xff;
	entry->flags = context >> 16;
}

/**
 * trace_sink_commit_plain() - write the record of a hit to a file that nobody judges
 * @plan: a prepared plan
 * @link: the file; the caller counts
 * @context: what record_context() says; the reservation changes it
 *
 * Context: preemption off.
 * Return: false if the ring buffer refused the record.
 */
static __always_inline bool trace_sink_commit_plain(const struct record_plan *plan,
						    const struct event_link *link,
						    unsigned int context)
{
	struct trace_event_file *file = link->file;
	struct trace_buffer *buffer = file->tr->array_buffer.buffer;
	struct ring_buffer_event *rb_event;
	struct trace_entry *entry;

	rb_event = ring_buffer_lock_reserve(buffer, plan->size);
	if (unlikely(!rb_event))
		return false;
	entry = trace_sink_data(rb_event);
	trace_sink_put_entry(entry, link, context);
	record_write(plan, entry);
	/* As the commit functions of trace.c do, for saved_cmdlines. */
	__this_cpu_write(trace_taskinfo_save, true);
	ring_buffer_unlock_commit(buffer);
	return true;
}

/**
 * trace_sink_write_plain() - trace_sink_commit_plain(), and count
 * @plan: as there
 * @link: as there
 * @context: as there
 *
 * Context: preemption off.
 * Return: what became of the hit.
 */
static __always_inline enum outcome trace_sink_write_plain(const struct record_plan *plan,
							   const struct event_link *link,
							   unsigned int context)
{
	if (unlikely(!trace_sink_commit_plain(plan, link, context)))
		return trace_sink_refused(link);
	local_inc(raw_cpu_ptr(link->recorded));
	return OUTCOME_SERVED;
}

/**
 * trace_sink_rejects() - ask the filter of a file about a record
 * @link: the file, for which trace_sink_is_asked(); the caller counts
 * @record: the record, built but for its trace_entry
 * @context: what record_context() says
 *
 * As trace_events.c does with a record that its filter is to judge, but nothing is reserved
 * for a record that it rejects.
 *
 * Context: preemption off.
 * Return: true if the filter rejects the record.
 */
static __always_inline bool trace_sink_rejects(const struct event_link *link, char *record,
					       unsigned int context)
{
	trace_sink_put_entry((struct trace_entry *)record, link, context);
	/* A filter is freed once no hit can use it any more: hits run with preemption off */
	return !filter_match_preds(rcu_dereference_raw(link->file->filter), record);
}

#endif /* _TRACE_KPROBE_TRACE_SINK_H */
