/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef _ASM_X86_KPROBES_H
#define _ASM_X86_KPROBES_H
/*
 * The interface between kernel probes and the x86 exception code.
 *
 * <linux/kprobe-arch.h> is the interface between the core of kernel probes and
 * x86. Its x86 half is <asm/kprobe-arch.h>.
 */
#include <asm-generic/kprobes.h>

struct pt_regs;

#ifdef CONFIG_KPROBES
#include <linux/types.h>

typedef u8 kprobe_opcode_t;

/* arch/x86/kernel/kprobes/trap.c */
bool kprobe_int3(struct pt_regs *regs);
unsigned long kprobe_unwind_ip(unsigned long ip);

/**
 * kprobe_fault_handler() - does a probe handle this exception
 * @regs: registers of the exception
 * @trapnr: its vector
 *
 * Return: 0. A probed instruction that faults is handled like any other.
 */
static __always_inline int kprobe_fault_handler(struct pt_regs *regs, int trapnr)
{
	return 0;
}

#else /* !CONFIG_KPROBES */

static __always_inline bool kprobe_int3(struct pt_regs *regs)
{
	return false;
}

static inline unsigned long kprobe_unwind_ip(unsigned long ip)
{
	return ip;
}

#endif /* CONFIG_KPROBES */
#endif /* _ASM_X86_KPROBES_H */
