// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The instances of a return probe: taken and given back in any context, NMI
 * included, so all are there from the start and no lock guards them.
 *
 * The free ones lie on a stack per CPU. A stack is one word, the number of its
 * top instance and a tag: who takes the top reads what lies below it first, and
 * every change moves the tag, so that he notices when an NMI or another CPU has
 * taken the top and brought it back meanwhile. A CPU whose stack is empty takes
 * from the others; only when all are empty is a call missed.
 *
 * A call that sleeps keeps its instance when the kretprobe is unregistered, so
 * the pool goes in steps: kretprobe_holder_retire() makes every put a drop; a
 * grace period later nobody pushes any more and the stacks are emptied; whoever
 * then drops the last one has the pool freed, another grace period later, for
 * the sake of those who walk the list of a task that is not theirs.
 */
#include <linux/atomic.h>
#include <linux/irq_work.h>
#include <linux/kprobes.h>
#include <linux/mm.h>
#include <linux/overflow.h>
#include <linux/percpu.h>
#include <linux/slab.h>
#include "instance.h"

/**
 * kretprobe_pool_steal() - take a free instance from whatever stack has one
 * @pool: the pool
 *
 * Context: any, NMI included, under RCU. No lock.
 * Return: the instance, or NULL if all are in use.
 */
struct kretprobe_instance *kretprobe_pool_steal(struct instance_pool *pool)
{
	struct kretprobe_instance *ri;
	int cpu;

	for_each_possible_cpu(cpu) {
		ri = stack_pop(pool, per_cpu_ptr(pool->tops, cpu));
		if (ri)
			return ri;
	}
	return NULL;
}
NOKPROBE_SYMBOL(kretprobe_pool_steal);

static void pool_free(struct instance_pool *pool)
{
	if (!pool)
		return;
	free_percpu(pool->tops);
	kvfree(pool->instances);
	kfree(pool);
}

static void pool_free_rcu(struct rcu_head *rcu)
{
	pool_free(container_of(rcu, struct instance_pool, rcu));
}

static void pool_last_dropped(struct irq_work *work)
{
	struct instance_pool *pool = container_of(work, struct instance_pool, last);

	call_rcu(&pool->rcu, pool_free_rcu);
}

/**
 * kretprobe_pool_drop() - do without instances of a retired pool
 * @pool: the pool
 * @count: how many, taken and not put back
 *
 * The last may be dropped where call_rcu() must not be called: in an NMI, or
 * under any lock. That is left to an interrupt.
 *
 * Context: any, NMI included. No lock.
 */
void kretprobe_pool_drop(struct instance_pool *pool, int count)
{
	if (atomic_sub_and_test(count, &pool->live))
		irq_work_queue(&pool->last);
}
NOKPROBE_SYMBOL(kretprobe_pool_drop);

static void pool_drain_rcu(struct rcu_head *rcu)
{
	struct instance_pool *pool = container_of(rcu, struct instance_pool, rcu);
	int count = 1;

	while (kretprobe_pool_steal(pool))
		count++;
	kretprobe_pool_drop(pool, count);
}

static void pool_fill(struct instance_pool *pool, int count)
{
	struct kretprobe_instance *ri;
	int cpu = -1;
	u32 index;

	for (index = 1; index <= count; index++) {
		cpu = cpumask_next(cpu, cpu_possible_mask);
		if (cpu >= nr_cpu_ids)
			cpu = cpumask_first(cpu_possible_mask);
		ri = instance_at(pool, index);
		ri->index = index;
		ri->holder = &pool->holder;
		stack_push(per_cpu_ptr(pool->tops, cpu), ri);
	}
}

/**
 * kretprobe_holder_alloc() - the holder of a kretprobe and its instances
 * @rp: the kretprobe: maxactive, one at least, and data_size are settled
 *
 * Context: may sleep.
 * Return: the holder, or NULL where memory is short of what @rp asks for.
 */
struct kretprobe_holder *kretprobe_holder_alloc(struct kretprobe *rp)
{
	struct instance_pool *pool = kzalloc(sizeof(*pool), GFP_KERNEL);

	if (!pool)
		return NULL;
	pool->stride = ALIGN(sizeof(struct kretprobe_instance) + rp->data_size,
			     sizeof(u64));
	/* How many is the client's guess: not worth the OOM killer or a warning */
	pool->instances = kvcalloc(rp->maxactive, pool->stride,
				   GFP_KERNEL | __GFP_NOWARN | __GFP_RETRY_MAYFAIL);
	pool->tops = alloc_percpu(u64);
	if (!pool->instances || !pool->tops) {
		pool_free(pool);
		return NULL;
	}
	atomic_set(&pool->live, rp->maxactive + 1);
	/* Not in a thread, which looks at the work after its function has freed it */
	pool->last = IRQ_WORK_INIT_HARD(pool_last_dropped);
	pool_fill(pool, rp->maxactive);
	rcu_assign_pointer(pool->holder.rp, rp);
	return &pool->holder;
}

/**
 * kretprobe_holder_retire() - part a holder from its kretprobe
 * @holder: the holder
 *
 * Call this once, when no hit can begin any more; one that has begun may still
 * take an instance. The kretprobe may go after a grace period, the holder and
 * its instances go by themselves when the last call under way has returned.
 *
 * Context: any in which call_rcu() may be called.
 */
void kretprobe_holder_retire(struct kretprobe_holder *holder)
{
	struct instance_pool *pool = to_pool(holder);

	RCU_INIT_POINTER(holder->rp, NULL);
	/* Read by kretprobe_instance_put(); the grace period orders the two */
	WRITE_ONCE(pool->retired, true);
	call_rcu(&pool->rcu, pool_drain_rcu);
}
