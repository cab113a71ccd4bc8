// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The trap on arm64: a BRK in place of the instruction.
 *
 * el1_brk64() calls kprobe_brk() for a BRK of the kernel before it does anything else.
 * kprobe_brk() and its callees up to the judgement are noinstr, and a hit nested in
 * another one goes no further. So no probe can be on the way to the judgement, in any
 * configuration. A test walks the call graph of the built kernel.
 *
 * kprobe_trap() (kernel/kprobes/trap_entry.c) is the way in and out: around the handlers it
 * calls arch_kprobe_trap_enter() and arch_kprobe_trap_exit() of <asm/kprobe-arch.h>.
 *
 * All exceptions are masked from the trap to its return. The return goes to the slot
 * with the PSTATE of the probed code. BTYPE is part of PSTATE: a trap on a landing pad
 * keeps it, and the copy of the pad in the slot checks it.
 *
 * The bytes of a slot are written before its trap. A CPU that comes to the slot has
 * returned from an exception since, which synchronises its context: it does not execute
 * bytes that it fetched before. arch_kprobe_patch_unused() has cleaned and invalidated
 * the caches for all CPUs.
 */
#include <linux/compiler.h>
#include <linux/kprobe-arch.h>
#include <linux/kprobes.h>
#include <linux/ptrace.h>
#include <asm/brk-imm.h>
#include <asm/debug-monitors.h>
#include <asm/esr.h>

/*
 * If no probe owns the trap, it may have been removed after it was executed. Then the
 * instruction that is there now has to be executed.
 */
static __always_inline bool brk_is_gone(struct pt_regs *regs)
{
	u32 insn = le32_to_cpu(READ_ONCE(*(__le32 *)regs->pc));

	return insn != BRK64_OPCODE_KPROBES && insn != BRK64_OPCODE_KPROBES_SS;
}

/**
 * kprobe_brk() - handle a BRK if it is a probe's
 * @regs: registers of the exception
 * @esr: its syndrome
 *
 * Context: the entry of the exception, before any code that may be probed.
 * Return: true if it is dealt with, false if it has another owner.
 */
noinstr bool kprobe_brk(struct pt_regs *regs, unsigned long esr)
{
	unsigned long imm = esr & ESR_ELx_BRK64_ISS_COMMENT_MASK;

	if (imm != KPROBES_BRK_IMM && imm != KPROBES_BRK_SS_IMM)
		return false;
	return kprobe_trap(regs, regs->pc) || brk_is_gone(regs);
}
