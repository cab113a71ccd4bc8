// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Classify one decoded instruction: copied, emulated, or refused with a reason.
 *
 * The address is not examined here (exception table, jump label, static call,
 * blacklist); the core does that.
 */
#include <linux/string.h>

#include <asm/insn.h>

#include "insn.h"

/**
 * probe_insn_has_prefix() - look for a legacy prefix
 * @insn: a completely decoded instruction
 * @byte: the prefix
 *
 * Context: any; pure.
 * Return: true if @byte is among the prefixes.
 */
bool probe_insn_has_prefix(const struct insn *insn, u8 byte)
{
	return memchr(insn->prefixes.bytes, byte, sizeof(insn->prefixes.bytes));
}

/**
 * probe_insn_has_operand_prefix() - look for a prefix that selects an instruction
 * @insn: a completely decoded instruction
 *
 * Context: any; pure.
 * Return: true if 66, f2 or f3 is among the prefixes.
 */
bool probe_insn_has_operand_prefix(const struct insn *insn)
{
	return probe_insn_has_prefix(insn, 0x66) ||
	       probe_insn_has_prefix(insn, 0xf2) ||
	       probe_insn_has_prefix(insn, 0xf3);
}

/**
 * probe_insn_rex_w() - is the operand size forced to 64 bits?
 * @insn: a completely decoded instruction
 *
 * Context: any; pure.
 * Return: true if there is a REX prefix with its W bit set.
 */
bool probe_insn_rex_w(const struct insn *insn)
{
	return X86_REX_W(insn->rex_prefix.bytes[0]);
}

/*
 * The decoder selects the meaning of an escaped opcode by the last prefix. The
 * processor selects it by f2 or f3 at any position, then by 66. If the two
 * selections differ and the opcode has several meanings, the decoder may have
 * decoded a different instruction than the processor executes.
 */
static bool prefix_is_ambiguous(struct insn *insn)
{
	insn_byte_t last = insn->prefixes.bytes[3];
	insn_attr_t attr = inat_get_opcode_attribute(0x0f);
	int i;

	if (insn->opcode.bytes[0] != 0x0f || insn_is_avx(insn))
		return false;
	if (last == 0xf2 || last == 0xf3 || !probe_insn_has_operand_prefix(insn))
		return false;
	if (last == 0x66 && !probe_insn_has_prefix(insn, 0xf2) &&
	    !probe_insn_has_prefix(insn, 0xf3))
		return false;
	for (i = 1; i < insn->opcode.nbytes; i++)
		attr = inat_get_escape_attribute(insn->opcode.bytes[i], 0, attr);
	return inat_has_variant(attr) || inat_is_group(attr);
}

/* 32-bit addresses relative to the instruction pointer do not occur in a kernel. */
static bool is_eip_relative(struct insn *insn)
{
	return insn_rip_relative(insn) && insn->addr_bytes != 8;
}

static enum probe_insn_kind kind_by_encoding(struct insn *insn)
{
	if (insn_has_emulate_prefix(insn))
		return PROBE_INSN_EMULATE_PREFIX;
	if (insn_is_rex2(insn) || prefix_is_ambiguous(insn) ||
	    is_eip_relative(insn))
		return PROBE_INSN_ODD;
	return probe_insn_opcode_kind(insn);
}

/* With prefix 66 a near branch has 16 bits on AMD; Intel ignores the prefix. */
static bool branch_size_is_disputed(struct insn *insn, u8 kind)
{
	return kind >= PROBE_INSN_CALL && kind <= PROBE_INSN_RET &&
	       probe_insn_has_prefix(insn, 0x66) && !probe_insn_rex_w(insn);
}

static bool has_based_segment(struct insn *insn)
{
	return probe_insn_has_prefix(insn, 0x64) ||
	       probe_insn_has_prefix(insn, 0x65);
}

/* Refuse the forms that probe_insn_emulate() does not implement. */
static enum probe_insn_kind check_emulated(struct insn *insn, u8 kind)
{
	if (probe_insn_has_prefix(insn, 0xf0))
		return PROBE_INSN_UNDEFINED;
	if (branch_size_is_disputed(insn, kind))
		return PROBE_INSN_ODD;
	if ((kind == PROBE_INSN_CALL_MEM || kind == PROBE_INSN_JMP_MEM) &&
	    has_based_segment(insn))
		return PROBE_INSN_SEGMENT;
	return kind;
}

static u8 rex_register(u8 low, u8 rex_bit)
{
	return low | (rex_bit ? 8 : 0);
}

static void describe_sib(struct insn *insn, struct probe_insn *pi)
{
	u8 sib = insn->sib.bytes[0];
	u8 rex = insn->rex_prefix.bytes[0];

	pi->scale = X86_SIB_SCALE(sib);
	pi->index = rex_register(X86_SIB_INDEX(sib), X86_REX_X(rex));
	if (pi->index == 4)			/* rsp cannot be one: none */
		pi->index = PROBE_REG_NONE;
	pi->base = rex_register(X86_SIB_BASE(sib), X86_REX_B(rex));
	if (X86_SIB_BASE(sib) == 5 && !X86_MODRM_MOD(insn->modrm.bytes[0]))
		pi->base = PROBE_REG_NONE;
}

static void describe_rm(struct insn *insn, struct probe_insn *pi)
{
	u8 rm = X86_MODRM_RM(insn->modrm.bytes[0]);

	pi->index = PROBE_REG_NONE;
	pi->base = rex_register(rm, X86_REX_B(insn->rex_prefix.bytes[0]));
	pi->disp = insn->displacement.value;
	if (pi->disp_at)
		pi->base = PROBE_REG_IP;
	else if (insn->sib.nbytes)
		describe_sib(insn, pi);
}

static void describe_displacement(struct insn *insn, struct probe_insn *pi)
{
	if (!insn_rip_relative(insn))
		return;
	pi->disp_at = insn_offset_displacement(insn);
	pi->disp = insn->displacement.value;
}

static void describe_emulated(struct insn *insn, struct probe_insn *pi)
{
	pi->addr_size = insn->addr_bytes;
	switch (pi->kind) {
	case PROBE_INSN_CALL_REG:
	case PROBE_INSN_CALL_MEM:
	case PROBE_INSN_JMP_REG:
	case PROBE_INSN_JMP_MEM:
		describe_rm(insn, pi);
		return;
	case PROBE_INSN_RET:
		pi->disp = (u16)insn->immediate.value;
		return;
	case PROBE_INSN_PUSHF:
	case PROBE_INSN_POPF:
		pi->size = probe_insn_has_prefix(insn, 0x66) &&
			   !probe_insn_rex_w(insn) ? 2 : 8;
		return;
	default:
		pi->cond = insn->opcode.bytes[insn->opcode.nbytes - 1] & 0xf;
		pi->disp = insn->immediate.value;
	}
}

/**
 * probe_insn_classify() - describe one instruction
 * @insn: an instruction that insn_decode() has decoded completely
 *
 * Context: any; pure, no side effects.
 * Return: the description; its kind is a copied, emulated or refused one.
 */
struct probe_insn probe_insn_classify(struct insn *insn)
{
	struct probe_insn pi = {
		.kind = kind_by_encoding(insn),
		.length = insn->length,
	};

	if (probe_insn_emulated(&pi))
		pi.kind = check_emulated(insn, pi.kind);
	if (!probe_insn_refused(&pi))
		describe_displacement(insn, &pi);
	if (probe_insn_emulated(&pi))
		describe_emulated(insn, &pi);
	return pi;
}

/**
 * probe_insn_decode() - decode and classify the instruction at the start of a text
 * @text: bytes, as the processor would execute them
 * @len: number of readable bytes
 *
 * Context: any; pure.
 * Return: the description; kind PROBE_INSN_UNDEFINED and length 0 if @text does
 * not hold a whole instruction.
 */
struct probe_insn probe_insn_decode(const u8 *text, size_t len)
{
	struct probe_insn none = { .kind = PROBE_INSN_UNDEFINED };
	struct insn insn;

	if (insn_decode(&insn, text, len, INSN_MODE_64))
		return none;
	return probe_insn_classify(&insn);
}
