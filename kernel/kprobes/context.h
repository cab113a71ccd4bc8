/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef _KERNEL_KPROBES_CONTEXT_H
#define _KERNEL_KPROBES_CONTEXT_H
/*
 * Hit contexts: the client whose handler runs in each context of this CPU.
 */
#include <linux/compiler.h>
#include <linux/context_tracking_state.h>
#include <linux/kprobes.h>
#include <linux/percpu.h>
#include <linux/preempt.h>

/* hotplug.c: the mark of a CPU that RCU does not know, in all contexts */
extern struct kprobe kprobe_absent_mark;

/**
 * kprobe_context_mark() - the mark of the context that a hit belongs to
 *
 * Calls nothing. A context that finds NULL there may run handlers: it keeps the
 * entry at the client whose handler runs, and puts NULL back. A context that finds
 * a client is nested in that client's handler, or in a busy section.
 *
 * Context: preemption off.
 * Return: this context's entry of current_kprobe.
 */
static __always_inline struct kprobe **kprobe_context_mark(void)
{
	struct kprobe **marks = *raw_cpu_ptr(&current_kprobe);

	/*
	 * Most hits are in tasks with softirqs on. The mask is an immediate operand on every
	 * architecture, and the traps of probes only add to what it tests.
	 */
	if (likely(!(preempt_count() & (NMI_MASK | HARDIRQ_MASK | SOFTIRQ_MASK))))
		return marks;
	return marks + kprobe_context_level();
}

/**
 * kprobe_context_alone() - is this the only context with a mark on this CPU?
 * @mark: the result of kprobe_context_mark()
 *
 * Context: preemption off.
 * Return: true if no context this one has interrupted is in a handler.
 */
static __always_inline bool kprobe_context_alone(struct kprobe **mark)
{
	struct kprobe **marks = *raw_cpu_ptr(&current_kprobe);
	int i;

	for (i = 0; i < KPROBE_CONTEXTS; i++) {
		if (marks + i != mark && READ_ONCE(marks[i]))
			return false;
	}
	return true;
}

#ifdef CONFIG_CONTEXT_TRACKING_IDLE
/**
 * kprobe_rcu_watching() - is RCU watching this CPU?
 *
 * Answers like rcu_is_watching(), but calls nothing that could be probed.
 *
 * Context: preemption off.
 * Return: true if it can.
 */
static __always_inline bool kprobe_rcu_watching(void)
{
	return raw_cpu_read(context_tracking.state.counter) & CT_RCU_WATCHING;
}
#else
static __always_inline bool kprobe_rcu_watching(void)
{
	return true;
}
#endif

#endif /* _KERNEL_KPROBES_CONTEXT_H */
