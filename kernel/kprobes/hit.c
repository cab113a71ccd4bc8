// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Hits that are out of the ordinary: that have to be counted instead of handled,
 * or that have a post-handler. The others are in hit.h.
 */
#include <linux/atomic.h>
#include <linux/build_bug.h>
#include <linux/compiler_types.h>
#include "hit.h"

/**
 * kprobe_client_missed() - count a hit a client does not get to see
 * @p: the client
 *
 * Clients read kprobe::nmissed as it is, so it cannot be an atomic_long_t; but
 * several CPUs add to it at once.
 *
 * Context: any.
 */
noinstr void kprobe_client_missed(struct kprobe *p)
{
	static_assert(sizeof(p->nmissed) == sizeof(atomic_long_t));
	raw_atomic_long_inc((atomic_long_t *)&p->nmissed);
}

/**
 * kprobe_point_missed() - count a hit whose handlers cannot be run
 * @point: the point
 *
 * Context: preemption off; nothing that could be probed is called.
 */
noinstr void kprobe_point_missed(struct kprobe_point *point)
{
	struct kprobe *p;

	list_for_each_entry_lockless(p, &point->clients, list) {
		if (!(READ_ONCE(p->flags) & KPROBE_FLAGS_SILENT))
			kprobe_client_missed(p);
	}
}

/**
 * kprobe_hit_post() - run the post-handlers of a point
 * @point: the point
 * @mark: the mark of this context, which is the caller's
 * @regs: as they are behind the instruction
 *
 * Who was not admitted to his pre-handler is not to his post-handler either: in
 * what this context has interrupted nothing has changed since.
 *
 * Context: preemption off.
 */
void kprobe_hit_post(struct kprobe_point *point, struct kprobe **mark, struct pt_regs *regs)
{
	struct kprobe *p;
	u32 flags;

	list_for_each_entry_lockless(p, &point->clients, list) {
		flags = READ_ONCE(p->flags);
		if (!p->post_handler || (flags & KPROBE_FLAGS_SILENT) ||
		    !kprobe_client_admitted(flags, mark))
			continue;
		WRITE_ONCE(*mark, p);
		p->post_handler(p, regs, 0);
	}
}
NOKPROBE_SYMBOL(kprobe_hit_post);
