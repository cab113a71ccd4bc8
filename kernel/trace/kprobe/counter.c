// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Counters that each CPU counts up by itself.
 *
 * Probes and tallies have one each, so there are thousands. The allocator of per-CPU memory
 * searches all of a chunk for every piece, so counters are taken from blocks.
 */
#include <linux/align.h>
#include <linux/bitmap.h>
#include <linux/cpumask.h>
#include <linux/gfp.h>
#include <linux/list.h>
#include <linux/lockdep.h>
#include <linux/slab.h>
#include <linux/spinlock.h>

#include "counter.h"

/* A power of two, to which parts are aligned: a counter's address tells its part */
#define COUNTER_PART_SIZE	512
#define COUNTERS_OF_BLOCK	(COUNTER_PART_SIZE / sizeof(local_t) - 1)

/**
 * struct counter_part - a CPU's part of a block
 * @block: the block
 * @counter: the counters
 */
struct counter_part {
	struct counter_block	*block;
	local_t			counter[COUNTERS_OF_BLOCK];
};

static_assert(sizeof(struct counter_part) == COUNTER_PART_SIZE);

/**
 * struct counter_block - some counters
 * @list: in counter_blocks, unless all counters are in use
 * @part: the memory
 * @used: the counters that are in use
 *
 * All members are protected by counter_lock.
 */
struct counter_block {
	struct list_head		list;
	struct counter_part __percpu	*part;
	DECLARE_BITMAP(used, COUNTERS_OF_BLOCK);
};

/* Blocks that have counters to give away. Counters are freed in softirqs as well */
static LIST_HEAD(counter_blocks);
static DEFINE_SPINLOCK(counter_lock);

static void counter_block_free(struct counter_block *block)
{
	free_percpu(block->part);
	kfree(block);
}

static struct counter_block *counter_block_alloc(void)
{
	struct counter_block *block = kzalloc(sizeof(*block), GFP_KERNEL);
	int cpu;

	if (!block)
		return NULL;
	block->part = __alloc_percpu(COUNTER_PART_SIZE, COUNTER_PART_SIZE);
	if (!block->part) {
		kfree(block);
		return NULL;
	}
	for_each_possible_cpu(cpu)
		per_cpu_ptr(block->part, cpu)->block = block;
	return block;
}

static local_t __percpu *counter_take_locked(void)
{
	struct counter_block *block;
	unsigned int nr;

	lockdep_assert_held(&counter_lock);
	block = list_first_entry_or_null(&counter_blocks, struct counter_block, list);
	if (!block)
		return NULL;
	nr = find_first_zero_bit(block->used, COUNTERS_OF_BLOCK);
	__set_bit(nr, block->used);
	if (bitmap_full(block->used, COUNTERS_OF_BLOCK))
		list_del_init(&block->list);
	return &block->part->counter[nr];
}

/* Return: a counter, or NULL if no block has one to give away. */
static local_t __percpu *counter_take(void)
{
	local_t __percpu *counter;
	unsigned long flags;

	spin_lock_irqsave(&counter_lock, flags);
	counter = counter_take_locked();
	spin_unlock_irqrestore(&counter_lock, flags);
	return counter;
}

static void counter_add_block(struct counter_block *block)
{
	unsigned long flags;

	spin_lock_irqsave(&counter_lock, flags);
	list_add(&block->list, &counter_blocks);
	spin_unlock_irqrestore(&counter_lock, flags);
}

/**
 * event_counter_alloc() - get a counter
 *
 * Context: may sleep.
 * Return: a counter that is 0 on all CPUs, or NULL if there is no memory.
 */
local_t __percpu *event_counter_alloc(void)
{
	local_t __percpu *counter;
	struct counter_block *block;
	int cpu;

	while (!(counter = counter_take())) {
		block = counter_block_alloc();
		if (!block)
			return NULL;
		counter_add_block(block);
	}
	for_each_possible_cpu(cpu)
		local_set(per_cpu_ptr(counter, cpu), 0);
	return counter;
}

static struct counter_part __percpu *counter_part_of(local_t __percpu *counter)
{
	unsigned long address = (unsigned long __force)counter;

	address = ALIGN_DOWN(address, COUNTER_PART_SIZE);
	return (struct counter_part __percpu __force *)address;
}

/* Return: true if none of the block's counters is in use any more. */
static bool counter_give_back_locked(struct counter_block *block, unsigned int nr)
{
	lockdep_assert_held(&counter_lock);
	if (bitmap_full(block->used, COUNTERS_OF_BLOCK))
		list_add(&block->list, &counter_blocks);
	__clear_bit(nr, block->used);
	if (!bitmap_empty(block->used, COUNTERS_OF_BLOCK))
		return false;
	list_del(&block->list);
	return true;
}

/**
 * event_counter_free() - give a counter back
 * @counter: a counter that no CPU counts up any more, or NULL
 *
 * Context: any but NMI.
 */
void event_counter_free(local_t __percpu *counter)
{
	struct counter_part __percpu *part = counter_part_of(counter);
	struct counter_block *block;
	unsigned long flags;
	bool unused;

	if (!counter)
		return;
	block = per_cpu_ptr(part, cpumask_first(cpu_possible_mask))->block;
	spin_lock_irqsave(&counter_lock, flags);
	unused = counter_give_back_locked(block, counter - part->counter);
	spin_unlock_irqrestore(&counter_lock, flags);
	if (unused)
		counter_block_free(block);
}

/**
 * event_counter_sum() - what all CPUs have counted
 * @counter: the counter
 *
 * Context: any. CPUs may be counting.
 * Return: the sum.
 */
unsigned long event_counter_sum(const local_t __percpu *counter)
{
	unsigned long sum = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		sum += local_read(per_cpu_ptr(counter, cpu));
	return sum;
}
