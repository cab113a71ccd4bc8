// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Resume code: a copy of an instruction at another address, then a branch back.
 *
 *	instruction, RIP-relative displacement adjusted		pi->length bytes
 *	jmp to the instruction after the original		5 bytes
 *
 * A point with a post-handler needs a second form, in which an int3 replaces the
 * jmp.
 *
 * The functions write to the caller's buffer, for a given final address. The slot
 * makes the bytes visible and executable there. Offsets in the copy equal those in
 * the original: an ip within the copy maps back by subtraction.
 */
#include <linux/errno.h>
#include <linux/limits.h>
#include <linux/string.h>
#include <linux/types.h>
#include <linux/unaligned.h>

#include "insn.h"

#define JMP32_OPCODE	0xe9
#define JMP32_SIZE	5
#define INT3_OPCODE	0xcc
#define INT3_SIZE	1

static bool fits_s32(s64 value)
{
	return value >= S32_MIN && value <= S32_MAX;
}

/**
 * probe_insn_copy_to() - write an instruction so that it runs at another address
 * @buf: destination
 * @size: size of @buf in bytes
 * @text: the instruction, @pi->length bytes
 * @pi: its description, of the copied kind or of a kind that may fault
 * @from: address of the instruction
 * @to: address at which the contents of @buf will run
 *
 * The copy of an emulated instruction raises the same fault as the original, after
 * probe_insn_emulate() has returned -EFAULT. The fault handler may repair the
 * cause, as KFENCE does. The copy is then executed, and a call returns to @to +
 * @pi->length.
 *
 * Context: any; pure, writes @buf only.
 * Return: bytes written; -EINVAL if @pi is of another kind, -ENOSPC if @buf is
 * too small, -ERANGE if @to cannot reach the RIP-relative operand.
 */
int probe_insn_copy_to(u8 *buf, size_t size, const u8 *text,
		       const struct probe_insn *pi, unsigned long from,
		       unsigned long to)
{
	s64 disp = (s64)pi->disp + (s64)(from - to);

	if (!probe_insn_copied(pi) && !probe_insn_may_fault(pi))
		return -EINVAL;
	if (size < pi->length)
		return -ENOSPC;
	if (pi->disp_at && !fits_s32(disp))
		return -ERANGE;
	memcpy(buf, text, pi->length);
	if (pi->disp_at)
		put_unaligned((s32)disp, (s32 *)(buf + pi->disp_at));
	return pi->length;
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
 * reach @target.
 */
int probe_insn_branch_to(u8 *buf, size_t size, unsigned long from,
			 unsigned long target)
{
	s64 disp = (s64)(target - from) - JMP32_SIZE;

	if (size < JMP32_SIZE)
		return -ENOSPC;
	if (!fits_s32(disp))
		return -ERANGE;
	buf[0] = JMP32_OPCODE;
	put_unaligned((s32)disp, (s32 *)(buf + 1));
	return JMP32_SIZE;
}

/**
 * probe_insn_write_resume() - write resume code: the instruction, then the branch back
 * @buf: destination
 * @size: size of @buf in bytes; PROBE_RESUME_MAX is always enough
 * @text: the instruction, @pi->length bytes
 * @pi: its description, of the copied kind or of a kind that may fault
 * @from: address of the instruction
 * @to: address at which the contents of @buf will run
 *
 * Context: any; pure, writes @buf only.
 * Return: bytes written, or an errno of probe_insn_copy_to().
 */
int probe_insn_write_resume(u8 *buf, size_t size, const u8 *text,
			    const struct probe_insn *pi, unsigned long from,
			    unsigned long to)
{
	int len, back;

	len = probe_insn_copy_to(buf, size, text, pi, from, to);
	if (len < 0)
		return len;
	back = probe_insn_branch_to(buf + len, size - len, to + len, from + len);
	return back < 0 ? back : len + back;
}

/**
 * probe_insn_write_resume_trap() - write resume code that ends in a trap
 * @buf: destination
 * @size: size of @buf in bytes
 * @text: the instruction, @pi->length bytes
 * @pi: its description, of kind PROBE_INSN_COPY
 * @from: address of the instruction
 * @to: address at which the contents of @buf will run
 *
 * The trap is at @to + @pi->length. The trap's handler also returns to
 * @from + @pi->length.
 *
 * Context: any; pure, writes @buf only.
 * Return: bytes written, or an errno of probe_insn_copy_to().
 */
int probe_insn_write_resume_trap(u8 *buf, size_t size, const u8 *text,
				 const struct probe_insn *pi, unsigned long from,
				 unsigned long to)
{
	int len;

	if (!probe_insn_copied(pi))
		return -EINVAL;
	len = probe_insn_copy_to(buf, size, text, pi, from, to);
	if (len < 0)
		return len;
	if (size - len < INT3_SIZE)
		return -ENOSPC;
	buf[len] = INT3_OPCODE;
	return len + INT3_SIZE;
}
