// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Jumps on arm64: one B replaces the instruction.
 *
 * BRK and B both belong to the instructions that may be changed while CPUs execute them
 * (patch.c), so a trap becomes a jump, and a jump a trap, without stopping any CPU.
 *
 * A landing pad keeps the trap: a processor that checks pads would take a B for a missing
 * one, but not a BRK.
 */
#include <linux/kprobe-arch.h>
#include <linux/linkage.h>
#include <linux/ptrace.h>
#include <linux/stddef.h>
#include <linux/string.h>
#include <asm/insn.h>
#include "detour.h"
#include "insn.h"

unsigned int arch_kprobe_jump_size(const struct kprobe_insn *insn)
{
	/* A detour has no second trap */
	if (!insn->emulated && !insn->step)
		return 0;
	return insn->decoded.kind == PROBE_INSN_PAD ? 0 : DETOUR_SIZE;
}

static u32 detour_move_sp(enum aarch64_insn_adsb_type type)
{
	return aarch64_insn_gen_add_sub_imm(AARCH64_INSN_REG_SP, AARCH64_INSN_REG_SP,
					    sizeof(struct pt_regs), AARCH64_INSN_VARIANT_64BIT,
					    type);
}

static u32 detour_move_lr(enum aarch64_insn_ldst_type type)
{
	return aarch64_insn_gen_load_store_imm(AARCH64_INSN_REG_LR, AARCH64_INSN_REG_SP,
					       offsetof(struct pt_regs, regs[30]),
					       AARCH64_INSN_SIZE_64, type);
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

/* An emulated instruction is never resumed in a slot: the branch at the end is not reached */
int arch_kprobe_jump_write(const struct kprobe_insn *insn, unsigned long point,
			   struct kprobe_code *code)
{
	unsigned long slot = insn->emulated ? code->to : (unsigned long)insn->slot;
	int ret;

	detour_add(code, detour_move_sp(AARCH64_INSN_ADSB_SUB));
	detour_add(code, detour_move_lr(AARCH64_INSN_LDST_STORE_IMM_OFFSET));
	ret = detour_add_call(code, (unsigned long)kprobe_detour);
	detour_add(code, detour_move_lr(AARCH64_INSN_LDST_LOAD_IMM_OFFSET));
	detour_add(code, detour_move_sp(AARCH64_INSN_ADSB_ADD));
	/* Unwinders follow x29, which the detour leaves alone */
	code->map[code->num++] = (struct kprobe_slot_map){ 0, 0 };
	ret = ret ?: detour_add_branch(code, slot);
	if (ret)
		return ret;
	memcpy(code->bytes + DETOUR_POINT, &point, sizeof(point));
	code->size = DETOUR_SIZE;
	return 0;
}

int arch_kprobe_jump_text(u8 *buf, unsigned long addr, unsigned long detour)
{
	int size = probe_insn_branch_to(buf, ARCH_KPROBE_JUMP_SIZE, addr, detour);

	return size < 0 ? size : 0;
}
