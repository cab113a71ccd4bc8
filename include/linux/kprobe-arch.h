/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef _LINUX_KPROBE_ARCH_H
#define _LINUX_KPROBE_ARCH_H
/*
 * What the core of kernel probes asks of an architecture that selects
 * ARCH_HAS_KPROBE_POINTS. The core knows no instruction, the architecture knows
 * no client: addresses and registers pass between them, nothing else.
 *
 * <asm/kprobes.h> has the type kprobe_opcode_t, what the exception code of the
 * architecture calls, and as inline functions
 *
 *	struct pt_regs *arch_kprobe_call_regs(struct ftrace_regs *fregs)
 *	struct arch_kprobe_call arch_kprobe_call_enter(struct pt_regs *regs,
 *						       unsigned long addr)
 *	void arch_kprobe_call_resume(struct pt_regs *regs, struct arch_kprobe_call saved)
 *	void arch_kprobe_call_leave(struct pt_regs *regs, struct arch_kprobe_call saved)
 *
 * The first gives the registers ftrace saved, all of which it was asked to save.
 * The second makes them look as if an exception had come by at @addr, the last
 * undoes that but for the instruction pointer. The third sets that to where the
 * function goes on; it is not called where a handler has set it. None of these
 * may call anything.
 */
#include <linux/types.h>

/**
 * arch_kprobe_adjust() - where the probe of an address really goes
 * @addr: what a client asks for
 * @offset: bytes from the beginning of its function
 * @on_entry: set to whether this is where the function begins
 *
 * A function may begin with a landing pad, which is part of its entry but where
 * no probe can be; all of the entry is one point then.
 *
 * Return: the address to probe.
 */
unsigned long arch_kprobe_adjust(unsigned long addr, unsigned long offset, bool *on_entry);

/**
 * arch_kprobe_check_boundary() - does an instruction begin at an address
 * @addr: an address of kernel or module text
 *
 * Context: process context; the text stays while this looks at it.
 * Return: 0, -EILSEQ where none begins, -ENOENT if no symbol says where to
 * decode from.
 */
int arch_kprobe_check_boundary(unsigned long addr);

/**
 * arch_kprobe_blacklist() - add what the architecture knows must not be probed
 *
 * Calls kprobe_add_area_blacklist() and kprobe_add_ksym_blacklist().
 *
 * Context: once, in an early initcall.
 * Return: 0, or a negative error, on which nothing can be probed at all.
 */
int arch_kprobe_blacklist(void);

#endif /* _LINUX_KPROBE_ARCH_H */
