// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The trace sink: files with filters, triggers or stack traces, and refused records.
 */
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

static enum outcome trace_sink_filtered(const struct event_link *link)
{
	atomic_long_inc(&link->tally->filtered);
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

	instruction_pointer_set(plan->frame.regs, ip);
	return kept_out;
}
NOKPROBE_SYMBOL(trace_sink_keeps_out);

static int trace_sink_commit(const struct record_plan *plan, struct trace_event_buffer *buffer)
{
	unsigned long ip = record_trace_from_hit(plan);
	int ret = trace_event_buffer_commit(buffer);

	instruction_pointer_set(plan->frame.regs, ip);
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
	local_inc(raw_cpu_ptr(link->tally->recorded));
	return OUTCOME_SERVED;
}
NOKPROBE_SYMBOL(trace_sink_write_if_wanted);

/**
 * trace_sink_write_judged() - write a record to a file that trace_events.c judges
 * @plan: a prepared plan
 * @link: the file
 *
 * Triggers run before the record is reserved, or when it is committed.
 *
 * Context: preemption off.
 * Return: what became of the hit.
 */
noinline enum outcome trace_sink_write_judged(const struct record_plan *plan,
					      const struct event_link *link)
{
	const struct trace_event_hit hit = {
		.file = link->file,
		.type = link->type,
		.regs = plan->frame.regs,
		.trace_ctx = record_context(plan->frame.regs),
	};
	const struct trace_event_hit *outer = trace_event_hit_begin(&hit);
	enum outcome outcome = trace_sink_write_if_wanted(plan, &hit, link);

	trace_event_hit_end(outer);
	return outcome;
}
NOKPROBE_SYMBOL(trace_sink_write_judged);
