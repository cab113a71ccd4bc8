// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The perf sink: a hit runs the BPF programs of its event, then writes a record for
 * the perf events that are open on this CPU.
 */
#include <linux/bpf.h>
#include <linux/perf_event.h>

#include "event.h"
#include "outcome.h"
#include "perf_sink.h"
#include "record.h"

/* The record has the flags of the interrupted context, not those of the trap */
static void perf_sink_submit(const struct record_plan *plan, struct trace_event_call *call,
			     void *record, int size, int rctx, struct hlist_head *head)
{
	const struct trace_event_hit hit = {
		.type = call->event.type,
		.regs = plan->regs,
		.trace_ctx = record_context(plan->regs),
	};
	const struct trace_event_hit *outer = trace_event_hit_begin(&hit);
	unsigned long ip = record_trace_from_hit(plan);

	perf_trace_buf_submit(record, size, rctx, call->event.type, 1, plan->regs, head,
			      NULL);
	instruction_pointer_set(plan->regs, ip);
	trace_event_hit_end(outer);
}
NOKPROBE_SYMBOL(perf_sink_submit);

static enum outcome perf_sink_write(const struct record_plan *plan,
				    struct trace_event_call *call, struct hlist_head *head)
{
	/* perf puts a u32 before the record; both together end on a multiple of 8 */
	int size = ALIGN(plan->size + sizeof(u32), sizeof(u64)) - sizeof(u32);
	void *record;
	int rctx;

	record = perf_trace_buf_alloc(size, NULL, &rctx);
	if (!record)
		return OUTCOME_LOST;
	record_write(plan, record);
	perf_sink_submit(plan, call, record, size, rctx, head);
	return OUTCOME_SERVED;
}
NOKPROBE_SYMBOL(perf_sink_write);

static enum outcome perf_sink_write_if_open(struct record_plan *plan, struct trace_event_call *call)
{
	struct hlist_head *head = this_cpu_ptr(call->perf_events);
	enum outcome outcome;

	if (hlist_empty(head))
		return OUTCOME_SERVED;
	if (!record_prepare(plan))
		return OUTCOME_LOST;
	outcome = perf_sink_write(plan, call, head);
	record_finish(plan);
	return outcome;
}
NOKPROBE_SYMBOL(perf_sink_write_if_open);

/* Return: true if there are no programs, or if they want the record */
static bool perf_sink_asks_programs(struct trace_event_call *call, struct pt_regs *regs)
{
	return !bpf_prog_array_valid(call) || trace_call_bpf(call, regs);
}
NOKPROBE_SYMBOL(perf_sink_asks_programs);

/**
 * event_perf_hit() - show a hit to the BPF programs and perf events of its event
 * @plan: the plan of the record
 * @event: the event
 * @outcome: the outcome of the hit is added to it
 *
 * Context: preemption off.
 * Return: 1 if a program has changed the instruction pointer, else 0.
 */
int event_perf_hit(struct record_plan *plan, struct kprobe_event *event,
		   unsigned int *outcome)
{
	unsigned long ip = instruction_pointer(plan->regs);
	bool wanted = perf_sink_asks_programs(&event->call, plan->regs);
	bool diverted = instruction_pointer(plan->regs) != ip;

	if (diverted || !wanted)
		*outcome |= OUTCOME_SERVED;
	else
		*outcome |= perf_sink_write_if_open(plan, &event->call);
	return diverted;
}
NOKPROBE_SYMBOL(event_perf_hit);
