// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The trap on x86: an int3 in place of the first byte of the instruction.
 *
 * exc_int3() calls kprobe_int3() before it does anything else, but for poke_int3_handler(),
 * which is noinstr. kprobe_int3() and its callees up to the judgement are noinstr, and a hit
 * nested in another one goes no further. So no probe can be on the way to the judgement, in
 * any configuration. A test walks the call graph of the built kernel.
 *
 * kprobe_trap() (kernel/kprobes/trap_entry.c) is the way in and out: around the handlers it
 * calls arch_kprobe_trap_enter() and arch_kprobe_trap_exit() of <asm/kprobe-arch.h>.
 *
 * int3 goes through an interrupt gate: interrupts are off from the trap to the iret.
 * The iret goes to the slot with the interrupt flag of the probed code.
 *
 * The bytes of a slot are written before its trap. A CPU that branches there has taken
 * an exception since, and its iret serialises.
 */
#include <linux/compiler.h>
#include <linux/kprobe-arch.h>
#include <linux/kprobes.h>
#include <linux/preempt.h>
#include <linux/ptrace.h>
#include <asm/text-patching.h>

/*
 * If no probe owns the trap, it may have been removed after it was executed. Then the
 * instruction that is there now has to be executed. An int3 has two encodings; of the
 * longer one this looks at the last byte.
 */
static __always_inline bool int3_is_gone(struct pt_regs *regs)
{
	const u8 *end = (const u8 *)regs->ip;

	if (READ_ONCE(end[-1]) == INT3_INSN_OPCODE || (end[-1] == 3 && end[-2] == 0xcd))
		return false;
	regs->ip -= INT3_INSN_SIZE;
	return true;
}

/**
 * kprobe_int3() - handle an int3 if it is a probe's
 * @regs: registers of the exception
 *
 * Context: the entry of the exception, before any code that may be probed.
 * Return: true if it is dealt with, false if it has another owner.
 */
noinstr bool kprobe_int3(struct pt_regs *regs)
{
	if (user_mode(regs))
		return false;
	return kprobe_trap(regs, regs->ip - INT3_INSN_SIZE) || int3_is_gone(regs);
}

/* In any context of this CPU: an interrupt may have come in a handler */
static bool hit_is_under_way(unsigned long addr)
{
	const struct kprobe *p;
	int i;

	for (i = 0; i < KPROBE_CONTEXTS; i++) {
		p = __this_cpu_read(current_kprobe[i]);
		if (p && (unsigned long)p->addr == addr)
			return true;
	}
	return false;
}

/**
 * kprobe_unwind_ip() - the instruction that the stack of some registers belongs to
 * @ip: their instruction pointer
 *
 * A handler's registers hold the address behind an int3, whatever the method, and the stack of
 * the probed instruction. If that has one byte, the next one begins at this address. After a
 * push it has another stack, which is the one that a post-handler sees. In a slot the stack is
 * that of the origin.
 *
 * Context: any.
 * Return: the address of that instruction.
 */
unsigned long kprobe_unwind_ip(unsigned long ip)
{
	guard(preempt_notrace)();
	if (ip != __this_cpu_read(kprobe_executed) && hit_is_under_way(ip - INT3_INSN_SIZE))
		return ip - INT3_INSN_SIZE;
	return kprobe_slot_origin(ip);
}
