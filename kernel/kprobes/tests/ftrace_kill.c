// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A module that kills ftrace when it is loaded, as ftrace does itself where it finds
 * text that is not what it should be; but without a word in the kernel's log. Nothing
 * brings ftrace back, and this module stays.
 *
 * ftrace_kill() is not exported. One probe finds it, never armed; another goes there
 * from a function of ours, whose caller it returns to. Nobody checks who enters it in
 * this way, as a call through a pointer may be.
 */
#include <linux/compiler.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/ptrace.h>
#include "ours.h"

static unsigned long found;

static noinline void leave(void)
{
	barrier();
}

static int go_there(struct kprobe *p, struct pt_regs *regs)
{
	instruction_pointer_set(regs, found);
	return 1;
}

static int __init find(void)
{
	struct kprobe p = { .symbol_name = "ftrace_kill", .flags = KPROBE_FLAG_DISABLED };
	int ret = register_kprobe(&p);

	if (ret)
		return ret;
	found = (unsigned long)p.addr;
	unregister_kprobe(&p);
	return 0;
}

static int __init begin(void)
{
	struct kprobe p = { .addr = (void *)leave, .pre_handler = go_there };
	int ret = find();

	if (!ret)
		ret = register_kprobe(&p);
	if (ret)
		return ret;
	OPAQUE(leave)();
	unregister_kprobe(&p);
	return 0;
}
module_init(begin);

MODULE_DESCRIPTION("a machine without ftrace");
MODULE_LICENSE("GPL");
