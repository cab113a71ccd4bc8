/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef _KERNEL_KPROBES_TESTS_POKE_H
#define _KERNEL_KPROBES_TESTS_POKE_H
/*
 * Text that another owner changes, as a debugger does.
 */
#include <linux/types.h>

struct kunit;

void poke_text(struct kunit *test, const void *at, const u8 *bytes, size_t size);

#endif /* _KERNEL_KPROBES_TESTS_POKE_H */
