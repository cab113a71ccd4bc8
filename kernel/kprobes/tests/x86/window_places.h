/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef _KERNEL_KPROBES_TESTS_X86_WINDOW_PLACES_H
#define _KERNEL_KPROBES_TESTS_X86_WINDOW_PLACES_H
/*
 * The probed code of the window test. Addresses of its instructions are in variables, as a
 * symbol would end the window.
 */
#include <linux/linkage.h>
#include <linux/types.h>

/* Returns @value + 7 */
asmlinkage int window_place(int value);

/* Instructions of window_place(): a window of two, its second one, and the one after it */
extern u8 *const window_first, *const window_second, *const window_after;

/* A window of three, and one that ends with a return */
extern u8 *const window_three, *const window_return;

/* Returns @value + 3, and + 2 for a negative value: that goes around the first instruction */
asmlinkage int window_place_target(int value);
extern u8 *const window_target;

/* Return @value + 3 */
asmlinkage int window_place_indirect(int value);
extern u8 *const window_indirect;
asmlinkage int window_place_short(int value);
extern u8 *const window_short;
extern u8 *const window_reserved;

/* Reads bytes, twice; returns the address after the last one */
asmlinkage const u8 *window_place_slow(const u8 *from, size_t first, size_t second);

/* The first reads, in a window that begins with it; and an instruction before the second */
extern u8 *const window_slow, *const window_before_slow;

/* The second reads, in the window of the instruction before it */
extern u8 *const window_inside_slow;

#endif /* _KERNEL_KPROBES_TESTS_X86_WINDOW_PLACES_H */
