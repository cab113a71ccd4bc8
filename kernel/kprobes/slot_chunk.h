/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef _KERNEL_KPROBES_SLOT_CHUNK_H
#define _KERNEL_KPROBES_SLOT_CHUNK_H
/*
 * Chunks of slots, between the code that changes them and the code that reads them in a hit.
 */
#include <linux/bitmap.h>
#include <linux/compiler.h>
#include <linux/kprobe-slot.h>
#include <linux/sizes.h>
#include <linux/types.h>

#define CELL_SIZE	32
#define CHUNK_SIZE	SZ_64K
#define CHUNK_CELLS	(CHUNK_SIZE / CELL_SIZE)
#define SLOT_CELLS_MAX	(KPROBE_SLOT_MAX / CELL_SIZE)

/* Entries of a map that fit into the head of a slot's first cell */
#define HEAD_MAP	4

/**
 * struct slot_head - the map of a slot
 * @origin: address that the map's origins count from
 * @num: entries of @map; 0 until the slot is written
 * @cells: cells of the slot
 * @map: the entries. Those beyond HEAD_MAP lie in the heads of the slot's other cells
 */
struct slot_head {
	unsigned long		origin;				/* [R] */
	u8			num;				/* [R] */
	u8			cells;				/* [R] */
	struct kprobe_slot_map	map[HEAD_MAP];			/* [R] */
};

#define MAP_PER_HEAD	(sizeof(struct slot_head) / sizeof(struct kprobe_slot_map))

/**
 * struct slot_chunk - slots of one kind that came from one piece of memory
 * @next: the chunk made before this one
 * @base: the memory, CHUNK_SIZE bytes
 * @kind: the kind of its slots
 * @free: number of free cells
 * @lowest: no cell below this one is free
 * @used: cells that are in use
 * @first: cells at which a slot begins
 * @heads: one a cell, and room for a reader that comes late and sees parts of two maps
 *
 * Chunks are never freed. Locks:
 *	I	immutable once in the list
 *	S	slot mutex
 *	R	slot mutex to write; read without a lock in any context
 */
struct slot_chunk {
	struct slot_chunk	*next;				/* [I] */
	unsigned long		base;				/* [I] */
	enum kprobe_slot_kind	kind;				/* [I] */
	unsigned int		free;				/* [S] */
	unsigned int		lowest;				/* [S] */
	DECLARE_BITMAP(used, CHUNK_CELLS);			/* [S] */
	DECLARE_BITMAP(first, CHUNK_CELLS);			/* [R] */
	struct slot_head	heads[CHUNK_CELLS + SLOT_CELLS_MAX];
};

/* [R] */
extern struct slot_chunk *slot_chunks;

extern const char *const slot_chunk_names[KPROBE_SLOT_KINDS];

/* The chunk that contains an address, or NULL */
static __always_inline struct slot_chunk *chunk_of(unsigned long addr)
{
	/* Pairs with the release in chunk_add() */
	struct slot_chunk *chunk = READ_ONCE(slot_chunks);

	while (chunk && addr - chunk->base >= CHUNK_SIZE)
		chunk = chunk->next;
	return chunk;
}

static __always_inline unsigned int cell_of(const struct slot_chunk *chunk, unsigned long addr)
{
	return (addr - chunk->base) / CELL_SIZE;
}

/* The map of a slot, not as the array that its first HEAD_MAP entries are */
static __always_inline struct kprobe_slot_map *head_map(const struct slot_head *head)
{
	return (void *)head + offsetof(struct slot_head, map);
}

#endif /* _KERNEL_KPROBES_SLOT_CHUNK_H */
