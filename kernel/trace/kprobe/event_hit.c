// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Hits: from the core's handlers to the sinks of the event.
 */
#include "event_hit.h"
#include "fetch_keep.h"
#include "perf_sink.h"
#include "trace_sink.h"

/* A hit that finds no sink left is not counted: its event was switched off meanwhile. */
static __always_inline void event_hit_count(struct trace_kprobe *probe, unsigned int outcome)
{
	if (likely(outcome & OUTCOME_SERVED))
		local_inc(raw_cpu_ptr(probe->hits));
	else if (outcome & OUTCOME_LOST)
		atomic_long_inc(&probe->lost);
}

/*
 * The caller sets regs and head of @plan. The other members are set when they are
 * needed: clearing them first would cost every hit.
 */
static __always_inline int event_hit_serve(struct record_plan *plan, struct trace_kprobe *probe)
{
	struct kprobe_event *event = probe->event;
	/* Pairs with sink_set() */
	unsigned int sinks = smp_load_acquire(&event->sinks);
	unsigned int outcome = OUTCOME_NONE;
	int ret = 0;

	plan->fields = event->fields;
	plan->args = probe->args;
	if (likely(sinks & EVENT_SINK_TRACE))
		outcome = trace_sink_write(plan, event);
	if (unlikely(sinks & EVENT_SINK_PERF))
		ret = event_perf_hit(plan, event, &outcome);
	event_hit_count(probe, outcome);
	return ret;
}

/* Return: 1 if a BPF program has changed the instruction pointer, else 0. */
static int event_entry_hit(struct kprobe *kp, struct pt_regs *regs)
{
	struct record_plan plan __uninitialized;

	plan.frame.regs = regs;
	plan.head[0] = (unsigned long)kp->addr;
	plan.nr_head = 1;
	return event_hit_serve(&plan, container_of(kp, struct trace_kprobe, rp.kp));
}
NOKPROBE_SYMBOL(event_entry_hit);

/* The function of a return probe is entered: its arguments are there now. */
static int event_return_keep(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	struct kretprobe *rp = get_kretprobe(ri);
	struct fetch_frame frame = { .regs = regs };

	if (likely(rp))
		fetch_keep_words(container_of(rp, struct trace_kprobe, rp)->args, &frame,
				 ri->data);
	return 0;
}
NOKPROBE_SYMBOL(event_return_keep);

/* So is what they point to. */
static int event_return_keep_values(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	struct kretprobe *rp = get_kretprobe(ri);
	struct fetch_frame frame = { .regs = regs };

	if (likely(rp))
		fetch_keep_values(container_of(rp, struct trace_kprobe, rp)->args, &frame,
				  ri->data);
	return 0;
}
NOKPROBE_SYMBOL(event_return_keep_values);

static int event_return_hit(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	struct kretprobe *rp = get_kretprobe(ri);
	struct record_plan plan __uninitialized;

	/* A call that outlived its probe */
	if (unlikely(!rp))
		return 0;
	plan.frame.regs = regs;
	plan.frame.entry = (struct fetch_kept *)ri->data;
	plan.head[0] = (unsigned long)rp->kp.addr;
	plan.head[1] = get_kretprobe_retaddr(ri);
	plan.nr_head = 2;
	event_hit_serve(&plan, container_of(rp, struct trace_kprobe, rp));
	return 0;
}
NOKPROBE_SYMBOL(event_return_hit);

const struct trace_kprobe_handlers event_hit_handlers = {
	.entry		= event_entry_hit,
	.keep		= event_return_keep,
	.keep_values	= event_return_keep_values,
	.ret		= event_return_hit,
};
