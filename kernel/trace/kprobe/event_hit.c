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

/* The one file that an event writes to, if trace_events.c need not judge its records */
static __always_inline const struct event_link *event_hit_only(const struct kprobe_event *event)
{
	/* Ordered by dependency; pairs with sink_set_only() */
	const struct event_link *link = READ_ONCE(event->only);

	return likely(link) && likely(trace_sink_is_plain(link->file)) ? link : NULL;
}

/* A hit at a return has an instance of the call, @ri; a hit at an entry has not. */
static __always_inline struct record_plan
event_hit_plan(const struct trace_kprobe *probe, struct pt_regs *regs,
	       struct kretprobe_instance *ri)
{
	struct record_plan plan __uninitialized;

	plan.fields = probe->event->fields;
	plan.args = probe->args;
	plan.size = plan.fields->size;
	plan.scratch = NULL;
	plan.frame.regs = regs;
	plan.frame.entry = ri ? (struct fetch_kept *)ri->data : NULL;
	plan.head[0] = (unsigned long)probe->rp.kp.addr;
	plan.head[1] = ri ? get_kretprobe_retaddr(ri) : 0;
	plan.nr_head = ri ? 2 : 1;
	return plan;
}

/* Any sinks, any records. Return: see event_hit_serve(). */
static noinline int event_hit_serve_all(struct trace_kprobe *probe, struct pt_regs *regs,
					struct kretprobe_instance *ri)
{
	struct record_plan plan = event_hit_plan(probe, regs, ri);
	struct kprobe_event *event = probe->event;
	/* Pairs with sink_set() */
	unsigned int sinks = smp_load_acquire(&event->sinks);
	unsigned int outcome = OUTCOME_NONE;
	int ret = 0;

	if (likely(sinks & EVENT_SINK_TRACE))
		outcome = trace_sink_write(&plan, event);
	if (unlikely(sinks & EVENT_SINK_PERF))
		ret = event_perf_hit(&plan, event, &outcome);
	event_hit_count(probe, outcome);
	return ret;
}
NOKPROBE_SYMBOL(event_hit_serve_all);

/* The only sink is a plain file, and the record has texts. Return: 0. */
static noinline int event_hit_serve_text(struct trace_kprobe *probe, struct pt_regs *regs,
					 struct kretprobe_instance *ri,
					 const struct event_link *link)
{
	struct record_plan plan = event_hit_plan(probe, regs, ri);

	if (likely(record_scratch_get(&plan))) {
		event_hit_count(probe, trace_sink_write_plain(&plan, link));
		record_scratch_put();
	} else {
		event_hit_count(probe, OUTCOME_LOST);
	}
	return 0;
}
NOKPROBE_SYMBOL(event_hit_serve_text);

/*
 * The plan stays in registers, because nothing of the short way takes its address. Return:
 * 1 if a BPF program has changed the instruction pointer, else 0.
 */
static __always_inline int event_hit_serve(struct trace_kprobe *probe, struct pt_regs *regs,
					   struct kretprobe_instance *ri)
{
	const struct event_link *link = event_hit_only(probe->event);
	struct record_plan plan;

	if (unlikely(!link))
		return event_hit_serve_all(probe, regs, ri);
	if (probe->event->fields->has_text)
		return event_hit_serve_text(probe, regs, ri, link);
	plan = event_hit_plan(probe, regs, ri);
	event_hit_count(probe, trace_sink_write_plain(&plan, link));
	return 0;
}

static int event_entry_hit(struct kprobe *kp, struct pt_regs *regs)
{
	return event_hit_serve(container_of(kp, struct trace_kprobe, rp.kp), regs, NULL);
}
NOKPROBE_SYMBOL(event_entry_hit);

/* The function of a return probe is entered: its arguments are there now. */
static int event_return_keep(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	struct kretprobe *rp = get_kretprobe(ri);
	struct fetch_frame frame = { .regs = regs };

	if (likely(rp))
		fetch_keep_words(container_of(rp, struct trace_kprobe, rp)->args, frame,
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
		fetch_keep_values(container_of(rp, struct trace_kprobe, rp)->args, frame,
				  ri->data);
	return 0;
}
NOKPROBE_SYMBOL(event_return_keep_values);

static int event_return_hit(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	struct kretprobe *rp = get_kretprobe(ri);

	/* A call may outlive its probe. Programs at returns change no instruction pointer. */
	if (likely(rp))
		event_hit_serve(container_of(rp, struct trace_kprobe, rp), regs, ri);
	return 0;
}
NOKPROBE_SYMBOL(event_return_hit);

const struct trace_kprobe_handlers event_hit_handlers = {
	.entry		= event_entry_hit,
	.keep		= event_return_keep,
	.keep_values	= event_return_keep_values,
	.ret		= event_return_hit,
};
