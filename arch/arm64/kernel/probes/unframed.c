// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Where does a function have no frame record of its own? Stack traces follow x29 from record
 * to record. Until a function has made its own, or after it has restored its caller's x29 and
 * x30, and in one that makes none, the record is the caller's. The address that the function
 * returns to is in x30 alone there, and a trace that follows x29 alone leaves the caller out:
 *
 *	paciasp				no record
 *	stp	x29, x30, [sp, #-32]!	no record
 *	mov	x29, sp			no record
 *	bl	...			the function's own
 *	ldp	x29, x30, [sp], #32	the function's own
 *	ret				no record
 *
 * A walk over the control flow (flow.c) reaches these places. It begins with the function's
 * first instruction, and after each one that restores both registers. It ends where one of the
 * registers changes.
 */
#include <linux/bitmap.h>
#include <linux/cleanup.h>
#include <linux/types.h>
#include <asm/insn.h>
#include "flow.h"
#include "insn.h"

/* ldr x30, [x18, #-8]!, after a load of both from the stack: the shadow call stack */
#define SHADOW_POP	0xf85f8e5e

/* ldp x29, x30, [sp ...]: Arm ARM, C6.2, LDP and LDNP of 64 bits with Rn 31, Rt2 30, Rt 29 */
static bool restores_both(u32 word)
{
	return (word & 0xfe407fff) == (0xa8400000 | 30 << 10 | 31 << 5 | 29);
}

/* A store of one of the registers has it in the same field as an instruction that changes it */
static bool is_store(u32 word)
{
	return aarch64_insn_is_stp(word) || aarch64_insn_is_stp_post(word) ||
	       aarch64_insn_is_stp_pre(word) || aarch64_insn_is_store_imm(word) ||
	       aarch64_insn_is_store_pre(word) || aarch64_insn_is_store_post(word) ||
	       aarch64_insn_is_str_reg(word);
}

static bool is_branch(const struct probe_insn *pi)
{
	return pi->kind >= PROBE_INSN_B && pi->kind <= PROBE_INSN_RET;
}

/* The second register of a pair that is loaded. A pair of a store does no harm */
static bool loads_pair(u32 word)
{
	return (word & 0x3e400000) == 0x28400000;
}

static bool changes_link(u32 word)
{
	u32 reg = word & 31, second = word >> 10 & 31;

	if (loads_pair(word) && (second == 29 || second == 30))
		return true;
	return (reg == 29 || reg == 30) && !is_store(word);
}

static bool link_ends(struct probe_walk *walk, const struct probe_insn *pi)
{
	if (pi->kind == PROBE_INSN_BL || pi->kind == PROBE_INSN_BLR ||
	    pi->kind == PROBE_INSN_AUTH_CALL)
		return true;
	return !is_branch(pi) && pi->word != SHADOW_POP && changes_link(pi->word);
}

/**
 * probe_insn_unframed() - is the address that a function returns to in x30 alone?
 * @text: the function, from its start, as it was before any point was armed
 * @words: number of instructions in @text
 * @at: index of the instruction in question, which has not been executed
 *
 * Context: may sleep. Takes time proportional to @words; to its square for text that
 * consists of backward branches.
 * Return: true if so; false if not, or not for sure, as without memory.
 */
bool probe_insn_unframed(const __le32 *text, size_t words, size_t at)
{
	unsigned long *reached __free(bitmap) = NULL;
	struct probe_walk walk = { .text = text, .words = words };

	if (at >= words || probe_walk_alloc(&walk))
		return false;
	reached = walk.reached;
	probe_walk_begin(&walk, link_ends);
	probe_walk_reach(&walk, 0);
	for (size_t i = 0; i < words; i++) {
		if (restores_both(le32_to_cpu(text[i])))
			probe_walk_reach_next(&walk, i);
	}
	probe_walk_on(&walk);
	return !walk.lost && test_bit(at, reached);
}
