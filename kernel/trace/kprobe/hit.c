// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Hits: from the core's handlers to the buffers of those who want the records.
 */
#include <linux/jump_label.h>
#include <linux/rculist.h>
#include <linux/ring_buffer.h>

#include "event.h"
#include "record.h"
#include "registers.h"

/*
 * A file with one of these has more to ask than where to put the record; the
 * functions of trace_events.c know all the questions.
 */
#define FILE_HAS_QUESTIONS	(EVENT_FILE_FL_TRIGGER_MODE |	\
				 EVENT_FILE_FL_TRIGGER_COND |	\
				 EVENT_FILE_FL_SOFT_DISABLED |	\
				 EVENT_FILE_FL_FILTERED |	\
				 EVENT_FILE_FL_PID_FILTER)

/* And so have these options of an instance: a stack to follow each record */
#define TRACE_HAS_QUESTIONS	(TRACE_ITER_STACKTRACE | TRACE_ITER_USERSTACKTRACE)

static __always_inline bool file_is_plain(const struct trace_event_file *file)
{
	return !(file->flags & FILE_HAS_QUESTIONS) &&
	       !(file->tr->trace_flags & TRACE_HAS_QUESTIONS) &&
	       !trace_event_has_listeners();
}

/*
 * Of a hit that came by a trap: the context of what was hit, not the trap's own.
 * Preemption is off once more than there, as everywhere in hits.
 */
static noinline unsigned int trap_context(const struct pt_regs *regs)
{
	unsigned int count = kprobe_preempt_count();
	unsigned int context;

	context = tracing_gen_ctx_flags(registers_irq_flags(regs));
	context &= ~((TRACE_FLAG_NMI | TRACE_FLAG_HARDIRQ) << 16);
	if (count & NMI_MASK)
		context |= TRACE_FLAG_NMI << 16;
	if (count & HARDIRQ_MASK)
		context |= TRACE_FLAG_HARDIRQ << 16;
	return IS_ENABLED(CONFIG_PREEMPTION) ? context - 1 : context;
}
NOKPROBE_SYMBOL(trap_context);

static __always_inline unsigned int hit_context(const struct pt_regs *regs)
{
	if (TRAPS_COUNT_NOTHING || unlikely(kprobe_preempt_count() != preempt_count()))
		return trap_context(regs);
	return tracing_gen_ctx_dec();
}

/*
 * The ring buffer refused a record. Was it to: tracing is off, or is off on this
 * CPU? If not, somebody has stopped the buffer for a while, or it is in use below.
 */
static noinline enum outcome refused_record(const struct trace_array *tr)
{
	if (ring_buffer_record_is_set_on(tr->array_buffer.buffer) &&
	    cpumask_test_cpu(raw_smp_processor_id(), tr->tracing_cpumask))
		return OUTCOME_LOST;
	return OUTCOME_SERVED;
}
NOKPROBE_SYMBOL(refused_record);

/* The shortest way into the ring buffer that its interface allows */
static __always_inline enum outcome write_plain(const struct record_plan *plan,
						struct trace_event_file *file)
{
	struct trace_buffer *buffer = file->tr->array_buffer.buffer;
	/* Before the ring buffer adds to what is counted as the hit's own */
	unsigned int context = hit_context(plan->regs);
	struct ring_buffer_event *rb_event;
	struct trace_entry *entry;

	rb_event = ring_buffer_lock_reserve(buffer, plan->size);
	if (unlikely(!rb_event))
		return refused_record(file->tr);
	entry = ring_buffer_event_data(rb_event);
	tracing_generic_entry_update(entry, file->event_call->event.type, context);
	record_write(plan, entry);
	/* What a commit of trace.c does for saved_cmdlines */
	__this_cpu_write(trace_taskinfo_save, true);
	ring_buffer_unlock_commit(buffer);
	return OUTCOME_SERVED;
}

static bool ignores_pid(struct trace_event_file *file)
{
	return (file->flags & EVENT_FILE_FL_PID_FILTER) && trace_event_ignore_this_pid(file);
}
NOKPROBE_SYMBOL(ignores_pid);

/* Runs triggers, and one of them can be to trace the stack */
static bool is_kept_out(const struct record_plan *plan, struct trace_event_file *file)
{
	unsigned long ip = record_trace_from_hit(plan);
	bool kept_out = trace_trigger_soft_disabled(file) || ignores_pid(file);

	instruction_pointer_set(plan->regs, ip);
	return kept_out;
}
NOKPROBE_SYMBOL(is_kept_out);

static noinline enum outcome write_asking(const struct record_plan *plan,
					  struct trace_event_file *file)
{
	struct trace_event_buffer buffer;
	unsigned int context = hit_context(plan->regs);
	unsigned long ip;
	void *entry;

	if (is_kept_out(plan, file))
		return OUTCOME_SERVED;
	entry = trace_event_buffer_reserve(&buffer, file, plan->size);
	if (!entry)
		return refused_record(file->tr);
	tracing_generic_entry_update(entry, file->event_call->event.type, context);
	buffer.trace_ctx = context;
	buffer.regs = plan->regs;
	record_write(plan, entry);
	ip = record_trace_from_hit(plan);
	trace_event_buffer_commit(&buffer);
	instruction_pointer_set(plan->regs, ip);
	return OUTCOME_SERVED;
}
NOKPROBE_SYMBOL(write_asking);

static __always_inline unsigned int write_to_files(struct record_plan *plan,
						   struct kprobe_event *event)
{
	unsigned int outcome = OUTCOME_NONE;
	struct event_link *link;

	if (unlikely(!record_prepare(plan)))
		return OUTCOME_LOST;
	list_for_each_entry_rcu(link, &event->links, list)
		if (likely(file_is_plain(link->file)))
			outcome |= write_plain(plan, link->file);
		else
			outcome |= write_asking(plan, link->file);
	record_finish(plan);
	return outcome;
}

/* Switched off while the hit was under way, it is none: there is no record */
static __always_inline void count_hit(struct event_probe *probe, unsigned int outcome)
{
	if (likely(outcome & OUTCOME_SERVED))
		this_cpu_inc(*probe->hits);
	else if (outcome & OUTCOME_LOST)
		atomic_long_inc(&probe->lost);
}

/*
 * @plan comes with what the caller knows; the rest is made out on the way, so no
 * hit pays for clearing it first.
 */
static __always_inline int serve(struct record_plan *plan, struct event_probe *probe)
{
	struct kprobe_event *event = probe->event;
	/* Pairs with set_sinks() */
	unsigned int sinks = smp_load_acquire(&event->sinks);
	unsigned int outcome = OUTCOME_NONE;
	int ret = 0;

	plan->fields = event->fields;
	plan->args = probe->args;
	if (likely(sinks & EVENT_SINK_TRACE))
		outcome = write_to_files(plan, event);
	if (unlikely(sinks & EVENT_SINK_PERF))
		ret = event_perf_hit(plan, event, &outcome);
	count_hit(probe, outcome);
	return ret;
}

/**
 * event_entry_hit() - pre-handler of entry probes
 * @kp: the client
 * @regs: the registers
 *
 * Return: 1 if a BPF program has changed where to go on, else 0.
 */
int event_entry_hit(struct kprobe *kp, struct pt_regs *regs)
{
	struct record_plan plan __uninitialized;

	plan.regs = regs;
	plan.head[0] = (unsigned long)kp->addr;
	plan.nr_head = 1;
	return serve(&plan, container_of(kp, struct event_probe, rp.kp));
}
NOKPROBE_SYMBOL(event_entry_hit);

/**
 * event_return_hit() - handler of return probes
 * @ri: the call that returns
 * @regs: the registers
 *
 * Return: 0.
 */
int event_return_hit(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	struct kretprobe *rp = get_kretprobe(ri);
	struct record_plan plan __uninitialized;

	/* A call that outlived its probe */
	if (unlikely(!rp))
		return 0;
	plan.regs = regs;
	plan.head[0] = (unsigned long)rp->kp.addr;
	plan.head[1] = get_kretprobe_retaddr(ri);
	plan.nr_head = 2;
	serve(&plan, container_of(rp, struct event_probe, rp));
	return 0;
}
NOKPROBE_SYMBOL(event_return_hit);
