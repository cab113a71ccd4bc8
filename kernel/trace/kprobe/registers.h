/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef _TRACE_KPROBE_REGISTERS_H
#define _TRACE_KPROBE_REGISTERS_H
/*
 * What the registers of a hit tell, beside their values: what is part of the stack,
 * and whether interrupts were on.
 *
 * Where TRAPS_COUNT_NOTHING only they tell that: a trap masks interrupts, but
 * leaves no trace in the preempt count.
 */
#include <linux/ptrace.h>
#include <linux/types.h>

#if defined(CONFIG_X86_64)

#define TRAPS_COUNT_NOTHING	false

static __always_inline unsigned long registers_irq_flags(const struct pt_regs *regs)
{
	return regs->flags;
}

#elif defined(CONFIG_ARM64)
#include <asm/stacktrace.h>

#define TRAPS_COUNT_NOTHING	true

static __always_inline unsigned long registers_irq_flags(const struct pt_regs *regs)
{
	return system_uses_irq_prio_masking() ? regs->pmr_save : regs->pstate;
}

/* The function of this name in arch/arm64 is its own; on x86 it is in a header */
static __always_inline bool regs_within_kernel_stack(struct pt_regs *regs, unsigned long addr)
{
	return !((addr ^ kernel_stack_pointer(regs)) & ~(THREAD_SIZE - 1)) ||
	       on_irq_stack(addr, sizeof(unsigned long));
}

#endif

#endif /* _TRACE_KPROBE_REGISTERS_H */
