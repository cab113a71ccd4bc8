// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The bounds of stacks that are not a task's.
 */
#include <kunit/visibility.h>
#include <linux/kprobe-arch.h>
#include <linux/kprobes.h>
#include <linux/ptrace.h>
#include <asm/current.h>
#include <asm/stacktrace.h>

/**
 * arch_kprobe_on_own_stack() - is an address part of the stack of a hit, whatever that is
 * @regs: registers of the hit
 * @addr: the address of a word
 *
 * Stacks of tasks are aligned to their size. Those of interrupts are not, and those of
 * exceptions are smaller.
 *
 * Context: on the CPU of the hit, preemption off.
 * Return: true if it is on the same stack as the stack pointer.
 */
bool arch_kprobe_on_own_stack(struct pt_regs *regs, unsigned long addr)
{
	struct stack_info info = {};

	/* That of another task: __switch_to() runs on it before the task is current */
	if (!get_stack_info_noinstr((void *)kernel_stack_pointer(regs), current, &info))
		return regs_within_kernel_stack(regs, addr);
	return addr >= (unsigned long)info.begin &&
	       addr <= (unsigned long)info.end - sizeof(long);
}
EXPORT_SYMBOL_IF_KUNIT(arch_kprobe_on_own_stack);
NOKPROBE_SYMBOL(arch_kprobe_on_own_stack);
