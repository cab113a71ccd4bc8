/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef _KERNEL_KPROBES_SLOT_H
#define _KERNEL_KPROBES_SLOT_H
/*
 * Slots: executable memory for resume code and detours.
 */
#include <linux/kprobe-slot.h>
#include <linux/types.h>

/**
 * struct kprobe_slot_trap - the trap at the end of resume code
 * @slot: the slot
 * @origin: address of the insn that the slot was made for
 * @next: address to go on at
 */
struct kprobe_slot_trap {
	void		*slot;
	unsigned long	origin;
	unsigned long	next;
};

/* slot.c */
void *kprobe_slot_alloc(enum kprobe_slot_kind kind, size_t size, unsigned int num,
			unsigned long near);
void kprobe_slot_write(void *slot, const struct kprobe_code *code);
void kprobe_slot_free(void *slot);
bool kprobe_slot_trap_find(unsigned long addr, struct kprobe_slot_trap *trap);

#endif /* _KERNEL_KPROBES_SLOT_H */
