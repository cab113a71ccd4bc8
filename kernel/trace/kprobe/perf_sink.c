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

#ifdef CONFIG_BPF_EVENTS
static bool perf_sink_interrupts_program(void)
{
	return this_cpu_read(bpf_prog_active);
}
#else
static bool perf_sink_interrupts_program(void)
{
	return false;
}
#endif
NOKPROBE_SYMBOL(perf_sink_interrupts_program);

/*
 * A program that a hit interrupts keeps those of the hit's event from running.
 *
 * Return: OUTCOME_NONE if there are no programs, or if they want the record; OUTCOME_LOST if
 * they could not be asked.
 */
static enum outcome perf_sink_ask_programs(struct trace_event_call *call, struct pt_regs *regs)
{
	enum outcome unwanted = OUTCOME_SERVED;

	if (!bpf_prog_array_valid(call))
		return OUTCOME_NONE;
	if (perf_sink_interrupts_program())
		unwanted = OUTCOME_LOST;
	return trace_call_bpf(call, regs) ? OUTCOME_NONE : unwanted;
}
NOKPROBE_SYMBOL(perf_sink_ask_programs);

/*
 * Has a program at an entry changed the instruction pointer, which was @ip? One at a return
 * only changes what is returned: other probes of the return see the true address.
 */
static bool perf_sink_is_diverted(const struct record_plan *plan, unsigned long ip)
{
	if (plan->is_return)
		instruction_pointer_set(plan->regs, ip);
	return instruction_pointer(plan->regs) != ip;
}
NOKPROBE_SYMBOL(perf_sink_is_diverted);

/**
 * perf_sink_hit() - show a hit to the BPF programs and perf events of its event
 * @plan: the plan of the record
 * @event: the event
 * @outcome: the outcome of the hit is added to it
 *
 * Context: preemption off.
 * Return: 1 if a program has changed the instruction pointer, else 0.
 */
int perf_sink_hit(struct record_plan *plan, struct kprobe_event *event,
		  unsigned int *outcome)
{
	unsigned long ip = instruction_pointer(plan->regs);
	enum outcome asked = perf_sink_ask_programs(&event->call, plan->regs);
	bool diverted = perf_sink_is_diverted(plan, ip);

	if (diverted)
		asked = OUTCOME_SERVED;
	*outcome |= asked ?: perf_sink_write_if_open(plan, &event->call);
	return diverted;
}
NOKPROBE_SYMBOL(perf_sink_hit);
