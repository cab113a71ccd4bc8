// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Registered clients, enabled and disabled: a batch each time.
 */
#include <linux/export.h>
#include <linux/kprobes.h>
#include <linux/mutex.h>
#include <linux/rculist.h>
#include "point.h"

static void client_flags(struct kprobe *p, u32 clear, u32 set)
{
	/* Pairs with the reads in hit.c and hit.h, which take either value */
	WRITE_ONCE(p->flags, (p->flags & ~clear) | set);
}

/* Mark @p as enabled by us, so that it can be undone; leave it if it already was */
static int begin_enabling(struct kprobe *p, struct kprobe_batch *batch)
{
	struct kprobe_point *point = kprobe_point_of(p);

	if (!point || point->gone)
		return -EINVAL;
	if (!(p->flags & KPROBE_FLAG_DISABLED))
		return 0;
	client_flags(p, KPROBE_FLAG_DISABLED, KPROBE_FLAG_ENABLING);
	kprobe_batch_add(batch, point);
	return 0;
}

static int enabling_error(const struct kprobe *p)
{
	return p->flags & KPROBE_FLAG_ENABLING ? kprobe_point_of(p)->error : 0;
}

static void end_enabling(struct kprobe *p, int error, struct kprobe_batch *undo)
{
	if (!(p->flags & KPROBE_FLAG_ENABLING))
		return;
	client_flags(p, KPROBE_FLAG_ENABLING, error ? KPROBE_FLAG_DISABLED : 0);
	if (error)
		kprobe_batch_add(undo, kprobe_point_of(p));
}

/**
 * enable_kprobes() - let the handlers of several kprobes be called
 * @kps: registered kprobes; those that are enabled already are passed over
 * @errors: gets for each 0, or why it stays disabled: -EINVAL if it is not
 *	registered or the code it was in is gone; -EBUSY, -EAGAIN, -ENODEV, -ENOMEM
 *	as register_kprobes()
 * @num: how many
 *
 * One batch. What cannot be had of it does not keep the rest from being had.
 *
 * Context: process context. Waits for no grace period.
 * Return: 0, or the first error there is in @errors.
 */
int enable_kprobes(struct kprobe **kps, int *errors, int num)
{
	KPROBE_BATCH(batch);
	KPROBE_BATCH(undo);
	int i, ret = 0;

	guard(mutex)(&kprobe_mutex);
	for (i = 0; i < num; i++)
		errors[i] = begin_enabling(kps[i], &batch);
	kprobe_batch_commit(&batch);
	for (i = 0; i < num; i++) {
		errors[i] = errors[i] ?: enabling_error(kps[i]);
		ret = ret ?: errors[i];
	}
	for (i = 0; i < num; i++)
		end_enabling(kps[i], errors[i], &undo);
	kprobe_batch_commit(&undo);
	return ret;
}

/**
 * disable_kprobes() - let the handlers of several kprobes not be called any more
 * @kps: registered kprobes; those that are disabled already are passed over
 * @num: how many
 *
 * A handler may still run until an RCU grace period is over. Nothing is waited
 * for.
 *
 * Context: process context.
 * Return: 0, or -EINVAL if one is not registered; then none is disabled.
 */
int disable_kprobes(struct kprobe **kps, int num)
{
	KPROBE_BATCH(batch);
	int i;

	guard(mutex)(&kprobe_mutex);
	for (i = 0; i < num; i++) {
		if (!kprobe_point_of(kps[i]))
			return -EINVAL;
	}
	for (i = 0; i < num; i++) {
		client_flags(kps[i], 0, KPROBE_FLAG_DISABLED);
		kprobe_batch_add(&batch, kprobe_point_of(kps[i]));
	}
	return kprobe_batch_commit(&batch);
}

/**
 * enable_kprobe() - undo disable_kprobe()
 * @p: a registered kprobe
 *
 * Context: process context.
 * Return: 0, or the error as enable_kprobes() has it.
 */
int enable_kprobe(struct kprobe *p)
{
	int error;

	return enable_kprobes(&p, &error, 1);
}
EXPORT_SYMBOL_GPL(enable_kprobe);

/**
 * disable_kprobe() - let the handlers of a kprobe not be called any more
 * @p: a registered kprobe
 *
 * Context: process context.
 * Return: as disable_kprobes().
 */
int disable_kprobe(struct kprobe *p)
{
	return disable_kprobes(&p, 1);
}
EXPORT_SYMBOL_GPL(disable_kprobe);

/**
 * kprobe_set_reentrant() - let a client's handlers interrupt other handlers
 * @p: registered, disabled
 *
 * Without this a hit that comes while handlers run in a context it interrupts is
 * counted as missed. For clients that are part of the kernel and whose handlers
 * can be interrupted anywhere by themselves, NMI included. Within one context
 * handlers never nest.
 *
 * Context: process context.
 */
void kprobe_set_reentrant(struct kprobe *p)
{
	guard(mutex)(&kprobe_mutex);
	client_flags(p, 0, KPROBE_FLAG_REENTRANT);
}

/**
 * get_kprobe() - who is registered at an address
 * @addr: the address, as registering has written it to kprobe::addr
 *
 * Context: preemption off, and as long as the result is used.
 * Return: the kprobe registered first of those there, or NULL.
 */
struct kprobe *get_kprobe(void *addr)
{
	struct kprobe_point *point = kprobe_point_find((unsigned long)addr);

	if (!point)
		return NULL;
	return list_first_or_null_rcu(&point->clients, struct kprobe, list);
}
NOKPROBE_SYMBOL(get_kprobe);
