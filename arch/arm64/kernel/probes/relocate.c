// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Resume code: a copy of an instruction at another address, then a branch back.
 *
 *	+0	the instruction
 *	+4	b to the instruction after the original, or a BRK
 *	+8	a literal of 4 or 8 bytes
 *	+16	a literal of 16 bytes
 *
 * A vector literal cannot be emulated, because pt_regs has no vector registers, and
 * no register is free to load it from its original address. The slot therefore
 * holds a copy of the constant next to the instruction, and the offset in the
 * instruction is adjusted. This is correct only if the original never changes: it
 * must be in text or in read-only data. kprobe_insn.c refuses a literal elsewhere as
 * PROBE_INSN_VARIABLE.
 *
 * The functions write to the caller's buffer, for a given final address. The slot
 * makes the bytes visible and executable there.
 */
#include <linux/align.h>
#include <linux/errno.h>
#include <linux/sizes.h>
#include <linux/string.h>
#include <linux/types.h>
#include <linux/unaligned.h>

#include <asm/insn.h>

#include "insn.h"

/* Offset of the literal in the resume code. */
static unsigned int literal_at(const struct probe_insn *pi)
{
	return ALIGN(2 * AARCH64_INSN_SIZE, pi->size);
}

/* Text is always little endian, data need not be. */
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

/* Write the instruction itself, to run at @to. */
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

/* Write the part after the word that ends resume code of length @len. */
static int put_rest(u8 *buf, size_t size, const struct probe_insn *pi,
		    const void *literal, int len)
{
	if (pi->kind != PROBE_INSN_LITERAL)
		return len;
	return put_literal(buf, size, pi, literal);
}

/**
 * probe_insn_branch_to() - write a direct branch
 * @buf: destination
 * @size: size of @buf in bytes
 * @from: address at which the branch will run
 * @target: address it branches to
 *
 * Context: any; pure, writes @buf only.
 * Return: bytes written; -ENOSPC if @buf is too small, -ERANGE if @from cannot
 * reach @target, -EINVAL if one of the addresses is not aligned.
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
 * probe_insn_write_resume() - write resume code: the instruction, then the branch back
 * @buf: destination
 * @size: size of @buf in bytes; PROBE_RESUME_MAX is always enough
 * @pi: its description, of a copied kind
 * @literal: for PROBE_INSN_LITERAL, the @pi->size bytes it loads; otherwise unused
 * @from: address of the instruction
 * @to: address at which the contents of @buf will run
 *
 * The resume code of a PROBE_INSN_LEAVE is the instruction alone. It has no branch
 * back and so is never out of reach.
 *
 * Context: any; pure, writes @buf only.
 * Return: bytes written; -EINVAL if @pi is not of a copied kind or @literal is
 * missing, -ENOSPC if @buf is too small, -ERANGE if a branch from @to does not
 * reach back to @from. The caller can then use probe_insn_write_resume_trap().
 */
int probe_insn_write_resume(u8 *buf, size_t size, const struct probe_insn *pi,
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
 * probe_insn_write_resume_trap() - write resume code that ends in a trap
 * @buf: destination
 * @size: size of @buf in bytes; PROBE_RESUME_MAX is always enough
 * @pi: its description, of a copied kind
 * @literal: for PROBE_INSN_LITERAL, the @pi->size bytes it loads; otherwise unused
 * @to: address at which the contents of @buf will run
 * @imm: immediate of the BRK
 *
 * The BRK is at @to + 4. The BRK's handler also returns to the original code.
 *
 * Context: any; pure, writes @buf only.
 * Return: bytes written; -EINVAL and -ENOSPC as in probe_insn_write_resume();
 * -EOPNOTSUPP for PROBE_INSN_LEAVE, after which no trap is reached.
 */
int probe_insn_write_resume_trap(u8 *buf, size_t size, const struct probe_insn *pi,
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
