// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Return probes on arm64: what is not worth a place in <asm/kretprobe.h>. The
 * trampoline is in return_trampoline.S.
 */
#include <linux/ftrace.h>
#include <linux/kprobes.h>
#include <linux/sched.h>
#include <asm/kretprobe.h>
#include <asm/suspend.h>
#include <asm/switch_to.h>

/**
 * arch_kretprobe_caller() - see through the trampolines in a return address
 * @addr: what a function would return to
 * @frame: the frame it would return to, of the current task
 *
 * The graph tracer hijacks returns as well, and it can be that of a function that
 * has ended in a branch to another, with a return probe of its own: each knows
 * what it found, so ask until nobody knows the address.
 *
 * Context: any.
 * Return: where the function returns to when all who hijacked its return are
 * done with it; zero if that cannot be told.
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

/**
 * arch_kretprobe_refused() - functions whose return is not where they came from
 * @func: where a function begins
 *
 * __switch_to() is called by one task and returns in another, which has a list
 * of its own. __cpu_suspend_enter() returns once more when the CPU comes back.
 *
 * Return: true if @func cannot have a return probe.
 */
bool arch_kretprobe_refused(unsigned long func)
{
	return func == (unsigned long)__switch_to ||
	       (IS_ENABLED(CONFIG_CPU_PM) && func == (unsigned long)__cpu_suspend_enter);
}
