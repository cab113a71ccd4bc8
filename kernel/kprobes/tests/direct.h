/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef _KERNEL_KPROBES_TESTS_DIRECT_H
#define _KERNEL_KPROBES_TESTS_DIRECT_H
/*
 * A direct call of ftrace that counts itself.
 */

extern unsigned int direct_calls;

/* Not to be called by C: ftrace sites call it */
void direct_trampoline(void);

#endif /* _KERNEL_KPROBES_TESTS_DIRECT_H */
