// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Rescheduling after a hit that no exception brought: a jump, or a return.
 */
#include <linux/irqflags.h>
#include <linux/kprobe-arch.h>
#include <linux/kprobes.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include "resched.h"

/**
 * kprobe_resched() - reschedule if that became due while preemption was off
 *
 * Hits of functions that this calls run their handlers. preempt_schedule_notrace() must
 * not be called, because a jump or a return of its own would lead back here without end.
 * preempt_schedule_irq() runs with interrupts or preemption off from its first to its
 * last instruction, and a hit there does not get beyond the first test.
 *
 * Context: preemption is on, the mark of the context is gone.
 */
void kprobe_resched(void)
{
	unsigned long flags;

	if (irqs_disabled() || !arch_kprobe_may_resched())
		return;
	local_irq_save(flags);
	if (need_resched() && preempt_model_preemptible())
		preempt_schedule_irq();
	local_irq_restore(flags);
}
NOKPROBE_SYMBOL(kprobe_resched);
