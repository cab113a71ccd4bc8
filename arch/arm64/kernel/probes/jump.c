// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Jumps on arm64: one B replaces the instruction.
 *
 * BRK and B both belong to the instructions that may be changed while CPUs execute them
 * (patch.c), so a trap becomes a jump, and a jump a trap, without stopping any CPU.
 *
 * In a kernel that checks landing pads, a pad keeps the trap: the processor would take a B for
 * a missing pad, but not a BRK.
 *
 * The slots of a module that is far from the kernel lie beside the module. Their detours have a
 * veneer, which reaches the common code from anywhere.
 */
#include <linux/build_bug.h>
#include <linux/kprobe-arch.h>
#include <linux/linkage.h>
#include <linux/math.h>
#include <linux/ptrace.h>
#include <linux/sizes.h>
#include <linux/stddef.h>
#include <linux/string.h>
#include <asm/insn.h>
#include "detour.h"
#include "insn.h"

static_assert(ARM64_DETOUR_END + AARCH64_INSN_SIZE == DETOUR_POINT);

/* May the detour be too far from the common code? It is known only once the slot is there */
static bool detour_may_be_far(const struct kprobe_insn *insn)
{
	return abs_diff(insn->addr, (unsigned long)kprobe_detour) > SZ_64M;
}

unsigned int arch_kprobe_jump_size(const struct kprobe_insn *insn)
{
	/* A detour has no second trap */
	if (!insn->emulated && !insn->step)
		return 0;
	if (IS_ENABLED(CONFIG_ARM64_BTI_KERNEL) && insn->decoded.kind == PROBE_INSN_PAD)
		return 0;
	return detour_may_be_far(insn) ? DETOUR_FAR_SIZE : DETOUR_SIZE;
}

static u32 detour_move_sp(enum aarch64_insn_adsb_type type)
{
	return aarch64_insn_gen_add_sub_imm(AARCH64_INSN_REG_SP, AARCH64_INSN_REG_SP,
					    sizeof(struct pt_regs), AARCH64_INSN_VARIANT_64BIT,
					    type);
}

static u32 detour_move_reg(enum aarch64_insn_register reg, enum aarch64_insn_ldst_type type)
{
	return aarch64_insn_gen_load_store_imm(reg, AARCH64_INSN_REG_SP,
					       offsetof(struct pt_regs, regs[reg]),
					       AARCH64_INSN_SIZE_64, type);
}

static u32 detour_store(enum aarch64_insn_register reg)
{
	return detour_move_reg(reg, AARCH64_INSN_LDST_STORE_IMM_OFFSET);
}

static void detour_add(struct kprobe_code *code, u32 insn)
{
	__le32 word = cpu_to_le32(insn);

	memcpy(code->bytes + code->size, &word, sizeof(word));
	code->size += sizeof(word);
}

static int detour_add_branch(struct kprobe_code *code, unsigned long target)
{
	int size = probe_insn_branch_to(code->bytes + code->size,
					sizeof(code->bytes) - code->size,
					code->to + code->size, target);

	if (size < 0)
		return size;
	code->size += size;
	return 0;
}

static int detour_add_call(struct kprobe_code *code, unsigned long target)
{
	unsigned long from = code->to + code->size;
	int ret = detour_add_branch(code, target);

	if (ret)
		return ret;
	code->size -= AARCH64_INSN_SIZE;
	detour_add(code, aarch64_insn_gen_branch_imm(from, target, AARCH64_INSN_BRANCH_LINK));
	return 0;
}

static bool detour_reaches(const struct kprobe_code *code, unsigned long target)
{
	u8 unused[AARCH64_INSN_SIZE];

	return probe_insn_branch_to(unused, sizeof(unused), code->to + code->size, target) > 0;
}

/* The call of the common code by an address that is a literal */
static void detour_add_veneer(struct kprobe_code *code)
{
	unsigned long callee = (unsigned long)kprobe_detour_far, from;

	detour_add(code, detour_store(AARCH64_INSN_REG_0));
	detour_add(code, detour_store(AARCH64_INSN_REG_1));
	from = code->to + code->size;
	detour_add(code, aarch64_insn_gen_load_literal(from, code->to + DETOUR_CALLEE,
						       AARCH64_INSN_REG_0, true));
	detour_add(code, aarch64_insn_gen_branch_reg(AARCH64_INSN_REG_0,
						     AARCH64_INSN_BRANCH_NOLINK));
	memcpy(code->bytes + DETOUR_CALLEE, &callee, sizeof(callee));
	code->size = DETOUR_FAR_SIZE;
}

/* Where the code goes on after an emulated instruction, if the instruction alone tells; else 0 */
static unsigned long detour_next(const struct kprobe_insn *insn)
{
	switch (insn->decoded.kind) {
	case PROBE_INSN_B:
	case PROBE_INSN_BL:
		return insn->addr + insn->decoded.offset;
	case PROBE_INSN_BR ... PROBE_INSN_RET:
		return 0;
	default:
		return insn->addr + AARCH64_INSN_SIZE;
	}
}

/*
 * The branch at the end. One that leads to the detour is never executed: if the code goes on
 * elsewhere, kprobe_detour leaves as from an exception.
 */
static int detour_add_end(struct kprobe_code *code, const struct kprobe_insn *insn)
{
	unsigned long next = insn->emulated ? detour_next(insn) : (unsigned long)insn->slot;

	if (insn->emulated && !detour_reaches(code, next))
		next = code->to;
	return detour_add_branch(code, next);
}

int arch_kprobe_jump_write(const struct kprobe_insn *insn, unsigned long point,
			   struct kprobe_code *code)
{
	bool is_far = !detour_reaches(code, (unsigned long)kprobe_detour);
	int ret;

	if (is_far && arch_kprobe_jump_size(insn) != DETOUR_FAR_SIZE)
		return -ERANGE;
	detour_add(code, detour_move_sp(AARCH64_INSN_ADSB_SUB));
	detour_add(code, detour_store(AARCH64_INSN_REG_LR));
	ret = detour_add_call(code, is_far ? code->to + DETOUR_SIZE :
					     (unsigned long)kprobe_detour);
	detour_add(code, detour_move_reg(AARCH64_INSN_REG_LR, AARCH64_INSN_LDST_LOAD_IMM_OFFSET));
	detour_add(code, detour_move_sp(AARCH64_INSN_ADSB_ADD));
	/* Unwinders follow x29, which the detour leaves alone */
	code->map[code->num++] = (struct kprobe_slot_map){ 0, 0 };
	ret = ret ?: detour_add_end(code, insn);
	if (ret)
		return ret;
	memcpy(code->bytes + DETOUR_POINT, &point, sizeof(point));
	code->size = DETOUR_SIZE;
	if (is_far)
		detour_add_veneer(code);
	return 0;
}

int arch_kprobe_jump_text(u8 *buf, unsigned long addr, unsigned long detour)
{
	int size = probe_insn_branch_to(buf, ARCH_KPROBE_JUMP_SIZE, addr, detour);

	return size < 0 ? size : 0;
}
