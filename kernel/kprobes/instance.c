// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The instances of a return probe: each is one live call of the probed function.
 *
 * Instances are taken and put in any context, NMI included. All are therefore
 * allocated when the return probe is registered, and no lock guards them.
 *
 * Free instances lie on one stack per CPU. A stack is one word: the index of its top
 * instance and a tag. A context that pops the top first reads which instance lies
 * below it. Every push and pop changes the tag, so its cmpxchg fails if an NMI or
 * another CPU has popped and pushed the top meanwhile. A CPU whose stack is empty
 * takes from the other stacks. A call is missed only if all stacks are empty.
 *
 * A call that sleeps keeps its instance when the return probe is unregistered. The
 * pool therefore goes in steps. kretprobe_holder_retire() makes every put a drop.
 * No push is under way after a grace period: the stacks are emptied then. When the
 * last instance is dropped, the pool is freed after another grace period, because
 * kretprobe_find_ret_addr() may be walking another task's list.
 */
#include <linux/align.h>
#include <linux/atomic.h>
#include <linux/cpumask.h>
#include <linux/irq_work.h>
#include <linux/kprobes.h>
#include <linux/mm.h>
#include <linux/percpu.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include "instance.h"

/**
 * kretprobe_pool_steal() - take a free instance from any stack
 * @pool: the pool
 *
 * Context: any, NMI included; preemption off.
 * Return: the instance, or NULL if all are in use.
 */
struct kretprobe_instance *kretprobe_pool_steal(struct kretprobe_pool *pool)
{
	struct kretprobe_instance *ri;
	int cpu;

	for_each_possible_cpu(cpu) {
		ri = kretprobe_pool_pop(pool, per_cpu_ptr(pool->tops, cpu));
		if (ri)
			return ri;
	}
	return NULL;
}
NOKPROBE_SYMBOL(kretprobe_pool_steal);

static void kretprobe_pool_free(struct kretprobe_pool *pool)
{
	if (!pool)
		return;
	free_percpu(pool->tops);
	kvfree(pool->instances);
	kfree(pool);
}

static void kretprobe_pool_free_rcu(struct rcu_head *rcu)
{
	kretprobe_pool_free(container_of(rcu, struct kretprobe_pool, rcu));
}

static void kretprobe_pool_last_dropped(struct irq_work *work)
{
	struct kretprobe_pool *pool = container_of(work, struct kretprobe_pool, last);

	call_rcu(&pool->rcu, kretprobe_pool_free_rcu);
}

/**
 * kretprobe_pool_drop() - give up instances of a retired pool
 * @pool: the pool
 * @count: how many; they are taken and are not put back
 *
 * The last one may be dropped in a context that must not call call_rcu(): in an NMI
 * or under any lock. An interrupt calls it instead.
 *
 * Context: any, NMI included.
 */
void kretprobe_pool_drop(struct kretprobe_pool *pool, int count)
{
	if (atomic_sub_and_test(count, &pool->live))
		irq_work_queue(&pool->last);
}
NOKPROBE_SYMBOL(kretprobe_pool_drop);

static void kretprobe_pool_drain_rcu(struct rcu_head *rcu)
{
	struct kretprobe_pool *pool = container_of(rcu, struct kretprobe_pool, rcu);
	int count = 1;

	while (kretprobe_pool_steal(pool))
		count++;
	kretprobe_pool_drop(pool, count);
}

/* Distribute the instances over the stacks */
static void kretprobe_pool_fill(struct kretprobe_pool *pool, int count)
{
	struct kretprobe_instance *ri;
	int cpu = -1;
	u32 index;

	for (index = 1; index <= count; index++) {
		cpu = cpumask_next(cpu, cpu_possible_mask);
		if (cpu >= nr_cpu_ids)
			cpu = cpumask_first(cpu_possible_mask);
		ri = kretprobe_pool_at(pool, index);
		ri->index = index;
		ri->holder = &pool->holder;
		kretprobe_pool_push(per_cpu_ptr(pool->tops, cpu), ri);
	}
}

static size_t kretprobe_pool_stride(const struct kretprobe *rp)
{
	return sizeof(struct kretprobe_instance) + ALIGN(rp->data_size, sizeof(u64));
}

/**
 * kretprobe_holder_alloc() - allocate a holder and the instances of a kretprobe
 * @rp: the kretprobe; its maxactive is at least one, its data_size is checked
 *
 * Context: may sleep.
 * Return: the holder, or NULL without memory.
 */
struct kretprobe_holder *kretprobe_holder_alloc(struct kretprobe *rp)
{
	struct kretprobe_pool *pool = kzalloc(sizeof(*pool), GFP_KERNEL);

	if (!pool)
		return NULL;
	pool->stride = kretprobe_pool_stride(rp);
	/* The client guesses maxactive: do not wake the OOM killer for it, nor warn */
	pool->instances = kvcalloc(rp->maxactive, pool->stride,
				   GFP_KERNEL | __GFP_NOWARN | __GFP_RETRY_MAYFAIL);
	pool->tops = alloc_percpu(u64);
	if (!pool->instances || !pool->tops) {
		kretprobe_pool_free(pool);
		return NULL;
	}
	atomic_set(&pool->live, rp->maxactive + 1);
	/* A work run by a thread is accessed after its function, which may free it */
	pool->last = IRQ_WORK_INIT_HARD(kretprobe_pool_last_dropped);
	kretprobe_pool_fill(pool, rp->maxactive);
	rcu_assign_pointer(pool->holder.rp, rp);
	return &pool->holder;
}

/**
 * kretprobe_holder_retire() - detach a holder from its kretprobe
 * @holder: the holder
 *
 * Call this once, when no new hit can begin. A hit that has begun may still take an
 * instance. The kretprobe may be freed after a grace period. The holder and its
 * instances free themselves when the last call under way has returned.
 *
 * Context: any that may call call_rcu().
 */
void kretprobe_holder_retire(struct kretprobe_holder *holder)
{
	struct kretprobe_pool *pool = kretprobe_pool_of(holder);

	RCU_INIT_POINTER(holder->rp, NULL);
	/* Pairs with kretprobe_instance_put(); the grace period orders the two */
	WRITE_ONCE(pool->retired, true);
	call_rcu(&pool->rcu, kretprobe_pool_drain_rcu);
}
