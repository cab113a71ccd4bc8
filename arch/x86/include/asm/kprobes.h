/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef _ASM_X86_KPROBES_H
#define _ASM_X86_KPROBES_H
/*
 * What kernel probes and the x86 exception code want to know of each other.
 * What the core of kernel probes asks of x86 is in <linux/kprobe-arch.h>.
 */
#include <asm-generic/kprobes.h>

#ifdef CONFIG_KPROBES
#include <linux/types.h>
#include <asm/ptrace.h>
#include <asm/text-patching.h>

typedef u8 kprobe_opcode_t;

/**
 * kprobe_int3_handler() - is an int3 of the kernel a probe
 * @regs: where it happened
 *
 * Return: 0, no. Every probe is a call from an ftrace site.
 */
static __always_inline int kprobe_int3_handler(struct pt_regs *regs)
{
	return 0;
}

/**
 * kprobe_fault_handler() - is an exception of the kernel a probe's doing
 * @regs: where it happened
 * @trapnr: its vector
 *
 * Return: 0, no. No instruction is executed on behalf of a probe.
 */
static __always_inline int kprobe_fault_handler(struct pt_regs *regs, int trapnr)
{
	return 0;
}

#endif /* CONFIG_KPROBES */
#endif /* _ASM_X86_KPROBES_H */
