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
 * @settled: no task is inside the window
 */
struct kprobe_wide {
	struct kprobe_window	window;		/* [I] */
	void			*code;		/* [I] */
	bool			settled;	/* [M] */
};

/**
 * kprobe_window_divert() - a handler has set the instruction pointer
 * @point: the point of the hit
 * @jump: it was a jump
 * @regs: registers of the hit; changed
 *
 * The handler may have skipped an instruction. Nobody may go on inside of a window that a
 * jump has replaced, or is going to: the copy is executed instead.
 *
 * Context: any; calls nothing that may be probed.
 */
static __always_inline void kprobe_window_divert(const struct kprobe_point *point, bool jump,
						 struct pt_regs *regs)
{
	unsigned long offset = instruction_pointer(regs) - point->addr;
	const struct kprobe_wide *wide = READ_ONCE(point->wide);

	if (likely(!wide) || !offset || offset >= wide->window.length)
		return;
	if (jump || READ_ONCE(point->insn->resume) == wide->code)
		instruction_pointer_set(regs, (unsigned long)wide->code + offset);
}

#ifdef CONFIG_ARCH_HAS_KPROBE_WINDOWS
/* window.c */
enum kprobe_window_refusal kprobe_window_find(unsigned long addr,
					      struct kprobe_window *window);
const char *kprobe_window_refusal_text(enum kprobe_window_refusal refusal);
const u8 *kprobe_window_text(const struct kprobe_point *point);
enum kprobe_window_refusal kprobe_window_make(struct kprobe_point *point);
void kprobe_window_free(struct kprobe_point *point);

/* pass.c */
enum kprobe_window_refusal kprobe_window_foresee(struct kprobe_point *point);
bool kprobe_window_admits(const struct kprobe_point *point);
void kprobe_window_review(struct kprobe_point *point);
void kprobe_window_offer(struct kprobe_point *point);
void kprobe_windows_wait(void);
#else
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

#endif /* _KERNEL_KPROBES_WINDOW_H */
