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
#include <linux/kprobes.h>
#include <linux/rculist.h>
#include "context.h"
#include "point.h"

/* hit.c */
void kprobe_client_missed(struct kprobe *p, enum kprobe_missed why);
void kprobe_point_missed(struct kprobe_point *point, enum kprobe_missed why);
void kprobe_hit_diverted(struct kprobe_point *point, struct kprobe *by);
void kprobe_hit_post(struct kprobe_point *point, struct kprobe **mark, struct pt_regs *regs);

/* A client's flags say that it is not called */
#define KPROBE_FLAGS_SILENT	(KPROBE_FLAG_DISABLED | KPROBE_FLAG_GONE)

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
 * kprobe_hit() - run the pre-handlers of a point
 * @point: the point
 * @mark: the mark of this context, which is the caller's
 * @regs: as an exception at the point would have saved them
 *
 * Context: preemption off.
 * Return: true if the caller must execute the instruction, false if a handler has
 * set the instruction pointer.
 */
static __always_inline bool kprobe_hit(struct kprobe_point *point, struct kprobe **mark,
				       struct pt_regs *regs)
{
	struct kprobe *p;
	u32 flags;

	list_for_each_entry_lockless(p, &point->clients, list) {
		/* Pairs with kprobe_client_set_flags(); either value is correct */
		flags = READ_ONCE(p->flags);
		if (unlikely(flags & KPROBE_FLAGS_SILENT))
			continue;
		if (unlikely(!kprobe_client_admitted(flags, mark))) {
			kprobe_client_missed(p, KPROBE_MISSED_NESTED);
			continue;
		}
		WRITE_ONCE(*mark, p);
		if (p->pre_handler && unlikely(p->pre_handler(p, regs))) {
			kprobe_hit_diverted(point, p);
			return false;
		}
	}
	return true;
}

#endif /* _KERNEL_KPROBES_HIT_H */
