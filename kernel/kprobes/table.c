// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The table of points: open addressing, at most half full, so a search costs the
 * same whether there are five points or fifty thousand.
 *
 * A search takes no lock and needs no order among slots: a slot holds a point
 * whole, and the point says itself whether it is the one. The slot of a removed
 * point is filled with one that nobody asks for, so that a search goes on behind
 * it; the next point that comes by may have it. Only a table that is replaced by
 * a larger one, or by one without such fillings, waits for the searches in it.
 */
#include <linux/kernel.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/overflow.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include "point.h"

#define TABLE_MIN_BITS	6

/* An index into a table of 2^bits slots is the top of a hash of 64 bits */
#define HASH_SHIFT(bits)	(64 - (bits))

/* What stands in a slot whose point was removed: nothing has this address */
static struct kprobe_point removed = {
	.addr		= ULONG_MAX,
	.clients	= LIST_HEAD_INIT(removed.clients),
};

/* Serves until the first point comes: a search in it ends at once */
static struct kprobe_table empty_table = {
	.shift	= HASH_SHIFT(1),
	.mask	= 1,
	.slot	= { NULL, NULL },
};

/* [R] */
struct kprobe_table *kprobe_table = &empty_table;

/* [M] points in the table */
static unsigned int table_used;

static struct kprobe_table *table_alloc(unsigned int bits)
{
	struct kprobe_table *table;

	table = kvzalloc(struct_size(table, slot, BIT(bits)), GFP_KERNEL);
	if (!table)
		return NULL;
	table->shift = HASH_SHIFT(bits);
	table->mask = BIT(bits) - 1;
	return table;
}

static void table_put(struct kprobe_table *table, struct kprobe_point *point)
{
	unsigned int i = kprobe_table_index(table, point->addr);

	while (table->slot[i] && table->slot[i] != &removed)
		i = (i + 1) & table->mask;
	table->filled += !table->slot[i];
	/* The point is complete before a search in kprobe_point_find() sees it */
	smp_store_release(&table->slot[i], point);
}

static void table_replace(struct kprobe_table *table)
{
	struct kprobe_table *old = kprobe_table;
	struct kprobe_point *point;
	unsigned int pos = 0;

	while ((point = kprobe_table_next(&pos)))
		table_put(table, point);
	/* As in table_put(): what a search reads through this is complete */
	smp_store_release(&kprobe_table, table);
	if (old != &empty_table)
		kvfree_rcu(old, rcu);
}

static int table_make_room(void)
{
	struct kprobe_table *table;

	if ((kprobe_table->filled + 1) * 2 <= kprobe_table->mask + 1)
		return 0;
	/* A quarter full when new: room to grow in, or to be filled with leavings */
	table = table_alloc(max(order_base_2((table_used + 1) * 4), TABLE_MIN_BITS));
	if (!table)
		return -ENOMEM;
	table_replace(table);
	return 0;
}

/**
 * kprobe_table_add() - let a point be found
 * @point: complete, its address not in the table
 *
 * Context: process context, under the core mutex.
 * Return: 0 or -ENOMEM.
 */
int kprobe_table_add(struct kprobe_point *point)
{
	int ret;

	lockdep_assert_held(&kprobe_mutex);
	ret = table_make_room();
	if (ret)
		return ret;
	table_put(kprobe_table, point);
	table_used++;
	return 0;
}

/**
 * kprobe_table_remove() - let a point not be found any more
 * @point: in the table
 *
 * Hits that have found it before may still use it for an RCU grace period.
 *
 * Context: under the core mutex.
 */
void kprobe_table_remove(struct kprobe_point *point)
{
	unsigned int i = kprobe_table_index(kprobe_table, point->addr);

	lockdep_assert_held(&kprobe_mutex);
	while (kprobe_table->slot[i] != point)
		i = (i + 1) & kprobe_table->mask;
	WRITE_ONCE(kprobe_table->slot[i], &removed);
	table_used--;
}

/**
 * kprobe_table_next() - walk all points
 * @pos: 0 to begin with; then left to this function
 *
 * Context: under the core mutex, from the beginning of the walk to its end,
 * during which points may be removed but not added.
 * Return: the next point in no particular order, NULL behind the last.
 */
struct kprobe_point *kprobe_table_next(unsigned int *pos)
{
	struct kprobe_point *point;

	lockdep_assert_held(&kprobe_mutex);
	while (*pos <= kprobe_table->mask) {
		point = kprobe_table->slot[(*pos)++];
		if (point && point != &removed)
			return point;
	}
	return NULL;
}
