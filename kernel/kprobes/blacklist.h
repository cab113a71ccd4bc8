/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef _KERNEL_KPROBES_BLACKLIST_H
#define _KERNEL_KPROBES_BLACKLIST_H
/*
 * The blacklist: addresses where no probe may be.
 */
#include <linux/types.h>

struct module;

/* NOKPROBE_SYMBOL() puts the functions it marks between the two */
extern unsigned long __start_kprobe_blacklist[];
extern unsigned long __stop_kprobe_blacklist[];

/* blacklist.c */
bool kprobe_blacklist_ready(void);
bool kprobe_blacklist_next(unsigned long *start, unsigned long *end);
int kprobe_blacklist_add_module(struct module *mod);
void kprobe_blacklist_remove(unsigned long start, unsigned long end);

#endif /* _KERNEL_KPROBES_BLACKLIST_H */
