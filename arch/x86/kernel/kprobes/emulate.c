// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Emulation: the effect of one instruction on registers and stack, in C.
 *
 * The emulation is a pure function of description, address and registers, apart
 * from the memory that the instruction itself reads and writes. It is noinstr and
 * calls no function, so that a nested hit can be resumed before the trap's NMI
 * entry.
 *
 * Limit: an emulated instruction pushes at most one word. The trap's frame lies on
 * the stack of the interrupted code, six words below its stack pointer (create_gap
 * of the int3 entry); an emulated push must fit in this gap.
 *
 * An instruction that would fault is not emulated: the result is -EFAULT, and
 * nothing has changed. Its copy in a slot (probe_insn_copy_to() accepts those
 * kinds) then raises the fault with the right vector and registers. This includes
 * non-canonical targets, such as poisoned function pointers: with these, the iret
 * of the trap would fault, and its fault handler would treat this as a fault of
 * user mode.
 *
 * Memory operands: base, index, scale, displacement, RIP-relative, both address
 * sizes, flat segments. classify.c refuses branches through %fs or %gs.
 */
#include <linux/compiler.h>
#include <linux/errno.h>
#include <linux/limits.h>
#include <linux/stddef.h>
#include <linux/uaccess.h>
#include <linux/unaligned.h>

#include <asm/page.h>
#include <asm/pgtable_types.h>
#include <asm/processor-flags.h>
#include <asm/ptrace.h>
#include <asm/vsyscall.h>

#include "insn.h"

/* popf at privilege level 0 changes all flags but VM, VIF, VIP; it clears RF. */
#define POPF_FLAGS	(X86_EFLAGS_CF | X86_EFLAGS_PF | X86_EFLAGS_AF | \
			 X86_EFLAGS_ZF | X86_EFLAGS_SF | X86_EFLAGS_TF | \
			 X86_EFLAGS_IF | X86_EFLAGS_DF | X86_EFLAGS_OF | \
			 X86_EFLAGS_IOPL | X86_EFLAGS_NT | X86_EFLAGS_AC | \
			 X86_EFLAGS_ID)

#define AT(member)	offsetof(struct pt_regs, member)

/* Indexed by the register number of the instruction encoding. */
static const u8 register_at[16] = {
	AT(ax), AT(cx), AT(dx), AT(bx), AT(sp), AT(bp), AT(si), AT(di),
	AT(r8), AT(r9), AT(r10), AT(r11), AT(r12), AT(r13), AT(r14), AT(r15),
};

static __always_inline unsigned long get_reg(const struct pt_regs *regs, u8 nr)
{
	return *(const unsigned long *)((const char *)regs + register_at[nr & 15]);
}

static __always_inline void push_word(struct pt_regs *regs, unsigned long word)
{
	regs->sp -= sizeof(word);
	put_unaligned(word, (unsigned long *)regs->sp);
}

/* Conditions come in pairs; the odd one negates the even one. */
static __always_inline bool condition_holds(u8 cond, unsigned long flags)
{
	bool overflow = flags & X86_EFLAGS_OF, carry = flags & X86_EFLAGS_CF;
	bool zero = flags & X86_EFLAGS_ZF, sign = flags & X86_EFLAGS_SF;
	bool parity = flags & X86_EFLAGS_PF, holds;

	switch (cond >> 1) {
	case 0:
		holds = overflow;
		break;
	case 1:
		holds = carry;
		break;
	case 2:
		holds = zero;
		break;
	case 3:
		holds = carry || zero;
		break;
	case 4:
		holds = sign;
		break;
	case 5:
		holds = parity;
		break;
	case 6:
		holds = sign != overflow;
		break;
	default:
		holds = zero || sign != overflow;
		break;
	}
	return holds != (cond & 1);
}

/* With an address size prefix the count is the low half of rcx. */
static __always_inline unsigned long get_count(const struct probe_insn *pi,
					       const struct pt_regs *regs)
{
	return pi->addr_size == 4 ? (u32)regs->cx : regs->cx;
}

/*
 * Decrement, then test. A write of the low half clears the upper half, like every
 * write of a 32-bit register.
 */
static __always_inline bool loop_again(const struct probe_insn *pi,
				       struct pt_regs *regs)
{
	bool zero = regs->flags & X86_EFLAGS_ZF;

	regs->cx = get_count(pi, regs) - 1;
	regs->cx = get_count(pi, regs);
	if (!regs->cx)
		return false;
	if (pi->kind == PROBE_INSN_LOOP)
		return true;
	return zero == (pi->kind == PROBE_INSN_LOOPE);
}

static __always_inline bool branch_is_taken(const struct probe_insn *pi,
					    struct pt_regs *regs)
{
	switch (pi->kind) {
	case PROBE_INSN_JCC:
		return condition_holds(pi->cond, regs->flags);
	case PROBE_INSN_JCXZ:
		return !get_count(pi, regs);
	case PROBE_INSN_LOOP:
	case PROBE_INSN_LOOPE:
	case PROBE_INSN_LOOPNE:
		return loop_again(pi, regs);
	default:
		return true;
	}
}

static __always_inline unsigned long operand_address(const struct probe_insn *pi,
						     unsigned long next,
						     const struct pt_regs *regs)
{
	unsigned long address = pi->disp;

	if (pi->base == PROBE_REG_IP)
		address += next;
	else if (pi->base != PROBE_REG_NONE)
		address += get_reg(regs, pi->base);
	if (pi->index != PROBE_REG_NONE)
		address += get_reg(regs, pi->index) << pi->scale;
	return pi->addr_size == 4 ? (u32)address : address;
}

/*
 * The width is that of the page tables. boot_cpu_data holds the width that the
 * processor supports, which may be larger.
 */
static __always_inline bool is_canonical(unsigned long address)
{
	return __is_canonical_address(address, __VIRTUAL_MASK_SHIFT + 1);
}

/*
 * Only such an address may be read with fault handling. A fault at a non-canonical
 * address makes the kernel warn; a fault at a user address is an oops under SMAP.
 */
static __always_inline bool is_kernel_address(unsigned long address)
{
	return is_canonical(address) && address >= TASK_SIZE_MAX + PAGE_SIZE &&
	       (address & PAGE_MASK) != VSYSCALL_ADDR;
}

static __always_inline int read_word(unsigned long address, unsigned long *word)
{
	if (!is_kernel_address(address))
		return -EFAULT;
	__get_kernel_nofault(word, address, unsigned long, fault);
	return 0;
fault:
	return -EFAULT;
}

/* The operand is read before the push, so that an rsp in it is the old one. */
static __always_inline int indirect_branch(const struct probe_insn *pi,
					   unsigned long next,
					   struct pt_regs *regs)
{
	bool call = pi->kind == PROBE_INSN_CALL_REG ||
		    pi->kind == PROBE_INSN_CALL_MEM;
	unsigned long target;

	if (pi->kind == PROBE_INSN_CALL_REG || pi->kind == PROBE_INSN_JMP_REG)
		target = get_reg(regs, pi->base);
	else if (read_word(operand_address(pi, next, regs), &target))
		return -EFAULT;
	if (!is_canonical(target))
		return -EFAULT;
	if (call)
		push_word(regs, next);
	regs->ip = target;
	return 0;
}

static __always_inline int near_return(const struct probe_insn *pi,
				       struct pt_regs *regs)
{
	unsigned long target = get_unaligned((unsigned long *)regs->sp);

	if (!is_canonical(target))
		return -EFAULT;
	regs->sp += sizeof(target) + pi->disp;
	regs->ip = target;
	return 0;
}

static __always_inline void push_flags(const struct probe_insn *pi,
				       struct pt_regs *regs)
{
	unsigned long flags = regs->flags & ~(X86_EFLAGS_RF | X86_EFLAGS_VM);

	if (pi->size == 8) {
		push_word(regs, flags);
		return;
	}
	regs->sp -= sizeof(u16);
	put_unaligned((u16)flags, (u16 *)regs->sp);
}

static __always_inline void pop_flags(const struct probe_insn *pi,
				      struct pt_regs *regs)
{
	unsigned long changed = POPF_FLAGS, flags;

	if (pi->size == 8) {
		flags = get_unaligned((unsigned long *)regs->sp);
	} else {
		flags = get_unaligned((u16 *)regs->sp);
		changed &= U16_MAX;
	}
	regs->sp += pi->size;
	regs->flags &= ~(changed | X86_EFLAGS_RF);
	regs->flags |= flags & changed;
}

/* Emulate an instruction that continues with the next one. */
static __always_inline void emulate_in_line(const struct probe_insn *pi,
					    struct pt_regs *regs)
{
	switch (pi->kind) {
	case PROBE_INSN_PUSHF:
		push_flags(pi, regs);
		break;
	case PROBE_INSN_POPF:
		pop_flags(pi, regs);
		break;
	case PROBE_INSN_CLI:
		regs->flags &= ~X86_EFLAGS_IF;
		break;
	case PROBE_INSN_STI:
		regs->flags |= X86_EFLAGS_IF;
		break;
	case PROBE_INSN_PUSH_SP:
		push_word(regs, regs->sp);
		break;
	case PROBE_INSN_POP_SP:
		regs->sp = get_unaligned((unsigned long *)regs->sp);
		break;
	}
}

/**
 * probe_insn_emulate() - emulate one instruction
 * @pi: its description, of an emulated kind
 * @addr: address of the instruction; a call's return address follows from it
 * @regs: registers before the instruction; @regs->ip is only written
 *
 * -EFAULT means that an indirect branch or a return would fault, because its
 * operand cannot be read or its target is not canonical. Operands at user
 * addresses are never read; they also give -EFAULT.
 *
 * Context: any, also before irqentry_nmi_enter(); takes no lock.
 * Return: 0, and @regs (ip included) and memory are as after the instruction;
 * -EFAULT or, if @pi is not of an emulated kind, -EINVAL, and both are unchanged.
 */
noinstr int probe_insn_emulate(const struct probe_insn *pi, unsigned long addr,
			       struct pt_regs *regs)
{
	unsigned long next = addr + pi->length;

	switch (pi->kind) {
	case PROBE_INSN_CALL:
		push_word(regs, next);
		fallthrough;
	case PROBE_INSN_JMP:
	case PROBE_INSN_JCC ... PROBE_INSN_JCXZ:
		regs->ip = branch_is_taken(pi, regs) ? next + pi->disp : next;
		return 0;
	case PROBE_INSN_CALL_REG:
	case PROBE_INSN_CALL_MEM:
	case PROBE_INSN_JMP_REG:
	case PROBE_INSN_JMP_MEM:
		return indirect_branch(pi, next, regs);
	case PROBE_INSN_RET:
		return near_return(pi, regs);
	case PROBE_INSN_PUSHF ... PROBE_INSN_POP_SP:
		emulate_in_line(pi, regs);
		regs->ip = next;
		return 0;
	default:
		return -EINVAL;
	}
}
