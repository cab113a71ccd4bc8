// SPDX-License-Identifier: GPL-2.0
/*
 * Resume code: a copied instruction at another address, then the way back.
 *
 *	+0	the instruction
 *	+4	b to the instruction after the original, or a BRK
 *	+8	a literal of 4 or 8 bytes
 *	+16	a literal of 16 bytes
 *
 * A vector literal cannot be emulated, since pt_regs has no vector registers, and
 * to load it from its place takes a register that is not free. So the slot gets
 * the constant beside the instruction, and the instruction the new distance. That
 * is exact as long as the original never changes: in text and in read-only data.
 * What lies elsewhere is PROBE_INSN_VARIABLE, for the core to refuse.
 *
 * Everything is written to the caller's buffer for a given final address: making
 * the bytes visible and executable there is the slot's duty.
 */
#include <linux/align.h>
#include <linux/errno.h>
#include <linux/sizes.h>
#include <linux/string.h>
#include <linux/types.h>
#include <linux/unaligned.h>

#include <asm/insn.h>

#include "insn.h"

/* Where in the resume code the literal stands. */
static unsigned int literal_at(const struct probe_insn *pi)
{
	return ALIGN(2 * AARCH64_INSN_SIZE, pi->size);
}

/* Text is little endian whatever the data is. */
static int put_word(u8 *buf, size_t size, u32 word)
{
	if (size < AARCH64_INSN_SIZE)
		return -ENOSPC;
	put_unaligned_le32(word, buf);
	return AARCH64_INSN_SIZE;
}

static int put_literal(u8 *buf, size_t size, const struct probe_insn *pi,
		       const void *literal)
{
	unsigned int at = literal_at(pi), end = 2 * AARCH64_INSN_SIZE;

	if (size < at + pi->size)
		return -ENOSPC;
	memset(buf + end, 0, at - end);		/* udf */
	memcpy(buf + at, literal, pi->size);
	return at + pi->size;
}

/* The instruction itself, at @to. */
static int put_copy(u8 *buf, size_t size, const struct probe_insn *pi,
		    const void *literal, unsigned long to)
{
	u32 word = pi->word;

	if (!probe_insn_copied(pi) || !IS_ALIGNED(to, AARCH64_INSN_SIZE))
		return -EINVAL;
	if (pi->kind == PROBE_INSN_LITERAL) {
		if (!literal)
			return -EINVAL;
		word = aarch64_insn_encode_immediate(AARCH64_INSN_IMM_19, word,
						     literal_at(pi) / 4);
	}
	return put_word(buf, size, word);
}

/* What follows the word that ends resume code of length @len. */
static int put_rest(u8 *buf, size_t size, const struct probe_insn *pi,
		    const void *literal, int len)
{
	if (pi->kind != PROBE_INSN_LITERAL)
		return len;
	return put_literal(buf, size, pi, literal);
}

/**
 * probe_insn_branch_to - write a direct branch
 * @buf: where to write
 * @size: bytes there are in @buf
 * @from: where the branch will run
 * @target: where it goes
 *
 * Context: any; pure, writes @buf only.
 * Return: bytes written; -ENOSPC if @buf is too small, -ERANGE if @target is out
 * of reach, -EINVAL if an address is none of an instruction.
 */
int probe_insn_branch_to(u8 *buf, size_t size, unsigned long from,
			 unsigned long target)
{
	s64 distance = (s64)(target - from);

	if (!IS_ALIGNED(from | target, AARCH64_INSN_SIZE))
		return -EINVAL;
	if (distance < -(s64)SZ_128M || distance >= SZ_128M)
		return -ERANGE;
	return put_word(buf, size,
			aarch64_insn_gen_branch_imm(from, target,
						    AARCH64_INSN_BRANCH_NOLINK));
}

/**
 * probe_insn_resume - write resume code: the instruction, then the branch back
 * @buf: where to write
 * @size: bytes there are in @buf; PROBE_RESUME_MAX is always enough
 * @pi: its description, of a copied kind
 * @literal: for PROBE_INSN_LITERAL, the @pi->size bytes it loads; else unused
 * @from: where the instruction stands
 * @to: where what is in @buf will run
 *
 * PROBE_INSN_LEAVE is all of its resume code, and never out of reach.
 *
 * Context: any; pure, writes @buf only.
 * Return: bytes written; -EINVAL if @pi is not of a copied kind or @literal is
 * missing, -ENOSPC if @buf is too small, -ERANGE if a branch from @to does not
 * reach back to @from: then probe_insn_resume_trap() will serve.
 */
int probe_insn_resume(u8 *buf, size_t size, const struct probe_insn *pi,
		      const void *literal, unsigned long from,
		      unsigned long to)
{
	int len = put_copy(buf, size, pi, literal, to), back;

	if (len < 0 || pi->kind == PROBE_INSN_LEAVE)
		return len;
	back = probe_insn_branch_to(buf + len, size - len, to + len, from + len);
	if (back < 0)
		return back;
	return put_rest(buf, size, pi, literal, len + back);
}

/**
 * probe_insn_resume_trap - write resume code that ends in a trap
 * @buf: where to write
 * @size: bytes there are in @buf; PROBE_RESUME_MAX is always enough
 * @pi: its description, of a copied kind
 * @literal: for PROBE_INSN_LITERAL, the @pi->size bytes it loads; else unused
 * @to: where what is in @buf will run
 * @imm: what the BRK carries
 *
 * The BRK is at @to + 4; what is to be done there, and the way back, is its
 * handler's.
 *
 * Context: any; pure, writes @buf only.
 * Return: bytes written; -EINVAL and -ENOSPC as of probe_insn_resume(),
 * -EOPNOTSUPP for PROBE_INSN_LEAVE, after which there is nothing to trap.
 */
int probe_insn_resume_trap(u8 *buf, size_t size, const struct probe_insn *pi,
			   const void *literal, unsigned long to, u16 imm)
{
	int len, end;

	if (pi->kind == PROBE_INSN_LEAVE)
		return -EOPNOTSUPP;
	len = put_copy(buf, size, pi, literal, to);
	if (len < 0)
		return len;
	end = put_word(buf + len, size - len, AARCH64_BREAK_MON | (u32)imm << 5);
	if (end < 0)
		return end;
	return put_rest(buf, size, pi, literal, len + end);
}
