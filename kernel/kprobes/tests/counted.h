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

#endif /* _KERNEL_KPROBES_TESTS_COUNTED_H */
