// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Records with texts: built in scratch memory, each text read once.
 */
#include <linux/kallsyms.h>
#include <linux/kprobes.h>
#include <linux/percpu.h>

#include "record.h"

/* Task, softirq, irq and NMI: so many records can be half built on one CPU */
#define SCRATCH_LEVELS	4

struct scratch_level {
	char	record[RECORD_MAX];
	char	symbol[KSYM_SYMBOL_LEN];
};

struct scratch {
	unsigned int		depth;
	struct scratch_level	level[SCRATCH_LEVELS];
};

/* Allocated with the first event that has texts, and kept [event_mutex] */
static struct scratch __percpu *scratch;

/**
 * record_scratch_alloc() - have scratch memory
 *
 * Context: event_mutex held; may sleep.
 * Return: 0 or -ENOMEM.
 */
int record_scratch_alloc(void)
{
	if (!scratch)
		scratch = alloc_percpu(struct scratch);
	return scratch ? 0 : -ENOMEM;
}

static void fill_arg(const struct record_plan *plan, unsigned int nr, void *fields,
		     struct text_area *area, u64 *faults)
{
	const struct fetch_arg *arg = &plan->args->arg[nr];
	void *slot = fields + arg->offset;

	if (value_type_is_text(arg->type.value)) {
		if (!fetch_text(arg, plan->regs, slot, area))
			*faults |= event_field_bit(nr);
	} else if (!fetch_value(arg, plan->regs, slot)) {
		memset(slot, 0, arg->size);
		*faults |= event_field_bit(nr);
	}
}
NOKPROBE_SYMBOL(fill_arg);

static void fill_fields(const struct record_plan *plan, struct text_area *area)
{
	void *fields = area->record + record_head_size(plan);
	u64 faults = 0;
	unsigned int i;

	for (i = 0; i < plan->args->nr; i++)
		fill_arg(plan, i, fields, area, &faults);
	if (plan->with_faults)
		put_unaligned(faults, (u64 *)(fields + plan->fields->size));
}
NOKPROBE_SYMBOL(fill_fields);

static void build(struct record_plan *plan, struct scratch_level *level)
{
	struct text_area area = {
		.record	= level->record,
		.pos	= record_fixed_size(plan),
		.end	= RECORD_MAX,
		.left	= plan->args->nr_text,
		.symbol	= level->symbol,
	};
	unsigned long *head = (void *)level->record + sizeof(struct trace_entry);

	memcpy(head, plan->head, plan->nr_head * sizeof(*head));
	fill_fields(plan, &area);
	while (area.pos % sizeof(u32))
		level->record[area.pos++] = '\0';
	plan->size = area.pos;
	plan->scratch = level->record;
}
NOKPROBE_SYMBOL(build);

/**
 * record_scratch_get() - build a record in scratch memory
 * @plan: the plan; gets the record and its size
 *
 * Context: preemption off until record_scratch_put().
 * Return: false if all levels of this CPU are taken.
 */
bool record_scratch_get(struct record_plan *plan)
{
	unsigned int depth = __this_cpu_inc_return(scratch->depth);

	if (unlikely(depth > SCRATCH_LEVELS)) {
		__this_cpu_dec(scratch->depth);
		return false;
	}
	build(plan, &this_cpu_ptr(scratch)->level[depth - 1]);
	return true;
}
NOKPROBE_SYMBOL(record_scratch_get);

/**
 * record_scratch_put() - give back what the last record_scratch_get() took
 */
void record_scratch_put(void)
{
	__this_cpu_dec(scratch->depth);
}
NOKPROBE_SYMBOL(record_scratch_put);
