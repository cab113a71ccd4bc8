// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A module with two functions of one name, for who looks up symbols; with one that
 * must not be probed as long as it is there; and with one that calls itself each
 * time the module comes.
 */
#include <linux/init.h>
#include <linux/kprobes.h>
#include <linux/module.h>

static noinline __used void kprobes_twin(void)
{
}

/* As many calls within each other as @depth says */
static noinline __noclone void kprobes_nest(unsigned int depth)
{
	if (depth > 1)
		kprobes_nest(depth - 1);
	/* Not a jump: each call returns */
	barrier();
}

static int __init begin(void)
{
	kprobes_nest(5);
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
