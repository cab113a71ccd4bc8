/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef _ASM_ARM64_KPROBE_ARCH_H
#define _ASM_ARM64_KPROBE_ARCH_H
/*
 * The arm64 half of <linux/kprobe-arch.h>: constants, types and inline functions.
 */
#include <linux/bitops.h>
#include <linux/bits.h>
#include <linux/compiler.h>
#include <linux/limits.h>
#include <linux/minmax.h>
#include <linux/ptrace.h>
#include <linux/sizes.h>
#include <linux/stddef.h>
#include <linux/types.h>
#include <asm/brk-imm.h>
#include <asm/byteorder.h>
#include <asm/compiler.h>
#include <asm/cpufeature.h>
#include <asm/exception.h>
#include <asm/insn.h>
#include <asm/local.h>
#include <asm/percpu.h>
#include <asm/probe_insn.h>
#include <asm/stacktrace.h>
#include <asm/sysreg.h>

/* Bytes of the longest instruction */
#define ARCH_KPROBE_TEXT_SIZE	AARCH64_INSN_SIZE

/* Each instruction's address is a multiple of it */
#define ARCH_KPROBE_ALIGNMENT	AARCH64_INSN_SIZE

/* brk #BUG_BRK_IMM: Arm ARM, C6.2, BRK. Text is little endian */
#define ARCH_KPROBE_BUG_TEXT	\
	{ (BUG_BRK_IMM << 5) & 0xff, (BUG_BRK_IMM >> 3) & 0xff, 0x20 | BUG_BRK_IMM >> 11, 0xd4 }

/* Bytes of text that a trap replaces */
#define ARCH_KPROBE_TRAP_SIZE	AARCH64_INSN_SIZE

/* Bytes from a trap to the address that it saves */
#define ARCH_KPROBE_TRAP_AHEAD	0

/* Bytes of text that a jump replaces */
#define ARCH_KPROBE_JUMP_SIZE	AARCH64_INSN_SIZE

/* Entries of the map of a detour */
#define ARCH_KPROBE_JUMP_MAP	1

/* Offset of the branch that ends a detour, see arch/arm64/kernel/probes/detour.h */
#define ARM64_DETOUR_END	20

/* A BRK enters as a debug exception, which leaves the preempt count alone */
#define ARCH_KPROBE_TRAP_COUNT	0

/* An insn in a slot out of branch range costs a second trap a hit */
#define ARCH_KPROBE_FORMS_DIFFER	true

/* Code can sign the addresses that it returns to */
#define ARCH_KPROBE_SIGNS_CODE	IS_ENABLED(CONFIG_ARM64_PTR_AUTH_KERNEL)

/* State from arch_kprobe_trap_enter() to its exit: none, regs keep it */
struct arch_kprobe_trap {
};

/**
 * arch_kprobe_trap_enter() - enter the context in which handlers may run
 * @regs: registers of the trap
 *
 * Return: the state for arch_kprobe_trap_exit().
 */
static __always_inline struct arch_kprobe_trap arch_kprobe_trap_enter(struct pt_regs *regs)
{
	arm64_enter_el1_dbg(regs);
	return (struct arch_kprobe_trap){ };
}

/**
 * arch_kprobe_trap_exit() - undo arch_kprobe_trap_enter()
 * @regs: registers of the trap
 * @trap: the state
 */
static __always_inline void arch_kprobe_trap_exit(struct pt_regs *regs,
						  struct arch_kprobe_trap trap)
{
	arm64_exit_el1_dbg(regs);
}

/**
 * arch_kprobe_trap_divert() - a handler has set the instruction pointer
 * @regs: registers of the trap
 *
 * A call through a pointer sets BTYPE in PSTATE: a landing pad has to follow. A
 * trap on that pad saves BTYPE. The handler's destination, for instance the
 * caller, need not be a landing pad.
 */
static __always_inline void arch_kprobe_trap_divert(struct pt_regs *regs)
{
	regs->pstate &= ~(u64)PSR_BTYPE_MASK;
}

/**
 * arch_kprobe_may_resched() - may a task be preempted after a hit that took no exception
 *
 * While interrupts are masked by priority, irqs_disabled() says nothing of DAIF, which code
 * masks that must not be preempted. Before all capabilities of the processor are known,
 * another task must not find PSTATE as this one has it. The entry code asks the same.
 *
 * Return: true if so, as far as the state of the processor goes.
 */
static __always_inline bool arch_kprobe_may_resched(void)
{
	return system_capabilities_finalized() &&
	       !(system_uses_irq_prio_masking() && read_sysreg(daif));
}

/* Calling convention: the registers of the first arguments */
static const unsigned int arch_kprobe_arguments[] __maybe_unused = {
	offsetof(struct pt_regs, regs[0]),
	offsetof(struct pt_regs, regs[1]),
	offsetof(struct pt_regs, regs[2]),
	offsetof(struct pt_regs, regs[3]),
	offsetof(struct pt_regs, regs[4]),
	offsetof(struct pt_regs, regs[5]),
	offsetof(struct pt_regs, regs[6]),
	offsetof(struct pt_regs, regs[7]),
};

#define ARCH_KPROBE_ARGUMENT_STACK		0
#define ARCH_KPROBE_ARGUMENT_IN_ORDER		true
#define ARCH_KPROBE_ARGUMENT_BY_REFERENCE	16
#define ARCH_KPROBE_RETVAL_BY_REFERENCE		U32_MAX	/* in x8, not an argument's */
#define ARCH_KPROBE_RETVAL			offsetof(struct pt_regs, regs[0])

/**
 * arch_kprobe_irq_flags() - the interrupt state of the probed code
 * @regs: registers of a hit
 *
 * Return: a value for irqs_disabled_flags().
 */
static __always_inline unsigned long arch_kprobe_irq_flags(const struct pt_regs *regs)
{
	return system_uses_irq_prio_masking() ? regs->pmr_save : regs->pstate;
}

/**
 * arch_kprobe_preempt_is() - has the probed code a preempt count, and nothing to resched?
 * @count: kprobe_preempt_count() to compare with
 *
 * One word has the preempt count, and the negated flag that a reschedule is due. The trap of
 * a probe does not add to the count.
 *
 * Return: true if both are so.
 */
static __always_inline bool arch_kprobe_preempt_is(unsigned int count)
{
	return READ_ONCE(current_thread_info()->preempt_count) == (count | BIT(32));
}

/**
 * arch_kprobe_slot_reaches() - do branches of slots reach an address, and branches there them?
 * @slots: address of the first
 * @size: bytes of all
 * @near: the address
 *
 * Return: true if so, wherever in the slots and the instruction the branches are.
 */
static inline bool arch_kprobe_slot_reaches(unsigned long slots, size_t size, unsigned long near)
{
	return max(slots + size, near) - min(slots, near) <= SZ_128M - SZ_4K;
}

/**
 * arch_kprobe_detour_ends_at() - does the branch at the end of a detour lead to an address?
 * @detour: the detour
 * @addr: where the code goes on after an emulated instruction
 *
 * That needs no return from an exception: ELR and SPSR stay as they are. Of PSTATE a handler can
 * then change NZCV, PAN and TCO only. DDI 0487, C6.2, B: a branch has 26 bits for the number of
 * instructions to its destination.
 *
 * Context: any; calls nothing.
 * Return: true if so.
 */
static __always_inline bool arch_kprobe_detour_ends_at(const void *detour, unsigned long addr)
{
	const __le32 *end = detour + ARM64_DETOUR_END;
	s32 num = sign_extend32(le32_to_cpu(*end), 25);

	return (unsigned long)(end + num) == addr;
}

/**
 * arch_kprobe_ftrace_is_shared() - has ftrace called several users for a hit?
 * @regs: registers of the hit
 *
 * Return: false: no hit comes by ftrace.
 */
static __always_inline bool arch_kprobe_ftrace_is_shared(const struct pt_regs *regs)
{
	return false;
}

/**
 * arch_kprobe_on_stack() - is an address part of the stack of a hit
 * @regs: registers of the hit
 * @addr: the address
 *
 * regs_within_kernel_stack() of arm64 is not a function of any header.
 *
 * Return: true if it is on the same stack as the stack pointer.
 */
static __always_inline bool arch_kprobe_on_stack(struct pt_regs *regs, unsigned long addr)
{
	return !((addr ^ kernel_stack_pointer(regs)) & ~(THREAD_SIZE - 1)) ||
	       on_irq_stack(addr, sizeof(unsigned long));
}

/**
 * arch_kprobe_unsigned() - an address of code, without a signature
 * @addr: the address, which a function may have signed
 *
 * Return: the address to look up; @addr if that is no signed address of code.
 */
static inline unsigned long arch_kprobe_unsigned(unsigned long addr)
{
	unsigned long plain = ptrauth_strip_kernel_insn_pac(addr);

	return plain != addr && __kernel_text_address(plain) ? plain : addr;
}

/**
 * arch_kprobe_is_kernel() - is an address surely one of the kernel's?
 * @addr: the address of a word
 *
 * The address may have a tag. Bit 55 tells the kernel's half from that of user space.
 *
 * Return: true if it may be read like copy_from_kernel_nofault() does, without asking
 * copy_from_kernel_nofault_allowed().
 */
static __always_inline bool arch_kprobe_is_kernel(unsigned long addr)
{
	return addr & BIT(55);
}

/**
 * arch_kprobe_count() - add one to each of two counters of this CPU
 * @a: a counter
 * @b: another
 *
 * The offset of the CPU is read once.
 *
 * Context: any, NMI included; preemption off.
 */
static __always_inline void arch_kprobe_count(local_t __percpu *a, local_t __percpu *b)
{
	unsigned long offset = __my_cpu_offset;

	local_inc(SHIFT_PERCPU_PTR(a, offset));
	local_inc(SHIFT_PERCPU_PTR(b, offset));
}

#endif /* _ASM_ARM64_KPROBE_ARCH_H */
