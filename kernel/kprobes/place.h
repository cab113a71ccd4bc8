/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef _KERNEL_KPROBES_PLACE_H
#define _KERNEL_KPROBES_PLACE_H
/*
 * The place: where a client wants its probe, resolved once.
 */
#include <linux/kprobes.h>
#include <linux/types.h>

/**
 * struct kprobe_place - where a client wants its probe
 * @addr: the address
 * @symbol: where the symbol begins that @addr is in
 * @symbol_size: bytes of that symbol
 * @on_entry: a function begins there
 * @in_part: @symbol is a part of a function that is entered by jumps
 * @refusal: the reason why kprobe_place_check() or kprobe_insn_make() has refused
 *	it
 */
struct kprobe_place {
	unsigned long		addr;
	unsigned long		symbol;
	unsigned long		symbol_size;
	bool			on_entry;
	bool			in_part;
	struct kprobe_refusal	refusal;
};

/* resolve.c */
int kprobe_place_find(const struct kprobe *p, struct kprobe_place *place);
int kprobe_place_check(struct kprobe_place *place);

#endif /* _KERNEL_KPROBES_PLACE_H */
