// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Hit contexts. Code of four kinds can be interrupted by the next: task, softirq,
 * irq, NMI. A hit belongs to the kind of code it interrupts, and in each kind at
 * most one hit at a time has its handlers run: what the handlers themselves hit
 * is counted and let go.
 *
 * The mark of "handlers run here" is the client whose handler it is, one entry of
 * current_kprobe a kind. As each kind has an entry of its own, an interrupt needs
 * not save the entry of what it interrupts: kprobe_running() answers for the
 * context that asks.
 *
 * A trap is entered like an NMI on x86. It is none: what its handlers do belongs
 * to the context it interrupts, so levels are counted without it.
 *
 * Handlers of the event layer may run while those of an interrupted context do.
 * A client of the exported interface may rely on never seeing that: it is called
 * only if no other context of the CPU has a mark.
 */
#include <kunit/visibility.h>
#include <linux/kprobes.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include "point.h"

DEFINE_PER_CPU(struct kprobe *[KPROBE_CONTEXTS], current_kprobe);
EXPORT_SYMBOL_IF_KUNIT(current_kprobe);
DEFINE_PER_CPU(int, kprobe_trap_count);
EXPORT_SYMBOL_IF_KUNIT(kprobe_trap_count);

/* How often a busy section was begun in a context that already had a mark */
static DEFINE_PER_CPU(unsigned int [KPROBE_CONTEXTS], busy_depth);

/* The mark of a busy section, where no client has set its own */
static struct kprobe busy_mark;

static unsigned int *this_busy_depth(void)
{
	return &(*raw_cpu_ptr(&busy_depth))[kprobe_context_level()];
}

/**
 * kprobe_busy_begin() - let no handler be called in this context
 *
 * Hits until kprobe_busy_end() are counted as missed. Sections may lie in each
 * other and in a handler.
 *
 * Context: any. Preemption is off until the section ends.
 */
void kprobe_busy_begin(void)
{
	struct kprobe **mark;

	preempt_disable();
	mark = kprobe_context_mark();
	if (*mark)
		(*this_busy_depth())++;
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
	unsigned int *depth = this_busy_depth();

	if (*depth)
		(*depth)--;
	else
		WRITE_ONCE(*kprobe_context_mark(), NULL);
	preempt_enable();
}
EXPORT_SYMBOL_IF_KUNIT(kprobe_busy_end);
NOKPROBE_SYMBOL(kprobe_busy_end);
