/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef _TRACE_KPROBE_RECORD_H
#define _TRACE_KPROBE_RECORD_H
/*
 * Records: what a hit writes, byte for byte.
 *
 *	struct trace_entry | head: 1 or 2 words | fields | fault word | texts
 *
 * A record without texts has a fixed size and is filled in where it stays. One
 * with texts is built in scratch memory, so that every text is read once, and
 * copied to a place of just its size.
 */
#include <linux/string.h>
#include <linux/trace_events.h>

#include "fetch.h"
#include "fields.h"

/*
 * The most a record can take. It fits in one page of a ring buffer, whose own
 * headers leave 4072 bytes of it, and in the buffers of perf.
 */
#define RECORD_MAX	4048

/* The words between the trace_entry and the fields: one at an entry, two at a return */
#define RECORD_MAX_HEAD	2

/**
 * struct record_plan - how to write the record of a hit
 * @fields: of its event
 * @args: of the probe that was hit; their layout is that of @fields
 * @regs: the registers at the hit
 * @head: the words of the head
 * @nr_head: how many
 * @with_faults: there is a fault word
 * @size: of the record, a multiple of four
 * @scratch: the fields and texts are there already, else NULL
 */
struct record_plan {
	const struct event_fields	*fields;
	const struct fetch_args		*args;
	struct pt_regs			*regs;
	unsigned long			head[RECORD_MAX_HEAD];
	unsigned int			nr_head;
	bool				with_faults;
	unsigned int			size;
	const char			*scratch;
};

int record_scratch_alloc(void);
bool record_scratch_get(struct record_plan *plan);
void record_scratch_put(void);

static __always_inline unsigned int record_head_size(const struct record_plan *plan)
{
	return sizeof(struct trace_entry) + plan->nr_head * sizeof(long);
}

static __always_inline unsigned int record_fixed_size(const struct record_plan *plan)
{
	return record_head_size(plan) + plan->fields->size +
	       (plan->with_faults ? sizeof(u64) : 0);
}

/*
 * The buffers hand out space in words: what is behind the last field is ours to
 * write, too. Call before the fields are filled in.
 */
static __always_inline void record_clear_end(void *record, unsigned int size)
{
	put_unaligned(0, (u32 *)(record + size - sizeof(u32)));
}

/**
 * record_fill_fields() - fetch the arguments of a record that has no texts
 * @plan: the plan
 * @record: the record
 */
static __always_inline void record_fill_fields(const struct record_plan *plan, void *record)
{
	void *fields = record + record_head_size(plan);
	const struct fetch_arg *arg = plan->args->arg;
	u64 faults = 0;
	unsigned int i;

	for (i = 0; i < plan->args->nr; i++, arg++) {
		if (likely(fetch_value(arg, plan->regs, fields + arg->offset)))
			continue;
		memset(fields + arg->offset, 0, arg->size);
		faults |= event_field_bit(i);
	}
	if (plan->with_faults)
		put_unaligned(faults, (u64 *)(fields + plan->fields->size));
}

/**
 * record_write() - write a record but for its trace_entry
 * @plan: the plan
 * @record: plan->size bytes
 */
static __always_inline void record_write(const struct record_plan *plan, void *record)
{
	unsigned long *head = record + sizeof(struct trace_entry);
	unsigned int skip = sizeof(struct trace_entry);

	if (unlikely(plan->scratch)) {
		memcpy(record + skip, plan->scratch + skip, plan->size - skip);
		return;
	}
	record_clear_end(record, plan->size);
	head[0] = plan->head[0];
	if (plan->nr_head > 1)
		head[1] = plan->head[1];
	record_fill_fields(plan, record);
}

/**
 * record_trace_from_hit() - have a stack trace begin at the instruction that was hit
 * @plan: the plan
 *
 * The trap of x86 leaves the pointer a byte further, where the stack can be said to
 * look different: behind a push of one byte.
 *
 * Return: the instruction pointer, which the caller has to put back.
 */
static __always_inline unsigned long record_trace_from_hit(const struct record_plan *plan)
{
	unsigned long ip = instruction_pointer(plan->regs);

	if (plan->nr_head == 1)
		instruction_pointer_set(plan->regs, plan->head[0]);
	return ip;
}

/**
 * record_prepare() - find out the size of a record, build it if it has texts
 * @plan: the plan; @size, @with_faults and @scratch are filled in
 *
 * Context: preemption off until record_finish().
 * Return: false if too many hits interrupt one another: the hit is missed.
 */
static __always_inline bool record_prepare(struct record_plan *plan)
{
	/* Once a hit: the field may be added while hits are under way */
	plan->with_faults = READ_ONCE(plan->fields->has_fault);
	plan->size = ALIGN(record_fixed_size(plan), sizeof(u32));
	plan->scratch = NULL;
	return likely(!plan->fields->has_text) || record_scratch_get(plan);
}

/**
 * record_finish() - the record has been written wherever it was wanted
 * @plan: a prepared plan
 */
static __always_inline void record_finish(const struct record_plan *plan)
{
	if (plan->scratch)
		record_scratch_put();
}

#endif /* _TRACE_KPROBE_RECORD_H */
