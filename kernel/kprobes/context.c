// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Hit contexts: task, softirq, irq, NMI. Each can interrupt those before it. A hit
 * belongs to the context that it interrupts, and in each context at most one hit at
 * a time has its handlers run. Hits by the handlers themselves are counted as missed.
 *
 * The mark of a context is the client whose handler runs there. Each context has its
 * own entry of current_kprobe, so an interrupt saves nothing, and kprobe_running()
 * answers for the context of its caller.
 *
 * x86 enters a trap like an NMI, but its handlers belong to the context that the trap
 * interrupts: contexts are counted without traps.
 *
 * Handlers of the event layer may run while those of an interrupted context do.
 * A client of the exported interface is called only if no other context of the CPU
 * has a mark.
 *
 * A CPU that comes up takes traps before any grace period waits for it, one that goes takes
 * some when none does any more. All contexts of such a CPU have a mark, so no handler runs.
 */
#include <kunit/visibility.h>
#include <linux/kprobes.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include "context.h"

DEFINE_PER_CPU(struct kprobe *[KPROBE_CONTEXTS], current_kprobe);
EXPORT_SYMBOL_IF_KUNIT(current_kprobe);
DEFINE_PER_CPU(int, kprobe_trap_count);
EXPORT_SYMBOL_IF_KUNIT(kprobe_trap_count);

/* [C] busy sections that were begun in a context that already had a mark */
static DEFINE_PER_CPU(unsigned int [KPROBE_CONTEXTS], busy_depth);

/* The mark of a busy section, unless a client has set its own */
static struct kprobe busy_mark;

static unsigned int *context_busy_depth(void)
{
	return &(*raw_cpu_ptr(&busy_depth))[kprobe_context_level()];
}

/**
 * kprobe_busy_begin() - begin a section in which no handler is called
 *
 * Hits until kprobe_busy_end() are counted as missed. Sections may nest, and may lie
 * in a handler.
 *
 * Context: any. Preemption is off until the section ends.
 */
void kprobe_busy_begin(void)
{
	struct kprobe **mark;

	preempt_disable();
	mark = kprobe_context_mark();
	if (*mark)
		(*context_busy_depth())++;
	else
		WRITE_ONCE(*mark, &busy_mark);
}
EXPORT_SYMBOL_IF_KUNIT(kprobe_busy_begin);
NOKPROBE_SYMBOL(kprobe_busy_begin);

/**
 * kprobe_busy_end() - undo one kprobe_busy_begin()
 *
 * Context: the context of kprobe_busy_begin().
 */
void kprobe_busy_end(void)
{
	unsigned int *depth = context_busy_depth();

	if (*depth)
		(*depth)--;
	else
		WRITE_ONCE(*kprobe_context_mark(), NULL);
	preempt_enable();
}
EXPORT_SYMBOL_IF_KUNIT(kprobe_busy_end);
NOKPROBE_SYMBOL(kprobe_busy_end);
