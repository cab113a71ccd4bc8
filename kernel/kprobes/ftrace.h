/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef _KERNEL_KPROBES_FTRACE_H
#define _KERNEL_KPROBES_FTRACE_H
/*
 * For KUnit: where the ftrace method changes filters, a test can let it fail.
 */
struct ftrace_ops;

int kprobe_ftrace_filter(struct ftrace_ops *ops, unsigned long *addrs, unsigned int num,
			 int remove);

#endif /* _KERNEL_KPROBES_FTRACE_H */
