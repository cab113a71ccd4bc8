/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef _KERNEL_KPROBES_TESTS_COUNTED_H
#define _KERNEL_KPROBES_TESTS_COUNTED_H
/*
 * Counting handlers for a return probe that is hit on several CPUs at once.
 */
#include <linux/kprobes.h>
#include <linux/types.h>

extern atomic_t counted_entries, counted_returns;

struct kretprobe counted_retprobe(void *func, int maxactive);

#endif /* _KERNEL_KPROBES_TESTS_COUNTED_H */
