// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Batches: points whose text changes together. What is dear about changing text
 * is paid once a batch, not once a point; arming one point is a batch of one.
 *
 * A batch says nothing about arming or disarming: each of its points is brought
 * to what its clients, as they are now, want of it. So who could not have what he
 * wanted takes it back and commits again.
 */
#include <linux/kernel.h>
#include <linux/list.h>
#include "point.h"

static const struct kprobe_method *const methods[] = {
#ifdef CONFIG_KPROBES_ON_FTRACE
	&kprobe_call_method,
#endif
	&kprobe_trap_method,
	NULL
};

/* [M] debugfs kprobes/enabled is 0 */
static bool all_disarmed;

/**
 * kprobe_method_for() - the method that can serve an address
 * @addr: the address, which kprobe_place_check() has found good
 *
 * The trap, last in line, takes whatever is left.
 *
 * Return: the method.
 */
const struct kprobe_method *kprobe_method_for(unsigned long addr)
{
	const struct kprobe_method *const *method;

	for (method = methods; !(*method)->fits(addr); method++)
		;
	return *method;
}

/**
 * kprobe_point_wanted() - is there anybody to call at a point
 * @point: the point
 *
 * Context: under the core mutex.
 * Return: true if a hit has a client to go to.
 */
bool kprobe_point_wanted(const struct kprobe_point *point)
{
	struct kprobe *p;

	if (all_disarmed || point->gone)
		return false;
	list_for_each_entry(p, &point->clients, list) {
		if (!kprobe_disabled(p))
			return true;
	}
	return false;
}

/**
 * kprobe_batch_add() - put a point into a batch
 * @batch: the batch
 * @point: a point, which may be in this batch already
 *
 * Context: under the core mutex, from here to kprobe_batch_commit().
 */
void kprobe_batch_add(struct kprobe_batch *batch, struct kprobe_point *point)
{
	lockdep_assert_held(&kprobe_mutex);
	if (!list_empty(&point->batch))
		return;
	point->error = 0;
	list_add_tail(&point->batch, &batch->points);
}

/**
 * kprobe_batch_commit() - bring each point of a batch to what its clients want
 * @batch: the batch, empty afterwards
 *
 * Context: process context, under the core mutex.
 * Return: 0, or the error of the first point that could not be armed; each has
 * its own in kprobe_point::error. Disarming does not fail.
 */
int kprobe_batch_commit(struct kprobe_batch *batch)
{
	const struct kprobe_method *const *method;
	struct kprobe_point *point, *next;
	int ret = 0;

	lockdep_assert_held(&kprobe_mutex);
	for (method = methods; *method; method++) {
		(*method)->arm(batch);
		(*method)->disarm(batch);
	}
	list_for_each_entry_safe(point, next, &batch->points, batch) {
		ret = ret ?: point->error;
		list_del_init(&point->batch);
	}
	return ret;
}

/**
 * kprobe_all_disarmed() - has somebody switched all probes off
 *
 * Context: any.
 * Return: true if so.
 */
bool kprobe_all_disarmed(void)
{
	return READ_ONCE(all_disarmed);
}

/**
 * kprobe_set_all_disarmed() - switch all probes off, or on again
 * @disarmed: off
 *
 * Clients that are enabled or registered while they are off are armed when they
 * are switched on.
 *
 * Context: process context.
 * Return: 0, or the error of a point that could not be armed; the others are.
 */
int kprobe_set_all_disarmed(bool disarmed)
{
	KPROBE_BATCH(batch);
	struct kprobe_point *point;
	unsigned int pos = 0;

	guard(mutex)(&kprobe_mutex);
	WRITE_ONCE(all_disarmed, disarmed);
	while ((point = kprobe_table_next(&pos)))
		kprobe_batch_add(&batch, point);
	return kprobe_batch_commit(&batch);
}
