// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Points whose code has been freed. They leave the table with their clients still
 * registered, and are in a table of their own until the clients unregister: several of
 * them may have had the same address.
 */
#include <linux/hashtable.h>
#include <linux/list.h>
#include "batch.h"
#include "core.h"
#include "gone.h"
#include "point.h"
#include "table.h"

#define POINTS_GONE_BITS	10

/* [M] by address; linked by kprobe_point::gone_link */
static DEFINE_HASHTABLE(points_gone, POINTS_GONE_BITS);

static void gone_bury_point(struct kprobe_point *point, struct kprobe_batch *batch)
{
	struct kprobe *p;

	point->gone = true;
	list_for_each_entry(p, &point->clients, list)
		kprobe_client_set_flags(p, 0, KPROBE_FLAG_GONE);
	kprobe_point_note_sole(point);
	kprobe_batch_add_point(batch, point);
}

static void gone_bury(unsigned long start, unsigned long end, struct kprobe_batch *batch)
{
	struct kprobe_point *point;
	unsigned int pos = 0;

	while ((point = kprobe_table_next(&pos))) {
		if (point->addr >= start && point->addr < end)
			gone_bury_point(point, batch);
	}
}

/* The original text is freed with the code; a point without clients is freed now */
static void gone_collect(struct kprobe_batch *batch)
{
	struct kprobe_point *point;
	unsigned int pos = 0;

	while ((point = kprobe_table_next(&pos))) {
		if (!point->gone)
			continue;
		kprobe_table_remove(point);
		point->late = false;
		point->state = KPROBE_STATE_NONE;
		if (list_empty(&point->clients))
			list_add_tail(&point->batch, &batch->retired);
		else
			hash_add(points_gone, &point->gone_link, point->addr);
	}
}

/**
 * kprobe_points_drop() - drop the points of code that is about to be freed
 * @start: the first address
 * @end: the first address after the code
 *
 * Clients stay registered and never see a hit again. Another kprobe may be
 * registered at the same address once there is code again.
 *
 * Context: process context.
 */
void kprobe_points_drop(unsigned long start, unsigned long end)
{
	struct kprobe_batch *batch = kprobe_batch_alloc();

	scoped_guard(mutex, &kprobe_mutex) {
		gone_bury(start, end, batch);
		kprobe_batch_apply(batch);
		gone_collect(batch);
	}
	kprobe_batch_put(batch);
}

/**
 * kprobe_point_gone_of() - the point of a kprobe, if its code has been freed
 * @p: the kprobe; only kprobe::addr is looked at
 *
 * Context: under the core mutex.
 * Return: the point; NULL if @p is not registered, or its code is there.
 */
struct kprobe_point *kprobe_point_gone_of(const struct kprobe *p)
{
	unsigned long addr = (unsigned long)p->addr;
	struct kprobe_point *point;

	lockdep_assert_held(&kprobe_mutex);
	hash_for_each_possible(points_gone, point, gone_link, addr) {
		if (point->addr == addr && kprobe_point_has(point, p))
			return point;
	}
	return NULL;
}

/**
 * kprobe_points_gone_show() - show each point whose code has been freed
 * @m: the file
 * @show: shows a point
 *
 * Context: under the core mutex.
 */
void kprobe_points_gone_show(struct seq_file *m,
			     void (*show)(struct seq_file *m, const struct kprobe_point *point))
{
	const struct kprobe_point *point;
	int i;

	lockdep_assert_held(&kprobe_mutex);
	hash_for_each(points_gone, i, point, gone_link)
		show(m, point);
}
