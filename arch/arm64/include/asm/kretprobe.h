/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef _ASM_ARM64_KRETPROBE_H
#define _ASM_ARM64_KRETPROBE_H
/*
 * The inline functions that return probes ask of arm64; <linux/kprobe-arch.h> has
 * their contract.
 *
 * A frame is the caller's frame pointer: a function finds it in x29 and leaves it
 * there, and the unwinder has it beside each return address. The return address is
 * in the link register and is not signed yet: the function signs what it finds there,
 * and authenticates it before it returns.
 */
#include <linux/ftrace.h>
#include <linux/kprobes.h>
#include <asm/ptrace.h>

static __always_inline void arch_kretprobe_prepare(struct kretprobe_instance *ri,
						   struct pt_regs *regs)
{
	ri->frame = (unsigned long *)regs->regs[29];
	ri->ret_addr = procedure_link_pointer(regs);
}

static __always_inline void arch_kretprobe_hijack(struct kretprobe_instance *ri,
						  struct pt_regs *regs)
{
	procedure_link_pointer_set(regs, (unsigned long)__kretprobe_trampoline);
}

static __always_inline unsigned long *arch_kretprobe_returned(struct pt_regs *regs)
{
	return (unsigned long *)regs->regs[29];
}

/* The function has returned by its link register */
static __always_inline void arch_kretprobe_set_caller(struct pt_regs *regs,
						      unsigned long caller)
{
	instruction_pointer_set(regs, caller);
	procedure_link_pointer_set(regs, caller);
}

static __always_inline void arch_kretprobe_restore(struct pt_regs *regs,
						   unsigned long *frame,
						   unsigned long ret_addr)
{
	procedure_link_pointer_set(regs, ret_addr);
	/* The trampoline's own frame record: no instance will explain its address */
	WRITE_ONCE(regs->stackframe[1], ret_addr);
}

static __always_inline bool arch_kretprobe_hijacked(unsigned long addr)
{
	return is_kretprobe_trampoline(addr) ||
	       (IS_ENABLED(CONFIG_FUNCTION_GRAPH_TRACER) &&
		addr == (unsigned long)return_to_handler);
}

#endif /* _ASM_ARM64_KRETPROBE_H */
