// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Batches: clients that are registered, enabled, disabled and unregistered together.
 * The expensive part of patching text is paid once per batch; one client is a batch
 * of one.
 *
 * Clients are linked by a member of their own, so filling a batch cannot fail. A
 * commit (commit.c) grants each client its wish, as far as possible, and leaves the
 * result in the client; failures are per client. Then the batch is empty and may be
 * filled again. Points that lost their last client stay in the batch. Their grace
 * period begins when the owner releases the batch.
 *
 * A client is in one batch at a time.
 */
#include <kunit/visibility.h>
#include <linux/build_bug.h>
#include <linux/gfp.h>
#include <linux/kconfig.h>
#include <linux/list.h>
#include <linux/llist.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/workqueue.h>
#include "batch.h"
#include "core.h"
#include "method.h"
#include "point.h"
#include "table.h"

/**
 * kprobe_batch_alloc() - make an empty batch
 *
 * Never fails, because callers that disarm could not handle a failure.
 *
 * Context: process context.
 * Return: the batch, for kprobe_batch_put().
 */
struct kprobe_batch *kprobe_batch_alloc(void)
{
	struct kprobe_batch *batch = kzalloc(sizeof(*batch), GFP_KERNEL | __GFP_NOFAIL);

	batch->end = &batch->clients;
	INIT_LIST_HEAD(&batch->points);
	INIT_LIST_HEAD(&batch->retired);
	return batch;
}
EXPORT_SYMBOL_IF_KUNIT(kprobe_batch_alloc);

static void batch_free(struct kprobe_batch *batch)
{
	struct kprobe_point *point, *next;

	list_for_each_entry_safe(point, next, &batch->retired, batch) {
		kprobe_point_free(point);
		cond_resched();
	}
	kfree(batch);
}

/* Batches whose grace period is over */
static LLIST_HEAD(batches_over);

static void batches_free(struct work_struct *unused)
{
	struct kprobe_batch *batch, *next;

	llist_for_each_entry_safe(batch, next, llist_del_all(&batches_over), over)
		batch_free(batch);
}

static DECLARE_WORK(batches_work, batches_free);

/*
 * Points are freed in process context, where freeing may sleep. When a tool has closed thousands
 * of probes, one by one, their grace periods end together: one worker frees them all.
 */
static void batch_free_rcu(struct rcu_head *rcu)
{
	struct kprobe_batch *batch = container_of(rcu, struct kprobe_batch, rcu);

	if (llist_add(&batch->over, &batches_over))
		queue_work(system_unbound_wq, &batches_work);
}

static bool batch_has_slots(const struct kprobe_batch *batch)
{
	const struct kprobe_point *point;

	list_for_each_entry(point, &batch->retired, batch) {
		if (point->method->slots || (point->upgrade && point->upgrade->slots))
			return true;
	}
	return false;
}

/*
 * Without RCU-tasks call_rcu_tasks() is call_rcu(). In a kernel with a preempt count the tick
 * may then report a quiescent state of RCU for a CPU that it interrupts in a slot.
 */
static_assert(IS_ENABLED(CONFIG_TASKS_RCU) || !IS_ENABLED(CONFIG_PREEMPT_COUNT));

/**
 * kprobe_batch_put() - release a batch
 * @batch: the batch, without clients
 *
 * A task that was preempted in a slot has left it by the end of an RCU-tasks grace
 * period. RCU-tasks does not wait for idle tasks, but these are not preempted. They,
 * and handlers, run with preemption off; an RCU-tasks grace period begins and ends
 * with RCU grace periods, which wait for them.
 *
 * Context: any but NMI. Waits for nothing.
 */
void kprobe_batch_put(struct kprobe_batch *batch)
{
	if (list_empty(&batch->retired))
		kfree(batch);
	else if (batch_has_slots(batch))
		call_rcu_tasks(&batch->rcu, batch_free_rcu);
	else
		call_rcu(&batch->rcu, batch_free_rcu);
}
EXPORT_SYMBOL_IF_KUNIT(kprobe_batch_put);

/**
 * kprobe_batch_finish() - release a batch that was committed, and wait for handlers
 * @batch: the batch
 *
 * Context: process context. Waits for one RCU grace period if a client was
 * unregistered that hits may have seen.
 */
void kprobe_batch_finish(struct kprobe_batch *batch)
{
	bool must_wait = batch->handlers_may_run;

	kprobe_batch_put(batch);
	if (must_wait)
		synchronize_rcu();
}

/* A client's private members are not initialized before it is in its first batch */
static bool batch_has(const struct kprobe_batch *batch, const struct kprobe *p)
{
	const struct kprobe *client;

	if (p->wish == KPROBE_WISH_NONE)
		return false;
	for (client = batch->clients; client; client = client->next) {
		if (client == p)
			return true;
	}
	return false;
}

/**
 * kprobe_batch_add() - add a client to a batch, with a wish
 * @batch: the batch
 * @p: the client. If it is in the batch, @wish replaces its wish; but
 *	registering a client twice is refused
 * @wish: the wish
 *
 * Context: any; the caller owns @batch.
 */
void kprobe_batch_add(struct kprobe_batch *batch, struct kprobe *p, enum kprobe_wish wish)
{
	if (batch_has(batch, p)) {
		p->error = wish == p->wish && wish <= KPROBE_WISH_REGISTER_RETURN ? -EINVAL : 0;
		p->wish = wish;
		return;
	}
	p->error = 0;
	p->wish = wish;
	p->next = NULL;
	*batch->end = p;
	batch->end = &p->next;
}

/**
 * kprobe_batch_register() - let a batch register a client
 * @batch: the batch
 * @p: the client, as for register_kprobe(); in use by the batch until it is committed
 *
 * Context: any.
 */
void kprobe_batch_register(struct kprobe_batch *batch, struct kprobe *p)
{
	kprobe_batch_add(batch, p, KPROBE_WISH_REGISTER);
}
EXPORT_SYMBOL_IF_KUNIT(kprobe_batch_register);

/**
 * kprobe_batch_register_return() - let a batch register a return probe
 * @batch: the batch
 * @rp: the return probe, as for register_kretprobe(); its result is that of rp->kp
 *
 * Context: any.
 */
void kprobe_batch_register_return(struct kprobe_batch *batch, struct kretprobe *rp)
{
	kprobe_batch_add(batch, &rp->kp, KPROBE_WISH_REGISTER_RETURN);
}
EXPORT_SYMBOL_IF_KUNIT(kprobe_batch_register_return);

/**
 * kprobe_batch_unregister() - let a batch unregister a client
 * @batch: the batch
 * @p: a client, kretprobe::kp of a return probe included; -EINVAL if it is not
 *	registered
 *
 * Handlers run with preemption off, and may do so until an RCU grace period after
 * the commit. Memory that call_rcu() or kfree_rcu() frees is safe, and so is what the
 * handlers use. @p must not be registered again before such a grace period is over.
 *
 * Context: any.
 */
void kprobe_batch_unregister(struct kprobe_batch *batch, struct kprobe *p)
{
	kprobe_batch_add(batch, p, KPROBE_WISH_UNREGISTER);
}
EXPORT_SYMBOL_IF_KUNIT(kprobe_batch_unregister);

/**
 * kprobe_batch_enable() - let a batch enable a client
 * @batch: the batch
 * @p: a registered client; nothing happens to one that is enabled already
 *
 * Context: any.
 */
void kprobe_batch_enable(struct kprobe_batch *batch, struct kprobe *p)
{
	kprobe_batch_add(batch, p, KPROBE_WISH_ENABLE);
}
EXPORT_SYMBOL_IF_KUNIT(kprobe_batch_enable);

/**
 * kprobe_batch_enable_late() - let a batch enable a client, now or as soon as it can be done
 * @batch: the batch
 * @p: a registered client
 *
 * A client that cannot be armed, because ftrace is switched off or memory is short, is
 * enabled all the same, and a worker tries to arm it every second.
 *
 * Context: any.
 */
void kprobe_batch_enable_late(struct kprobe_batch *batch, struct kprobe *p)
{
	kprobe_batch_add(batch, p, KPROBE_WISH_ENABLE_LATE);
}

/**
 * kprobe_batch_disable() - let a batch disable a client
 * @batch: the batch
 * @p: a registered client, whose handlers may run until an RCU grace period after
 *	the commit
 *
 * Context: any.
 */
void kprobe_batch_disable(struct kprobe_batch *batch, struct kprobe *p)
{
	kprobe_batch_add(batch, p, KPROBE_WISH_DISABLE);
}
EXPORT_SYMBOL_IF_KUNIT(kprobe_batch_disable);

/**
 * kprobe_batch_add_point() - add a point whose text may have to change
 * @batch: the batch
 * @point: a point, which may be in this batch already
 *
 * Context: under the core mutex, from here to kprobe_batch_apply().
 */
void kprobe_batch_add_point(struct kprobe_batch *batch, struct kprobe_point *point)
{
	lockdep_assert_held(&kprobe_mutex);
	if (!list_empty(&point->batch))
		return;
	point->error = 0;
	list_add_tail(&point->batch, &batch->points);
}

/**
 * kprobe_batch_add_around() - add upgraded points that a new or removed point affects
 * @batch: the batch
 * @addr: its address; it may be in the window of upgrades before it, or may have
 *	been the reason why upgrades before it were refused
 *
 * Context: under the core mutex.
 */
void kprobe_batch_add_around(struct kprobe_batch *batch, unsigned long addr)
{
	const struct kprobe_method *method = NULL;
	struct kprobe_point *point;
	int i;

	lockdep_assert_held(&kprobe_mutex);
	while ((method = kprobe_method_prev(method)) && method->over) {
		for (i = 1; i < method->reach; i++) {
			point = kprobe_point_find(addr - i);
			if (point)
				kprobe_batch_add_point(batch, point);
		}
	}
}
