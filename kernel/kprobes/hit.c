// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The uncommon part of hits: hits that are counted instead of handled, points with several
 * clients or with one that is not always called, and points with post-handlers. The common
 * part is in hit.h.
 */
#include <linux/atomic.h>
#include <linux/build_bug.h>
#include <linux/compiler_types.h>
#include <linux/kprobe-arch.h>
#include <linux/rculist.h>
#include "hit.h"

/**
 * kprobe_client_missed() - count a hit that a client misses
 * @p: the client
 * @why: the reason, one of those that kprobe::nmissed counts
 *
 * Clients read kprobe::nmissed directly, so it cannot be an atomic_long_t, although
 * several CPUs add to it at once.
 *
 * Context: any.
 */
noinstr void kprobe_client_missed(struct kprobe *p, enum kprobe_missed why)
{
	static_assert(sizeof(p->nmissed) == sizeof(atomic_long_t));
	raw_atomic_long_inc((atomic_long_t *)&p->nmissed);
	if (likely(why == KPROBE_MISSED_NESTED))
		return;
	if (why == KPROBE_MISSED_RETIRING)
		raw_atomic_inc((atomic_t *)&p->retiring);
	else if (why == KPROBE_MISSED_DIVERTED)
		raw_atomic_long_inc((atomic_long_t *)&p->diverted);
	else
		raw_atomic_long_inc((atomic_long_t *)&p->unwatched);
}

/**
 * kprobe_point_missed() - count a hit that all clients of a point miss
 * @point: the point
 * @why: the reason
 *
 * Context: preemption off; calls no function that could be probed.
 */
noinstr void kprobe_point_missed(struct kprobe_point *point, enum kprobe_missed why)
{
	struct kprobe *p;

	/* No grace period waits for this CPU: a client may be freed at any time */
	if (unlikely(READ_ONCE(*kprobe_context_mark()) == &kprobe_absent_mark))
		return;
	list_for_each_entry_lockless(p, &point->clients, list) {
		if (!(READ_ONCE(p->flags) & KPROBE_FLAGS_SILENT))
			kprobe_client_missed(p, why);
	}
}

/* The rest of a point's clients miss the hit: the handler of @by has set the instruction pointer */
static void hit_diverted(struct kprobe_point *point, struct kprobe *by)
{
	struct list_head *node = READ_ONCE(by->list.next);
	struct kprobe *p;

	for (; node != &point->clients; node = READ_ONCE(node->next)) {
		p = list_entry(node, struct kprobe, list);
		if (!(READ_ONCE(p->flags) & KPROBE_FLAGS_SILENT))
			kprobe_client_missed(p, KPROBE_MISSED_DIVERTED);
	}
}
NOKPROBE_SYMBOL(hit_diverted);

/**
 * kprobe_hit_clients() - run the pre-handlers of all clients of a point
 * @point: the point
 * @mark: the mark of this context, which is the caller's
 * @regs: as for kprobe_hit()
 * @jumped: as for kprobe_hit()
 *
 * Context: preemption off.
 * Return: as kprobe_hit().
 */
bool kprobe_hit_clients(struct kprobe_point *point, struct kprobe **mark, struct pt_regs *regs,
			bool jumped)
{
	bool is_first = true;
	struct kprobe *p;
	u32 flags;

	list_for_each_entry_lockless(p, &point->clients, list) {
		/*
		 * Pairs with kprobe_client_set_flags(): kprobe_point::post is read after this, and
		 * was set before a client with a post-handler was enabled
		 */
		flags = smp_load_acquire(&p->flags);
		if (unlikely(flags & KPROBE_FLAGS_SILENT) || (jumped && p->post_handler))
			continue;
		if (unlikely(!kprobe_client_admitted(flags, mark))) {
			kprobe_client_missed(p, KPROBE_MISSED_NESTED);
			continue;
		}
		kprobe_hit_begin(p, mark, regs, jumped && is_first);
		is_first = false;
		if (p->pre_handler && unlikely(p->pre_handler(p, regs))) {
			hit_diverted(point, p);
			return false;
		}
	}
	return true;
}
NOKPROBE_SYMBOL(kprobe_hit_clients);

/* [C] The instruction pointer in the registers of post-handlers; 0 while none runs */
DEFINE_PER_CPU(unsigned long, kprobe_executed);

/**
 * kprobe_hit_post() - run the post-handlers of a point
 * @point: the point
 * @mark: the mark of this context, which is the caller's
 * @regs: the registers after the instruction
 *
 * Reentrancy is judged as in kprobe_hit(). A client that was enabled since is called, and one
 * that was disabled is not.
 *
 * Context: preemption off.
 */
void kprobe_hit_post(struct kprobe_point *point, struct kprobe **mark, struct pt_regs *regs)
{
	unsigned long outer = __this_cpu_read(kprobe_executed);
	struct kprobe *p;
	u32 flags;

	__this_cpu_write(kprobe_executed, instruction_pointer(regs));
	list_for_each_entry_lockless(p, &point->clients, list) {
		/* Pairs with kprobe_client_set_flags(): the client may have come meanwhile */
		flags = smp_load_acquire(&p->flags);
		if (!p->post_handler || (flags & KPROBE_FLAGS_SILENT) ||
		    !kprobe_client_admitted(flags, mark))
			continue;
		WRITE_ONCE(*mark, p);
		p->post_handler(p, regs, 0);
	}
	__this_cpu_write(kprobe_executed, outer);
}
NOKPROBE_SYMBOL(kprobe_hit_post);
