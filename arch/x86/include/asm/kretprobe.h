/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef _ASM_X86_KRETPROBE_H
#define _ASM_X86_KRETPROBE_H
/*
 * The inline functions that return probes ask of x86; <linux/kprobe-arch.h> has
 * their contract.
 *
 * A frame is the address of the word on the stack that holds the return address.
 * That of a function that returns lies directly above the registers that the
 * trampoline saved.
 */
#include <linux/ftrace.h>
#include <linux/kprobes.h>
#include <linux/rethook.h>

static __always_inline void arch_kretprobe_prepare(struct kretprobe_instance *ri,
						   struct pt_regs *regs)
{
	ri->frame = (unsigned long *)regs->sp;
	ri->ret_addr = *ri->frame;
}

static __always_inline void arch_kretprobe_hijack(struct kretprobe_instance *ri,
						  struct pt_regs *regs)
{
	WRITE_ONCE(*ri->frame, (unsigned long)__kretprobe_trampoline);
}

static __always_inline unsigned long *arch_kretprobe_returned(struct pt_regs *regs)
{
	unsigned long *frame = (unsigned long *)(regs + 1);

	regs->sp = (unsigned long)(frame + 1);
	return frame;
}

static __always_inline void arch_kretprobe_set_caller(struct pt_regs *regs,
						      unsigned long caller)
{
	instruction_pointer_set(regs, caller);
}

static __always_inline void arch_kretprobe_restore(struct pt_regs *regs,
						   unsigned long *frame,
						   unsigned long ret_addr)
{
	WRITE_ONCE(*frame, ret_addr);
}

#ifdef CONFIG_FUNCTION_GRAPH_TRACER
static __always_inline bool is_graph_trampoline(unsigned long addr)
{
	return addr == (unsigned long)return_to_handler;
}
#else
static __always_inline bool is_graph_trampoline(unsigned long addr)
{
	return false;
}
#endif

static __always_inline bool arch_kretprobe_hijacked(unsigned long addr)
{
	return is_kretprobe_trampoline(addr) ||
	       (IS_ENABLED(CONFIG_RETHOOK) && is_rethook_trampoline(addr)) ||
	       is_graph_trampoline(addr);
}

#endif /* _ASM_X86_KRETPROBE_H */
