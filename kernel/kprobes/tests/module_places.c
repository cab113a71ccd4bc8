// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The module that module_test.c loads and unloads. Its init function switches the jump
 * label, and calls each probed function once.
 */
#include <linux/compiler.h>
#include <linux/init.h>
#include <linux/jump_label.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include "module_places.h"
#include "ours.h"

static DEFINE_STATIC_KEY_FALSE(module_places_key);

static noinline int module_places_label(int value)
{
	if (static_branch_unlikely(&module_places_key))
		value *= 3;
	barrier();
	return value + 1;
}

static noinline int __init module_places_init(int value)
{
	return value + 1;
}

static int __init module_places_begin(void)
{
	static_branch_enable(&module_places_key);
	return OPAQUE(module_places_label)(1) + OPAQUE(module_places_init)(1) == 6 ? 0 : -EINVAL;
}
module_init(module_places_begin);

static int module_places_register(unsigned long addr)
{
	struct kprobe p = { .addr = (kprobe_opcode_t *)addr };
	int ret = register_kprobe(&p);

	unregister_kprobe(&p);
	return ret;
}

static void __exit module_places_end(void)
{
	struct jump_entry *entry = THIS_MODULE->jump_entries;

	kprobes_module_leaving.label = module_places_register(jump_entry_code(entry));
	kprobes_module_leaving.plain = module_places_register(jump_entry_target(entry));
}
module_exit(module_places_end);

MODULE_DESCRIPTION("A module to be probed while it comes and goes");
MODULE_LICENSE("GPL");
