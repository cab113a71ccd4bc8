// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A module for tests that look up symbols. It has two functions of the same name, a
 * function in its init text that must not be probed next to one that may be, a
 * function that calls itself whenever the module is loaded, one with a parameter that
 * takes two words, one with a name that the kernel has as well, and one that is given
 * bitfields and small numbers whenever the module is loaded.
 */
#include <linux/init.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include "ours.h"

static noinline __used void kprobes_twin(void)
{
}

struct kprobes_pair {
	long	first, second;
};

/* The pair takes two registers: the next parameter's number is not its register's. */
static noinline __used __noclone long kprobes_behind_pair(struct kprobes_pair pair, int last)
{
	return pair.first + last;
}

/* A function of fs/namei.c has this name, and other parameters. */
static noinline __used __noclone int path_openat(int number_of_twin)
{
	return number_of_twin;
}

struct kprobes_bits {
	unsigned int	low : 3;
	int		minus : 5;
	unsigned int	high : 24;
	unsigned char	after;
	char		text[8];
	char		full[4];	/* without a NUL */
	char		next[4];
};

static noinline __noclone void kprobes_see(const struct kprobes_bits *bits, signed char small,
					   bool yes, const char *text)
{
	barrier_data(bits);
	barrier_data(text);
}

/* Makes @depth nested calls. */
static noinline __noclone void kprobes_nest(unsigned int depth)
{
	if (depth > 1)
		kprobes_nest(depth - 1);
	/* Not a tail call: each call returns. */
	barrier();
}

/* Probed while the module is loaded; freed after initialization. */
static noinline void __init kprobes_begin(void)
{
	static const struct kprobes_bits bits = {
		.low = 5, .minus = -3, .high = 0xabcdef, .after = 0x55, .text = "twin",
		.full = { 'f', 'u', 'l', 'l' }, .next = "end",
	};

	kprobes_nest(5);
	OPAQUE(kprobes_see)(&bits, -7, true, "a text");
}

static int __init twin_begin(void)
{
	kprobes_begin();
	return 0;
}
module_init(twin_begin);
NOKPROBE_SYMBOL(twin_begin);

static void __exit twin_end(void)
{
}
module_exit(twin_end);

MODULE_DESCRIPTION("two functions of one name");
MODULE_LICENSE("GPL");
