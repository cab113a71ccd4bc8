/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef _KERNEL_KPROBES_INSTANCE_H
#define _KERNEL_KPROBES_INSTANCE_H
/*
 * The instances of a return probe, private to kernel/kprobes/. This file has the
 * part that every hit runs; instance.c describes their life.
 */
#include <linux/atomic.h>
#include <linux/bits.h>
#include <linux/compiler.h>
#include <linux/irq_work.h>
#include <linux/kprobes.h>
#include <linux/percpu.h>
#include <linux/types.h>

/**
 * struct kretprobe_pool - a holder and the instances that point to it
 * @holder: the holder
 * @instances: all instances, in one allocation
 * @stride: bytes from one instance to the next
 * @tops: the top of each CPU's stack of free instances, see KRETPROBE_TOP_TAG_ONE
 * @retired: instances that are put are dropped
 * @live: instances that have not been dropped, plus one until the pool is drained
 * @rcu: used twice: to drain the pool after it is retired, then to free it after
 *	the last instance is dropped
 * @last: queued when the last instance is dropped; calls call_rcu(), which the
 *	dropping context may not be allowed to
 *
 * kretprobe_holder_alloc() makes it, for one registration of one kretprobe. It
 * frees itself after that is unregistered and all calls under way have returned.
 *
 * Locks:
 *	I	immutable once published
 *	R	written under kprobe_mutex, read by hits under RCU
 *	A	atomic
 */
struct kretprobe_pool {
	struct kretprobe_holder	holder;		/* [R] */
	void			*instances;	/* [I] */
	size_t			stride;		/* [I] */
	u64 __percpu		*tops;		/* [A] */
	bool			retired;	/* [R] */
	atomic_t		live;		/* [A] */
	struct rcu_head		rcu;		/* [A] owned by the one who retires or drops last */
	struct irq_work		last;		/* [A] */
};

/* A top: the index of an instance in the lower half, zero for none; above it a tag */
#define KRETPROBE_TOP_TAG_ONE	BIT_ULL(32)
#define KRETPROBE_TOP_TAG	GENMASK_ULL(63, 32)

/* instance.c */
struct kretprobe_holder *kretprobe_holder_alloc(struct kretprobe *rp);
void kretprobe_holder_retire(struct kretprobe_holder *holder);
struct kretprobe_instance *kretprobe_pool_steal(struct kretprobe_pool *pool);
void kretprobe_pool_drop(struct kretprobe_pool *pool, int count);

static __always_inline struct kretprobe_pool *
kretprobe_pool_of(struct kretprobe_holder *holder)
{
	return container_of(holder, struct kretprobe_pool, holder);
}

static __always_inline struct kretprobe_instance *
kretprobe_pool_at(struct kretprobe_pool *pool, u32 index)
{
	return pool->instances + pool->stride * (index - 1);
}

static __always_inline void kretprobe_pool_push(u64 *top, struct kretprobe_instance *ri)
{
	u64 old = READ_ONCE(*top), new;

	do {
		WRITE_ONCE(ri->next, (u32)old);
		new = ((old & KRETPROBE_TOP_TAG) + KRETPROBE_TOP_TAG_ONE) | ri->index;
	} while (!try_cmpxchg(top, &old, new));
}

static __always_inline struct kretprobe_instance *
kretprobe_pool_pop(struct kretprobe_pool *pool, u64 *top)
{
	struct kretprobe_instance *ri;
	u64 old = READ_ONCE(*top), new;

	do {
		if (unlikely(!(u32)old))
			return NULL;
		ri = kretprobe_pool_at(pool, (u32)old);
		new = ((old & KRETPROBE_TOP_TAG) + KRETPROBE_TOP_TAG_ONE) | READ_ONCE(ri->next);
	} while (!try_cmpxchg(top, &old, new));
	return ri;
}

/**
 * kretprobe_instance_get() - take a free instance
 * @holder: its holder
 *
 * Context: any, NMI included; preemption off.
 * Return: the instance, or NULL if all are in use.
 */
static __always_inline struct kretprobe_instance *
kretprobe_instance_get(struct kretprobe_holder *holder)
{
	struct kretprobe_pool *pool = kretprobe_pool_of(holder);
	struct kretprobe_instance *ri = kretprobe_pool_pop(pool, raw_cpu_ptr(pool->tops));

	return likely(ri) ? ri : kretprobe_pool_steal(pool);
}

/**
 * kretprobe_instance_put() - give an instance back
 * @ri: the instance; no task's list leads to it any more
 *
 * Context: any, NMI included; preemption off.
 */
static __always_inline void kretprobe_instance_put(struct kretprobe_instance *ri)
{
	struct kretprobe_pool *pool = kretprobe_pool_of(ri->holder);

	/* Pairs with kretprobe_holder_retire() */
	if (unlikely(READ_ONCE(pool->retired)))
		kretprobe_pool_drop(pool, 1);
	else
		kretprobe_pool_push(raw_cpu_ptr(pool->tops), ri);
}

#endif /* _KERNEL_KPROBES_INSTANCE_H */
