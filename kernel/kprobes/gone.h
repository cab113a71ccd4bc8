/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef _KERNEL_KPROBES_GONE_H
#define _KERNEL_KPROBES_GONE_H
/*
 * Points whose code has been freed.
 */
struct kprobe_point;

/* gone.c */
void kprobe_points_drop(unsigned long start, unsigned long end);
struct kprobe_point *kprobe_point_gone_next(struct kprobe_point *point);

#endif /* _KERNEL_KPROBES_GONE_H */
