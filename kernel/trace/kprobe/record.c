// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Records with texts, built in scratch memory; and the uncommon contexts of hits.
 */
#include <kunit/visibility.h>
#include <linux/kallsyms.h>
#include <linux/kprobes.h>
#include <linux/percpu.h>
#include <linux/rcupdate.h>

#include "../trace.h"
#include "record.h"

/* Records half built on one CPU: by a task, a softirq, an irq and an NMI. */
#define SCRATCH_LEVELS	4

struct scratch_level {
	char	record[RECORD_MAX] __aligned(sizeof(u64));
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
 * Context: event_mutex held; may sleep. Waits for an RCU grace period once.
 * Return: 0 or -ENOMEM.
 */
int record_scratch_alloc(void)
{
	lockdep_assert_held(&event_mutex);
	if (record_scratch)
		return 0;
	record_scratch = alloc_percpu(struct record_scratch);
	if (!record_scratch)
		return -ENOMEM;
	/* Nothing else orders the pointer before an event that joins others at an armed point */
	synchronize_rcu();
	return 0;
}

/* Return: the bits of the fault word of those that could not be read */
static u64 record_fill_texts(const struct fetch_args *args, struct fetch_frame frame,
			     void *fields, struct text_area *area)
{
	const struct fetch_move *move = args->end;
	u64 faults = 0;

	for (; move < args->moves + args->nr; move++) {
		if (!fetch_text(&args->arg[move->arg], frame, fields + move->to, area))
			faults |= event_field_bit(move->arg);
	}
	return faults;
}
NOKPROBE_SYMBOL(record_fill_texts);

static void record_build(struct record_plan *plan, struct scratch_level *level)
{
	const struct fetch_args *args = plan->probe->args;
	struct fetch_frame frame = { .regs = plan->regs, .kept = record_kept(plan) };
	void *fields = record_fields(plan, level->record);
	struct text_area area = {
		.record	= level->record,
		.pos	= args->head + args->size,
		.end	= RECORD_MAX,
		.left	= args->nr_text,
		.symbol	= level->symbol,
	};
	u64 faults;

	record_clear_padding(args, level->record);
	record_put_head(plan, level->record);
	faults = fetch_values(args, plan->regs, frame.kept, fields);
	faults |= record_fill_texts(args, frame, fields, &area);
	record_put_faults(args, fields, faults);
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

	/* An interrupt must find its level taken */
	barrier();
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
	/* An interrupt must not find a level free that is still read */
	barrier();
	__this_cpu_dec(record_scratch->depth);
}
NOKPROBE_SYMBOL(record_scratch_put);

static __always_inline unsigned int record_context_flags(const struct pt_regs *regs,
							 unsigned int count)
{
	unsigned int flags = 0;

	if (irqs_disabled_flags(arch_kprobe_irq_flags(regs)))
		flags |= TRACE_FLAG_IRQS_OFF;
	if (count & NMI_MASK)
		flags |= TRACE_FLAG_NMI;
	if (count & HARDIRQ_MASK)
		flags |= TRACE_FLAG_HARDIRQ;
	if (in_serving_softirq())
		flags |= TRACE_FLAG_SOFTIRQ;
	if (softirq_count() >> (SOFTIRQ_SHIFT + 1))
		flags |= TRACE_FLAG_BH_OFF;
	if (tif_need_resched())
		flags |= TRACE_FLAG_NEED_RESCHED;
	if (test_preempt_need_resched())
		flags |= TRACE_FLAG_PREEMPT_RESCHED;
	return flags;
}

/**
 * record_context() - the context to record for a hit
 * @regs: the registers of the hit
 *
 * A hit belongs to the context it interrupts, not to that of a trap: the result is that of
 * tracing_gen_ctx() there. Hits run with preemption off, which counts once too often, and
 * once more where ftrace calls several users of a site.
 *
 * Context: preemption off.
 * Return: flags and preempt count, as tracing_generic_entry_update() takes them.
 */
__no_kmsan_checks
unsigned int record_context(const struct pt_regs *regs)
{
	unsigned int count = kprobe_preempt_count();
	unsigned int depth = count & PREEMPT_MASK;

	if (IS_ENABLED(CONFIG_PREEMPT_COUNT))
		depth -= 1 + (depth > 1 && arch_kprobe_ftrace_is_shared(regs));
	return record_context_flags(regs, count) << 16 | min(depth, 0xfU) |
	       min(record_task_pins(), 0xfU) << 4;
}
EXPORT_SYMBOL_IF_KUNIT(record_context);
NOKPROBE_SYMBOL(record_context);

/* A test compares the two */
EXPORT_SYMBOL_IF_KUNIT(tracing_gen_ctx_irq_test);
