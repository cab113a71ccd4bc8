/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * struct probe_insn: the description of one decoded arm64 (A64) instruction. The instruction
 * backend makes it; the core keeps it in struct kprobe_insn and emulates by it.
 *
 * The file also compiles in user space.
 */
#ifndef _ASM_ARM64_PROBE_INSN_H
#define _ASM_ARM64_PROBE_INSN_H

#include <linux/types.h>

struct pt_regs;

/*
 * The treatment of an instruction, in three ranges: refused, copied, emulated.
 * A refused kind is also the reason; probe_insn_kind_text() returns its text.
 */
enum probe_insn_kind {
	/* refused because of the instruction itself */
	PROBE_INSN_UNDEFINED,		/* zero: an encoding no table lists */
	PROBE_INSN_TRAP,
	PROBE_INSN_ENTRY,
	PROBE_INSN_WAIT,
	PROBE_INSN_CONTROL,
	PROBE_INSN_SYNDROME,
	PROBE_INSN_LOAD_EXCLUSIVE,
	PROBE_INSN_STORE_EXCLUSIVE,
	PROBE_INSN_MOPS,
	PROBE_INSN_PREFIX,
	PROBE_INSN_HINT,
	PROBE_INSN_AUTH_CALL,
	/* refused because of its place, or because of the data it loads */
	PROBE_INSN_IN_EXCLUSIVE,
	PROBE_INSN_PREFIXED,
	PROBE_INSN_VARIABLE,

	/* runs unchanged at another address ... */
	PROBE_INSN_COPY,
	/* ... and only a BRK may replace the original: it is a landing pad */
	PROBE_INSN_PAD,
	/* ... and does not return: no code needs to follow it */
	PROBE_INSN_LEAVE,
	/* ... next to a copy of the constant that it loads into a vector register */
	PROBE_INSN_LITERAL,

	/* emulated: reads or writes the program counter */
	PROBE_INSN_ADR,
	PROBE_INSN_ADRP,
	PROBE_INSN_B,
	PROBE_INSN_BL,
	PROBE_INSN_BCOND,
	PROBE_INSN_CBZ,
	PROBE_INSN_CBNZ,
	PROBE_INSN_TBZ,
	PROBE_INSN_TBNZ,
	PROBE_INSN_BR,
	PROBE_INSN_BLR,
	PROBE_INSN_RET,
	PROBE_INSN_LDR,
	PROBE_INSN_LDRSW,
	PROBE_INSN_PRFM,

	PROBE_INSN_KINDS
};

/**
 * struct probe_insn - the properties of one instruction that the backend uses
 * @offset:	branches, ADR, literals: relative to the instruction; ADRP:
 *		relative to its page
 * @word:	the instruction
 * @kind:	enum probe_insn_kind
 * @reg:	ADR, ADRP, LDR, LDRSW: the destination; CBZ to TBNZ: the tested
 *		register; BR, BLR, RET: the target. 31 is the zero register
 * @bit:	TBZ, TBNZ: the tested bit, 0 to 63
 * @cond:	BCOND: the condition
 * @size:	LDR, LDRSW, LITERAL: bytes read; CBZ, CBNZ: bytes compared
 */
struct probe_insn {
	s64	offset;
	u32	word;
	u8	kind;
	u8	reg;
	u8	bit;
	u8	cond;
	u8	size;
};

static inline bool probe_insn_refused(const struct probe_insn *pi)
{
	return pi->kind < PROBE_INSN_COPY;
}

static inline bool probe_insn_copied(const struct probe_insn *pi)
{
	return pi->kind >= PROBE_INSN_COPY && pi->kind <= PROBE_INSN_LITERAL;
}

static inline bool probe_insn_emulated(const struct probe_insn *pi)
{
	return pi->kind > PROBE_INSN_LITERAL;
}

/*
 * The address of a literal. The literal of a PROBE_INSN_LITERAL may be copied if it
 * never changes: it lies in text, or in read-only data of the same image. The literals
 * of the other loads only need to be readable. kprobe_insn.c refuses all other literals
 * as PROBE_INSN_VARIABLE.
 */
static __always_inline unsigned long
probe_insn_literal(const struct probe_insn *pi, unsigned long addr)
{
	return addr + pi->offset;
}

/* emulate.c */
int probe_insn_emulate(const struct probe_insn *pi, unsigned long addr,
		       struct pt_regs *regs);

#endif /* _ASM_ARM64_PROBE_INSN_H */
