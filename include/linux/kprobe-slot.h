/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef _LINUX_KPROBE_SLOT_H
#define _LINUX_KPROBE_SLOT_H
/*
 * The code of slots, which an architecture puts together, and what unwinders ask about it.
 */
#include <linux/types.h>

/**
 * enum kprobe_slot_kind - what a slot is for
 * @KPROBE_SLOT_RESUME: resume code: registers and stack are those of its origin
 * @KPROBE_SLOT_DETOUR: the target of a jump
 * @KPROBE_SLOT_KINDS: number of kinds
 *
 * Users see the kinds as different symbols in kallsyms and perf.
 */
enum kprobe_slot_kind {
	KPROBE_SLOT_RESUME,
	KPROBE_SLOT_DETOUR,
	KPROBE_SLOT_KINDS
};

/* Code of a slot. At most 256 bytes: offsets are bytes */
#define KPROBE_SLOT_MAX		256
#define KPROBE_SLOT_MAP_MAX	32

/**
 * struct kprobe_slot_map - the origin of a piece of code in a slot
 * @at: offset in the slot at which the piece begins
 * @origin: offset of the instruction that the piece stands for, from kprobe_code::origin
 * @pushed: bytes that the code of a detour has pushed where the piece begins; 0 if the
 *	unwinder does not need the stack pointer
 *
 * A piece ends where the next one begins. Code before the first piece has no origin.
 */
struct kprobe_slot_map {
	u8	at;
	u8	origin;
	u8	pushed;
};

/**
 * struct kprobe_code - code for a slot, while it is put together
 * @origin: address that the map's origins count from
 * @to: address of the slot
 * @size: bytes written so far
 * @num: entries of @map written so far, in ascending order
 * @map: origins of the code
 * @bytes: the code
 */
struct kprobe_code {
	unsigned long		origin;
	unsigned long		to;
	unsigned int		size;
	unsigned int		num;
	struct kprobe_slot_map	map[KPROBE_SLOT_MAP_MAX];
	u8			bytes[KPROBE_SLOT_MAX];
};

/**
 * kprobe_code_begin() - begin to put code together
 * @code: the code
 * @origin: address that the map's origins count from
 * @slot: the slot
 */
static inline void kprobe_code_begin(struct kprobe_code *code, unsigned long origin, void *slot)
{
	code->origin = origin;
	code->to = (unsigned long)slot;
	code->size = 0;
	code->num = 0;
}

/**
 * kprobe_code_add() - count code that has been written to the end of kprobe_code::bytes
 * @code: the code
 * @size: bytes of the new piece
 * @origin: offset of its origin
 */
static inline void kprobe_code_add(struct kprobe_code *code, unsigned int size, u8 origin)
{
	code->map[code->num++] = (struct kprobe_slot_map){ code->size, origin };
	code->size += size;
}

#ifdef CONFIG_KPROBES
unsigned long kprobe_slot_pushed(unsigned long ip);
#else
static inline unsigned long kprobe_slot_pushed(unsigned long ip)
{
	return 0;
}
#endif

#endif /* _LINUX_KPROBE_SLOT_H */
