/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef _KERNEL_KPROBES_FTRACE_H
#define _KERNEL_KPROBES_FTRACE_H
/*
 * The ftrace method.
 */
#include <linux/ftrace.h>
#include <linux/kconfig.h>
#include <linux/types.h>

/**
 * struct ftrace_source - an ftrace_ops, and the points that it hits
 * @ops: the ftrace_ops
 * @registered: ftrace knows @ops
 * @bit: its bit in ftrace_point::filters
 */
struct ftrace_source {
	struct ftrace_ops	ops;		/* [M], and ftrace's own */
	bool			registered;	/* [M] */
	u8			bit;		/* [I] */
};

/* ftrace_hit.c; hits come from the last of them while a point moves from ipmodify to plain */
extern struct ftrace_source ftrace_source_plain;
extern struct ftrace_source ftrace_source_ipmodify;
extern struct ftrace_source ftrace_source_leaving;

/* ftrace_off.c */
int kprobe_ftrace_dead_error(void);
int kprobe_ftrace_error(void);
#if IS_ENABLED(CONFIG_KUNIT)
extern bool kprobe_ftrace_is_dead;
#endif

/* ftrace.c, for KUnit: where the method changes filters, a test can let it fail */
int kprobe_ftrace_filter(struct ftrace_ops *ops, unsigned long *addrs, unsigned int num,
			 int remove);

#endif /* _KERNEL_KPROBES_FTRACE_H */
