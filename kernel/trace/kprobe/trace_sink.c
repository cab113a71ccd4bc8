// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The trace sink: files with filters, triggers or stack traces, and refused records.
 */
#include <linux/rculist.h>

#include "trace_sink.h"

/**
 * trace_sink_refused() - judge a record that the ring buffer refused, and count it
 * @link: the file whose instance has the ring buffer
 *
 * A record is lost if the buffer is on, but was stopped for a moment or is in use by an
 * interrupted context.
 *
 * Context: preemption off.
 * Return: OUTCOME_LOST, or OUTCOME_SERVED if tracing is off or excludes this CPU.
 */
noinline enum outcome trace_sink_refused(const struct event_link *link)
{
	const struct trace_array *tr = link->file->tr;

	if (ring_buffer_record_is_set_on(tr->array_buffer.buffer) &&
	    cpumask_test_cpu(raw_smp_processor_id(), tr->tracing_cpumask)) {
		atomic_long_inc(&link->tally->no_buffer);
		return OUTCOME_LOST;
	}
	atomic_long_inc(&link->tally->off);
	return OUTCOME_SERVED;
}
NOKPROBE_SYMBOL(trace_sink_refused);

/* Count a record that a filter or a trigger keeps out */
static enum outcome trace_sink_filtered(const struct event_link *link)
{
	local_inc(raw_cpu_ptr(link->tally->filtered));
	return OUTCOME_SERVED;
}
NOKPROBE_SYMBOL(trace_sink_filtered);

static bool trace_sink_ignores_pid(struct trace_event_file *file)
{
	return (file->flags & EVENT_FILE_FL_PID_FILTER) && trace_event_ignore_this_pid(file);
}
NOKPROBE_SYMBOL(trace_sink_ignores_pid);

/* Runs triggers; one of them can be to trace the stack. */
static bool trace_sink_keeps_out(const struct record_plan *plan, struct trace_event_file *file)
{
	unsigned long ip = record_trace_from_hit(plan);
	bool kept_out = trace_trigger_soft_disabled(file) || trace_sink_ignores_pid(file);

	instruction_pointer_set(plan->regs, ip);
	return kept_out;
}
NOKPROBE_SYMBOL(trace_sink_keeps_out);

static int trace_sink_commit(const struct record_plan *plan, struct trace_event_buffer *buffer)
{
	unsigned long ip = record_trace_from_hit(plan);
	int ret = trace_event_buffer_commit(buffer);

	instruction_pointer_set(plan->regs, ip);
	return ret;
}
NOKPROBE_SYMBOL(trace_sink_commit);

/* Return: what trace_event_buffer_commit() says; -EBUSY also if there is no room. */
static int trace_sink_write_entry(const struct record_plan *plan,
				  const struct trace_event_hit *hit)
{
	struct trace_event_buffer buffer;
	void *entry;

	entry = trace_event_buffer_reserve(&buffer, hit->file, plan->size);
	if (!entry)
		return -EBUSY;
	tracing_generic_entry_update(entry, hit->type, hit->trace_ctx);
	buffer.trace_ctx = hit->trace_ctx;
	buffer.regs = hit->regs;
	record_write(plan, entry);
	return trace_sink_commit(plan, &buffer);
}
NOKPROBE_SYMBOL(trace_sink_write_entry);

static enum outcome trace_sink_write_if_wanted(const struct record_plan *plan,
					       const struct trace_event_hit *hit,
					       const struct event_link *link)
{
	int ret;

	if (trace_sink_keeps_out(plan, hit->file))
		return trace_sink_filtered(link);
	ret = trace_sink_write_entry(plan, hit);
	if (ret < 0)
		return trace_sink_refused(link);
	if (!ret)
		return trace_sink_filtered(link);
	local_inc(raw_cpu_ptr(link->recorded));
	return OUTCOME_SERVED;
}
NOKPROBE_SYMBOL(trace_sink_write_if_wanted);

/* Triggers run before the record is reserved, or when it is committed. */
static noinline enum outcome trace_sink_write_judged(const struct record_plan *plan,
						     const struct event_link *link)
{
	const struct trace_event_hit hit = {
		.file = link->file,
		.type = link->head.type,
		.regs = plan->regs,
		.trace_ctx = record_context(plan->regs),
	};
	const struct trace_event_hit *outer = trace_event_hit_begin(&hit);
	enum outcome outcome = trace_sink_write_if_wanted(plan, &hit, link);

	trace_event_hit_end(outer);
	return outcome;
}
NOKPROBE_SYMBOL(trace_sink_write_judged);

/**
 * trace_sink_write_built() - write a record that has been built to a plain file
 * @link: the file, whose filter has been asked
 * @record: the record
 * @size: its size
 * @context: what record_context() says
 *
 * Context: preemption off.
 * Return: what became of the hit.
 */
enum outcome trace_sink_write_built(const struct event_link *link, char *record,
				    unsigned int size, unsigned int context)
{
	const struct record_plan plan = { .scratch = record, .size = size };

	return trace_sink_write_plain(&plan, link, context);
}
NOKPROBE_SYMBOL(trace_sink_write_built);

/* Write a record that has been built if the filter of its file lets it pass */
static enum outcome trace_sink_ask(const struct record_plan *plan, const struct event_link *link,
				   char *record)
{
	unsigned int context = record_context(plan->regs);

	if (trace_sink_rejects(link, record, context))
		return trace_sink_filtered(link);
	return trace_sink_write_built(link, record, plan->size, context);
}
NOKPROBE_SYMBOL(trace_sink_ask);

/* The same, of a record of at most SINK_SMALL bytes that has not been built */
static noinline enum outcome trace_sink_ask_small(const struct record_plan *plan,
						  const struct event_link *link)
{
	char record[SINK_SMALL] __aligned(sizeof(u64)) __uninitialized;

	record_write(plan, record);
	return trace_sink_ask(plan, link, record);
}
NOKPROBE_SYMBOL(trace_sink_ask_small);

/**
 * trace_sink_write_file() - write the record of a hit to a file
 * @plan: a prepared plan
 * @link: the file
 *
 * Context: preemption off.
 * Return: what became of the hit.
 */
enum outcome trace_sink_write_file(const struct record_plan *plan, const struct event_link *link)
{
	if (likely(trace_sink_is_plain(link->file)))
		return trace_sink_write_plain(plan, link, record_context(plan->regs));
	if (!trace_sink_is_asked(link->file))
		return trace_sink_write_judged(plan, link);
	if (plan->scratch)
		return trace_sink_ask(plan, link, plan->scratch);
	if (plan->size <= SINK_SMALL)
		return trace_sink_ask_small(plan, link);
	return trace_sink_write_judged(plan, link);
}
NOKPROBE_SYMBOL(trace_sink_write_file);

/**
 * trace_sink_write() - write the record of a hit to all files of its event
 * @plan: the plan of the record
 * @event: the event
 *
 * Context: preemption off.
 * Return: what became of the hit: bits of enum outcome.
 */
unsigned int trace_sink_write(struct record_plan *plan, struct kprobe_event *event)
{
	unsigned int outcome = OUTCOME_NONE;
	struct event_link *link;

	if (unlikely(!record_prepare(plan)))
		return OUTCOME_LOST;
	hlist_for_each_entry_rcu(link, &event->links, node)
		outcome |= trace_sink_write_file(plan, link);
	record_finish(plan);
	return outcome;
}
NOKPROBE_SYMBOL(trace_sink_write);
