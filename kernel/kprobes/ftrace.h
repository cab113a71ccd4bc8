/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef _KERNEL_KPROBES_FTRACE_H
#define _KERNEL_KPROBES_FTRACE_H
/*
 * The ftrace method, as far as other files see it.
 */
struct ftrace_ops;

/* ftrace_off.c */
int kprobe_ftrace_refusal(void);

/* ftrace.c, for KUnit: where the method changes filters, a test can let it fail */
int kprobe_ftrace_filter(struct ftrace_ops *ops, unsigned long *addrs, unsigned int num,
			 int remove);

#endif /* _KERNEL_KPROBES_FTRACE_H */
