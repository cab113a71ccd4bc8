/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef _ASM_X86_KRETPROBE_H
#define _ASM_X86_KRETPROBE_H
/*
 * What kernel/kprobes/retprobe.c asks of an architecture. A call under way is
 * told from the others by its frame; on x86 that is the address of the word on
 * the stack that holds the return address.
 */
#include <linux/ftrace.h>
#include <linux/kprobes.h>
#include <linux/rethook.h>

/**
 * arch_kretprobe_prepare() - note where a function was called from
 * @ri: gets the frame and the address that stands in it
 * @regs: registers at the function's entry: nothing has been pushed yet
 */
static __always_inline void arch_kretprobe_prepare(struct kretprobe_instance *ri,
						   struct pt_regs *regs)
{
	ri->frame = (unsigned long *)regs->sp;
	ri->ret_addr = *ri->frame;
}

/**
 * arch_kretprobe_hijack() - have a function return to the trampoline
 * @ri: prepared, and in the list of the task
 * @regs: registers at the function's entry
 */
static __always_inline void arch_kretprobe_hijack(struct kretprobe_instance *ri,
						  struct pt_regs *regs)
{
	WRITE_ONCE(*ri->frame, (unsigned long)__kretprobe_trampoline);
}

/**
 * arch_kretprobe_returned() - complete the registers the trampoline saved
 * @regs: the registers; the word above them was the return address
 *
 * Return: the frame that a function has just returned from.
 */
static __always_inline unsigned long *arch_kretprobe_returned(struct pt_regs *regs)
{
	unsigned long *frame = (unsigned long *)(regs + 1);

	regs->sp = (unsigned long)(frame + 1);
	return frame;
}

/**
 * arch_kretprobe_restore() - let the trampoline go on to where it should
 * @regs: the registers the trampoline saved
 * @frame: what arch_kretprobe_returned() told
 * @ret_addr: where to go on
 */
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

/**
 * arch_kretprobe_hijacked() - is a return address none, but a trampoline's
 * @addr: what was found where a return address belongs
 *
 * Return: true if so.
 */
static __always_inline bool arch_kretprobe_hijacked(unsigned long addr)
{
	return is_kretprobe_trampoline(addr) ||
	       (IS_ENABLED(CONFIG_RETHOOK) && is_rethook_trampoline(addr)) ||
	       is_graph_trampoline(addr);
}

/* return.c */
bool arch_kretprobe_refused(unsigned long func);

#endif /* _ASM_X86_KRETPROBE_H */
