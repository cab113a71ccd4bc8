/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef _ASM_ARM64_KPROBES_H
#define _ASM_ARM64_KPROBES_H
/*
 * The interface between kernel probes and the arm64 exception code.
 *
 * <linux/kprobe-arch.h> is the interface between the core of kernel probes and
 * arm64. Its arm64 half is <asm/kprobe-arch.h>.
 */
#include <asm-generic/kprobes.h>

struct pt_regs;

#ifdef CONFIG_KPROBES
#include <linux/types.h>
#include <asm/probes.h>		/* kprobe_opcode_t */

/* arch/arm64/kernel/probes/trap.c */
bool kprobe_brk(struct pt_regs *regs, unsigned long esr);

/**
 * kprobe_fault_handler() - does a probe handle this exception
 * @regs: registers of the exception
 * @trapnr: its syndrome
 *
 * Return: 0. A probed instruction that faults is handled like any other.
 */
static __always_inline int kprobe_fault_handler(struct pt_regs *regs, int trapnr)
{
	return 0;
}

#else /* !CONFIG_KPROBES */

static __always_inline bool kprobe_brk(struct pt_regs *regs, unsigned long esr)
{
	return false;
}

#endif /* CONFIG_KPROBES */
#endif /* _ASM_ARM64_KPROBES_H */
