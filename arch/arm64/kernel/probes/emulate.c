// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Emulation: the effect of one A64 instruction on the registers, in C.
 *
 * The emulation is a pure function of description, address and registers, apart
 * from the literal that a load reads. It is noinstr and calls no function, so that
 * a nested hit can be resumed before the trap's NMI entry.
 *
 * A branch also sets PSTATE.BTYPE: br and blr record the type of the branch there,
 * the landing pad at the target checks it, and every other instruction clears it.
 * An emulated branch that left it clear would pass where the real one faults.
 */
#include <linux/compiler.h>
#include <linux/errno.h>
#include <linux/kconfig.h>
#include <linux/sizes.h>
#include <linux/unaligned.h>

#include <asm/cpufeature.h>
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

/* Conditions come in pairs; the odd one negates the even one, except for "always". */
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
 * The BTYPE of a br: through x16 or x17 it may land on any pad, through another
 * register only on a pad for jumps. From text that is not guarded it may always
 * land on any pad. All text of a kernel with BTI is guarded. The registers do not
 * tell whether a page of user space is guarded: the lenient type is used, so that
 * no branch faults that would have passed.
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

	/* Not a static key: a probe may be hit before static keys are final. */
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

static __always_inline void emulate_finish(const struct probe_insn *pi,
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

static __always_inline void emulate_load(const struct probe_insn *pi, unsigned long addr,
					 struct pt_regs *regs, u64 value)
{
	if (pi->kind == PROBE_INSN_LDRSW)
		value = (s64)(s32)value;
	set_reg(regs, pi->reg, value);
	emulate_finish(pi, regs, addr + AARCH64_INSN_SIZE);
}

static __always_inline void emulate_branch_to_reg(const struct probe_insn *pi,
						  unsigned long addr,
						  struct pt_regs *regs)
{
	u64 target = get_reg(regs, pi->reg);	/* first: it may be the link register */

	if (pi->kind == PROBE_INSN_BLR)
		set_reg(regs, AARCH64_INSN_REG_LR, addr + AARCH64_INSN_SIZE);
	emulate_finish(pi, regs, target);
}

static __always_inline void emulate_branch(const struct probe_insn *pi,
					   unsigned long addr, struct pt_regs *regs)
{
	unsigned long next = addr + AARCH64_INSN_SIZE;

	if (pi->kind == PROBE_INSN_BL)
		set_reg(regs, AARCH64_INSN_REG_LR, next);
	emulate_finish(pi, regs, branch_is_taken(pi, regs) ? addr + pi->offset : next);
}

static __always_inline u64 relative_address(const struct probe_insn *pi,
					    unsigned long addr)
{
	if (pi->kind == PROBE_INSN_ADRP)
		addr &= ~(unsigned long)(SZ_4K - 1);
	return addr + pi->offset;
}

/**
 * probe_insn_emulate() - emulate one instruction of the kernel
 * @pi: its description, of an emulated kind
 * @addr: address of the instruction
 * @regs: registers before the instruction; @regs->pc is only written
 *
 * A literal is read at probe_insn_literal(), as the instruction would read it. The
 * caller has checked that it is readable when the point was registered. Use
 * probe_insn_emulate_load() for loads of user space.
 *
 * Context: any, also before arm64_enter_el1_dbg(); takes no lock.
 * Return: 0, and @regs are as after the instruction; -EINVAL, and @regs are
 * unchanged, if @pi is not of an emulated kind.
 */
noinstr int probe_insn_emulate(const struct probe_insn *pi, unsigned long addr,
			       struct pt_regs *regs)
{
	switch (pi->kind) {
	case PROBE_INSN_ADR:
	case PROBE_INSN_ADRP:
		set_reg(regs, pi->reg, relative_address(pi, addr));
		emulate_finish(pi, regs, addr + AARCH64_INSN_SIZE);
		return 0;
	case PROBE_INSN_B ... PROBE_INSN_TBNZ:
		emulate_branch(pi, addr, regs);
		return 0;
	case PROBE_INSN_BR ... PROBE_INSN_RET:
		emulate_branch_to_reg(pi, addr, regs);
		return 0;
	case PROBE_INSN_LDR ... PROBE_INSN_LDRSW:
		emulate_load(pi, addr, regs, read_literal(pi, addr));
		return 0;
	case PROBE_INSN_PRFM:
		emulate_finish(pi, regs, addr + AARCH64_INSN_SIZE);
		return 0;
	default:
		return -EINVAL;
	}
}

/**
 * probe_insn_emulate_load() - emulate a literal load, given its literal
 * @pi: its description, of kind PROBE_INSN_LDR or PROBE_INSN_LDRSW
 * @addr: address of the instruction
 * @regs: registers before the instruction; @regs->pc is only written
 * @value: the @pi->size bytes read at probe_insn_literal()
 *
 * Context: any; takes no lock.
 * Return: 0, and @regs are as after the instruction; -EINVAL, and @regs are
 * unchanged, if @pi is of another kind.
 */
noinstr int probe_insn_emulate_load(const struct probe_insn *pi,
				    unsigned long addr, struct pt_regs *regs,
				    u64 value)
{
	if (pi->kind != PROBE_INSN_LDR && pi->kind != PROBE_INSN_LDRSW)
		return -EINVAL;
	emulate_load(pi, addr, regs, value);
	return 0;
}
