// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Slots: executable memory in which probed instructions run.
 *
 * Slots lie in chunks and consist of cells of 32 bytes. A chunk is filled with trap
 * instructions, then made executable and read-only once. From then on only text
 * patching writes to it, so it is never writable and executable. A free cell is full
 * of trap instructions again.
 *
 * Each slot has a map from its code to the original addresses. Unwinders read the
 * map without a lock, in NMI too (slot_find.c). Therefore chunks are never freed, and
 * the map is written before a CPU can be in the slot and stays until none can be.
 *
 * A task can be preempted in a slot. The owner of a slot, the insn of a point, frees it
 * with the point, after a tasks-RCU grace period (batch.c). The grace period does not
 * wait for code that sleeps or keeps its own address, so no code in a slot does. The
 * only exception is the fault copy of probe_insn_copy_to() on x86.
 */
#include <kunit/visibility.h>
#include <linux/bitmap.h>
#include <linux/build_bug.h>
#include <linux/cacheflush.h>
#include <linux/execmem.h>
#include <linux/kallsyms.h>
#include <linux/kprobe-arch.h>
#include <linux/kprobes.h>
#include <linux/math.h>
#include <linux/mutex.h>
#include <linux/perf_event.h>
#include <linux/set_memory.h>
#include <linux/sizes.h>
#include <linux/slab.h>
#include <linux/string.h>
#include "slot.h"
#include "slot_chunk.h"

/* Taken after the core mutex or without it, before text_mutex */
static DEFINE_MUTEX(slot_mutex);

static_assert(CHUNK_SIZE % PAGE_SIZE == 0);

static struct slot_chunk *chunk_make(enum kprobe_slot_kind kind, void *base)
{
	struct slot_chunk *chunk = base ? kvzalloc(sizeof(*chunk), GFP_KERNEL) : NULL;

	if (!chunk)
		goto free;
	arch_kprobe_patch_fill(base, CHUNK_SIZE);
	flush_icache_range((unsigned long)base, (unsigned long)base + CHUNK_SIZE);
	if (set_memory_rox((unsigned long)base, CHUNK_SIZE >> PAGE_SHIFT))
		goto free;
	chunk->base = (unsigned long)base;
	chunk->kind = kind;
	chunk->free = CHUNK_CELLS;
	return chunk;
free:
	execmem_free(base);
	kvfree(chunk);
	return NULL;
}

static struct slot_chunk *chunk_add(enum kprobe_slot_kind kind, void *base)
{
	struct slot_chunk *chunk = chunk_make(kind, base);

	if (!chunk)
		return NULL;
	chunk->next = slot_chunks;
	/* The chunk is complete before chunk_of() finds it */
	smp_store_release(&slot_chunks, chunk);
	perf_event_ksymbol(PERF_RECORD_KSYMBOL_TYPE_OOL, chunk->base, CHUNK_SIZE,
			   false, slot_chunk_names[kind]);
	return chunk;
}

/* The first of @num free cells in a row; CHUNK_CELLS or more if there are none */
static unsigned int chunk_room(struct slot_chunk *chunk, unsigned int num)
{
	if (chunk->free < num)
		return CHUNK_CELLS;
	return bitmap_find_next_zero_area(chunk->used, CHUNK_CELLS, chunk->lowest, num, 0);
}

static bool is_nearer(unsigned long addr, const struct slot_chunk *chunk,
		      const struct slot_chunk *than)
{
	return !than || abs_diff(chunk->base, addr) < abs_diff(than->base, addr);
}

/* A chunk with room near an address; if need be far away, where a trap goes on as well */
static struct slot_chunk *chunk_with_room(enum kprobe_slot_kind kind, unsigned int num,
					  unsigned long near)
{
	struct slot_chunk *chunk, *nearest = NULL;

	for (chunk = slot_chunks; chunk; chunk = chunk->next) {
		if (chunk->kind == kind && is_nearer(near, chunk, nearest) &&
		    chunk_room(chunk, num) < CHUNK_CELLS)
			nearest = chunk;
	}
	if (nearest && arch_kprobe_slot_reaches(nearest->base, CHUNK_SIZE, near))
		return nearest;
	chunk = chunk_add(kind, arch_kprobe_slot_memory(CHUNK_SIZE, near)) ?: nearest;
	return chunk ?: chunk_add(kind, execmem_alloc(EXECMEM_KPROBES, CHUNK_SIZE));
}

static void chunk_take(struct slot_chunk *chunk, unsigned int cell, unsigned int num)
{
	bitmap_set(chunk->used, cell, num);
	chunk->free -= num;
	if (cell == chunk->lowest)
		chunk->lowest += num;
	memset(&chunk->heads[cell], 0, num * sizeof(struct slot_head));
	WRITE_ONCE(chunk->heads[cell].cells, num);
	/* Before the bit. A CPU in the slot has seen its text as well, which is written later */
	smp_mb__before_atomic();
	set_bit(cell, chunk->first);
}

static void chunk_give(struct slot_chunk *chunk, unsigned int cell)
{
	unsigned int num = chunk->heads[cell].cells;

	WRITE_ONCE(chunk->heads[cell].num, 0);
	clear_bit(cell, chunk->first);
	bitmap_clear(chunk->used, cell, num);
	chunk->free += num;
	chunk->lowest = min(chunk->lowest, cell);
}

/* Cells of a slot of @size bytes whose map has @num entries */
static unsigned int cells_for(size_t size, unsigned int num)
{
	unsigned int for_map = 1;

	if (num > HEAD_MAP)
		for_map += DIV_ROUND_UP(num - HEAD_MAP, MAP_PER_HEAD);
	return max_t(unsigned int, DIV_ROUND_UP(size, CELL_SIZE), for_map);
}

/**
 * kprobe_slot_alloc() - get a slot
 * @kind: what it is for
 * @size: its bytes, at most KPROBE_SLOT_MAX
 * @num: entries of its map, at most KPROBE_SLOT_MAP_MAX
 * @near: address that its code branches to
 *
 * Context: process context.
 * Return: the slot, aligned to 32 bytes, full of traps and without a map until
 * kprobe_slot_write(); NULL if there is no memory.
 */
void *kprobe_slot_alloc(enum kprobe_slot_kind kind, size_t size, unsigned int num,
			unsigned long near)
{
	unsigned int cells = cells_for(size, num);
	struct slot_chunk *chunk;
	unsigned int cell;

	if (WARN_ON_ONCE(!size || size > KPROBE_SLOT_MAX || num > KPROBE_SLOT_MAP_MAX))
		return NULL;
	guard(mutex)(&slot_mutex);
	chunk = chunk_with_room(kind, cells, near);
	if (!chunk)
		return NULL;
	cell = chunk_room(chunk, cells);
	chunk_take(chunk, cell, cells);
	return (void *)chunk->base + cell * CELL_SIZE;
}
EXPORT_SYMBOL_IF_KUNIT(kprobe_slot_alloc);

/**
 * kprobe_slot_write() - fill a slot
 * @slot: the slot, written for the first time
 * @code: its code and map; not more of each than was asked for
 *
 * The map is complete before the code is there.
 *
 * Context: process context.
 */
void kprobe_slot_write(void *slot, const struct kprobe_code *code)
{
	unsigned long addr = (unsigned long)slot;
	struct slot_chunk *chunk = chunk_of(addr);
	struct slot_head *head = &chunk->heads[cell_of(chunk, addr)];

	scoped_guard(mutex, &slot_mutex) {
		WRITE_ONCE(head->origin, code->origin);
		memcpy(head_map(head), code->map, code->num * sizeof(*code->map));
		/* A reader that sees the number sees the entries */
		smp_store_release(&head->num, code->num);
	}
	arch_kprobe_patch_unused(slot, code->bytes, code->size);
	perf_event_text_poke(slot, NULL, 0, code->bytes, code->size);
}
EXPORT_SYMBOL_IF_KUNIT(kprobe_slot_write);

/**
 * kprobe_slot_free() - give back a slot
 * @slot: the slot, in which no CPU can be any more; or NULL
 *
 * Context: process context.
 */
void kprobe_slot_free(void *slot)
{
	unsigned long addr = (unsigned long)slot;
	struct slot_chunk *chunk = chunk_of(addr);
	u8 traps[KPROBE_SLOT_MAX];
	unsigned int cell, size;

	if (!chunk)
		return;
	cell = cell_of(chunk, addr);
	guard(mutex)(&slot_mutex);
	size = chunk->heads[cell].cells * CELL_SIZE;
	arch_kprobe_patch_fill(traps, size);
	arch_kprobe_patch_unused(slot, traps, size);
	chunk_give(chunk, cell);
}
EXPORT_SYMBOL_IF_KUNIT(kprobe_slot_free);
