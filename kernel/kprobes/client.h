/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef _KERNEL_KPROBES_CLIENT_H
#define _KERNEL_KPROBES_CLIENT_H
/*
 * The effect of a batch on one client.
 */
struct kprobe;
struct kprobe_batch;
struct kprobe_point;

/* client.c */
struct kprobe_point *kprobe_point_of(const struct kprobe *p);
int kprobe_client_register(struct kprobe *p, struct kprobe_batch *batch);
int kprobe_client_register_return(struct kprobe *p, struct kprobe_batch *batch);
int kprobe_client_unregister(struct kprobe *p, struct kprobe_batch *batch);
void kprobe_client_expel(struct kprobe *p, struct kprobe_batch *batch);
void kprobe_client_forget(struct kprobe *p);

/* enable.c */
int kprobe_client_enable(struct kprobe *p, struct kprobe_batch *batch);
int kprobe_client_disable(struct kprobe *p, struct kprobe_batch *batch);
void kprobe_client_silence(struct kprobe *p, struct kprobe_batch *batch);

#endif /* _KERNEL_KPROBES_CLIENT_H */
