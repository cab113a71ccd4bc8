/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef _LINUX_KPROBE_SYMBOL_H
#define _LINUX_KPROBE_SYMBOL_H
/*
 * The symbol that an address is in, for kprobes and kprobe events.
 */
#include <linux/types.h>

/**
 * struct kprobe_symbol - the symbol that an address is in
 * @start: its address
 * @size: bytes up to the next symbol
 * @is_dotted: its name has a dot: the compiler may have split it from a function
 */
struct kprobe_symbol {
	unsigned long	start;
	unsigned long	size;
	bool		is_dotted;
};

bool kprobe_symbol_find(unsigned long addr, struct kprobe_symbol *symbol);
void kprobe_symbol_forget(void);

#endif /* _LINUX_KPROBE_SYMBOL_H */
