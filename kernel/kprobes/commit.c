// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Committing a batch. First, clients are granted their wishes. Then each point is
 * brought to the state that its present clients require. If a point could not be armed,
 * the wishes of the clients that need it armed are reverted, and the points are brought
 * once more.
 *
 * No caller says whether a point is armed or disarmed: that follows from its clients.
 */
#include <kunit/visibility.h>
#include <linux/jiffies.h>
#include <linux/kernel.h>
#include <linux/list.h>
#include <linux/rcupdate.h>
#include <linux/workqueue.h>
#include "batch.h"
#include "client.h"
#include "core.h"
#include "method.h"
#include "point.h"
#include "table.h"
#include "window.h"

/* [M] debugfs kprobes/enabled is 0 */
static bool all_disarmed;

static void commit_late(struct work_struct *work);
static DECLARE_DELAYED_WORK(late_work, commit_late);

/* Does the point have a client to call? */
static bool commit_is_wanted(const struct kprobe_point *point)
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

/* Must @method give up a point that it has armed? */
static bool commit_must_disarm(const struct kprobe_point *point, const struct kprobe_method *method)
{
	if (point->method != method || point->state == KPROBE_STATE_NONE)
		return false;
	return !point->wanted || (method->over && !method->admits(point));
}

/* Must @method, a base method, arm a point, perhaps again? */
static bool commit_must_arm(const struct kprobe_point *point, const struct kprobe_method *method)
{
	if (point->method != method || !point->wanted)
		return false;
	return point->state == KPROBE_STATE_NONE ||
	       (method->unsettled && method->unsettled(point));
}

/* Can @method, an upgrade, have a point that its base method has armed? */
static bool commit_can_upgrade(const struct kprobe_point *point, const struct kprobe_method *method)
{
	return point->method == method->over && point->wanted &&
	       point->state != KPROBE_STATE_NONE && method->admits(point);
}

/*
 * Take the points that @is_due out of the batch's list; the others stay. Inline, because
 * there are thousands of points: no call for each of them.
 */
static __always_inline void
commit_pick(struct kprobe_batch *batch, const struct kprobe_method *method,
	    bool (*is_due)(const struct kprobe_point *point, const struct kprobe_method *method),
	    struct list_head *due)
{
	struct kprobe_point *point, *next;

	list_for_each_entry_safe(point, next, &batch->points, batch) {
		if (is_due(point, method))
			list_move_tail(&point->batch, due);
	}
}

static void commit_disarm(struct kprobe_batch *batch, const struct kprobe_method *method)
{
	struct kprobe_point *point;
	LIST_HEAD(due);

	commit_pick(batch, method, commit_must_disarm, &due);
	if (list_empty(&due))
		return;
	method->disarm(&due);
	if (method->over) {
		list_for_each_entry(point, &due, batch) {
			if (!point->late)
				kprobe_point_set_method(point, method->over);
		}
	}
	list_splice_tail(&due, &batch->points);
}

static void commit_arm(struct kprobe_batch *batch, const struct kprobe_method *method)
{
	LIST_HEAD(due);

	commit_pick(batch, method, commit_must_arm, &due);
	if (list_empty(&due))
		return;
	method->arm(&due);
	list_splice_tail(&due, &batch->points);
}

/* A point that cannot be upgraded stays with its base method: no error, perhaps late */
static void commit_upgrade(struct kprobe_batch *batch, const struct kprobe_method *method)
{
	struct kprobe_point *point;
	LIST_HEAD(due);

	commit_pick(batch, method, commit_can_upgrade, &due);
	kprobe_upgrade_prepare_all(&due, method, &batch->points);
	if (list_empty(&due))
		return;
	method->arm(&due);
	list_for_each_entry(point, &due, batch) {
		if (!point->error)
			kprobe_point_set_method(point, method);
		point->error = 0;
	}
	list_splice_tail(&due, &batch->points);
}

static void commit_reassess(struct kprobe_batch *batch)
{
	struct kprobe_point *point;

	list_for_each_entry(point, &batch->points, batch) {
		point->wanted = commit_is_wanted(point);
		point->late = false;
		kprobe_window_review(point);
	}
}

static void commit_unlink(struct kprobe_point *point)
{
	if (hlist_unhashed(&point->gone_link))
		kprobe_table_remove(point);
	else
		hlist_del(&point->gone_link);
}

/* Must the worker have another try in a second? Not if ftrace is dead: that is for good */
static bool commit_is_late(const struct kprobe_point *point)
{
	return point->late || (point->wanted && point->error && point->error != -ENODEV);
}

/*
 * A point without clients is removed, unless it is late. One that could not be armed has
 * another try, if its clients are not disabled again before.
 */
static void commit_release_points(struct kprobe_batch *batch)
{
	struct kprobe_point *point, *next;

	list_for_each_entry_safe(point, next, &batch->points, batch) {
		list_del_init(&point->batch);
		batch->failed |= point->error != 0;
		kprobe_window_offer(point);
		if (commit_is_late(point)) {
			queue_delayed_work(system_unbound_wq, &late_work, HZ);
		} else if (list_empty(&point->clients)) {
			commit_unlink(point);
			list_add_tail(&point->batch, &batch->retired);
		}
	}
}

/**
 * kprobe_batch_apply() - bring each point of a batch to the state that its clients require
 * @batch: the batch; no point is in it afterwards
 *
 * kprobe_point::error says which points could not be armed. Disarming does not fail,
 * but may be late.
 *
 * Context: process context, under the core mutex.
 */
void kprobe_batch_apply(struct kprobe_batch *batch)
{
	const struct kprobe_method *method = NULL;

	lockdep_assert_held(&kprobe_mutex);
	if (list_empty(&batch->points))
		return;
	commit_reassess(batch);
	while ((method = kprobe_method_prev(method)) && method->over)
		commit_disarm(batch, method);
	method = NULL;
	while ((method = kprobe_method_next(method)) && !method->over) {
		commit_arm(batch, method);
		commit_disarm(batch, method);
	}
	for (; method; method = kprobe_method_next(method))
		commit_upgrade(batch, method);
	commit_release_points(batch);
}

/* How a wish is granted, and how it is reverted if a point cannot be armed */
static const struct {
	int	(*grant)(struct kprobe *p, struct kprobe_batch *batch);
	void	(*undo)(struct kprobe *p, struct kprobe_batch *batch);
} wishes[] = {
	[KPROBE_WISH_REGISTER]		= { kprobe_client_register, kprobe_client_expel },
	[KPROBE_WISH_REGISTER_RETURN]	= { kprobe_client_register_return, kprobe_client_expel },
	[KPROBE_WISH_ENABLE]		= { kprobe_client_enable, kprobe_client_silence },
	[KPROBE_WISH_ENABLE_LATE]	= { kprobe_client_enable },
	[KPROBE_WISH_DISABLE]		= { kprobe_client_disable },
	[KPROBE_WISH_UNREGISTER]	= { kprobe_client_unregister },
	[KPROBE_WISH_FORGET]		= { },
};

/* Grant wishes; returns the first error. A refused client has no wish any more */
static int commit_grant(struct kprobe_batch *batch)
{
	struct kprobe *p;
	int ret = 0;

	for (p = batch->clients; p; p = p->next) {
		cond_resched();
		if (p->wish <= KPROBE_WISH_REGISTER_RETURN)
			kprobe_client_set_flags(p, KPROBE_FLAG_REFUSED, 0);
		if (ret && batch->all_or_none)
			p->error = ret;
		else if (!p->error)
			p->error = wishes[p->wish].grant(p, batch);
		if (p->error)
			p->wish = KPROBE_WISH_NONE;
		ret = ret ?: p->error;
	}
	return ret;
}

static bool commit_can_undo(const struct kprobe *p)
{
	return p->wish != KPROBE_WISH_NONE && wishes[p->wish].undo;
}

/* Can the client be why its point could not be armed? */
static bool commit_is_suspect(const struct kprobe *p)
{
	return commit_can_undo(p) && !kprobe_disabled(p);
}

/* Give clients the errors of their points; returns the first error, @ret included */
static int commit_note_errors(struct kprobe_batch *batch, bool posts_only, int ret)
{
	struct kprobe *p;

	for (p = batch->clients; p; p = p->next) {
		if (!commit_is_suspect(p) || (posts_only && !p->post_handler))
			continue;
		p->error = kprobe_point_of(p)->error;
		ret = ret ?: p->error;
	}
	return ret;
}

/* Revert the wishes of clients that have an error */
static void commit_undo(struct kprobe_batch *batch)
{
	enum kprobe_wish wish;
	struct kprobe *p;

	for (p = batch->clients; p; p = p->next) {
		if (!p->error || !commit_can_undo(p))
			continue;
		wish = p->wish;
		p->wish = KPROBE_WISH_NONE;
		wishes[wish].undo(p, batch);
	}
	kprobe_batch_apply(batch);
}

/*
 * Some points could not be armed. A post-handler may be the reason, so clients that have
 * one go first. The others of the point then have another try.
 */
static int commit_blame(struct kprobe_batch *batch, int ret)
{
	ret = commit_note_errors(batch, true, ret);
	commit_undo(batch);
	return commit_note_errors(batch, false, ret);
}

/* Revert wishes that failed, and end the list of clients */
static void commit_finish(struct kprobe_batch *batch, int ret)
{
	struct kprobe *p;

	if (ret && batch->all_or_none) {
		for (p = batch->clients; p; p = p->next)
			p->error = ret;
	}
	commit_undo(batch);
	/* Handlers of expelled clients may be running, and read kprobe::addr */
	if (batch->forgets) {
		synchronize_rcu();
		batch->handlers_may_run = false;
	}
	batch->forgets = false;
	for (p = batch->clients; p; p = p->next) {
		if (p->wish == KPROBE_WISH_FORGET)
			kprobe_client_forget(p);
		p->wish = KPROBE_WISH_NONE;
	}
	batch->clients = NULL;
	batch->end = &batch->clients;
}

/**
 * kprobe_batch_commit_locked() - kprobe_batch_commit() for callers that hold the mutex
 * @batch: as there
 *
 * The exported functions fill their batch under the mutex too: other tasks may name the
 * same client at the same time, but its link and its wish exist once.
 *
 * Context: process context, under the core mutex.
 * Return: as kprobe_batch_commit().
 */
int kprobe_batch_commit_locked(struct kprobe_batch *batch)
{
	int ret;

	lockdep_assert_held(&kprobe_mutex);
	batch->failed = false;
	ret = commit_grant(batch);
	if (!ret || !batch->all_or_none)
		kprobe_batch_apply(batch);
	if (batch->failed)
		ret = commit_blame(batch, ret);
	commit_finish(batch, ret);
	return ret;
}

/**
 * kprobe_batch_commit() - grant the clients of a batch their wishes
 * @batch: the batch, without clients afterwards; kprobe_error() has their results
 *
 * Failures are per client. A client whose wish fails is as it was before. Hits at an
 * address that had other clients may run its handlers until an RCU grace period after
 * the commit; it must not be registered again before.
 *
 * Context: process context. Waits for no grace period, but for one of RCU if a function's
 * entry has kept clients and got its first post-handler, or lost its last one; and for one if
 * a client that was registered is taken back, because its point could not be armed or another
 * client was refused.
 * Return: 0, or the first error.
 */
int kprobe_batch_commit(struct kprobe_batch *batch)
{
	guard(mutex)(&kprobe_mutex);
	return kprobe_batch_commit_locked(batch);
}
EXPORT_SYMBOL_IF_KUNIT(kprobe_batch_commit);

/**
 * kprobe_all_disarmed() - are all probes switched off?
 *
 * Context: any.
 * Return: true if they are.
 */
bool kprobe_all_disarmed(void)
{
	return READ_ONCE(all_disarmed);
}

static int commit_all(struct kprobe_batch *batch)
{
	struct kprobe_point *point;
	unsigned int pos = 0;
	int ret = 0;

	while ((point = kprobe_table_next(&pos)))
		kprobe_batch_add_point(batch, point);
	kprobe_batch_apply(batch);
	pos = 0;
	while ((point = kprobe_table_next(&pos)))
		ret = ret ?: point->error;
	return ret;
}

/**
 * kprobe_set_for_all() - change what decides about all points, and bring them to it
 * @what: a flag that commits read
 * @value: its new value
 *
 * Context: process context.
 * Return: 0, or the error of a point that could not be armed; the others are, and a worker
 * tries this one again.
 */
int kprobe_set_for_all(bool *what, bool value)
{
	struct kprobe_batch *batch = kprobe_batch_alloc();
	int ret;

	scoped_guard(mutex, &kprobe_mutex) {
		WRITE_ONCE(*what, value);
		ret = commit_all(batch);
	}
	kprobe_batch_put(batch);
	return ret;
}

/**
 * kprobe_set_all_disarmed() - switch all probes off, or on again
 * @disarmed: true to switch them off
 *
 * Clients that are enabled or registered while all are off are armed when they are
 * switched on.
 *
 * Context: process context.
 * Return: as kprobe_set_for_all().
 */
int kprobe_set_all_disarmed(bool disarmed)
{
	return kprobe_set_for_all(&all_disarmed, disarmed);
}

static void commit_late(struct work_struct *work)
{
	struct kprobe_batch *batch = kprobe_batch_alloc();
	struct kprobe_point *point;
	unsigned int pos = 0;

	scoped_guard(mutex, &kprobe_mutex) {
		while ((point = kprobe_table_next(&pos))) {
			if (commit_is_late(point))
				kprobe_batch_add_point(batch, point);
		}
		kprobe_batch_apply(batch);
	}
	kprobe_batch_put(batch);
}
