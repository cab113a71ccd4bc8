// SPDX-License-Identifier: GPL-2.0
/*
 * Emulation: what one A64 instruction does to the registers, in C.
 *
 * A pure function of (description, address, registers), apart from the literal a
 * load reads. It is noinstr and calls nothing, so that a nested hit can be
 * resumed ahead of the trap's NMI entry.
 *
 * PSTATE.BTYPE is part of what a branch does: br and blr leave in it how they
 * came, the landing pad at their target looks at it, every other instruction
 * clears it. An emulated branch that left it clear would pass where the real one
 * faults.
 */
#include <linux/compiler.h>
#include <linux/cpufeature.h>
#include <linux/errno.h>
#include <linux/kconfig.h>
#include <linux/sizes.h>
#include <linux/unaligned.h>

#include <asm/insn.h>
#include <asm/ptrace.h>

#include "insn.h"

static __always_inline u64 get_reg(const struct pt_regs *regs, u8 nr)
{
	return nr == AARCH64_INSN_REG_ZR ? 0 : regs->regs[nr];
}

static __always_inline void set_reg(struct pt_regs *regs, u8 nr, u64 value)
{
	if (nr != AARCH64_INSN_REG_ZR)
		regs->regs[nr] = value;
}

/* Conditions come in pairs, the odd one being the negation, except always. */
static __always_inline bool condition_holds(u8 cond, u64 pstate)
{
	bool n = pstate & PSR_N_BIT, z = pstate & PSR_Z_BIT;
	bool c = pstate & PSR_C_BIT, v = pstate & PSR_V_BIT, holds;

	switch (cond >> 1) {
	case 0:
		holds = z;
		break;
	case 1:
		holds = c;
		break;
	case 2:
		holds = n;
		break;
	case 3:
		holds = v;
		break;
	case 4:
		holds = c && !z;
		break;
	case 5:
		holds = n == v;
		break;
	case 6:
		holds = n == v && !z;
		break;
	default:
		return true;
	}
	return holds != (cond & 1);
}

static __always_inline bool is_zero(const struct probe_insn *pi, u64 value)
{
	return pi->size == sizeof(u32) ? !(u32)value : !value;
}

static __always_inline bool branch_is_taken(const struct probe_insn *pi,
					    const struct pt_regs *regs)
{
	u64 value = get_reg(regs, pi->reg);

	switch (pi->kind) {
	case PROBE_INSN_BCOND:
		return condition_holds(pi->cond, regs->pstate);
	case PROBE_INSN_CBZ:
		return is_zero(pi, value);
	case PROBE_INSN_CBNZ:
		return !is_zero(pi, value);
	case PROBE_INSN_TBZ:
		return !(value >> pi->bit & 1);
	case PROBE_INSN_TBNZ:
		return value >> pi->bit & 1;
	default:
		return true;
	}
}

/*
 * How a br arrives: through x16 or x17 it may land on any pad, else only on one
 * for jumps; but from text that is not guarded it always may. All text of a
 * kernel with BTI is guarded. Whether a page of user space is cannot be told
 * from registers: the lenient answer never fails what would have passed.
 */
static __always_inline u64 btype_of_br(u8 reg, bool user)
{
	if (user || reg == AARCH64_INSN_REG_16 || reg == AARCH64_INSN_REG_17)
		return PSR_BTYPE_JC;
	return PSR_BTYPE_J;
}

static __always_inline u64 btype_after(const struct probe_insn *pi,
				       const struct pt_regs *regs)
{
	bool user = user_mode(regs);

	/* Not a static key: a probe may hit before those are final. */
	if (!cpus_have_cap(ARM64_BTI))
		return PSR_BTYPE_NONE;
	if (!user && !IS_ENABLED(CONFIG_ARM64_BTI_KERNEL))
		return PSR_BTYPE_NONE;
	switch (pi->kind) {
	case PROBE_INSN_BR:
		return btype_of_br(pi->reg, user);
	case PROBE_INSN_BLR:
		return PSR_BTYPE_C;
	default:
		return PSR_BTYPE_NONE;
	}
}

static __always_inline void finish(const struct probe_insn *pi,
				   struct pt_regs *regs, u64 pc)
{
	regs->pstate &= ~(u64)PSR_BTYPE_MASK;
	regs->pstate |= btype_after(pi, regs);
	regs->pc = pc;
}

static __always_inline u64 read_literal(const struct probe_insn *pi,
					unsigned long addr)
{
	unsigned long at = probe_insn_literal(pi, addr);

	if (pi->size == sizeof(u64))
		return get_unaligned((u64 *)at);
	return get_unaligned((u32 *)at);
}

static __always_inline void load(const struct probe_insn *pi, unsigned long addr,
				 struct pt_regs *regs, u64 value)
{
	if (pi->kind == PROBE_INSN_LDRSW)
		value = (s64)(s32)value;
	set_reg(regs, pi->reg, value);
	finish(pi, regs, addr + AARCH64_INSN_SIZE);
}

static __always_inline void branch_to_reg(const struct probe_insn *pi,
					  unsigned long addr,
					  struct pt_regs *regs)
{
	u64 target = get_reg(regs, pi->reg);	/* first: it may be the link register */

	if (pi->kind == PROBE_INSN_BLR)
		set_reg(regs, AARCH64_INSN_REG_LR, addr + AARCH64_INSN_SIZE);
	finish(pi, regs, target);
}

static __always_inline void branch(const struct probe_insn *pi,
				   unsigned long addr, struct pt_regs *regs)
{
	unsigned long next = addr + AARCH64_INSN_SIZE;

	if (pi->kind == PROBE_INSN_BL)
		set_reg(regs, AARCH64_INSN_REG_LR, next);
	finish(pi, regs, branch_is_taken(pi, regs) ? addr + pi->offset : next);
}

static __always_inline u64 relative_address(const struct probe_insn *pi,
					    unsigned long addr)
{
	if (pi->kind == PROBE_INSN_ADRP)
		addr &= ~(unsigned long)(SZ_4K - 1);
	return addr + pi->offset;
}

/**
 * probe_insn_emulate - do what an instruction of the kernel does
 * @pi: its description, of an emulated kind
 * @addr: where the instruction stands
 * @regs: registers as the instruction finds them; @regs->pc is only written
 *
 * A literal is read at probe_insn_literal(), as the instruction would; that it
 * can be read is for the caller to see to when the point is registered. For
 * instructions of user space there is probe_insn_emulate_load().
 *
 * Context: any, also ahead of arm64_enter_el1_dbg(); takes no lock.
 * Return: 0, and @regs as the instruction leaves them; -EINVAL, and @regs
 * untouched, if @pi is not of an emulated kind.
 */
noinstr int probe_insn_emulate(const struct probe_insn *pi, unsigned long addr,
			       struct pt_regs *regs)
{
	switch (pi->kind) {
	case PROBE_INSN_ADR:
	case PROBE_INSN_ADRP:
		set_reg(regs, pi->reg, relative_address(pi, addr));
		finish(pi, regs, addr + AARCH64_INSN_SIZE);
		return 0;
	case PROBE_INSN_B ... PROBE_INSN_TBNZ:
		branch(pi, addr, regs);
		return 0;
	case PROBE_INSN_BR ... PROBE_INSN_RET:
		branch_to_reg(pi, addr, regs);
		return 0;
	case PROBE_INSN_LDR ... PROBE_INSN_LDRSW:
		load(pi, addr, regs, read_literal(pi, addr));
		return 0;
	case PROBE_INSN_PRFM:
		finish(pi, regs, addr + AARCH64_INSN_SIZE);
		return 0;
	default:
		return -EINVAL;
	}
}

/**
 * probe_insn_emulate_load - do what a literal load does, its literal at hand
 * @pi: its description, of kind PROBE_INSN_LDR or PROBE_INSN_LDRSW
 * @addr: where the instruction stands
 * @regs: registers as the instruction finds them; @regs->pc is only written
 * @value: the @pi->size bytes read at probe_insn_literal()
 *
 * Context: any; takes no lock.
 * Return: 0, and @regs as the instruction leaves them; -EINVAL, and @regs
 * untouched, if @pi is of another kind.
 */
noinstr int probe_insn_emulate_load(const struct probe_insn *pi,
				    unsigned long addr, struct pt_regs *regs,
				    u64 value)
{
	if (pi->kind != PROBE_INSN_LDR && pi->kind != PROBE_INSN_LDRSW)
		return -EINVAL;
	load(pi, addr, regs, value);
	return 0;
}
