// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The function that the self-test probes. It has a file of its own because, unlike the rest
 * of this folder, it is compiled for ftrace.
 */
#include <linux/compiler.h>

#include "selftest_target.h"

/**
 * kprobe_event_selftest_sum() - add six numbers
 * @a: the first of them
 * @b: the second
 * @c: the third
 * @d: the fourth
 * @e: the fifth
 * @f: the last, also passed in a register
 *
 * Context: any.
 * Return: the sum.
 */
noinline __used
unsigned long kprobe_event_selftest_sum(unsigned long a, unsigned long b, unsigned long c,
					unsigned long d, unsigned long e, unsigned long f)
{
	return a + b + c + d + e + f;
}
