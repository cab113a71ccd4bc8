/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef _KERNEL_KPROBES_INSTANCE_H
#define _KERNEL_KPROBES_INSTANCE_H
/*
 * The instances of a return probe, private to kernel/kprobes/. What every hit
 * does with them is here; instance.c says how they live and die.
 */
#include <linux/atomic.h>
#include <linux/bits.h>
#include <linux/compiler.h>
#include <linux/irq_work.h>
#include <linux/kprobes.h>
#include <linux/percpu.h>
#include <linux/types.h>

/**
 * struct instance_pool - a holder and the instances that point to it
 * @holder: what the instances know
 * @instances: all of them, in one piece
 * @stride: bytes from one to the next
 * @tops: of the stacks of free ones, see TAG_ONE
 * @retired: what is put back is dropped
 * @live: instances that have not been dropped, and one until all others can be
 * @rcu: first who retires the pool waits by it, then who drops the last instance
 * @last: gets that one out of a context where call_rcu() must not be called
 *
 * Locks:
 *	I	immutable after kretprobe_holder_alloc()
 *	a	atomic
 *	u	written once by who unregisters the kretprobe
 */
struct instance_pool {
	struct kretprobe_holder	holder;		/* [u] */
	void			*instances;	/* [I] */
	size_t			stride;		/* [I] */
	u64 __percpu		*tops;		/* [a] */
	bool			retired;	/* [u] */
	atomic_t		live;		/* [a] */
	struct rcu_head		rcu;
	struct irq_work		last;		/* [a] */
};

/* A top: below, the number of the instance, from one on; above, the tag */
#define TAG_ONE		BIT_ULL(32)
#define TAG_MASK	GENMASK_ULL(63, 32)

/* instance.c */
struct kretprobe_holder *kretprobe_holder_alloc(struct kretprobe *rp);
void kretprobe_holder_retire(struct kretprobe_holder *holder);
struct kretprobe_instance *kretprobe_pool_steal(struct instance_pool *pool);
void kretprobe_pool_drop(struct instance_pool *pool, int count);

static __always_inline struct instance_pool *to_pool(struct kretprobe_holder *holder)
{
	return container_of(holder, struct instance_pool, holder);
}

static __always_inline struct kretprobe_instance *
instance_at(struct instance_pool *pool, u32 index)
{
	return pool->instances + pool->stride * (index - 1);
}

static __always_inline void stack_push(u64 *top, struct kretprobe_instance *ri)
{
	u64 old = READ_ONCE(*top), new;

	do {
		WRITE_ONCE(ri->next, (u32)old);
		new = ((old & TAG_MASK) + TAG_ONE) | ri->index;
	} while (!try_cmpxchg(top, &old, new));
}

static __always_inline struct kretprobe_instance *
stack_pop(struct instance_pool *pool, u64 *top)
{
	struct kretprobe_instance *ri;
	u64 old = READ_ONCE(*top), new;

	do {
		if (unlikely(!(u32)old))
			return NULL;
		ri = instance_at(pool, (u32)old);
		new = ((old & TAG_MASK) + TAG_ONE) | READ_ONCE(ri->next);
	} while (!try_cmpxchg(top, &old, new));
	return ri;
}

/**
 * kretprobe_instance_get() - take a free instance
 * @holder: whose
 *
 * Context: any, NMI included, under RCU. No lock.
 * Return: the instance, or NULL if all are in use.
 */
static __always_inline struct kretprobe_instance *
kretprobe_instance_get(struct kretprobe_holder *holder)
{
	struct instance_pool *pool = to_pool(holder);
	struct kretprobe_instance *ri = stack_pop(pool, raw_cpu_ptr(pool->tops));

	return likely(ri) ? ri : kretprobe_pool_steal(pool);
}

/**
 * kretprobe_instance_put() - give back an instance
 * @ri: the instance, which no task's list leads to any more
 *
 * Context: any, NMI included, preemption off. No lock.
 */
static __always_inline void kretprobe_instance_put(struct kretprobe_instance *ri)
{
	struct instance_pool *pool = to_pool(ri->holder);

	/* Partner: kretprobe_holder_retire() */
	if (unlikely(READ_ONCE(pool->retired)))
		kretprobe_pool_drop(pool, 1);
	else
		stack_push(raw_cpu_ptr(pool->tops), ri);
}

#endif /* _KERNEL_KPROBES_INSTANCE_H */
