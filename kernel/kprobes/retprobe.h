/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef _KERNEL_KPROBES_RETPROBE_H
#define _KERNEL_KPROBES_RETPROBE_H
/*
 * Return probes, as seen by those who register and unregister their kprobe, and their entry.
 */
#include <linux/errno.h>

struct kprobe;
struct kprobe_place;
struct pt_regs;

#ifdef CONFIG_KRETPROBES
/* retprobe.c */
int kretprobe_entered(struct kprobe *p, struct pt_regs *regs);

/* retprobe_client.c */
int kretprobe_prepare(struct kprobe *p, struct kprobe_place *place);
void kretprobe_retire(struct kprobe *p);
#else
static inline int kretprobe_prepare(struct kprobe *p, struct kprobe_place *place)
{
	return -EOPNOTSUPP;
}

static inline void kretprobe_retire(struct kprobe *p)
{
}
#endif

#endif /* _KERNEL_KPROBES_RETPROBE_H */
