// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Counting handlers for a return probe that is hit on several CPUs at once.
 */
#include <linux/atomic.h>
#include "counted.h"

atomic_t counted_entries, counted_returns;

static int counted_entry(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	atomic_inc(&counted_entries);
	return 0;
}

static int counted_return(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	atomic_inc(&counted_returns);
	return 0;
}

/**
 * counted_retprobe() - make a return probe that counts, and reset the counts
 * @func: the probed function
 * @maxactive: as in struct kretprobe
 *
 * Return: the return probe, to be registered.
 */
struct kretprobe counted_retprobe(void *func, int maxactive)
{
	atomic_set(&counted_entries, 0);
	atomic_set(&counted_returns, 0);
	return (struct kretprobe) {
		.kp.addr	= func,
		.entry_handler	= counted_entry,
		.handler	= counted_return,
		.maxactive	= maxactive,
	};
}
