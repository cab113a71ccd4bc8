/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef _KERNEL_KPROBES_TABLE_H
#define _KERNEL_KPROBES_TABLE_H
/*
 * The table of points: address to point. Hits search it inline.
 */
#include <asm/barrier.h>
#include <linux/compiler.h>
#include <linux/hash.h>
#include <linux/types.h>
#include "point.h"

/**
 * struct kprobe_table - address to point, open addressing
 * @shift: reduces a hash of 64 bits to an index
 * @mask: one less than the number of slots
 * @filled: slots that are not empty; slots of removed points count
 * @rcu: frees a table after a larger one has replaced it
 * @slot: points. &kprobe_table_end ends a search. The slot of a removed point holds
 *	another placeholder. Both have an address that no search is for
 */
struct kprobe_table {
	unsigned int		shift;		/* [I] */
	unsigned int		mask;		/* [I] */
	unsigned int		filled;		/* [M] */
	struct rcu_head		rcu;
	struct kprobe_point	*slot[];	/* [R] */
};

extern struct kprobe_table *kprobe_table;
extern struct kprobe_point kprobe_table_end;

static __always_inline unsigned long kprobe_table_index(const struct kprobe_table *table,
							unsigned long addr)
{
	return ((u64)addr * GOLDEN_RATIO_64) >> table->shift;
}

/**
 * kprobe_point_find() - the point at an address
 * @addr: the address
 *
 * Calls nothing, so it may be used where nothing may be probed.
 *
 * Context: preemption off, or under the core mutex.
 * Return: the point, or NULL.
 */
static __always_inline struct kprobe_point *kprobe_point_find(unsigned long addr)
{
	/* Ordered by dependency; pairs with the releases in table.c */
	const struct kprobe_table *table = READ_ONCE(kprobe_table);
	unsigned long i = kprobe_table_index(table, addr);
	struct kprobe_point *point = READ_ONCE(table->slot[i]);

	while (unlikely(point->addr != addr)) {
		if (point == &kprobe_table_end)
			return NULL;
		/* A point that moves up is in the next slot first; pairs with table_move_up() */
		smp_rmb();
		i = (i + 1) & table->mask;
		point = READ_ONCE(table->slot[i]);
	}
	/* Callers need not ask again */
	if (!point)
		__builtin_unreachable();
	return point;
}

int kprobe_table_add(struct kprobe_point *point);
void kprobe_table_remove(struct kprobe_point *point);
struct kprobe_point *kprobe_table_next(unsigned int *pos);
unsigned int kprobe_table_count(void);
bool kprobe_window_is_free(const struct kprobe_point *point, unsigned int len);

#endif /* _KERNEL_KPROBES_TABLE_H */
