// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The second function of this name; see twin.c.
 */
#include <linux/compiler.h>

static noinline __used void kprobes_twin(void)
{
}
