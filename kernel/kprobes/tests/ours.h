/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef _KERNEL_KPROBES_TESTS_OURS_H
#define _KERNEL_KPROBES_TESTS_OURS_H
/*
 * These modules also build for stock 6.12, which is their control. What stock
 * does not have, or dies of, is tried only where OURS is true.
 */
#include <linux/compiler.h>
#include <linux/kprobes.h>

#ifdef KPROBE_FLAG_REENTRANT
#define OURS	true
#else
#define OURS	false
#define KPROBE_FLAG_REENTRANT	0
#define kprobe_context_level()	interrupt_context_level()
#endif

/* Is it @p whose handler runs here */
#define RUNS(p)	(!OURS || kprobe_running() == (p))

/* A function the compiler knows nothing of: not what it does, nor who sees it */
#define OPAQUE(func)					\
({							\
	typeof(func) *opaque = func;			\
							\
	OPTIMIZER_HIDE_VAR(opaque);			\
	opaque;						\
})

#endif /* _KERNEL_KPROBES_TESTS_OURS_H */
