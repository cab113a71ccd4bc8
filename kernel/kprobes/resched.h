/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef _KERNEL_KPROBES_RESCHED_H
#define _KERNEL_KPROBES_RESCHED_H
/*
 * The end of a hit that no exception brought: preemption is on again, and what became due
 * meanwhile is made up for.
 */
#include <linux/compiler.h>
#include <linux/kconfig.h>
#include <linux/preempt.h>

/* resched.c */
void kprobe_resched(void);

/**
 * kprobe_preempt_enable() - preempt_enable_notrace() for the code around handlers
 *
 * Context: the mark of the context is gone.
 */
static __always_inline void kprobe_preempt_enable(void)
{
	if (!IS_ENABLED(CONFIG_PREEMPTION)) {
		preempt_enable_no_resched_notrace();
		return;
	}
	barrier();
	if (unlikely(__preempt_count_dec_and_test()))
		kprobe_resched();
}

#endif /* _KERNEL_KPROBES_RESCHED_H */
