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
 * With a shadow call stack x30 comes back from there, before x29 or after it.
 *
 * Two walks over the control flow (flow.c) reach these places: one where x29 is the caller's,
 * and one where x30 is the address that the function returns to. Both begin with the function's
 * first instruction, and after each one that restores the register. They end where it changes.
 */
#include <linux/bitmap.h>
#include <linux/cleanup.h>
#include <linux/types.h>
#include <asm/insn.h>
#include "flow.h"
#include "insn.h"

#define FRAME		29
#define LINK		30

/* ldr x30, [x18, #-8]! */
#define SHADOW_POP	0xf85f8e5e

/*
 * Loads of 64 bits from the stack: Arm ARM, C6.2, LDP and LDNP of x29 and x30, and LDR
 * (immediate), unsigned offset and post-index. Rn is 31. A reload of a temporary from the stack
 * looks alike: gcc and clang, as far as seen, use x30 for one only where there is a record.
 */
static bool restores_both(u32 word)
{
	return (word & 0xfe407fff) == (0xa8400000 | LINK << 10 | 31 << 5 | FRAME);
}

static bool restores(u32 word, u32 reg)
{
	return restores_both(word) || (word & 0xffc003ff) == (0xf9400000 | 31 << 5 | reg) ||
	       (word & 0xffe00fff) == (0xf8400400 | 31 << 5 | reg);
}

static bool restores_frame(u32 word)
{
	return restores(word, FRAME);
}

static bool restores_link(u32 word)
{
	return word == SHADOW_POP || restores(word, LINK);
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

static bool changes(u32 word, u32 reg)
{
	if (loads_pair(word) && (word >> 10 & 31) == reg)
		return true;
	return (word & 31) == reg && !is_store(word);
}

static bool frame_ends(struct probe_walk *walk, const struct probe_insn *pi)
{
	return !is_branch(pi) && changes(pi->word, FRAME);
}

static bool link_ends(struct probe_walk *walk, const struct probe_insn *pi)
{
	if (pi->kind == PROBE_INSN_BL || pi->kind == PROBE_INSN_BLR ||
	    pi->kind == PROBE_INSN_AUTH_CALL)
		return true;
	return !is_branch(pi) && changes(pi->word, LINK);
}

/* Is a register at an instruction what the caller left in it? */
static bool is_callers(struct probe_walk *walk, size_t at, bool (*restored)(u32 word),
		       probe_walk_ends_t ends)
{
	probe_walk_begin(walk, ends);
	probe_walk_reach(walk, 0);
	for (size_t i = 0; i < walk->words; i++) {
		if (restored(le32_to_cpu(walk->text[i])))
			probe_walk_reach_next(walk, i);
	}
	probe_walk_on(walk);
	return !walk->lost && test_bit(at, walk->reached);
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
	return is_callers(&walk, at, restores_link, link_ends) &&
	       is_callers(&walk, at, restores_frame, frame_ends);
}
