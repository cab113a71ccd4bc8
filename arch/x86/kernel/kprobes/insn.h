/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The x86_64 instruction backend: what can be done with one instruction, its
 * emulation, its relocation, and the boundaries between instructions.
 *
 * Nothing here touches text, takes a lock or keeps state: bytes and registers
 * come in, a description, registers or bytes go out. So the same files compile
 * in user space, where tools/testing/kprobes/insn runs them against objdump and
 * against the processor.
 */
#ifndef _X86_KPROBES_INSN_H
#define _X86_KPROBES_INSN_H

#include <linux/types.h>

struct insn;
struct pt_regs;

/* The longest resume code: an instruction of 15 bytes and a branch of 5. */
#define PROBE_RESUME_MAX	20

/*
 * What can be done with an instruction, in three ranges: refused, copied,
 * emulated. A kind that is refused is at the same time the reason;
 * probe_insn_kind_text() has it in words.
 */
enum probe_insn_kind {
	/* refused: for what the instruction is */
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
	/* refused: for what stands beside it */
	PROBE_INSN_SHADOW,
	PROBE_INSN_STI_WAIT,

	/* runs as it is at another address, RIP-relative operand adjusted */
	PROBE_INSN_COPY,

	/* emulated, because it reads or writes the instruction pointer ... */
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
	/* ... or the flags and the stack pointer, which the trap's frame holds */
	PROBE_INSN_PUSHF,
	PROBE_INSN_POPF,
	PROBE_INSN_CLI,
	PROBE_INSN_STI,
	PROBE_INSN_PUSH_SP,
	PROBE_INSN_POP_SP,

	PROBE_INSN_KINDS
};

/* Values of a register member that is not a register number. */
#define PROBE_REG_NONE	0x10
#define PROBE_REG_IP	0x11

/**
 * struct probe_insn - one instruction, as far as this backend needs to know it
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

/* The judgement of a trap asks this, and calls nothing that could be probed */
static __always_inline bool probe_insn_copied(const struct probe_insn *pi)
{
	return pi->kind == PROBE_INSN_COPY;
}

static inline bool probe_insn_emulated(const struct probe_insn *pi)
{
	return pi->kind > PROBE_INSN_COPY;
}

/*
 * The emulated kinds probe_insn_emulate() may leave undone. They get a slot as
 * the copied ones do, for the copy to fault there.
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

/* kind.c */
enum probe_insn_kind probe_insn_opcode_kind(struct insn *insn);

/* classify.c */
bool probe_insn_has_prefix(const struct insn *insn, u8 byte);
bool probe_insn_has_operand_prefix(const struct insn *insn);
bool probe_insn_rex_w(const struct insn *insn);
struct probe_insn probe_insn_classify(struct insn *insn);
struct probe_insn probe_insn_decode(const u8 *text, size_t len);

/* refuse.c */
enum probe_insn_kind probe_insn_refuse_beside(const struct probe_insn *prev,
					      const struct probe_insn *this,
					      const struct probe_insn *next);
const char *probe_insn_kind_text(enum probe_insn_kind kind);

/* emulate.c */
int probe_insn_emulate(const struct probe_insn *pi, unsigned long addr,
		       struct pt_regs *regs);

/* relocate.c */
int probe_insn_copy_to(u8 *buf, size_t size, const u8 *text,
		       const struct probe_insn *pi, unsigned long from,
		       unsigned long to);
int probe_insn_branch_to(u8 *buf, size_t size, unsigned long from,
			 unsigned long target);
int probe_insn_resume(u8 *buf, size_t size, const u8 *text,
		      const struct probe_insn *pi, unsigned long from,
		      unsigned long to);
int probe_insn_resume_trap(u8 *buf, size_t size, const u8 *text,
			   const struct probe_insn *pi, unsigned long from,
			   unsigned long to);

/* boundary.c */

/**
 * typedef probe_text_read_t - read text as it was before any point was armed
 * @addr:	where to read
 * @buf:	where to put it
 * @len:	bytes wanted, MAX_INSN_SIZE at most
 * @data:	what the caller of probe_insn_find() passed
 *
 * Our own traps and jumps are replaced by the bytes they stand on. Text of
 * others (ftrace sites, jump labels, static calls) is returned as it stands: its
 * owner keeps it decodable.
 *
 * Return: bytes read, fewer than @len where text ends; negative errno.
 */
typedef int (*probe_text_read_t)(unsigned long addr, u8 *buf, size_t len,
				 void *data);

/**
 * struct probe_insn_site - an instruction among its neighbours
 * @insn:	the instruction asked for; its kind is that of the place, so with
 *		what stands beside it taken into account
 * @text:	its bytes
 * @prev:	the instruction before it; length 0 at the start of the function
 * @prev_addr:	where that one starts
 */
struct probe_insn_site {
	struct probe_insn	insn;
	u8			text[16];
	struct probe_insn	prev;
	unsigned long		prev_addr;
};

int probe_insn_find(unsigned long start, unsigned long addr,
		    probe_text_read_t read, void *data,
		    struct probe_insn_site *site);

#endif /* _X86_KPROBES_INSN_H */
