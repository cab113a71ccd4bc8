// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Classify one A64 instruction: copied, emulated, or refused with a reason.
 *
 * A copied instruction runs unchanged at another address, on the original stack
 * and with the original registers and PSTATE. This is correct for instructions
 * that neither read nor write the program counter. It is also correct for those
 * that write it without reading it and do not return (retaa, braa); they cannot be
 * emulated, because only the processor has the key. blraa also writes a return
 * address, which would be that of the slot, and is refused.
 *
 * The address is not examined here (exception table, jump label, ftrace site,
 * blacklist); the core does that. exclusive.c finds exclusive sequences.
 */
#include <linux/bitops.h>
#include <linux/sizes.h>
#include <linux/types.h>

#include <asm/insn.h>

#include "insn.h"

/* The bits that all system instructions have in common, reads and writes. */
static bool is_system(u32 word)
{
	return (word & 0xffc00000) == 0xd5000000;
}

/*
 * ldxr, ldaxr, stxr, stlxr and their pairs. The encodings that asm/insn.h calls
 * exclusive include casp: it has the bit of a pair set and the top bit clear.
 */
static bool is_exclusive(u32 word)
{
	return aarch64_insn_is_exclusive(word) &&
	       ((word & BIT(31)) || !(word & BIT(21)));
}

static enum probe_insn_kind literal_kind(u32 word)
{
	static const enum probe_insn_kind kinds[2][4] = {
		{ PROBE_INSN_LDR, PROBE_INSN_LDR,
		  PROBE_INSN_LDRSW, PROBE_INSN_PRFM },
		{ PROBE_INSN_LITERAL, PROBE_INSN_LITERAL,
		  PROBE_INSN_LITERAL, PROBE_INSN_UNDEFINED },
	};

	return kinds[!!(word & BIT(26))][word >> 30];
}

static enum probe_insn_kind relative_branch_kind(u32 word)
{
	if (aarch64_insn_is_b(word))
		return PROBE_INSN_B;
	if (aarch64_insn_is_bl(word))
		return PROBE_INSN_BL;
	if (aarch64_insn_is_bcond(word))	/* bc.cond too */
		return PROBE_INSN_BCOND;
	if (aarch64_insn_is_cbz(word))
		return PROBE_INSN_CBZ;
	if (aarch64_insn_is_cbnz(word))
		return PROBE_INSN_CBNZ;
	if (aarch64_insn_is_tbz(word))
		return PROBE_INSN_TBZ;
	if (aarch64_insn_is_tbnz(word))
		return PROBE_INSN_TBNZ;
	return PROBE_INSN_UNDEFINED;
}

/* braa and the like: without a modifier (bit 24) the modifier's field is 31. */
static bool has_modifier_or_none(u32 word)
{
	return (word & BIT(24)) || (word & 0x1f) == AARCH64_INSN_REG_ZR;
}

static enum probe_insn_kind register_branch_kind(u32 word)
{
	if (aarch64_insn_is_br(word))
		return PROBE_INSN_BR;
	if (aarch64_insn_is_blr(word))
		return PROBE_INSN_BLR;
	if (aarch64_insn_is_ret(word))
		return PROBE_INSN_RET;
	if (aarch64_insn_is_ret_auth(word))
		return PROBE_INSN_LEAVE;
	if (aarch64_insn_is_br_auth(word) && has_modifier_or_none(word))
		return PROBE_INSN_LEAVE;
	if (aarch64_insn_is_blr_auth(word) && has_modifier_or_none(word))
		return PROBE_INSN_AUTH_CALL;
	if (aarch64_insn_is_eret(word) || aarch64_insn_is_eret_auth(word) ||
	    word == 0xd6bf03e0)			/* drps */
		return PROBE_INSN_ENTRY;
	return PROBE_INSN_UNDEFINED;
}

static enum probe_insn_kind branch_or_system_kind(u32 word)
{
	if (is_system(word))
		return probe_insn_system_kind(word);
	if (aarch64_insn_is_exception(word))
		return PROBE_INSN_TRAP;
	if ((word & 0xfe000000) == 0xd6000000)
		return register_branch_kind(word);
	return relative_branch_kind(word);
}

static enum probe_insn_kind exclusive_kind(u32 word)
{
	return aarch64_insn_is_load_ex(word) ? PROBE_INSN_LOAD_EXCLUSIVE :
					       PROBE_INSN_STORE_EXCLUSIVE;
}

/* movprfx must be directly followed by the instruction that it belongs to. */
static bool is_movprfx(u32 word)
{
	return (word & 0xfffffc00) == 0x0420bc00 ||
	       (word & 0xff3ee000) == 0x04102000;	/* with a predicate */
}

/* pacm: the pac instruction that follows it signs its own address, too. */
static bool is_pacm(u32 word)
{
	return word == 0xd50324ff;
}

/**
 * probe_insn_is_prefix() - does an instruction say what the next one does?
 * @word: the instruction
 *
 * Nothing may come between the two, and the next one must not run elsewhere.
 *
 * Context: any; pure.
 * Return: true if so.
 */
bool probe_insn_is_prefix(u32 word)
{
	return is_movprfx(word) || is_pacm(word);
}

static enum probe_insn_kind word_kind(u32 word)
{
	if (aarch64_insn_is_class_branch_sys(word))
		return branch_or_system_kind(word);
	if (aarch64_insn_is_adr(word))
		return PROBE_INSN_ADR;
	if (aarch64_insn_is_adrp(word))
		return PROBE_INSN_ADRP;
	if (probe_insn_is_literal_load(word))
		return literal_kind(word);
	if (is_exclusive(word))
		return exclusive_kind(word);
	if (aarch64_insn_is_mops(word))
		return PROBE_INSN_MOPS;
	if (is_movprfx(word))
		return PROBE_INSN_PREFIX;
	if (!(word >> 16))			/* udf */
		return PROBE_INSN_TRAP;
	return probe_insn_is_listed(word) ? PROBE_INSN_COPY :
					    PROBE_INSN_UNDEFINED;
}

/*
 * The branch offsets of asm/insn.h have 32 bits, which is not enough for the reach
 * of adrp.
 */
static s64 classify_distance(u32 word, enum aarch64_insn_imm_type type, int bits, int unit)
{
	return sign_extend64(aarch64_insn_decode_immediate(type, word), bits - 1) *
	       unit;
}

static s64 decode_offset(u32 word, u8 kind)
{
	switch (kind) {
	case PROBE_INSN_ADR:
		return classify_distance(word, AARCH64_INSN_IMM_ADR, 21, 1);
	case PROBE_INSN_ADRP:
		return classify_distance(word, AARCH64_INSN_IMM_ADR, 21, SZ_4K);
	case PROBE_INSN_B ... PROBE_INSN_BL:
		return classify_distance(word, AARCH64_INSN_IMM_26, 26, 4);
	case PROBE_INSN_TBZ ... PROBE_INSN_TBNZ:
		return classify_distance(word, AARCH64_INSN_IMM_14, 14, 4);
	case PROBE_INSN_BCOND ... PROBE_INSN_CBNZ:
	case PROBE_INSN_LDR ... PROBE_INSN_PRFM:
	case PROBE_INSN_LITERAL:
		return classify_distance(word, AARCH64_INSN_IMM_19, 19, 4);
	default:
		return 0;
	}
}

static u8 decode_reg(u32 word, u8 kind)
{
	switch (kind) {
	case PROBE_INSN_BR ... PROBE_INSN_RET:
		return aarch64_insn_decode_register(AARCH64_INSN_REGTYPE_RN, word);
	default:
		return aarch64_insn_decode_register(AARCH64_INSN_REGTYPE_RT, word);
	}
}

static u8 decode_size(u32 word, u8 kind)
{
	switch (kind) {
	case PROBE_INSN_LITERAL:
		return 4 << (word >> 30);
	case PROBE_INSN_LDR:
		return word & BIT(30) ? 8 : 4;
	case PROBE_INSN_LDRSW:
		return 4;
	case PROBE_INSN_CBZ ... PROBE_INSN_CBNZ:
		return word & BIT(31) ? 8 : 4;
	default:
		return 0;
	}
}

/* The bit tested by tbz and tbnz: five bits of its number are at 19, one is at 31. */
static u8 decode_bit(u32 word)
{
	return (word >> 19 & 0x1f) | (word >> 31) << 5;
}

/**
 * probe_insn_classify() - describe one instruction
 * @word: an A64 instruction, in the byte order of the CPU
 *
 * Context: any; pure. Not noinstr: a description is made when a point is
 * registered and only read when it is hit.
 * Return: the description; members without a meaning for its kind are undefined.
 */
struct probe_insn probe_insn_classify(u32 word)
{
	u8 kind = word_kind(word);

	return (struct probe_insn) {
		.offset	= decode_offset(word, kind),
		.word	= word,
		.kind	= kind,
		.reg	= decode_reg(word, kind),
		.bit	= decode_bit(word),
		.cond	= word & 0xf,
		.size	= decode_size(word, kind),
	};
}
