/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef _KERNEL_KPROBES_INSTANCE_H
#define _KERNEL_KPROBES_INSTANCE_H

struct kretprobe;
struct kretprobe_holder;
struct kretprobe_instance;

/* instance.c */
struct kretprobe_holder *kretprobe_holder_alloc(struct kretprobe *rp);
void kretprobe_holder_retire(struct kretprobe_holder *holder);
struct kretprobe_instance *kretprobe_instance_get(struct kretprobe_holder *holder);
void kretprobe_instance_put(struct kretprobe_instance *ri);

#endif /* _KERNEL_KPROBES_INSTANCE_H */
