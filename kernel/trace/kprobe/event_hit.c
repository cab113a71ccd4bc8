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

/* A hit at a return has an instance of the call, @ri; a hit at an entry has not. */
static __always_inline struct record_plan
event_hit_plan(const struct trace_kprobe *probe, struct pt_regs *regs,
	       struct kretprobe_instance *ri, bool is_return, enum record_shape shape)
{
	struct record_plan plan __uninitialized;

	plan.probe = probe;
	plan.regs = regs;
	plan.call = ri;
	plan.is_return = is_return;
	plan.args = probe->args;
	plan.shape = shape;
	plan.size = shape == RECORD_BARE ? record_head_size(is_return) : plan.args->record_size;
	plan.scratch = NULL;
	return plan;
}

/* The same, if neither the kind of the hit nor the shape of the record is known */
static __always_inline struct record_plan
event_hit_any_plan(const struct trace_kprobe *probe, struct pt_regs *regs,
		   struct kretprobe_instance *ri)
{
	return event_hit_plan(probe, regs, ri, !!ri,
			      probe->args->nr ? RECORD_VARIES : RECORD_BARE);
}

static __always_inline unsigned int event_hit_serve_file(struct record_plan *plan,
							 const struct event_link *link)
{
	unsigned int outcome;

	if (unlikely(!record_prepare(plan)))
		return OUTCOME_LOST;
	outcome = trace_sink_write_file(plan, link);
	record_finish(plan);
	return outcome;
}

/* Return: 1 if a BPF program has changed the instruction pointer, else 0 */
static __always_inline int event_hit_serve_sinks(struct record_plan *plan,
						 struct kprobe_event *event,
						 unsigned int *outcome)
{
	/* Pairs with sink_set() */
	unsigned int sinks = smp_load_acquire(&event->sinks);

	if (likely(sinks & EVENT_SINK_TRACE))
		*outcome = trace_sink_write(plan, event);
	if (unlikely(sinks & EVENT_SINK_PERF))
		return perf_sink_hit(plan, event, outcome);
	return 0;
}

/*
 * Handlers pass on the client of the core as they got it, so that none of the ways below costs
 * the shortest an instruction. An entry probe is the client kretprobe::kp as well.
 */
static __always_inline struct trace_kprobe *event_hit_probe(struct kprobe *kp)
{
	return container_of(kp, struct trace_kprobe, rp.kp);
}

/* Any sinks, any records, any context. Return: as event_hit_serve_sinks() */
static noinline int event_hit_serve_any(struct kprobe *kp, struct pt_regs *regs,
					struct kretprobe_instance *ri)
{
	struct trace_kprobe *probe = event_hit_probe(kp);
	struct kprobe_event *event = probe->event;
	/* Ordered by dependency; pairs with sink_set_only() */
	const struct event_link *link = READ_ONCE(event->only);
	struct record_plan plan = event_hit_any_plan(probe, regs, ri);
	unsigned int outcome = OUTCOME_NONE;
	int ret = 0;

	if (likely(link))
		outcome = event_hit_serve_file(&plan, link);
	else
		ret = event_hit_serve_sinks(&plan, event, &outcome);
	event_hit_count(probe, outcome);
	return ret;
}
NOKPROBE_SYMBOL(event_hit_serve_any);

/* The only sink is a file whose filter is to be asked, and the record is small. Return: 0 */
static noinline int event_hit_serve_asked(struct kprobe *kp, struct pt_regs *regs,
					  struct kretprobe_instance *ri,
					  const struct event_link *link)
{
	struct trace_kprobe *probe = event_hit_probe(kp);
	struct record_plan plan = event_hit_any_plan(probe, regs, ri);
	char record[SINK_SMALL] __aligned(sizeof(u64)) __uninitialized;

	record_write(&plan, record);
	if (likely(trace_sink_rejects(link, record, 0)))
		arch_kprobe_count(link->tally->filtered, probe->hits);
	else
		event_hit_count(probe, trace_sink_write_built(link, record, plan.size, 0));
	return 0;
}
NOKPROBE_SYMBOL(event_hit_serve_asked);

/* The ways that are not the shortest. Return: as event_hit_serve_sinks() */
static __always_inline int event_hit_serve_other(struct kprobe *kp, struct pt_regs *regs,
						 struct kretprobe_instance *ri,
						 const struct event_link *link)
{
	if (link && trace_sink_is_asked(link->file) && record_context_is_plain(regs) &&
	    event_hit_probe(kp)->args->record_size <= SINK_SMALL)
		return event_hit_serve_asked(kp, regs, ri, link);
	return event_hit_serve_any(kp, regs, ri);
}

/*
 * The short way: a record of fixed size to the one file that an event writes to, if
 * trace_events.c need not judge its records, and there is nothing to record of the context.
 * The plan stays in registers, because nothing takes its address.
 *
 * Return: as event_hit_serve_sinks()
 */
static __always_inline int event_hit_serve(struct kprobe *kp, struct pt_regs *regs,
					   struct kretprobe_instance *ri, bool is_return,
					   enum record_shape shape)
{
	struct trace_kprobe *probe = event_hit_probe(kp);
	/* Ordered by dependency; pairs with sink_set_only() */
	const struct event_link *link = READ_ONCE(probe->event->only);
	struct record_plan plan __uninitialized;

	if (unlikely(!link) || unlikely(!trace_sink_is_plain(link->file)) ||
	    unlikely(!record_context_is_plain(regs)))
		return event_hit_serve_other(kp, regs, ri, link);
	plan = event_hit_plan(probe, regs, ri, is_return, shape);
	if (likely(trace_sink_commit_plain(&plan, link, 0)))
		arch_kprobe_count(link->recorded, probe->hits);
	else
		event_hit_count(probe, trace_sink_refused(link));
	return 0;
}

static int event_entry_hit_bare(struct kprobe *kp, struct pt_regs *regs)
{
	return event_hit_serve(kp, regs, NULL, false, RECORD_BARE);
}
NOKPROBE_SYMBOL(event_entry_hit_bare);

static int event_entry_hit_words(struct kprobe *kp, struct pt_regs *regs)
{
	return event_hit_serve(kp, regs, NULL, false, RECORD_WORDS);
}
NOKPROBE_SYMBOL(event_entry_hit_words);

static int event_entry_hit_values(struct kprobe *kp, struct pt_regs *regs)
{
	return event_hit_serve(kp, regs, NULL, false, RECORD_VALUES);
}
NOKPROBE_SYMBOL(event_entry_hit_values);

static int event_entry_hit_varies(struct kprobe *kp, struct pt_regs *regs)
{
	return event_hit_serve_any(kp, regs, NULL);
}
NOKPROBE_SYMBOL(event_entry_hit_varies);

static __always_inline struct fetch_args *event_return_args(struct kretprobe_instance *ri)
{
	return event_hit_probe(&get_kretprobe(ri)->kp)->args;
}

/* The function of a return probe is entered: its arguments are there now. */
static int event_return_keep(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	struct fetch_frame frame = { .regs = regs };

	fetch_keep_words(event_return_args(ri), frame, ri->data);
	return 0;
}
NOKPROBE_SYMBOL(event_return_keep);

/* The same, and what the arguments point to is kept */
static int event_return_keep_values(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	struct fetch_frame frame = { .regs = regs };

	fetch_keep_values(event_return_args(ri), frame, ri->data);
	return 0;
}
NOKPROBE_SYMBOL(event_return_keep_values);

/* Programs at returns change no instruction pointer. */
static __always_inline int event_return_serve(struct kretprobe_instance *ri, struct pt_regs *regs,
					      enum record_shape shape)
{
	return event_hit_serve(&get_kretprobe(ri)->kp, regs, ri, true, shape);
}

static int event_return_hit_bare(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	return event_return_serve(ri, regs, RECORD_BARE);
}
NOKPROBE_SYMBOL(event_return_hit_bare);

static int event_return_hit_words(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	return event_return_serve(ri, regs, RECORD_WORDS);
}
NOKPROBE_SYMBOL(event_return_hit_words);

static int event_return_hit_values(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	return event_return_serve(ri, regs, RECORD_VALUES);
}
NOKPROBE_SYMBOL(event_return_hit_values);

static int event_return_hit_varies(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	event_hit_serve_any(&get_kretprobe(ri)->kp, regs, ri);
	return 0;
}
NOKPROBE_SYMBOL(event_return_hit_varies);

const struct trace_kprobe_handlers event_hit_handlers = {
	.entry = {
		[RECORD_BARE]	= event_entry_hit_bare,
		[RECORD_WORDS]	= event_entry_hit_words,
		[RECORD_VALUES]	= event_entry_hit_values,
		[RECORD_VARIES]	= event_entry_hit_varies,
	},
	.ret = {
		[RECORD_BARE]	= event_return_hit_bare,
		[RECORD_WORDS]	= event_return_hit_words,
		[RECORD_VALUES]	= event_return_hit_values,
		[RECORD_VARIES]	= event_return_hit_varies,
	},
	.keep		= event_return_keep,
	.keep_values	= event_return_keep_values,
};
