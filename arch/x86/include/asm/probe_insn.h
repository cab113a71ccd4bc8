/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * struct probe_insn: the description of one decoded x86_64 instruction. The instruction
 * backend makes it; the core keeps it in struct kprobe_insn and emulates by it.
 *
 * The file also compiles in user space.
 */
#ifndef _ASM_X86_PROBE_INSN_H
#define _ASM_X86_PROBE_INSN_H

#include <linux/types.h>

struct pt_regs;

/*
 * The treatment of an instruction, in three ranges: refused, copied, emulated.
 * A refused kind is also the reason; probe_insn_kind_text() returns its text.
 */
enum probe_insn_kind {
	/* refused because of the instruction itself */
	PROBE_INSN_UNDEFINED,		/* zero: an opcode no table lists */
	PROBE_INSN_ODD,
	PROBE_INSN_EMULATE_PREFIX,
	PROBE_INSN_TRAP,
	PROBE_INSN_FAR,
	PROBE_INSN_ENTRY,
	PROBE_INSN_GUEST,
	PROBE_INSN_WAIT,
	PROBE_INSN_STACK_SEGMENT,
	PROBE_INSN_GS_BASE,
	PROBE_INSN_CONTROL,
	PROBE_INSN_TRANSACTION,
	PROBE_INSN_LANDING_PAD,
	PROBE_INSN_SEGMENT,
	/* refused because of a neighbouring instruction */
	PROBE_INSN_SHADOW,
	PROBE_INSN_STI_WAIT,

	/* runs unchanged at another address, but for a RIP-relative displacement */
	PROBE_INSN_COPY,

	/* emulated: reads or writes the instruction pointer ... */
	PROBE_INSN_CALL,
	PROBE_INSN_CALL_REG,
	PROBE_INSN_CALL_MEM,
	PROBE_INSN_JMP,
	PROBE_INSN_JMP_REG,
	PROBE_INSN_JMP_MEM,
	PROBE_INSN_JCC,
	PROBE_INSN_LOOP,
	PROBE_INSN_LOOPE,
	PROBE_INSN_LOOPNE,
	PROBE_INSN_JCXZ,
	PROBE_INSN_RET,
	/* ... or flags or stack pointer, which the registers of the hit hold */
	PROBE_INSN_PUSHF,
	PROBE_INSN_POPF,
	PROBE_INSN_CLI,
	PROBE_INSN_STI,
	PROBE_INSN_PUSH_SP,
	PROBE_INSN_POP_SP,

	PROBE_INSN_KINDS
};

/* Values of a register member that are not register numbers. */
#define PROBE_REG_NONE	0x10
#define PROBE_REG_IP	0x11

/**
 * struct probe_insn - the properties of one instruction that the backend uses
 * @kind:	enum probe_insn_kind
 * @length:	bytes of the whole instruction; 0 if it could not be decoded
 * @cond:	JCC: the condition, low four bits of the opcode
 * @size:	PUSHF, POPF: bytes on the stack, 2 or 8
 * @addr_size:	memory operand, loops, JCXZ: bytes of an address, 4 or 8
 * @base:	memory operand: a register number, PROBE_REG_NONE or PROBE_REG_IP;
 *		CALL_REG and JMP_REG: the register
 * @index:	memory operand: a register number or PROBE_REG_NONE
 * @scale:	memory operand: @index is shifted left by this
 * @disp_at:	offset of a RIP-relative displacement; 0 if there is none
 * @disp:	branches: relative to the end of the instruction; RET: bytes to drop
 *		from the stack; memory operand and COPY: the displacement
 */
struct probe_insn {
	u8	kind;
	u8	length;
	u8	cond;
	u8	size;
	u8	addr_size;
	u8	base;
	u8	index;
	u8	scale;
	u8	disp_at;
	s32	disp;
};

static inline bool probe_insn_refused(const struct probe_insn *pi)
{
	return pi->kind < PROBE_INSN_COPY;
}

static inline bool probe_insn_copied(const struct probe_insn *pi)
{
	return pi->kind == PROBE_INSN_COPY;
}

static inline bool probe_insn_emulated(const struct probe_insn *pi)
{
	return pi->kind > PROBE_INSN_COPY;
}

/*
 * The emulated kinds for which probe_insn_emulate() may return -EFAULT. They get
 * a slot like the copied kinds; the copy then raises the fault there.
 */
static inline bool probe_insn_may_fault(const struct probe_insn *pi)
{
	switch (pi->kind) {
	case PROBE_INSN_CALL_REG:
	case PROBE_INSN_CALL_MEM:
	case PROBE_INSN_JMP_REG:
	case PROBE_INSN_JMP_MEM:
	case PROBE_INSN_RET:
		return true;
	default:
		return false;
	}
}

/* emulate.c */
int probe_insn_emulate(const struct probe_insn *pi, unsigned long addr,
		       struct pt_regs *regs);

#endif /* _ASM_X86_PROBE_INSN_H */
