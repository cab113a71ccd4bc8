/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef _KERNEL_KPROBES_TESTS_OURS_H
#define _KERNEL_KPROBES_TESTS_OURS_H
/*
 * The test modules also build for stock 6.12, where they serve as a control. Tests of
 * features that stock lacks, or that crash it, only run if OURS is true.
 */
#include <linux/compiler.h>
#include <linux/kprobes.h>

#ifdef KPROBE_FLAG_REENTRANT
#define OURS	true
#else
#define OURS	false
#define KPROBE_FLAG_REENTRANT	0
#define kprobe_context_level()	interrupt_context_level()
#define kprobe_arming_error(p)	((void)(p), 0)
#endif

/* Is a handler of @p running? */
#define RUNS(p)	(!OURS || kprobe_running() == (p))

/* Hides a function from the compiler: calls of it are neither inlined nor analysed. */
#define OPAQUE(func)					\
({							\
	typeof(func) *opaque = func;			\
							\
	OPTIMIZER_HIDE_VAR(opaque);			\
	opaque;						\
})

#endif /* _KERNEL_KPROBES_TESTS_OURS_H */
