// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The addresses that a piece of code may branch to, by linear decoding.
 *
 * These are the destinations of relative branches, and every constant of an instruction
 * that could be an address in text: code may push it or store it for a later branch. Bytes
 * that cannot be decoded are taken for a branch at each of their offsets. The result may
 * thus contain addresses that no branch leads to. It lacks only destinations of indirect
 * branches whose addresses are no constants of the code.
 */
#include <linux/kallsyms.h>
#include <linux/kprobe-arch.h>
#include <linux/kprobe-window.h>
#include <linux/string.h>
#include <linux/types.h>
#include <linux/unaligned.h>
#include <asm/insn.h>
#include <asm/text-patching.h>
#include "insn.h"

#define LEA_OPCODE		0x8d
#define XBEGIN_OPCODE		0xc7
#define XBEGIN_MODRM		0xf8

static bool is_relative(const struct probe_insn *pi)
{
	switch (pi->kind) {
	case PROBE_INSN_CALL:
	case PROBE_INSN_JMP:
	case PROBE_INSN_JCC:
	case PROBE_INSN_LOOP:
	case PROBE_INSN_LOOPE:
	case PROBE_INSN_LOOPNE:
	case PROBE_INSN_JCXZ:
		return true;
	default:
		return false;
	}
}

/*
 * Thunks have these names, but for those that are made while the kernel runs. A name in a module
 * takes a search through its symbols, and many functions there end in jumps.
 */
static bool is_thunk(const struct kprobe_targets_code *code, unsigned long addr)
{
	char name[KSYM_NAME_LEN];

	if (addr >= code->text && addr < code->text_end)
		return false;
	return lookup_symbol_name(addr, name) || str_has_prefix(name, "__x86_indirect_");
}

/* A jump that may have a table of destinations */
static bool is_indirect(const struct kprobe_targets_code *code, const struct probe_insn *pi)
{
	unsigned long to = code->addr + pi->length + pi->disp;

	if (pi->kind == PROBE_INSN_JMP || pi->kind == PROBE_INSN_JCC)
		return (to < code->symbol || to >= code->end) && is_thunk(code, to);
	return pi->kind == PROBE_INSN_JMP_REG || pi->kind == PROBE_INSN_JMP_MEM ||
	       pi->kind == PROBE_INSN_SEGMENT || pi->kind == PROBE_INSN_FAR;
}

/* A breakpoint of the debugger looks like padding, but an instruction is under it */
static bool is_debuggers(unsigned long addr, const u8 *text)
{
	return *text == INT3_INSN_OPCODE && kprobe_text_has_breakpoint(addr);
}

/* The meaning of such an instruction, and its length, may differ from what the decoder says */
static bool is_doubtful(const struct probe_insn *pi)
{
	return pi->kind == PROBE_INSN_UNDEFINED || pi->kind == PROBE_INSN_ODD ||
	       pi->kind == PROBE_INSN_EMULATE_PREFIX;
}

/* A branch at each offset of these bytes, of each form that there is */
static void code_scan(struct kprobe_targets_code *code, const u8 *text, unsigned int size)
{
	unsigned int i;

	for (i = 0; i + 1 < size; i++)
		code->mark(code->data, code->addr + i + 2 + (s8)text[i + 1]);
	for (i = 0; i + 5 <= size; i++)
		code->mark(code->data, code->addr + i + 5 +
				       (s32)get_unaligned((u32 *)(text + i + 1)));
}

static void code_mark_constants(struct kprobe_targets_code *code, struct insn *insn)
{
	unsigned long next = code->addr + insn->length;

	if (insn->opcode.bytes[0] == LEA_OPCODE && insn_rip_relative(insn))
		code->mark(code->data, next + insn->displacement.value);
	if (insn->opcode.bytes[0] == XBEGIN_OPCODE && insn->modrm.bytes[0] == XBEGIN_MODRM)
		code->mark(code->data, next + insn->immediate.value);
	if (insn->immediate.nbytes == 4)
		code->mark(code->data, (long)insn->immediate.value);
	if (insn->immediate1.nbytes == 4 && insn->immediate2.nbytes == 4)
		code->mark(code->data, (u32)insn->immediate1.value |
				       (unsigned long)(u32)insn->immediate2.value << 32);
}

static void code_note(struct kprobe_targets_code *code, struct insn *insn,
		      const struct probe_insn *pi)
{
	unsigned long next = code->addr + insn->length;

	if (is_relative(pi))
		code->mark(code->data, next + pi->disp);
	else
		code_mark_constants(code, insn);
	code->indirect |= is_indirect(code, pi);
}

/* Decode one instruction; returns its length, 0 if it cannot be decoded */
static unsigned int code_step(struct kprobe_targets_code *code, const u8 *text, unsigned int size)
{
	struct probe_insn pi;
	struct insn insn;

	if (insn_decode(&insn, text, size, INSN_MODE_64))
		return 0;
	pi = probe_insn_classify(&insn);
	if (is_doubtful(&pi) || probe_insn_is_breakpoint(text, &code->prev) ||
	    is_debuggers(code->addr, text))
		return 0;
	code_note(code, &insn, &pi);
	code->addr += insn.length;
	code->prev = pi;
	return insn.length;
}

/* The rest of the bytes; a branch may begin in the last four and end after them */
static unsigned int code_give_up(struct kprobe_targets_code *code, const u8 *text, unsigned int at,
				 unsigned int size, bool last)
{
	unsigned int used = last ? size : size - 4;

	code->unknown = true;
	code_scan(code, text + at, size - at);
	code->addr += used - at;
	return used;
}

/* Memory after the last function of a module is zero */
static bool code_is_over(const u8 *text, unsigned int size, bool last)
{
	return last && !memchr_inv(text, 0, size);
}

unsigned int arch_kprobe_code_targets(struct kprobe_targets_code *code, const u8 *text,
				      unsigned int size, bool last)
{
	unsigned int at = 0, length;

	while (at < size && (last || size - at >= MAX_INSN_SIZE)) {
		length = code->unknown ? 0 : code_step(code, text + at, size - at);
		if (!length && code_is_over(text + at, size - at, last)) {
			code->addr += size - at;
			return size;
		}
		if (!length)
			return code_give_up(code, text, at, size, last);
		at += length;
	}
	return at;
}
