// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A module that kills ftrace when it is loaded. ftrace kills itself in the same way
 * when it finds unexpected text, but it also prints a warning. Nothing enables
 * ftrace again, and the module stays loaded.
 *
 * ftrace_kill() is not exported. A first, disabled probe finds its address. A second
 * probe redirects kill_leave() to it, and it returns to the caller of kill_leave().
 * This way of entering a function is not subject to CFI checks, as a call through a
 * pointer may be.
 */
#include <linux/compiler.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/ptrace.h>
#include "ours.h"

static unsigned long kill_found;

static noinline void kill_leave(void)
{
	barrier();
}

static int kill_go_there(struct kprobe *p, struct pt_regs *regs)
{
	instruction_pointer_set(regs, kill_found);
	return 1;
}

static int __init kill_find(void)
{
	struct kprobe p = { .symbol_name = "ftrace_kill", .flags = KPROBE_FLAG_DISABLED };
	int ret = register_kprobe(&p);

	if (ret)
		return ret;
	kill_found = (unsigned long)p.addr;
	unregister_kprobe(&p);
	return 0;
}

static int __init kill_begin(void)
{
	struct kprobe p = { .addr = (void *)kill_leave, .pre_handler = kill_go_there };
	int ret = kill_find();

	if (!ret)
		ret = register_kprobe(&p);
	if (ret)
		return ret;
	OPAQUE(kill_leave)();
	unregister_kprobe(&p);
	return 0;
}
module_init(kill_begin);

MODULE_DESCRIPTION("a machine without ftrace");
MODULE_LICENSE("GPL");
