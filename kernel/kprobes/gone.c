// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Points whose code has been freed. They leave the table with their clients still
 * registered, and are in a list until the clients unregister.
 */
#include <linux/list.h>
#include "batch.h"
#include "core.h"
#include "gone.h"
#include "point.h"
#include "table.h"

/* [M] linked by kprobe_point::gone_list */
static LIST_HEAD(points_gone);

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
			list_add_tail(&point->gone_list, &points_gone);
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
		kprobe_batch_bring(batch);
		gone_collect(batch);
	}
	kprobe_batch_put(batch);
}

/**
 * kprobe_point_gone_next() - walk the points whose code has been freed
 * @point: NULL to begin with, then the last result
 *
 * Context: under the core mutex.
 * Return: the next point, NULL after the last.
 */
struct kprobe_point *kprobe_point_gone_next(struct kprobe_point *point)
{
	lockdep_assert_held(&kprobe_mutex);
	if (!point)
		return list_first_entry_or_null(&points_gone, struct kprobe_point, gone_list);
	if (list_is_last(&point->gone_list, &points_gone))
		return NULL;
	return list_next_entry(point, gone_list);
}
