/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef _TRACE_KPROBE_RECORD_H
#define _TRACE_KPROBE_RECORD_H
/*
 * Record: what a hit writes, byte for byte.
 *
 *	struct trace_entry | head: 1 or 2 words | fields | fault word | texts
 *
 * struct event_fields has the offsets. A record without texts has a fixed size and is
 * filled in where it stays. A record with texts is built in scratch memory, so that each
 * text is read once, and then copied to a reservation of its exact size.
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

/*
 * Maximum size of a record. It fits in one page of a ring buffer, of which 4072 bytes
 * are left for data, and in the buffers of perf.
 */
#define RECORD_MAX	4048

/* Words between trace_entry and fields: one at an entry, two at a return. */
#define RECORD_MAX_HEAD	2

/**
 * record_head_size() - the size of a record up to its first field
 * @is_return: the record is of a return probe
 *
 * Context: any.
 * Return: the size, a multiple of 8.
 */
static __always_inline unsigned int record_head_size(bool is_return)
{
	static_assert(sizeof(struct trace_entry) % sizeof(u64) == 0);

	return sizeof(struct trace_entry) + (is_return ? 2 : 1) * sizeof(long);
}

/**
 * struct record_plan - how to write the record of a hit
 * @fields: the layout of the record
 * @args: arguments of the probe that was hit; their types are those of @fields
 * @frame: what the arguments are fetched from
 * @head: the words of the head
 * @nr_head: number of words in @head
 * @size: size of the record, a multiple of 4
 * @scratch: the record, built already; NULL if it has no texts
 *
 * The hit owns its plan.
 */
struct record_plan {
	const struct event_fields	*fields;
	const struct fetch_args		*args;
	struct fetch_frame		frame;
	unsigned long			head[RECORD_MAX_HEAD];
	unsigned int			nr_head;
	unsigned int			size;
	const char			*scratch;
};

int record_scratch_alloc(void);
bool record_scratch_get(struct record_plan *plan);
void record_scratch_put(void);
unsigned int record_any_context(const struct pt_regs *regs);

#ifdef CONFIG_SMP
static __always_inline bool record_task_is_pinned(void)
{
	return current->migration_disabled;
}
#else
static __always_inline bool record_task_is_pinned(void)
{
	return false;
}
#endif

/* A task that may be preempted and moved, except by this hit, and need not be yet */
static __always_inline bool record_context_is_common(void)
{
	/* Softirqs that are off count for the task on PREEMPT_RT */
	if (IS_ENABLED(CONFIG_PREEMPT_RT) && softirq_count())
		return false;
	return kprobe_preempt_count() == PREEMPT_DISABLE_OFFSET && !record_task_is_pinned() &&
	       !tif_need_resched() && !test_preempt_need_resched();
}

/**
 * record_context() - the context to record for a hit
 * @regs: the registers of the hit
 *
 * A hit belongs to the context it interrupts, not to that of a trap.
 *
 * Context: preemption off.
 * Return: flags and preempt count, as tracing_generic_entry_update() takes them.
 */
static __always_inline unsigned int record_context(const struct pt_regs *regs)
{
	if (!IS_ENABLED(CONFIG_PREEMPTION) || unlikely(!record_context_is_common()))
		return record_any_context(regs);
	return irqs_disabled_flags(arch_kprobe_irq_flags(regs)) ? TRACE_FLAG_IRQS_OFF << 16 : 0;
}

/* Padding is written before the fields are: the 8 bytes may overlap head and fields. */
static __always_inline void record_clear_padding(const struct event_fields *fields,
						 void *record)
{
	put_unaligned(0ULL, (u64 *)(record + fields->clear));
}

/**
 * record_fill_fields() - fetch the arguments of a record that has no texts
 * @plan: a prepared plan
 * @record: the record
 *
 * Context: any.
 */
static __always_inline void record_fill_fields(const struct record_plan *plan, void *record)
{
	const struct event_fields *layout = plan->fields;
	u64 faults;

	if (!layout->nr)
		return;
	faults = fetch_values(plan->args, plan->frame, record + layout->begin);
	if (layout->fault)
		put_unaligned(faults, (u64 *)(record + layout->fault));
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
	unsigned long *head = record + sizeof(struct trace_entry);
	unsigned int skip = sizeof(struct trace_entry);

	if (unlikely(plan->scratch)) {
		memcpy(record + skip, plan->scratch + skip, plan->size - skip);
		return;
	}
	record_clear_padding(plan->fields, record);
	head[0] = plan->head[0];
	if (plan->nr_head > 1)
		head[1] = plan->head[1];
	record_fill_fields(plan, record);
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
	struct pt_regs *regs = plan->frame.regs;
	unsigned long ip = instruction_pointer(regs);

	if (plan->nr_head == 1)
		instruction_pointer_set(regs, plan->head[0]);
	return ip;
}

/**
 * record_prepare() - find the size of a record; build the record if it has texts
 * @plan: the plan; @size and @scratch are filled in
 *
 * Context: preemption off until record_finish().
 * Return: false if too many hits interrupt one another: the hit is missed.
 */
static __always_inline bool record_prepare(struct record_plan *plan)
{
	plan->size = plan->fields->size;
	plan->scratch = NULL;
	return likely(!plan->fields->has_text) || record_scratch_get(plan);
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
