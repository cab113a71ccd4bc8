/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The arm64 instruction backend: what can be done with one A64 instruction, its
 * emulation and its relocation.
 *
 * Nothing here touches text, takes a lock or keeps state: words and registers
 * come in, a description, registers or bytes go out. So the same files compile
 * in user space, where tools/testing/kprobes/insn-arm64 runs them against
 * objdump and against the processor.
 */
#ifndef _ARM64_PROBES_INSN_H
#define _ARM64_PROBES_INSN_H

#include <linux/types.h>

struct pt_regs;

/* The longest resume code: an instruction, a branch, 8 bytes of gap, a literal. */
#define PROBE_RESUME_MAX	32

/*
 * What can be done with an instruction, in three ranges: refused, copied, emulated.
 * A kind that is refused is at the same time the reason; probe_insn_kind_text() has
 * it in words.
 */
enum probe_insn_kind {
	/* refused: for what the instruction is */
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
	/* refused: for where it stands, or what its operand is */
	PROBE_INSN_IN_EXCLUSIVE,
	PROBE_INSN_VARIABLE,

	/* runs as it is at another address ... */
	PROBE_INSN_COPY,
	/* ... and only a BRK may stand in its place, being a landing pad */
	PROBE_INSN_PAD,
	/* ... and does not come back: no code needs to follow it */
	PROBE_INSN_LEAVE,
	/* ... beside a copy of the constant it loads into a vector register */
	PROBE_INSN_LITERAL,

	/* emulated, because it reads or writes the program counter */
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
 * struct probe_insn - one instruction, as far as this backend needs to know it
 * @offset:	branches, ADR, literals: relative to the instruction; ADRP:
 *		relative to its page
 * @word:	the instruction
 * @kind:	enum probe_insn_kind
 * @reg:	ADR, ADRP, LDR, LDRSW: the destination; CBZ to TBNZ: what is
 *		tested; BR, BLR, RET: the target. 31 is the zero register
 * @bit:	TBZ, TBNZ: the bit tested, 0 to 63
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
 * Where a literal is. That of a PROBE_INSN_LITERAL may be copied if it never changes:
 * if it lies in text that nobody patches or in read-only data of the same image.
 * Else the kind is to be PROBE_INSN_VARIABLE. That of the other loads only has to be
 * readable.
 */
static __always_inline unsigned long
probe_insn_literal(const struct probe_insn *pi, unsigned long addr)
{
	return addr + pi->offset;
}

/* encoding.c */
bool probe_insn_is_listed(u32 word);

/* system.c */
enum probe_insn_kind probe_insn_system_kind(u32 word);

/* classify.c */
struct probe_insn probe_insn_classify(u32 word);

/* exclusive.c */
int probe_insn_in_exclusive(const __le32 *text, size_t words, size_t at);

/* refuse.c */
const char *probe_insn_kind_text(enum probe_insn_kind kind);

/* emulate.c */
int probe_insn_emulate(const struct probe_insn *pi, unsigned long addr,
		       struct pt_regs *regs);
int probe_insn_emulate_load(const struct probe_insn *pi, unsigned long addr,
			    struct pt_regs *regs, u64 value);

/* relocate.c */
int probe_insn_branch_to(u8 *buf, size_t size, unsigned long from,
			 unsigned long target);
int probe_insn_resume(u8 *buf, size_t size, const struct probe_insn *pi,
		      const void *literal, unsigned long from,
		      unsigned long to);
int probe_insn_resume_trap(u8 *buf, size_t size, const struct probe_insn *pi,
			   const void *literal, unsigned long to, u16 imm);

#endif /* _ARM64_PROBES_INSN_H */
