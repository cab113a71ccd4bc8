/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef _ASM_X86_KPROBES_H
#define _ASM_X86_KPROBES_H
/*
 * What kernel probes and the x86 exception code want to know of each other.
 * What the core of kernel probes asks of x86 is in <linux/kprobe-arch.h>.
 */
#include <asm-generic/kprobes.h>

#ifdef CONFIG_KPROBES
#include <linux/ftrace_regs.h>
#include <linux/types.h>
#include <asm/ptrace.h>
#include <asm/text-patching.h>

typedef u8 kprobe_opcode_t;

/* What irqentry_nmi_enter() adds to the preempt count of what a trap interrupts */
#define ARCH_KPROBE_TRAP_COUNT	((int)(NMI_OFFSET + HARDIRQ_OFFSET))

/* How much of the text a trap replaces, and where it leaves the ip */
#define ARCH_KPROBE_TRAP_SIZE	INT3_INSN_SIZE

/* A slot holds resume code twice: what branches back, and what ends in a trap */
#define ARCH_KPROBE_SLOT_SIZE	64
#define ARCH_KPROBE_SLOT_TRAP	32

/* arch/x86/kernel/kprobes/trap.c */
bool kprobe_int3(struct pt_regs *regs);

/**
 * arch_kprobe_trap_divert() - a handler has said where to go on
 * @regs: of the trap
 *
 * Nothing but the instruction pointer says so.
 */
static __always_inline void arch_kprobe_trap_divert(struct pt_regs *regs)
{
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

/**
 * arch_kprobe_call_regs() - the registers at an ftrace site
 * @fregs: as ftrace saved them, asked to save all
 *
 * Return: the registers, in place.
 */
static __always_inline struct pt_regs *arch_kprobe_call_regs(struct ftrace_regs *fregs)
{
	return &arch_ftrace_regs(fregs)->regs;
}

/**
 * struct arch_kprobe_call - what arch_kprobe_call_enter() replaced
 * @ip: behind the call of the ftrace site
 * @orig_ax: where ftrace goes next, see arch_ftrace_set_direct_caller()
 */
struct arch_kprobe_call {
	unsigned long	ip;
	unsigned long	orig_ax;
};

/**
 * arch_kprobe_call_enter() - make ftrace's registers look like an int3's
 * @regs: as the ftrace site saved them
 * @addr: of the site
 *
 * An int3 leaves the instruction pointer one byte behind its address.
 *
 * Return: for arch_kprobe_call_leave().
 */
static __always_inline struct arch_kprobe_call
arch_kprobe_call_enter(struct pt_regs *regs, unsigned long addr)
{
	struct arch_kprobe_call saved = { .ip = regs->ip, .orig_ax = regs->orig_ax };

	regs->ip = addr + INT3_INSN_SIZE;
	regs->orig_ax = -1;
	return saved;
}

/**
 * arch_kprobe_call_resume() - let the function go on behind its ftrace site
 * @regs: as arch_kprobe_call_enter() made them
 * @saved: what it returned
 */
static __always_inline void
arch_kprobe_call_resume(struct pt_regs *regs, struct arch_kprobe_call saved)
{
	regs->ip = saved.ip;
}

/**
 * arch_kprobe_call_leave() - make the registers ftrace's again
 * @regs: as arch_kprobe_call_enter() made them and the handlers left them
 * @saved: what it returned
 *
 * The instruction pointer stays as it is.
 */
static __always_inline void
arch_kprobe_call_leave(struct pt_regs *regs, struct arch_kprobe_call saved)
{
	regs->orig_ax = saved.orig_ax;
}

#else /* !CONFIG_KPROBES */

struct pt_regs;

static __always_inline bool kprobe_int3(struct pt_regs *regs)
{
	return false;
}

#endif /* CONFIG_KPROBES */
#endif /* _ASM_X86_KPROBES_H */
