/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef _KERNEL_KPROBES_HIT_H
#define _KERNEL_KPROBES_HIT_H
/*
 * From a hit to the handlers of a point's clients, whatever the method. The part that
 * every hit passes is inline; the part that few pass is in hit.c.
 *
 * The caller has judged that this context may run handlers, and owns its mark.
 */
#include <linux/compiler.h>
#include <linux/kprobe-arch.h>
#include <linux/kprobes.h>
#include <linux/ptrace.h>
#include "context.h"
#include "point.h"

/* hit.c */
void kprobe_client_missed(struct kprobe *p, enum kprobe_missed why);
void kprobe_point_missed(struct kprobe_point *point, enum kprobe_missed why);
bool kprobe_hit_clients(struct kprobe_point *point, struct kprobe **mark, struct pt_regs *regs,
			bool jumped);
void kprobe_hit_post(struct kprobe_point *point, struct kprobe **mark, struct pt_regs *regs);

/**
 * kprobe_client_admitted() - may a client's handlers run in this context?
 * @flags: the client's
 * @mark: the mark of this context
 *
 * Context: preemption off.
 * Return: false if the caller must count the hit as missed.
 */
static __always_inline bool kprobe_client_admitted(u32 flags, struct kprobe **mark)
{
	return likely(flags & KPROBE_FLAG_REENTRANT) || kprobe_context_alone(mark);
}

/**
 * kprobe_hit_begin() - a client's handler is next
 * @p: the client
 * @mark: the mark of this context, which is the caller's
 * @regs: the registers of the hit
 * @jumped: has the hit come by a jump, and is this client the first one?
 *
 * The handler sees the address that a trap would have saved. An unwinder takes that for what it
 * is while the mark tells that the client's hit is under way. Without the mark a jump's
 * registers have the address of the point.
 *
 * Context: preemption off.
 */
static __always_inline void kprobe_hit_begin(struct kprobe *p, struct kprobe **mark,
					     struct pt_regs *regs, bool jumped)
{
	WRITE_ONCE(*mark, p);
	if (!ARCH_KPROBE_TRAP_AHEAD || !jumped)
		return;
	barrier();
	instruction_pointer_set(regs, (unsigned long)p->addr + ARCH_KPROBE_TRAP_AHEAD);
}

/**
 * kprobe_hit_sole() - run the pre-handler of the sole client of a point
 * @p: kprobe_point::sole, as this hit has read it
 * @mark: the mark of this context, which is the caller's
 * @regs: as for kprobe_hit()
 * @jumped: as for kprobe_hit()
 *
 * A client that comes meanwhile is before this one in the list, and misses nothing.
 *
 * Context: preemption off.
 * Return: as kprobe_hit().
 */
static __always_inline bool kprobe_hit_sole(struct kprobe *p, struct kprobe **mark,
					    struct pt_regs *regs, bool jumped)
{
	kprobe_hit_begin(p, mark, regs, jumped);
	return likely(!p->pre_handler(p, regs));
}

/**
 * kprobe_hit() - run the pre-handlers of a point
 * @point: the point
 * @mark: the mark of this context, which is the caller's
 * @regs: as an exception at the point would have saved them
 * @jumped: has the hit come by a jump? If so, clients that have a post-handler are not called:
 *	the point is about to be armed in another way for them. @regs have the point's address
 *
 * Context: preemption off.
 * Return: true if the caller must execute the instruction, false if a handler has
 * set the instruction pointer.
 */
static __always_inline bool kprobe_hit(struct kprobe_point *point, struct kprobe **mark,
				       struct pt_regs *regs, bool jumped)
{
	/* Ordered by dependency; pairs with kprobe_point_note_sole() */
	struct kprobe *p = READ_ONCE(point->sole);

	if (likely(p))
		return kprobe_hit_sole(p, mark, regs, jumped);
	return kprobe_hit_clients(point, mark, regs, jumped);
}

#endif /* _KERNEL_KPROBES_HIT_H */
