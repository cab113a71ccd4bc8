// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Return probes on x86: the functions of the contract that are not inline. The
 * trampoline is in return_trampoline.S.
 */
#include <linux/kprobe-arch.h>
#include <linux/kprobes.h>
#include <linux/sched.h>
#include <asm/kretprobe.h>
#include <asm/switch_to.h>
#include <asm/unwind.h>

unsigned long arch_kretprobe_caller(unsigned long addr, unsigned long *frame)
{
	struct unwind_state state = { .task = current };

	return unwind_recover_ret_addr(&state, addr, frame);
}
NOKPROBE_SYMBOL(arch_kretprobe_caller);

/*
 * __switch_to() is called by one task and returns in another, which has its own list
 * of instances. So does __switch_to_asm(), and the stack traces of all tasks that sleep
 * begin with its return address. The others are returned to, not called: the top of the
 * stack is not their return address.
 */
bool arch_kretprobe_refused(unsigned long func)
{
	return func == (unsigned long)__switch_to ||
	       func == (unsigned long)__switch_to_asm ||
	       func == (unsigned long)ret_from_fork_asm ||
	       is_graph_trampoline(func);
}
