// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Clients that are return probes: register and unregister.
 */
#include <linux/cpumask.h>
#include <linux/export.h>
#include <linux/kprobe-arch.h>
#include <linux/kprobes.h>
#include <linux/minmax.h>
#include <linux/mutex.h>
#include "batch.h"
#include "core.h"
#include "instance.h"
#include "place.h"
#include "retprobe.h"

static bool kretprobe_place_returns(const struct kprobe_place *place)
{
	return place->on_entry && !arch_kretprobe_refused(place->symbol);
}

/**
 * kretprobe_prepare() - prepare a return probe for its first hit
 * @p: kretprobe::kp, not registered
 * @place: its place; gets the refusal
 *
 * Context: process context, kprobe_mutex held.
 * Return: 0; -EINVAL if the place is not a function's entry, -E2BIG if its data_size
 * is too large, or -ENOMEM.
 */
int kretprobe_prepare(struct kprobe *p, struct kprobe_place *place)
{
	struct kretprobe *rp = container_of(p, struct kretprobe, kp);

	lockdep_assert_held(&kprobe_mutex);
	if (!kretprobe_place_returns(place)) {
		place->refusal.text = "not the entry of a function that returns to its caller";
		return -EINVAL;
	}
	if (rp->data_size > KRETPROBE_MAX_DATA_SIZE)
		return -E2BIG;
	/* The default leaves room for calls that sleep or are preempted */
	if (rp->maxactive <= 0)
		rp->maxactive = max(10, 2 * (int)num_possible_cpus());
	rp->nmissed = 0;
	p->pre_handler = kretprobe_entered;
	p->post_handler = NULL;
	rp->holder = kretprobe_holder_alloc(rp);
	return rp->holder ? 0 : -ENOMEM;
}

/**
 * kretprobe_retire() - undo kretprobe_prepare()
 * @p: kretprobe::kp; no new hit finds it, hits that found it before may still be in
 *	its handler
 *
 * Context: process context, kprobe_mutex held.
 */
void kretprobe_retire(struct kprobe *p)
{
	struct kretprobe *rp = container_of(p, struct kretprobe, kp);
	struct kretprobe_holder *holder = rp->holder;

	lockdep_assert_held(&kprobe_mutex);
	/* Pairs with kretprobe_entered() */
	WRITE_ONCE(rp->holder, NULL);
	kretprobe_holder_retire(holder);
}

/**
 * register_kretprobes() - register return probes, all or none
 * @rps: the return probes
 * @num: how many, at least one
 *
 * Context: may sleep.
 * Return: 0; -EINVAL if a place is not a function's entry or a return probe is
 * registered already, -E2BIG if a data_size is too large, -ENOMEM, or an error of
 * register_kprobes().
 */
int register_kretprobes(struct kretprobe **rps, int num)
{
	struct kprobe_batch *batch;
	int i, ret;

	if (num <= 0)
		return -EINVAL;
	batch = kprobe_batch_alloc();
	batch->all_or_none = true;
	scoped_guard(mutex, &kprobe_mutex) {
		for (i = 0; i < num; i++)
			kprobe_batch_register_return(batch, rps[i]);
		ret = kprobe_batch_commit_locked(batch);
	}
	kprobe_batch_finish(batch);
	return ret;
}
EXPORT_SYMBOL_GPL(register_kretprobes);

/**
 * register_kretprobe() - register a return probe
 * @rp: the return probe
 *
 * Context: may sleep.
 * Return: as register_kretprobes().
 */
int register_kretprobe(struct kretprobe *rp)
{
	return register_kretprobes(&rp, 1);
}
EXPORT_SYMBOL_GPL(register_kretprobe);

/**
 * unregister_kretprobes() - unregister return probes
 * @rps: the return probes; those that are not registered are skipped
 * @num: how many
 *
 * No handler runs when this returns, and the return probes may be freed. Calls under
 * way return without a handler.
 *
 * Context: may sleep; waits for one grace period.
 */
void unregister_kretprobes(struct kretprobe **rps, int num)
{
	struct kprobe_batch *batch = kprobe_batch_alloc();
	int i;

	scoped_guard(mutex, &kprobe_mutex) {
		for (i = 0; i < num; i++)
			kprobe_batch_unregister(batch, &rps[i]->kp);
		kprobe_batch_commit_locked(batch);
		/* Another task may be unregistering one of them: wait for handlers, too */
		batch->handlers_may_run = true;
	}
	kprobe_batch_finish(batch);
}
EXPORT_SYMBOL_GPL(unregister_kretprobes);

/**
 * unregister_kretprobe() - unregister a return probe
 * @rp: the return probe
 *
 * Context: may sleep; waits for a grace period.
 */
void unregister_kretprobe(struct kretprobe *rp)
{
	unregister_kretprobes(&rp, 1);
}
EXPORT_SYMBOL_GPL(unregister_kretprobe);
