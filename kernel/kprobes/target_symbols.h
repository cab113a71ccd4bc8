/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef _KERNEL_KPROBES_TARGET_SYMBOLS_H
#define _KERNEL_KPROBES_TARGET_SYMBOLS_H
/*
 * The symbols of text of which an index of branch targets is made.
 */
#include <linux/module.h>
#include <linux/types.h>

/**
 * struct target_symbol - text with a symbol, or without one
 * @addr: the first address
 * @end: the first address after it
 * @name_hash: the hash of the name of the function that it is a part of; 0 without a symbol
 * @origin: the address of the function that a compiler made it of; 0 if of none
 */
struct target_symbol {
	unsigned long	addr;
	unsigned long	end;
	unsigned long	name_hash;
	unsigned long	origin;
};

/**
 * struct target_symbols - the symbols of one piece of text
 * @module: the name of the module; "" for the kernel's image
 * @start: the first address
 * @limit: the first address after the text
 * @num: entries of @symbol
 * @room: entries that @symbol has room for
 * @symbol: those of a module, ordered by address; kallsyms has those of the image
 */
struct target_symbols {
	char			module[MODULE_NAME_LEN];
	unsigned long		start;
	unsigned long		limit;
	unsigned int		num;
	unsigned int		room;
	struct target_symbol	*symbol;
};

int kprobe_target_symbols_collect(struct target_symbols *symbols);
void kprobe_target_symbols_free(struct target_symbols *symbols);
void kprobe_target_symbol_at(const struct target_symbols *symbols, unsigned long addr,
			     struct target_symbol *symbol);

#endif /* _KERNEL_KPROBES_TARGET_SYMBOLS_H */
