/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef _KERNEL_KPROBES_LABELS_H
#define _KERNEL_KPROBES_LABELS_H
/*
 * Jump labels by their addresses.
 */
#include <linux/types.h>

#ifdef CONFIG_JUMP_LABEL
/* labels.c */
bool kprobe_is_jump_label(unsigned long addr);
#else
static inline bool kprobe_is_jump_label(unsigned long addr)
{
	return false;
}
#endif

#endif /* _KERNEL_KPROBES_LABELS_H */
