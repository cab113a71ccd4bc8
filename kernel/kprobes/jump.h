/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef _KERNEL_KPROBES_JUMP_H
#define _KERNEL_KPROBES_JUMP_H
/*
 * The switch of the jump method.
 */
#include <linux/types.h>

/* jump.c */
bool kprobe_jumps_forbidden(void);
void kprobe_set_jumps_forbidden(bool forbidden);

#endif /* _KERNEL_KPROBES_JUMP_H */
