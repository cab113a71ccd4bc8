/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef _TRACE_KPROBE_RECORD_H
#define _TRACE_KPROBE_RECORD_H
/*
 * Record: what a hit writes, byte for byte.
 *
 *	struct trace_entry | head: 1 or 2 words | fields | fault word | texts
 *
 * struct event_fields and struct fetch_args have the offsets. A record of fixed size is
 * filled in where it stays: it has no texts, or only names of tasks, which take 16 bytes
 * each. Any other record with texts is built in scratch memory, so that each text is read
 * once, and then copied to a reservation of its exact size.
 */
#include <linux/irqflags.h>
#include <linux/kprobe-arch.h>
#include <linux/kprobes.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <linux/trace_events.h>

#include "fetch.h"
#include "fields.h"
#include "probe.h"

/*
 * Maximum size of a record. It fits in one page of a ring buffer, of which 4072 bytes
 * are left for data, and in the buffers of perf.
 */
#define RECORD_MAX	4048

/**
 * record_head_size() - the size of a record up to its first field
 * @is_return: the record is of a return probe
 *
 * Context: any.
 * Return: the size, a multiple of 8.
 */
static __always_inline unsigned int record_head_size(bool is_return)
{
	static_assert(sizeof(struct trace_entry) + sizeof(long) == PROBE_ENTRY_HEAD);
	static_assert(sizeof(struct trace_entry) + 2 * sizeof(long) == PROBE_RETURN_HEAD);

	return is_return ? PROBE_RETURN_HEAD : PROBE_ENTRY_HEAD;
}

/**
 * struct record_plan - how to write the record of a hit
 * @probe: the probe that was hit
 * @regs: the registers of the hit
 * @call: the instance of the call that returns; NULL unless @is_return
 * @is_return: the record has the head of a return
 * @args: the arguments of @probe
 * @shape: what the record has after its head; RECORD_VARIES stands for all that has fields
 * @size: size of the record, a multiple of 4
 * @scratch: the record, built already but for its trace_entry; NULL if it is not
 *
 * The hit owns its plan.
 */
struct record_plan {
	const struct trace_kprobe	*probe;
	struct pt_regs			*regs;
	struct kretprobe_instance	*call;
	bool				is_return;
	const struct fetch_args		*args;
	enum record_shape		shape;
	unsigned int			size;
	char				*scratch;
};

int record_scratch_alloc(void);
bool record_scratch_get(struct record_plan *plan);
void record_scratch_put(void);
unsigned int record_context(const struct pt_regs *regs);

#ifdef CONFIG_SMP
static __always_inline unsigned int record_task_pins(void)
{
	return current->migration_disabled;
}
#else
static __always_inline unsigned int record_task_pins(void)
{
	return 0;
}
#endif

/**
 * record_context_is_plain() - is there nothing to record of the context of a hit?
 * @regs: the registers of the hit
 *
 * Most hits are of a task that may be preempted and moved, except by this hit, and need not
 * be yet.
 *
 * Context: preemption off.
 * Return: true if record_context() would return 0. It may do so after false as well.
 */
static __always_inline bool record_context_is_plain(const struct pt_regs *regs)
{
	/* Softirqs that are off count for the task on PREEMPT_RT */
	if (!IS_ENABLED(CONFIG_PREEMPTION) ||
	    (IS_ENABLED(CONFIG_PREEMPT_RT) && softirq_count()))
		return false;
	return likely(arch_kprobe_preempt_is(PREEMPT_DISABLE_OFFSET)) &&
	       likely(!tif_need_resched()) && likely(!record_task_pins()) &&
	       likely(!irqs_disabled_flags(arch_kprobe_irq_flags(regs)));
}

/* Cleared before the fields are written: the 8 bytes may overlap head and fields */
static __always_inline void record_clear_padding(const struct fetch_args *args, void *record)
{
	put_unaligned(0ULL, (u64 *)(record + args->clear));
}

/* What was kept when the function was entered, see struct fetch_frame */
static __always_inline const struct fetch_kept *record_kept(const struct record_plan *plan)
{
	return plan->is_return ? (struct fetch_kept *)plan->call->data : NULL;
}

static __always_inline void *record_fields(const struct record_plan *plan, void *record)
{
	return record + record_head_size(plan->is_return);
}

/* @fields begins after the head; a fault word of @args is in it */
static __always_inline void record_put_faults(const struct fetch_args *args, void *fields,
					      u64 faults)
{
	if (args->fault_at)
		put_unaligned(faults, (u64 *)(fields + args->fault_at));
}

static __always_inline void record_put_values(const struct record_plan *plan, void *record)
{
	const struct fetch_args *args = plan->args;
	void *fields = record_fields(plan, record);

	record_put_faults(args, fields,
			  fetch_values(args, plan->regs, record_kept(plan), fields));
}

/* The same, of the short way. Nothing lives across its calls that would need the stack */
static __always_inline void record_put_values_inline(const struct record_plan *plan, void *record)
{
	const struct fetch_args *args = plan->args;
	void *fields = record_fields(plan, record);
	const struct fetch_move *left = fetch_values_inline(args, plan->regs, fields);

	if (likely(left == args->end))
		record_put_faults(args, fields, 0);
	else
		record_put_faults(args, fields, fetch_values_any(args, plan->regs,
								 record_kept(plan), fields, left));
}

/* All values are words: record_clear_padding() has cleared the fault word */
static __always_inline void record_put_words(const struct record_plan *plan, void *record)
{
	if (unlikely(!fetch_words(plan->args, plan->regs, record_fields(plan, record))))
		record_put_values(plan, record);
}

static __always_inline void record_put_head(const struct record_plan *plan, void *record)
{
	unsigned long *head = record + sizeof(struct trace_entry);

	head[0] = (unsigned long)plan->probe->rp.kp.addr;
	if (plan->is_return)
		head[1] = get_kretprobe_retaddr(plan->call);
}

/**
 * record_write() - write a record, except for its trace_entry
 * @plan: a prepared plan
 * @record: plan->size bytes
 *
 * Context: any.
 */
static __always_inline void record_write(const struct record_plan *plan, void *record)
{
	unsigned int skip = sizeof(struct trace_entry);

	if (unlikely(plan->scratch)) {
		memcpy(record + skip, plan->scratch + skip, plan->size - skip);
		return;
	}
	if (plan->shape != RECORD_BARE)
		record_clear_padding(plan->args, record);
	record_put_head(plan, record);
	if (plan->shape == RECORD_WORDS)
		record_put_words(plan, record);
	else if (plan->shape == RECORD_VALUES)
		record_put_values_inline(plan, record);
	else if (plan->shape != RECORD_BARE)
		record_put_values(plan, record);
}

/**
 * record_trace_from_hit() - make stack traces start at the probed instruction
 * @plan: the plan
 *
 * int3 leaves ip one byte past the probe; unwinding from there may apply the CFI of the
 * next instruction (after a one-byte push, say).
 *
 * Context: any.
 * Return: the instruction pointer; the caller must restore it.
 */
static __always_inline unsigned long record_trace_from_hit(const struct record_plan *plan)
{
	struct pt_regs *regs = plan->regs;
	unsigned long ip = instruction_pointer(regs);

	if (!plan->is_return)
		instruction_pointer_set(regs, (unsigned long)plan->probe->rp.kp.addr);
	return ip;
}

/**
 * record_prepare() - find the size of a record; build the record if that varies
 * @plan: the plan; @size and @scratch are filled in
 *
 * Context: preemption off until record_finish().
 * Return: false if too many hits interrupt one another: the hit is missed.
 */
static __always_inline bool record_prepare(struct record_plan *plan)
{
	const struct fetch_args *args = plan->probe->args;

	plan->size = args->nr ? args->record_size : record_head_size(plan->is_return);
	plan->scratch = NULL;
	return likely(!fetch_args_vary(args)) || record_scratch_get(plan);
}

/**
 * record_finish() - end the use of a prepared plan
 * @plan: the plan, whose record has been written to every buffer
 *
 * Context: preemption off since record_prepare().
 */
static __always_inline void record_finish(const struct record_plan *plan)
{
	if (plan->scratch)
		record_scratch_put();
}

#endif /* _TRACE_KPROBE_RECORD_H */
