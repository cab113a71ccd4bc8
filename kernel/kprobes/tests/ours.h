/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef _KERNEL_KPROBES_TESTS_OURS_H
#define _KERNEL_KPROBES_TESTS_OURS_H
/*
 * These modules also build for stock 6.12, which is their control. What stock
 * does not have, or dies of, is tried only where OURS is true.
 */
#include <linux/kprobes.h>

#ifdef KPROBE_FLAG_REENTRANT
#define OURS	true
#else
#define OURS	false
#define KPROBE_FLAG_REENTRANT	0
#endif

#endif /* _KERNEL_KPROBES_TESTS_OURS_H */
