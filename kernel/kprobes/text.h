/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef _KERNEL_KPROBES_TEXT_H
#define _KERNEL_KPROBES_TEXT_H
/*
 * Pieces of text: compared before they are replaced, and put into what was read.
 * <linux/kprobe-arch.h> declares kprobe_text_read().
 */
#include <linux/types.h>

/* text.c */
bool kprobe_text_is(unsigned long addr, const u8 *bytes, size_t size);
bool kprobe_text_is_ours(unsigned long addr, const u8 *bytes, size_t size);
void kprobe_text_put(unsigned long from, const u8 *bytes, size_t size, unsigned long addr,
		     u8 *buf, size_t len);

#endif /* _KERNEL_KPROBES_TEXT_H */
