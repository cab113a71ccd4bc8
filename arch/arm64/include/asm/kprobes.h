/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef _ASM_ARM64_KPROBES_H
#define _ASM_ARM64_KPROBES_H
/*
 * What kernel probes and the arm64 exception code want to know of each other.
 * What the core of kernel probes asks of arm64 is in <linux/kprobe-arch.h>.
 */
#include <asm-generic/kprobes.h>
#include <linux/kprobe-arch.h>

#ifdef CONFIG_KPROBES
#include <linux/types.h>
#include <asm/insn.h>
#include <asm/probes.h>		/* kprobe_opcode_t */
#include <asm/ptrace.h>

/* A BRK enters as a debug exception, which adds nothing to the preempt count */
#define ARCH_KPROBE_TRAP_COUNT	0

/* How much of the text a trap replaces */
#define ARCH_KPROBE_TRAP_SIZE	AARCH64_INSN_SIZE

/* A slot holds resume code twice: what branches back, and what ends in a trap */
#define ARCH_KPROBE_SLOT_SIZE	64
#define ARCH_KPROBE_SLOT_TRAP	32

/**
 * arch_kprobe_trap_divert() - a handler has said where to go on
 * @regs: of the trap
 *
 * A call through a pointer notes in PSTATE that a landing pad has to follow. A trap
 * on that pad finds the note, and where the handler goes, to the caller above all,
 * need not be a pad.
 */
static __always_inline void arch_kprobe_trap_divert(struct pt_regs *regs)
{
	regs->pstate &= ~(u64)PSR_BTYPE_MASK;
}

/**
 * kprobe_fault_handler() - is an exception of the kernel a probe's doing
 * @regs: where it happened
 * @trapnr: its syndrome
 *
 * Return: 0, no. No instruction is executed on behalf of a probe.
 */
static __always_inline int kprobe_fault_handler(struct pt_regs *regs, int trapnr)
{
	return 0;
}
#endif /* CONFIG_KPROBES */

/* arch/arm64/kernel/probes/trap.c */
enum kprobe_verdict kprobe_brk_judge(struct kprobe_trap_hit *hit, struct pt_regs *regs,
				     unsigned long esr);

#endif /* _ASM_ARM64_KPROBES_H */
