// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A module with two functions of one name, for who looks up symbols; and with one
 * that must not be probed as long as it is there.
 */
#include <linux/init.h>
#include <linux/kprobes.h>
#include <linux/module.h>

static noinline __used void kprobes_twin(void)
{
}

static int __init begin(void)
{
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
