/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef _ASM_X86_KPROBE_ARCH_H
#define _ASM_X86_KPROBE_ARCH_H
/*
 * The x86_64 half of <linux/kprobe-arch.h>: constants, types and inline functions.
 */
#include <linux/compiler.h>
#include <linux/entry-common.h>
#include <linux/ftrace_regs.h>
#include <linux/kprobes.h>
#include <linux/limits.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/sched/task_stack.h>
#include <linux/stddef.h>
#include <linux/trace_recursion.h>
#include <linux/types.h>
#include <asm/cpufeature.h>
#include <asm/irqflags.h>
#include <asm/local.h>
#include <asm/percpu.h>
#include <asm/probe_insn.h>
#include <asm/sync_core.h>
#include <asm/text-patching.h>
#include <uapi/asm/vsyscall.h>

/* Bytes of the longest instruction */
#define ARCH_KPROBE_TEXT_SIZE	15

/* Each instruction's address is a multiple of it */
#define ARCH_KPROBE_ALIGNMENT	1

/* ud2 */
#define ARCH_KPROBE_BUG_TEXT	{ 0x0f, 0x0b }

/* Bytes of text that a trap replaces */
#define ARCH_KPROBE_TRAP_SIZE	INT3_INSN_SIZE

/* Bytes from a trap to the address that it saves */
#define ARCH_KPROBE_TRAP_AHEAD	INT3_INSN_SIZE

/* Bytes of text that a jump replaces */
#define ARCH_KPROBE_JUMP_SIZE	JMP32_INSN_SIZE

/* Entries of the map of a detour */
#define ARCH_KPROBE_JUMP_MAP	10

/* irqentry_nmi_enter() adds this to the preempt count of the interrupted context */
#define ARCH_KPROBE_TRAP_COUNT	((int)(NMI_OFFSET + HARDIRQ_OFFSET))

/* Where canonical addresses of the kernel begin, with four levels of page tables */
#define ARCH_KPROBE_KERNEL_HALF	0xffff800000000000ul

/* Every insn costs one trap a hit */
#define ARCH_KPROBE_FORMS_DIFFER	false

/* Addresses of code are stored as they are */
#define ARCH_KPROBE_SIGNS_CODE	false

/**
 * struct arch_kprobe_trap - state from arch_kprobe_trap_enter() to its exit
 * @entry: state of the NMI-like entry
 */
struct arch_kprobe_trap {
	irqentry_state_t	entry;
};

/**
 * arch_kprobe_trap_enter() - enter the context in which handlers may run
 * @regs: registers of the trap
 *
 * Return: the state for arch_kprobe_trap_exit().
 */
static __always_inline struct arch_kprobe_trap arch_kprobe_trap_enter(struct pt_regs *regs)
{
	return (struct arch_kprobe_trap){ irqentry_nmi_enter(regs) };
}

/**
 * arch_kprobe_trap_exit() - undo arch_kprobe_trap_enter()
 * @regs: registers of the trap
 * @trap: the state
 */
static __always_inline void arch_kprobe_trap_exit(struct pt_regs *regs,
						  struct arch_kprobe_trap trap)
{
	irqentry_nmi_exit(regs, trap.entry);
}

/**
 * arch_kprobe_trap_divert() - a handler has set the instruction pointer
 * @regs: registers of the trap
 *
 * Nothing else has to change on x86.
 */
static __always_inline void arch_kprobe_trap_divert(struct pt_regs *regs)
{
}

/**
 * arch_kprobe_may_resched() - may a task be preempted after a hit that took no exception
 *
 * Return: true.
 */
static __always_inline bool arch_kprobe_may_resched(void)
{
	return true;
}

/**
 * arch_kprobe_ftrace_regs() - the registers at an ftrace site
 * @fregs: all registers, as ftrace saved them
 *
 * Return: the registers, in place.
 */
static __always_inline struct pt_regs *arch_kprobe_ftrace_regs(struct ftrace_regs *fregs)
{
	return &arch_ftrace_regs(fregs)->regs;
}

/**
 * struct arch_kprobe_ftrace - registers that arch_kprobe_ftrace_enter() replaced
 * @ip: address after the call of the ftrace site
 * @orig_ax: next destination of ftrace, see arch_ftrace_set_direct_caller()
 */
struct arch_kprobe_ftrace {
	unsigned long	ip;
	unsigned long	orig_ax;
};

/**
 * arch_kprobe_ftrace_enter() - make ftrace's registers look like an int3's
 * @regs: registers that ftrace saved
 * @addr: address of the ftrace site
 *
 * An int3 leaves the instruction pointer one byte after its address.
 *
 * Return: the saved registers for arch_kprobe_ftrace_leave().
 */
static __always_inline struct arch_kprobe_ftrace
arch_kprobe_ftrace_enter(struct pt_regs *regs, unsigned long addr)
{
	struct arch_kprobe_ftrace saved = { .ip = regs->ip, .orig_ax = regs->orig_ax };

	regs->ip = addr + INT3_INSN_SIZE;
	regs->orig_ax = -1;
	return saved;
}

/**
 * arch_kprobe_ftrace_resume() - let the function go on after its ftrace site
 * @regs: registers as arch_kprobe_ftrace_enter() made them
 * @saved: its return value
 */
static __always_inline void
arch_kprobe_ftrace_resume(struct pt_regs *regs, struct arch_kprobe_ftrace saved)
{
	regs->ip = saved.ip;
}

/**
 * arch_kprobe_ftrace_divert() - the function does not go on, but copies in a slot do
 *
 * ftrace leaves by RET. Intel SDM, volume 3, "Handling Self- and Cross-Modifying Code": a
 * serialising instruction has to come before code that another CPU has written. CPUs without
 * SERIALIZE take IRET, which unmasks NMIs. So does any exception in an NMI, and the entry code
 * is made for that; CPUs with FRED, which is not, have SERIALIZE.
 */
static __always_inline void arch_kprobe_ftrace_divert(void)
{
	sync_core();
}

/**
 * arch_kprobe_ftrace_leave() - make the registers ftrace's again
 * @regs: registers as the handlers left them
 * @saved: return value of arch_kprobe_ftrace_enter()
 *
 * The instruction pointer stays as it is.
 */
static __always_inline void
arch_kprobe_ftrace_leave(struct pt_regs *regs, struct arch_kprobe_ftrace saved)
{
	regs->orig_ax = saved.orig_ax;
}

/* Calling convention: the registers of the first arguments */
static const unsigned int arch_kprobe_arguments[] __maybe_unused = {
	offsetof(struct pt_regs, di),
	offsetof(struct pt_regs, si),
	offsetof(struct pt_regs, dx),
	offsetof(struct pt_regs, cx),
	offsetof(struct pt_regs, r8),
	offsetof(struct pt_regs, r9),
};

#define ARCH_KPROBE_ARGUMENT_STACK		1	/* word 0 is the return address */
#define ARCH_KPROBE_ARGUMENT_IN_ORDER		false
#define ARCH_KPROBE_ARGUMENT_BY_REFERENCE	U32_MAX
#define ARCH_KPROBE_RETVAL_BY_REFERENCE		16
#define ARCH_KPROBE_RETVAL			offsetof(struct pt_regs, ax)

/**
 * arch_kprobe_irq_flags() - the interrupt state of the probed code
 * @regs: registers of a hit
 *
 * A guest of Xen PV always has the interrupt flag set, and its state of interrupts
 * elsewhere. An exception saves that in @regs, pushf does not.
 *
 * Return: a value for irqs_disabled_flags().
 */
static __always_inline unsigned long arch_kprobe_irq_flags(const struct pt_regs *regs)
{
	if (cpu_feature_enabled(X86_FEATURE_XENPV) && !raw_cpu_read(kprobe_trap_count))
		return arch_local_save_flags();
	return regs->flags;
}

/**
 * arch_kprobe_preempt_is() - has the probed code a preempt count, and nothing to resched?
 * @count: kprobe_preempt_count() to compare with
 *
 * One word has the preempt count, and the negated flag that a reschedule is due.
 *
 * Return: true if both are so.
 */
static __always_inline bool arch_kprobe_preempt_is(unsigned int count)
{
	return raw_cpu_read_4(pcpu_hot.preempt_count) - raw_cpu_read(kprobe_trap_count) ==
	       (int)(count | PREEMPT_NEED_RESCHED);
}

/**
 * arch_kprobe_ftrace_is_shared() - has ftrace called several users for a hit?
 * @regs: registers of the hit
 *
 * Then ftrace has preemption off, too, and marks the task. The registers that its trampoline
 * saves are right above the address to which its call returns. KMSAN does not know that word.
 *
 * Return: true if so; false if another method has caught the hit.
 */
#ifdef CONFIG_KPROBES_ON_FTRACE
static __always_inline bool arch_kprobe_ftrace_is_shared(const struct pt_regs *regs)
{
	unsigned long call = (unsigned long)ftrace_regs_call;

	/* objtool warns of a reference to the address after the call, which is no landing pad */
	OPTIMIZER_HIDE_VAR(call);
	return ((const unsigned long *)regs)[-1] == call + CALL_INSN_SIZE &&
	       current->trace_recursion & (TRACE_CONTEXT_MASK & ~(BIT(TRACE_LIST_START) - 1));
}
#else
static __always_inline bool arch_kprobe_ftrace_is_shared(const struct pt_regs *regs)
{
	return false;
}
#endif

/**
 * arch_kprobe_slot_reaches() - do branches of slots reach an address, and branches there them?
 * @slots: address of the first
 * @size: bytes of all
 * @near: the address
 *
 * Return: true: all text lies within two gigabytes.
 */
static inline bool arch_kprobe_slot_reaches(unsigned long slots, size_t size, unsigned long near)
{
	return true;
}

/**
 * arch_kprobe_detour_ends_at() - does the branch at the end of a detour lead to an address?
 * @detour: the detour
 * @addr: where the code goes on after an emulated instruction
 *
 * Return: false: IRET overwrites no register that interrupted code may be about to read.
 */
static __always_inline bool arch_kprobe_detour_ends_at(const void *detour, unsigned long addr)
{
	return false;
}

bool arch_kprobe_on_own_stack(struct pt_regs *regs, unsigned long addr);

/**
 * arch_kprobe_on_stack() - is an address part of the stack of a hit
 * @regs: registers of the hit
 * @addr: the address of a word
 *
 * Most hits are on the stack of their task.
 *
 * Return: true if it is on the same stack as the stack pointer.
 */
static __always_inline bool arch_kprobe_on_stack(struct pt_regs *regs, unsigned long addr)
{
	unsigned long stack = (unsigned long)task_stack_page(current);

	if (likely(kernel_stack_pointer(regs) - stack < THREAD_SIZE &&
		   addr - stack <= THREAD_SIZE - sizeof(long)))
		return true;
	return arch_kprobe_on_own_stack(regs, addr);
}

/**
 * arch_kprobe_unsigned() - an address of code, without a signature
 * @addr: the address
 *
 * Return: the address: the architecture has no signatures.
 */
static inline unsigned long arch_kprobe_unsigned(unsigned long addr)
{
	return addr;
}

/**
 * arch_kprobe_is_kernel() - is an address surely one of the kernel's?
 * @addr: the address of a word
 *
 * Kernels with five levels of page tables have more of them below. The page of vsyscalls
 * must not be read.
 *
 * Return: true if it may be read like copy_from_kernel_nofault() does, without asking
 * copy_from_kernel_nofault_allowed().
 */
static __always_inline bool arch_kprobe_is_kernel(unsigned long addr)
{
	return addr - ARCH_KPROBE_KERNEL_HALF < VSYSCALL_ADDR - ARCH_KPROBE_KERNEL_HALF;
}

/**
 * arch_kprobe_count() - add one to each of two counters of this CPU
 * @a: a counter
 * @b: another
 *
 * Context: any, NMI included; preemption off.
 */
static __always_inline void arch_kprobe_count(local_t __percpu *a, local_t __percpu *b)
{
	this_cpu_inc(a->a.counter);
	this_cpu_inc(b->a.counter);
}

#endif /* _ASM_X86_KPROBE_ARCH_H */
