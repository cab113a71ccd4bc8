/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef _KERNEL_KPROBES_TESTS_COUNTED_H
#define _KERNEL_KPROBES_TESTS_COUNTED_H
/*
 * Handlers of a return probe that count, on several CPUs at once. One test a
 * module includes this.
 */
#include <linux/atomic.h>
#include <linux/kprobes.h>

static atomic_t entries, returns;

static inline int count_entry(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	atomic_inc(&entries);
	return 0;
}

static inline int count_return(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	atomic_inc(&returns);
	return 0;
}

/* The return probe itself, and nothing counted yet */
static inline struct kretprobe counted_retprobe(void *func, int maxactive)
{
	atomic_set(&entries, 0);
	atomic_set(&returns, 0);
	return (struct kretprobe) {
		.kp.addr	= func,
		.entry_handler	= count_entry,
		.handler	= count_return,
		.maxactive	= maxactive,
	};
}

#endif /* _KERNEL_KPROBES_TESTS_COUNTED_H */
