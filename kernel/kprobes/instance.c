// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The instances of a return probe: each is one live call of the probed function.
 *
 * Instances are taken and put in any context, NMI included. All are therefore
 * allocated when the return probe is registered, and no lock guards them.
 *
 * Each CPU has a spare instance, and a stack of other free ones. A call takes the spare,
 * and a return leaves its instance as the spare: one exchange each. The stack serves calls
 * that are under way at the same time. Its top is one word: the index of an instance and a
 * tag. A context that pops the top first reads which instance lies below it. Every push and
 * pop changes the tag, so its cmpxchg fails if an NMI or another CPU has popped and pushed
 * the top meanwhile. A CPU that has none takes from the others, one after the other. A call
 * is missed if it finds none, and rarely if one is put where it has looked already.
 *
 * A call that sleeps keeps its instance when the return probe is unregistered. The
 * pool therefore goes in steps. kretprobe_holder_retire() makes every put a drop.
 * No other put is under way after a grace period: a worker then drops what is free. When
 * the last instance is dropped, the pool is freed after another grace period, because
 * kretprobe_find_ret_addr() may be walking another task's list.
 */
#include <linux/align.h>
#include <linux/atomic.h>
#include <linux/cache.h>
#include <linux/cleanup.h>
#include <linux/cpuhotplug.h>
#include <linux/cpumask.h>
#include <linux/init.h>
#include <linux/irq_work.h>
#include <linux/kprobes.h>
#include <linux/limits.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/mmzone.h>
#include <linux/overflow.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/sched/task.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>
#include <linux/workqueue.h>
#include "instance.h"

/* Instances that are taken out of a retired pool before others may run */
#define POOL_DRAIN	1024

/**
 * kretprobe_pool_push() - put an instance on a stack
 * @top: the top of the stack
 * @ri: the instance
 *
 * Context: any, NMI included; preemption off.
 */
void kretprobe_pool_push(u64 *top, struct kretprobe_instance *ri)
{
	u64 old = READ_ONCE(*top), new;

	do {
		WRITE_ONCE(ri->next, (u32)old);
		new = ((old & KRETPROBE_TOP_TAG) + KRETPROBE_TOP_TAG_ONE) | ri->index;
	} while (!try_cmpxchg(top, &old, new));
}
NOKPROBE_SYMBOL(kretprobe_pool_push);

static __always_inline struct kretprobe_instance *
kretprobe_pool_pop(struct kretprobe_pool *pool, u64 *top)
{
	struct kretprobe_instance *ri;
	u64 old = READ_ONCE(*top), new;

	do {
		if (!(u32)old)
			return NULL;
		ri = kretprobe_pool_at(pool, (u32)old);
		new = ((old & KRETPROBE_TOP_TAG) + KRETPROBE_TOP_TAG_ONE) | READ_ONCE(ri->next);
	} while (!try_cmpxchg(top, &old, new));
	return ri;
}

/* Take any of the free instances of a CPU */
static struct kretprobe_instance *kretprobe_pool_take(struct kretprobe_pool *pool,
						      struct kretprobe_free *free)
{
	struct kretprobe_instance *ri = kretprobe_pool_pop(pool, &free->top);

	/* A pool that is used up is only read: a miss takes no CPU its cache lines */
	if (ri || !READ_ONCE(free->spare))
		return ri;
	return xchg(&free->spare, NULL);
}
NOKPROBE_SYMBOL(kretprobe_pool_take);

/**
 * kretprobe_pool_steal() - take a free instance of any CPU, of this one if it has any
 * @pool: the pool
 *
 * Context: any, NMI included; preemption off.
 * Return: the instance, or NULL if all are in use.
 */
struct kretprobe_instance *kretprobe_pool_steal(struct kretprobe_pool *pool)
{
	struct kretprobe_instance *ri = kretprobe_pool_take(pool, raw_cpu_ptr(pool->free));
	int cpu;

	if (ri)
		return ri;
	/* No two CPUs begin with the same one */
	for_each_cpu_wrap(cpu, cpu_possible_mask, raw_smp_processor_id() + 1) {
		ri = kretprobe_pool_take(pool, per_cpu_ptr(pool->free, cpu));
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
	free_percpu(pool->free);
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

/* Take free instances of all CPUs, at most @max */
static int kretprobe_pool_take_many(struct kretprobe_pool *pool, int max)
{
	int count = 0, cpu;

	for_each_possible_cpu(cpu) {
		while (count < max && kretprobe_pool_take(pool, per_cpu_ptr(pool->free, cpu)))
			count++;
	}
	return count;
}

/* A client may have asked for millions of instances: a worker takes its time */
static void kretprobe_pool_drain(struct work_struct *work)
{
	struct kretprobe_pool *pool = container_of(to_rcu_work(work), struct kretprobe_pool, drain);
	int count = 1, taken;

	do {
		taken = kretprobe_pool_take_many(pool, POOL_DRAIN);
		count += taken;
		cond_resched();
	} while (taken == POOL_DRAIN);
	kretprobe_pool_drop(pool, count);
}

/* Distribute the instances over the CPUs; the first of each is its spare */
static void kretprobe_pool_fill(struct kretprobe_pool *pool, int count)
{
	struct kretprobe_instance *ri;
	struct kretprobe_free *free;
	int cpu = -1;
	u32 index;

	for (index = 1; index <= count; index++) {
		cpu = cpumask_next(cpu, cpu_possible_mask);
		if (cpu >= nr_cpu_ids)
			cpu = cpumask_first(cpu_possible_mask);
		ri = kretprobe_pool_at(pool, index);
		ri->index = index;
		ri->holder = &pool->holder;
		free = per_cpu_ptr(pool->free, cpu);
		if (free->spare)
			kretprobe_pool_push(&free->top, ri);
		else
			free->spare = ri;
	}
}

/* CPUs write to their own instances at each hit: no two share a cache line */
static size_t kretprobe_pool_stride(const struct kretprobe *rp)
{
	return ALIGN(sizeof(struct kretprobe_instance) + rp->data_size, SMP_CACHE_BYTES);
}

/*
 * The client guesses maxactive: do not wake the OOM killer for it, nor warn. With such flags
 * kvmalloc() would rather make room for much memory in one piece than use several.
 */
static void *kretprobe_pool_memory(size_t size)
{
	gfp_t gfp = GFP_KERNEL | __GFP_ZERO | __GFP_NOWARN | __GFP_RETRY_MAYFAIL;

	if (size > INT_MAX)
		return NULL;
	if (size > PAGE_SIZE << PAGE_ALLOC_COSTLY_ORDER)
		return __vmalloc(size, gfp);
	return kvmalloc(size, gfp);
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
	pool->instances = kretprobe_pool_memory(array_size(rp->maxactive, pool->stride));
	pool->free = alloc_percpu(struct kretprobe_free);
	if (!pool->instances || !pool->free) {
		kretprobe_pool_free(pool);
		return NULL;
	}
	atomic_set(&pool->live, rp->maxactive + 1);
	/* A work run by a thread is accessed after its function, which may free it */
	pool->last = IRQ_WORK_INIT_HARD(kretprobe_pool_last_dropped);
	INIT_RCU_WORK(&pool->drain, kretprobe_pool_drain);
	kretprobe_pool_fill(pool, rp->maxactive);
	pool->holder.rp = rp;
	rcu_assign_pointer(pool->holder.live, rp);
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

	/* Pairs with the reads before an instance is put; the grace period orders the two */
	RCU_INIT_POINTER(holder->live, NULL);
	queue_rcu_work(system_unbound_wq, &pool->drain);
}

/**
 * kprobe_flush_task() - put the instances of a task
 * @tsk: a task that does not run; its calls under way never return
 *
 * Context: any.
 */
void kprobe_flush_task(struct task_struct *tsk)
{
	struct llist_node *node, *next;

	guard(preempt_notrace)();
	node = tsk->kretprobe_instances.first;
	/* First: a pool may be freed a grace period after its last instance was put */
	WRITE_ONCE(tsk->kretprobe_instances.first, NULL);
	for (; node; node = next) {
		next = node->next;
		kretprobe_instance_put(container_of(node, struct kretprobe_instance, llist));
	}
}
NOKPROBE_SYMBOL(kprobe_flush_task);

/* An idle task starts anew when its CPU comes back: its calls under way never return */
static int kretprobe_flush_idle_task(unsigned int cpu)
{
	kprobe_flush_task(idle_task(cpu));
	return 0;
}

static int __init kretprobe_init_cpus(void)
{
	int ret = cpuhp_setup_state_nocalls(CPUHP_BP_PREPARE_DYN, "kretprobe:prepare",
					    kretprobe_flush_idle_task, NULL);

	return min(ret, 0);
}
core_initcall(kretprobe_init_cpus);
