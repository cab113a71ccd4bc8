// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A module with two functions of one name, for who looks up symbols; with two in its
 * init text, one of which must not be probed; with one that calls itself each time the
 * module comes; and with one whose parameters are not a word each.
 */
#include <linux/init.h>
#include <linux/kprobes.h>
#include <linux/module.h>

static noinline __used void kprobes_twin(void)
{
}

struct kprobes_pair {
	long	first, second;
};

/* What is behind the pair is not in the register its number says */
static noinline __used __noclone long kprobes_behind_pair(struct kprobes_pair pair, int last)
{
	return pair.first + last;
}

/* As many calls within each other as @depth says */
static noinline __noclone void kprobes_nest(unsigned int depth)
{
	if (depth > 1)
		kprobes_nest(depth - 1);
	/* Not a jump: each call returns */
	barrier();
}

/* Probed while the module comes, and gone when it is there */
static noinline void __init kprobes_begin(void)
{
	kprobes_nest(5);
}

static int __init begin(void)
{
	kprobes_begin();
	return 0;
}
module_init(begin);
NOKPROBE_SYMBOL(begin);

static void __exit end(void)
{
}
module_exit(end);

MODULE_DESCRIPTION("two functions of one name");
MODULE_LICENSE("GPL");
