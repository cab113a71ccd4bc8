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
#include <linux/rcupdate.h>
#include <linux/types.h>
#include <linux/workqueue.h>

/**
 * struct kretprobe_free - the free instances of a CPU
 * @spare: one of them, or NULL
 * @top: the top of the stack of the others, see KRETPROBE_TOP_TAG_ONE
 *
 * Every CPU may take from it, and its own may be interrupted by an NMI that does.
 */
struct kretprobe_free {
	struct kretprobe_instance	*spare;		/* [A] */
	u64				top;		/* [A] */
};

/**
 * struct kretprobe_pool - a holder and the instances that point to it
 * @holder: the holder
 * @instances: all instances, in one allocation
 * @stride: bytes from one instance to the next
 * @free: the free instances of each CPU
 * @live: instances that have not been dropped, plus one until the pool is drained
 * @drain: drops the free instances after the pool is retired
 * @rcu: frees the pool after the last instance is dropped
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
	struct kretprobe_free __percpu *free;	/* [A] */
	atomic_t		live;		/* [A] */
	struct rcu_work		drain;		/* [A] */
	struct rcu_head		rcu;		/* [A] owned by the one who drops last */
	struct irq_work		last;		/* [A] */
};

/* A top: the index of an instance in the lower half, zero for none; above it a tag */
#define KRETPROBE_TOP_TAG_ONE	BIT_ULL(32)
#define KRETPROBE_TOP_TAG	GENMASK_ULL(63, 32)

/* instance.c */
struct kretprobe_holder *kretprobe_holder_alloc(struct kretprobe *rp);
void kretprobe_holder_retire(struct kretprobe_holder *holder);
struct kretprobe_instance *kretprobe_pool_steal(struct kretprobe_pool *pool);
void kretprobe_pool_push(u64 *top, struct kretprobe_instance *ri);
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

/**
 * kretprobe_instance_spare() - take the spare instance of this CPU
 * @holder: its holder
 *
 * Context: any, NMI included; preemption off.
 * Return: the instance, or NULL: kretprobe_pool_steal() may find another.
 */
static __always_inline struct kretprobe_instance *
kretprobe_instance_spare(struct kretprobe_holder *holder)
{
	/* Pairs with the release of who gave it back */
	return xchg_acquire(&raw_cpu_ptr(kretprobe_pool_of(holder)->free)->spare, NULL);
}

/**
 * kretprobe_instance_free() - give an instance back to a pool that is not retired
 * @ri: the instance; no task's list leads to it any more
 *
 * Context: any, NMI included; preemption off since a look at the holder found a kretprobe.
 */
static __always_inline void kretprobe_instance_free(struct kretprobe_instance *ri)
{
	struct kretprobe_free *free = raw_cpu_ptr(kretprobe_pool_of(ri->holder)->free);
	/* Pairs with who takes it. The old one is only pushed, which is a full barrier */
	struct kretprobe_instance *old = xchg_release(&free->spare, ri);

	if (unlikely(old))
		kretprobe_pool_push(&free->top, old);
}

/**
 * kretprobe_instance_put() - give an instance back
 * @ri: the instance; no task's list leads to it any more
 *
 * Context: any, NMI included; preemption off.
 */
static __always_inline void kretprobe_instance_put(struct kretprobe_instance *ri)
{
	/* Pairs with kretprobe_holder_retire() */
	if (likely(rcu_access_pointer(ri->holder->live)))
		kretprobe_instance_free(ri);
	else
		kretprobe_pool_drop(kretprobe_pool_of(ri->holder), 1);
}

#endif /* _KERNEL_KPROBES_INSTANCE_H */
