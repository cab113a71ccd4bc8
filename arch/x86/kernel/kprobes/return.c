// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Return probes on x86: what is not worth a place in <asm/kretprobe.h>. The
 * trampoline is in return_trampoline.S.
 */
#include <linux/kprobes.h>
#include <linux/sched.h>
#include <asm/kretprobe.h>
#include <asm/switch_to.h>
#include <asm/unwind.h>

/**
 * arch_kretprobe_caller() - see through the trampolines in a return address
 * @addr: what stands in @frame
 * @frame: a frame of the current task
 *
 * Context: any.
 * Return: where the function returns to when all who hijacked its return are
 * done with it; zero if that cannot be told.
 */
unsigned long arch_kretprobe_caller(unsigned long addr, unsigned long *frame)
{
	struct unwind_state state = { .task = current };

	return unwind_recover_ret_addr(&state, addr, frame);
}
NOKPROBE_SYMBOL(arch_kretprobe_caller);

/**
 * arch_kretprobe_refused() - functions whose return is not where they came from
 * @func: where a function begins
 *
 * __switch_to() is called by one task and returns in another, which has a list
 * of its own. Others are returned to, not called: what is on top of the stack then
 * belongs to somebody else.
 *
 * Return: true if @func cannot have a return probe.
 */
bool arch_kretprobe_refused(unsigned long func)
{
	return func == (unsigned long)__switch_to ||
	       func == (unsigned long)ret_from_fork_asm ||
	       is_graph_trampoline(func);
}
