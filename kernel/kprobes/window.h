/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef _KERNEL_KPROBES_WINDOW_H
#define _KERNEL_KPROBES_WINDOW_H
/*
 * Windows: several instructions that one jump replaces.
 */
#include <linux/compiler.h>
#include <linux/kprobe-arch.h>
#include <linux/kprobe-window.h>
#include <linux/ptrace.h>
#include <linux/types.h>
#include "point.h"

/**
 * struct kprobe_wide - what a point keeps of its window
 * @window: the instructions
 * @code: a slot with copies of them, and a branch to what follows
 * @drained: no task is inside the window
 * @branch: the branch is there, or is about to come or go
 */
struct kprobe_wide {
	struct kprobe_window	window;		/* [I] */
	void			*code;		/* [I] */
	bool			drained;	/* [M] */
	bool			branch;		/* [M] */
};

#ifdef CONFIG_ARCH_HAS_KPROBE_WINDOWS
/* window.c */
enum kprobe_window_refusal kprobe_window_find(unsigned long addr,
					      struct kprobe_window *window);
const char *kprobe_window_refusal_text(enum kprobe_window_refusal refusal);
const u8 *kprobe_window_text(const struct kprobe_point *point);
enum kprobe_window_refusal kprobe_window_make(struct kprobe_point *point);
void kprobe_window_free(struct kprobe_point *point);

/* divert.c */
bool kprobe_window_divert(struct pt_regs *regs);

/* pass.c */
enum kprobe_window_refusal kprobe_window_foresee(struct kprobe_point *point);
bool kprobe_window_admits(const struct kprobe_point *point);
void kprobe_window_review(struct kprobe_point *point);
void kprobe_window_offer(struct kprobe_point *point);
void kprobe_windows_wait(void);
#else
static __always_inline bool kprobe_window_divert(struct pt_regs *regs)
{
	return false;
}

static inline enum kprobe_window_refusal kprobe_window_foresee(struct kprobe_point *point)
{
	return KPROBE_WINDOW_INSN;
}

static inline const char *kprobe_window_refusal_text(enum kprobe_window_refusal refusal)
{
	return "a jump would not fit";
}

static inline bool kprobe_window_admits(const struct kprobe_point *point)
{
	return false;
}

static inline const u8 *kprobe_window_text(const struct kprobe_point *point)
{
	return NULL;
}

static inline void kprobe_window_review(struct kprobe_point *point)
{
}

static inline void kprobe_window_offer(struct kprobe_point *point)
{
}

static inline void kprobe_window_free(struct kprobe_point *point)
{
}
#endif

/**
 * kprobe_divert() - a handler has set the instruction pointer
 * @regs: where to go on; changed if that is inside a window, or needs a flag of the processor
 *
 * Context: a hit, preemption off; calls nothing that may be probed.
 */
static __always_inline void kprobe_divert(struct pt_regs *regs)
{
	kprobe_window_divert(regs);
	arch_kprobe_trap_divert(regs);
}

#endif /* _KERNEL_KPROBES_WINDOW_H */
