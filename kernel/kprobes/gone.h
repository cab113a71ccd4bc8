/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef _KERNEL_KPROBES_GONE_H
#define _KERNEL_KPROBES_GONE_H
/*
 * Points whose code has been freed.
 */
struct kprobe;
struct kprobe_point;
struct seq_file;

/* gone.c */
void kprobe_points_drop(unsigned long start, unsigned long end);
struct kprobe_point *kprobe_point_gone_of(const struct kprobe *p);
void kprobe_points_gone_show(struct seq_file *m,
			     void (*show)(struct seq_file *m, const struct kprobe_point *point));

#endif /* _KERNEL_KPROBES_GONE_H */
