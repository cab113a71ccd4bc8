// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Is an address in a slot, and what does the code there stand for? Readers take no lock: they
 * may run in an NMI.
 */
#include <kunit/visibility.h>
#include <linux/bits.h>
#include <linux/kprobe-slot.h>
#include <linux/kprobes.h>
#include <linux/minmax.h>
#include <linux/string.h>
#include "slot.h"
#include "slot_chunk.h"

struct slot_chunk *slot_chunks;

/* The names in kallsyms and perf, which are stock's */
const char *const slot_chunk_names[KPROBE_SLOT_KINDS] = {
	[KPROBE_SLOT_RESUME]	= "kprobe_insn_page",
	[KPROBE_SLOT_DETOUR]	= "kprobe_optinsn_page",
};

static __always_inline bool cell_is_first(const struct slot_chunk *chunk, unsigned int cell)
{
	return READ_ONCE(chunk->first[BIT_WORD(cell)]) & BIT_MASK(cell);
}

/* The head and the address of the slot that contains an address; NULL if none does */
static __always_inline const struct slot_head *slot_find(unsigned long addr, unsigned long *base)
{
	const struct slot_chunk *chunk = chunk_of(addr);
	const struct slot_head *head;
	int cell, last;

	if (likely(!chunk))
		return NULL;
	last = cell_of(chunk, addr);
	for (cell = last; !cell_is_first(chunk, cell); cell--) {
		if (!cell || last - cell == SLOT_CELLS_MAX)
			return NULL;
	}
	head = &chunk->heads[cell];
	*base = chunk->base + cell * CELL_SIZE;
	return last - cell < READ_ONCE(head->cells) ? head : NULL;
}

/* The piece of a slot that contains an offset, or NULL */
static __always_inline const struct kprobe_slot_map *map_find(const struct slot_head *head,
							      unsigned int offset)
{
	const struct kprobe_slot_map *map = head_map(head), *found = NULL;
	/* Pairs with kprobe_slot_write() */
	unsigned int num = smp_load_acquire(&head->num), i;

	num = min_t(unsigned int, num, KPROBE_SLOT_MAP_MAX);
	for (i = 0; i < num && READ_ONCE(map[i].at) <= offset; i++)
		found = &map[i];
	return found;
}

/* The piece of a slot that contains an address, and the head of that slot; or NULL */
static __always_inline const struct kprobe_slot_map *piece_find(unsigned long addr,
								const struct slot_head **head)
{
	unsigned long base;

	*head = slot_find(addr, &base);
	return likely(!*head) ? NULL : map_find(*head, addr - base);
}

/**
 * kprobe_slot_origin() - see through a slot
 * @ip: an instruction pointer
 *
 * In resume code, registers and stack are what they would be at the origin. In a detour
 * kprobe_slot_pushed() tells how far the stack pointer is from there; at its end registers may
 * be those after the instruction, if that is emulated.
 *
 * Context: any; calls nothing.
 * Return: the address @ip would have without the probe: @ip if it is in no slot.
 */
noinstr unsigned long kprobe_slot_origin(unsigned long ip)
{
	const struct slot_head *head;
	const struct kprobe_slot_map *piece = piece_find(ip, &head);

	return piece ? READ_ONCE(head->origin) + READ_ONCE(piece->origin) : ip;
}
EXPORT_SYMBOL_IF_KUNIT(kprobe_slot_origin);

/**
 * kprobe_slot_pushed() - what a detour has on the stack
 * @ip: an instruction pointer
 *
 * Context: any; calls nothing.
 * Return: bytes between the stack pointer at @ip and the one that the probed code has at
 * kprobe_slot_origin(@ip); 0 if @ip is in no detour, or the unwinder needs no stack pointer.
 */
noinstr unsigned long kprobe_slot_pushed(unsigned long ip)
{
	const struct slot_head *head;
	const struct kprobe_slot_map *piece = piece_find(ip, &head);

	return piece ? READ_ONCE(piece->pushed) : 0;
}
EXPORT_SYMBOL_IF_KUNIT(kprobe_slot_pushed);

static __always_inline bool is_slot_of(unsigned long addr, enum kprobe_slot_kind kind)
{
	const struct slot_chunk *chunk = chunk_of(addr);

	return chunk && chunk->kind == kind;
}

/**
 * kprobe_slot_trap_find() - the slot of a trap that ends resume code
 * @addr: address of a trap
 * @trap: written
 *
 * Such a trap is a piece of its own in the map. All other traps in slots are padding,
 * which no CPU executes.
 *
 * Context: any; calls nothing.
 * Return: false if there is no such trap.
 */
noinstr bool kprobe_slot_trap_find(unsigned long addr, struct kprobe_slot_trap *trap)
{
	const struct kprobe_slot_map *piece;
	const struct slot_head *head;
	unsigned long base;

	head = is_slot_of(addr, KPROBE_SLOT_RESUME) ? slot_find(addr, &base) : NULL;
	if (!head)
		return false;
	piece = map_find(head, addr - base);
	if (!piece || base + READ_ONCE(piece->at) != addr)
		return false;
	trap->slot = (void *)base;
	trap->origin = READ_ONCE(head->origin);
	trap->next = trap->origin + READ_ONCE(piece->origin);
	return true;
}
EXPORT_SYMBOL_IF_KUNIT(kprobe_slot_trap_find);

/**
 * is_kprobe_insn_slot() - is an address in the memory of resume code
 * @addr: the address
 *
 * Context: any.
 * Return: true if so, whether the slot is in use or not.
 */
bool is_kprobe_insn_slot(unsigned long addr)
{
	return is_slot_of(addr, KPROBE_SLOT_RESUME);
}
EXPORT_SYMBOL_IF_KUNIT(is_kprobe_insn_slot);

/**
 * is_kprobe_optinsn_slot() - is an address in the memory of detours
 * @addr: the address
 *
 * Context: any.
 * Return: true if so, whether the slot is in use or not.
 */
bool is_kprobe_optinsn_slot(unsigned long addr)
{
	return is_slot_of(addr, KPROBE_SLOT_DETOUR);
}
EXPORT_SYMBOL_IF_KUNIT(is_kprobe_optinsn_slot);

/**
 * kprobe_get_kallsym() - the chunks, as symbols
 * @num: number of the chunk
 * @addr: set to its address
 * @type: set to the letter of its kind
 * @name: set to its name, at most KSYM_NAME_LEN bytes
 *
 * Context: any.
 * Return: 0, or -ERANGE if there are fewer chunks.
 */
int kprobe_get_kallsym(unsigned int num, unsigned long *addr, char *type, char *name)
{
	struct slot_chunk *chunk = READ_ONCE(slot_chunks);

	while (chunk && num--)
		chunk = chunk->next;
	if (!chunk)
		return -ERANGE;
	*addr = chunk->base;
	*type = 't';
	strscpy(name, slot_chunk_names[chunk->kind], KSYM_NAME_LEN);
	return 0;
}
EXPORT_SYMBOL_IF_KUNIT(kprobe_get_kallsym);
