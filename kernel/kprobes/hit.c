// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * From a hit to the handlers of a point's clients, whatever method brought it.
 *
 * The caller has judged that this context may run handlers and owns its mark.
 */
#include <linux/atomic.h>
#include <linux/build_bug.h>
#include <linux/kprobes.h>
#include <linux/rculist.h>
#include "point.h"

/*
 * Clients read the member as it is, so it cannot be an atomic_long_t; but hits
 * on several CPUs add to it at once.
 */
static __always_inline void client_missed(struct kprobe *p)
{
	static_assert(sizeof(p->nmissed) == sizeof(atomic_long_t));
	raw_atomic_long_inc((atomic_long_t *)&p->nmissed);
}

static __always_inline bool client_enabled(const struct kprobe *p)
{
	return !(READ_ONCE(p->flags) & (KPROBE_FLAG_DISABLED | KPROBE_FLAG_GONE));
}

/* May the handlers of @p run here, with @mark the mark of this context */
static __always_inline bool client_admitted(const struct kprobe *p, struct kprobe **mark)
{
	return (READ_ONCE(p->flags) & KPROBE_FLAG_REENTRANT) || kprobe_context_alone(mark);
}

/**
 * kprobe_point_missed() - count a hit whose handlers cannot be run
 * @point: the point
 *
 * Context: preemption off.
 */
void kprobe_point_missed(struct kprobe_point *point)
{
	struct kprobe *p;

	list_for_each_entry_lockless(p, &point->clients, list) {
		if (client_enabled(p))
			client_missed(p);
	}
}
NOKPROBE_SYMBOL(kprobe_point_missed);

/**
 * kprobe_hit() - run the pre-handlers of a point
 * @point: the point
 * @mark: the mark of this context, which is the caller's
 * @regs: as an exception at the point would have saved them
 *
 * Context: preemption off.
 * Return: true if the instruction is to be executed, false if a handler has set
 * the instruction pointer to somewhere else.
 */
bool kprobe_hit(struct kprobe_point *point, struct kprobe **mark, struct pt_regs *regs)
{
	struct kprobe *p;

	list_for_each_entry_lockless(p, &point->clients, list) {
		if (!client_enabled(p))
			continue;
		if (unlikely(!client_admitted(p, mark))) {
			client_missed(p);
			continue;
		}
		WRITE_ONCE(*mark, p);
		if (p->pre_handler && p->pre_handler(p, regs))
			return false;
	}
	return true;
}
NOKPROBE_SYMBOL(kprobe_hit);

/**
 * kprobe_hit_post() - run the post-handlers of a point
 * @point: the point
 * @mark: the mark of this context, which is the caller's
 * @regs: as they are behind the instruction
 *
 * Context: preemption off.
 */
void kprobe_hit_post(struct kprobe_point *point, struct kprobe **mark, struct pt_regs *regs)
{
	struct kprobe *p;

	list_for_each_entry_lockless(p, &point->clients, list) {
		if (!p->post_handler || !client_enabled(p) || !client_admitted(p, mark))
			continue;
		WRITE_ONCE(*mark, p);
		p->post_handler(p, regs, 0);
	}
}
NOKPROBE_SYMBOL(kprobe_hit_post);
