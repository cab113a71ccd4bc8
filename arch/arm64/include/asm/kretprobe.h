/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef _ASM_ARM64_KRETPROBE_H
#define _ASM_ARM64_KRETPROBE_H
/*
 * What kernel/kprobes/retprobe.c asks of an architecture. A call under way is
 * told from the others by its frame; on arm64 that is the frame pointer of the
 * caller: a function finds and leaves it in x29, and the unwinder has it beside
 * each return address. The return address itself is in the link register, not
 * signed yet: the function signs what it finds there, and authenticates it again
 * before it returns.
 */
#include <linux/ftrace.h>
#include <linux/kprobes.h>
#include <asm/ptrace.h>

/**
 * arch_kretprobe_prepare() - note where a function was called from
 * @ri: gets the frame and the address that stands in the link register
 * @regs: registers at the function's entry
 */
static __always_inline void arch_kretprobe_prepare(struct kretprobe_instance *ri,
						   struct pt_regs *regs)
{
	ri->frame = (unsigned long *)regs->regs[29];
	ri->ret_addr = procedure_link_pointer(regs);
}

/**
 * arch_kretprobe_hijack() - have a function return to the trampoline
 * @ri: prepared, and in the list of the task
 * @regs: registers at the function's entry
 */
static __always_inline void arch_kretprobe_hijack(struct kretprobe_instance *ri,
						  struct pt_regs *regs)
{
	procedure_link_pointer_set(regs, (unsigned long)__kretprobe_trampoline);
}

/**
 * arch_kretprobe_returned() - complete the registers the trampoline saved
 * @regs: the registers
 *
 * Return: the frame that a function has just returned to.
 */
static __always_inline unsigned long *arch_kretprobe_returned(struct pt_regs *regs)
{
	return (unsigned long *)regs->regs[29];
}

/**
 * arch_kretprobe_restore() - let the trampoline go on to where it should
 * @regs: the registers the trampoline saved
 * @frame: what arch_kretprobe_returned() told
 * @ret_addr: where to go on
 *
 * The trampoline's own frame record loses the trampoline's address, too: there
 * will be nobody left to tell an unwinder what it stands for.
 */
static __always_inline void arch_kretprobe_restore(struct pt_regs *regs,
						   unsigned long *frame,
						   unsigned long ret_addr)
{
	procedure_link_pointer_set(regs, ret_addr);
	WRITE_ONCE(regs->stackframe[1], ret_addr);
}

/**
 * arch_kretprobe_hijacked() - is a return address none, but a trampoline's
 * @addr: what was found where a return address belongs
 *
 * Return: true if so.
 */
static __always_inline bool arch_kretprobe_hijacked(unsigned long addr)
{
	return is_kretprobe_trampoline(addr) ||
	       (IS_ENABLED(CONFIG_FUNCTION_GRAPH_TRACER) &&
		addr == (unsigned long)return_to_handler);
}

/* return.c */
bool arch_kretprobe_refused(unsigned long func);

#endif /* _ASM_ARM64_KRETPROBE_H */
