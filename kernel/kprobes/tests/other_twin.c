// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The second function and the second variable of this name; see twin.c.
 */
#include <linux/compiler.h>

static noinline __used void kprobes_twin(void)
{
}

static __used int kprobes_twin_value = 2;
