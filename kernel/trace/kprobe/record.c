// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Records with texts, built in scratch memory; and the uncommon contexts of hits.
 */
#include <linux/kallsyms.h>
#include <linux/kprobes.h>
#include <linux/percpu.h>

#include "../trace.h"
#include "record.h"

/* Records half built on one CPU: by a task, a softirq, an irq and an NMI. */
#define SCRATCH_LEVELS	4

struct scratch_level {
	char	record[RECORD_MAX];
	char	symbol[KSYM_SYMBOL_LEN];
};

struct record_scratch {
	unsigned int		depth;
	struct scratch_level	level[SCRATCH_LEVELS];
};

/* [E] set by the first event that has texts, and never freed; its contents are [C]. */
static struct record_scratch __percpu *record_scratch;

/**
 * record_scratch_alloc() - allocate the scratch memory
 *
 * Context: event_mutex held; may sleep.
 * Return: 0 or -ENOMEM.
 */
int record_scratch_alloc(void)
{
	lockdep_assert_held(&event_mutex);
	if (!record_scratch)
		record_scratch = alloc_percpu(struct record_scratch);
	return record_scratch ? 0 : -ENOMEM;
}

/* Return: the bits of the fault word of those that could not be read */
static u64 record_fill_texts(const struct record_plan *plan, void *fields,
			     struct text_area *area)
{
	const struct fetch_args *args = plan->args;
	u64 faults = 0;
	unsigned int i;

	for (i = 0; i < args->nr; i++) {
		const struct fetch_move *move = &args->moves[i];

		if (move->kind == FETCH_MOVE_TEXT &&
		    !fetch_text(&args->arg[i], plan->frame, fields + move->to, area))
			faults |= event_field_bit(i);
	}
	return faults;
}
NOKPROBE_SYMBOL(record_fill_texts);

static void record_fill_all(const struct record_plan *plan, struct text_area *area)
{
	void *fields = area->record + plan->fields->begin;
	u64 faults = 0;

	if (plan->args->has_values)
		faults = fetch_values(plan->args, plan->frame, fields);
	faults |= record_fill_texts(plan, fields, area);
	if (plan->fields->fault)
		put_unaligned(faults, (u64 *)(area->record + plan->fields->fault));
}
NOKPROBE_SYMBOL(record_fill_all);

static void record_build(struct record_plan *plan, struct scratch_level *level)
{
	struct text_area area = {
		.record	= level->record,
		.pos	= plan->fields->end,
		.end	= RECORD_MAX,
		.left	= plan->args->nr_text,
		.symbol	= level->symbol,
	};
	unsigned long *head = (void *)level->record + sizeof(struct trace_entry);

	record_clear_padding(plan->fields, level->record);
	memcpy(head, plan->head, plan->nr_head * sizeof(*head));
	record_fill_all(plan, &area);
	while (area.pos % sizeof(u32))
		level->record[area.pos++] = '\0';
	plan->size = area.pos;
	plan->scratch = level->record;
}
NOKPROBE_SYMBOL(record_build);

/**
 * record_scratch_get() - build a record in scratch memory
 * @plan: the plan; gets the record and its size
 *
 * Context: preemption off until record_scratch_put().
 * Return: false if all levels of this CPU are in use.
 */
bool record_scratch_get(struct record_plan *plan)
{
	unsigned int depth = __this_cpu_inc_return(record_scratch->depth);

	if (unlikely(depth > SCRATCH_LEVELS)) {
		__this_cpu_dec(record_scratch->depth);
		return false;
	}
	record_build(plan, &this_cpu_ptr(record_scratch)->level[depth - 1]);
	return true;
}
NOKPROBE_SYMBOL(record_scratch_get);

/**
 * record_scratch_put() - undo the last record_scratch_get() of this CPU
 *
 * Context: preemption off.
 */
void record_scratch_put(void)
{
	__this_cpu_dec(record_scratch->depth);
}
NOKPROBE_SYMBOL(record_scratch_put);

/**
 * record_any_context() - the context to record for a hit, whatever it is
 * @regs: the registers of the hit
 *
 * The context is that of the probed instruction, not that of a trap. Hits run with
 * preemption off, which counts once too often.
 *
 * Context: preemption off.
 * Return: flags and preempt count, as tracing_generic_entry_update() takes them.
 */
noinline unsigned int record_any_context(const struct pt_regs *regs)
{
	unsigned int count = kprobe_preempt_count();
	unsigned int context;

	context = tracing_gen_ctx_flags(arch_kprobe_irq_flags(regs));
	context &= ~((TRACE_FLAG_NMI | TRACE_FLAG_HARDIRQ) << 16);
	if (count & NMI_MASK)
		context |= TRACE_FLAG_NMI << 16;
	if (count & HARDIRQ_MASK)
		context |= TRACE_FLAG_HARDIRQ << 16;
	return IS_ENABLED(CONFIG_PREEMPTION) ? context - 1 : context;
}
NOKPROBE_SYMBOL(record_any_context);
