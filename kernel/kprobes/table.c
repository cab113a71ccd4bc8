// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The table of points: open addressing, at most half full, so a search costs the same
 * whether there are five points or fifty thousand.
 *
 * A search takes no lock: a slot is one pointer, and the point has its address. It begins at
 * the slot that the hash of an address says, and goes up. A new point takes the place of one
 * that is nearer to where its own search begins, which moves up (Robin Hood hashing): no
 * point is far from its beginning, whatever the others are. While points move up, the last
 * of them first, each is in two slots for a moment: a search never misses it.
 *
 * The slot of a removed point gets a placeholder, so that a search goes on after it; a new
 * point may take the slot. A table that is replaced, by a larger one or by one without
 * placeholders, is freed after the searches in it.
 *
 * Grace periods do not wait for a CPU that comes up or goes, but such a CPU takes traps, and
 * searches. The CPU lock keeps points and tables from being taken out meanwhile.
 */
#include <kunit/visibility.h>
#include <linux/cpu.h>
#include <linux/kernel.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/overflow.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/vmalloc.h>
#include "core.h"
#include "table.h"

#define TABLE_MIN_BITS	6

/* An index into a table of 2^bits slots is the top of a hash of 64 bits */
#define HASH_SHIFT(bits)	(64 - (bits))

/* The placeholders: no text has their address */
static struct kprobe_point table_removed = {
	.addr		= ULONG_MAX,
	.clients	= LIST_HEAD_INIT(table_removed.clients),
};

struct kprobe_point kprobe_table_end = {
	.addr		= ULONG_MAX,
	.clients	= LIST_HEAD_INIT(kprobe_table_end.clients),
};
EXPORT_SYMBOL_IF_KUNIT(kprobe_table_end);

/* The first table has no room for a point, and a search in it ends at once */
static struct kprobe_table empty_table = {
	.shift	= HASH_SHIFT(1),
	.mask	= 1,
	.filled	= 1,
	.slot	= { &kprobe_table_end, &kprobe_table_end },
};

/* [R] */
struct kprobe_table *kprobe_table = &empty_table;
EXPORT_SYMBOL_IF_KUNIT(kprobe_table);

/* [M] points in the table */
static unsigned int table_used;

/*
 * kmalloc() would round a large table up to the next power of two, which the head makes
 * almost twice as much as is needed.
 */
static struct kprobe_table *table_alloc(unsigned int bits)
{
	size_t size = struct_size_t(struct kprobe_table, slot, BIT(bits));
	struct kprobe_table *table;

	table = size > PAGE_SIZE ? vmalloc(size) : kmalloc(size, GFP_KERNEL);
	if (!table)
		return NULL;
	table->shift = HASH_SHIFT(bits);
	table->mask = BIT(bits) - 1;
	table->filled = 0;
	memset_p((void **)table->slot, &kprobe_table_end, BIT(bits));
	return table;
}

static bool table_is_free(const struct kprobe_table *table, unsigned int i)
{
	return table->slot[i] == &kprobe_table_end || table->slot[i] == &table_removed;
}

/* Slots that a search for a point which is in slot @i looks at before */
static unsigned int table_distance(const struct kprobe_table *table,
				   const struct kprobe_point *point, unsigned int i)
{
	return (i - kprobe_table_index(table, point->addr)) & table->mask;
}

/* The slot for a new point */
static unsigned int table_slot_for(const struct kprobe_table *table,
				   const struct kprobe_point *point)
{
	unsigned int i = kprobe_table_index(table, point->addr);

	while (!table_is_free(table, i) &&
	       table_distance(table, table->slot[i], i) >= table_distance(table, point, i))
		i = (i + 1) & table->mask;
	return i;
}

/* Each point from slot @i on moves up by one, as far as the next slot that is free */
static void table_move_up(struct kprobe_table *table, unsigned int i)
{
	unsigned int to = i, from;

	while (!table_is_free(table, to))
		to = (to + 1) & table->mask;
	table->filled += table->slot[to] == &kprobe_table_end;
	for (; to != i; to = from) {
		from = (to - 1) & table->mask;
		/*
		 * A search that finds another point where one was sees it in the next slot:
		 * pairs with the barrier in kprobe_point_find()
		 */
		smp_store_release(&table->slot[to], table->slot[from]);
	}
}

static void table_put(struct kprobe_table *table, struct kprobe_point *point)
{
	unsigned int i = table_slot_for(table, point);

	table_move_up(table, i);
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
	guard(cpus_read_lock)();
	/* As in table_put(): the table is complete before a search sees it */
	smp_store_release(&kprobe_table, table);
	if (old != &empty_table)
		kvfree_rcu(old, rcu);
}

static int table_make_room(void)
{
	struct kprobe_table *table;

	if ((kprobe_table->filled + 1) * 2 <= kprobe_table->mask + 1)
		return 0;
	/* A third full at most when new: room for more points, and for placeholders */
	table = table_alloc(max(order_base_2((table_used + 1) * 3), TABLE_MIN_BITS));
	if (!table)
		return -ENOMEM;
	table_replace(table);
	return 0;
}

/**
 * kprobe_table_add() - add a point, so that hits find it
 * @point: complete, its address not in the table
 *
 * Context: process context, under the core mutex; takes the CPU lock.
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
EXPORT_SYMBOL_IF_KUNIT(kprobe_table_add);

/**
 * kprobe_table_remove() - remove a point, so that hits no longer find it
 * @point: in the table
 *
 * Hits that have found it before may still use it for an RCU grace period.
 *
 * Context: process context, under the core mutex; takes the CPU lock.
 */
void kprobe_table_remove(struct kprobe_point *point)
{
	unsigned int i = kprobe_table_index(kprobe_table, point->addr);

	lockdep_assert_held(&kprobe_mutex);
	guard(cpus_read_lock)();
	while (kprobe_table->slot[i] != point)
		i = (i + 1) & kprobe_table->mask;
	WRITE_ONCE(kprobe_table->slot[i], &table_removed);
	table_used--;
}
EXPORT_SYMBOL_IF_KUNIT(kprobe_table_remove);

/* A point without clients does not count once its text is restored */
static bool table_point_in_use(const struct kprobe_point *point)
{
	return point && (!list_empty(&point->clients) || point->state != KPROBE_STATE_NONE);
}

/**
 * kprobe_window_is_free() - is no other point in the text after a point?
 * @point: the point
 * @len: bytes of the window that begins at @point
 *
 * Context: under the core mutex.
 * Return: false if another point is in the window.
 */
bool kprobe_window_is_free(const struct kprobe_point *point, unsigned int len)
{
	unsigned int i;

	lockdep_assert_held(&kprobe_mutex);
	for (i = 1; i < len; i++) {
		if (table_point_in_use(kprobe_point_find(point->addr + i)))
			return false;
	}
	return true;
}
EXPORT_SYMBOL_IF_KUNIT(kprobe_window_is_free);

/**
 * kprobe_table_count() - the number of points in the table
 *
 * Context: under the core mutex.
 * Return: the number.
 */
unsigned int kprobe_table_count(void)
{
	lockdep_assert_held(&kprobe_mutex);
	return table_used;
}

/**
 * kprobe_table_next() - walk all points
 * @pos: 0 to begin with; then changed by this function. One less is the point before
 *
 * Context: under the core mutex. During the walk points may be removed but not added. If the
 * mutex was released meanwhile, points may have moved, and be met twice or not at all.
 * Return: the next point in no particular order, NULL after the last.
 */
struct kprobe_point *kprobe_table_next(unsigned int *pos)
{
	struct kprobe_point *point;

	lockdep_assert_held(&kprobe_mutex);
	while (*pos <= kprobe_table->mask) {
		point = kprobe_table->slot[*pos];
		if (!table_is_free(kprobe_table, (*pos)++))
			return point;
	}
	return NULL;
}
