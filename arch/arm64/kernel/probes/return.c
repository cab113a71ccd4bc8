// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Return probes on arm64: the functions of the contract that are not inline. The
 * trampoline is in return_trampoline.S.
 */
#include <linux/ftrace.h>
#include <linux/kprobe-arch.h>
#include <linux/kprobes.h>
#include <linux/sched.h>
#include <asm/kretprobe.h>
#include <asm/suspend.h>
#include <asm/switch_to.h>

/*
 * The graph tracer and return probes may have hijacked the same return in turns, if a
 * function ended in a branch to another. Each knows the address it replaced: both are
 * asked until neither knows the address.
 */
unsigned long arch_kretprobe_caller(unsigned long addr, unsigned long *frame)
{
	struct llist_node *cur = NULL;
	unsigned long found;
	int idx = 0;

	do {
		found = addr;
		addr = ftrace_graph_ret_addr(current, &idx, addr, frame);
		if (is_kretprobe_trampoline(addr))
			addr = kretprobe_find_ret_addr(current, frame, &cur);
	} while (addr != found);
	return addr;
}
NOKPROBE_SYMBOL(arch_kretprobe_caller);

/*
 * __switch_to() is called by one task and returns in another, which has its own list
 * of instances. __cpu_suspend_enter() returns a second time when the CPU comes back.
 */
bool arch_kretprobe_refused(unsigned long func)
{
	return func == (unsigned long)__switch_to ||
	       (IS_ENABLED(CONFIG_CPU_PM) && func == (unsigned long)__cpu_suspend_enter);
}
