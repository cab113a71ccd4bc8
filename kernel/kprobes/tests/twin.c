// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A module for tests that look up symbols. It has two functions of the same name, two
 * variables of the same name, one that has its own, a per-CPU variable, a function in its
 * init text that must not be probed next to one that may be, a function that calls itself
 * whenever the module is loaded, one with a parameter that takes two words, one with a name
 * that the kernel has as well, and one that is given bitfields and small numbers whenever
 * the module is loaded.
 */
#include <linux/delay.h>
#include <linux/init.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/percpu.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include <linux/vmalloc.h>
#include "ours.h"

static unsigned int wait;
module_param(wait, uint, 0);
MODULE_PARM_DESC(wait, "milliseconds that it takes to be initialised");

static noinline __used void kprobes_twin(void)
{
}

static __used int kprobes_twin_value = 1;
static __used int kprobes_only_value = 3;
static __used DEFINE_PER_CPU(int, kprobes_twin_count);

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

struct kprobes_tail {
	char		full[4];	/* without a NUL */
};

static noinline __noclone void kprobes_see_tail(const struct kprobes_tail *tail)
{
	barrier_data(tail);
}

/* A vmalloc() area is followed by a page that is not mapped. */
static int __init kprobes_show_tail(void)
{
	struct kprobes_tail *tail;
	void *page = vmalloc(PAGE_SIZE);

	if (!page)
		return -ENOMEM;
	tail = page + PAGE_SIZE - sizeof(*tail);
	memcpy(tail->full, "last", sizeof(tail->full));
	OPAQUE(kprobes_see_tail)(tail);
	vfree(page);
	return 0;
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
	unsigned int time;

	/* For a fixup of init text in the table of exceptions, which changes when that is freed */
	__get_kernel_nofault(&time, &wait, unsigned int, fault);
	msleep(time);
	kprobes_begin();
	return kprobes_show_tail();
fault:
	return -EFAULT;
}
module_init(twin_begin);
NOKPROBE_SYMBOL(twin_begin);

static void __exit twin_end(void)
{
}
module_exit(twin_end);

MODULE_DESCRIPTION("two functions of one name");
MODULE_LICENSE("GPL");
