// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Instruction boundaries: whether an instruction starts at an address, and which.
 *
 * x86 code can only be decoded forwards, so the walk begins at the function's
 * start. Compilers put no data among the kernel's instructions. Bytes that cannot
 * be decoded end the walk, and every address after them is refused.
 */
#include <linux/errno.h>
#include <linux/string.h>

#include <asm/insn.h>

#include "insn.h"

#define INT3_OPCODE	0xcc

/*
 * A compiled int3 is padding that is never executed: it follows a return, a jump,
 * a trap or a call that does not return. Any other int3 is a breakpoint of another
 * owner. It hides the original instruction, whose length is then unknown.
 */
static bool may_precede_padding(const struct probe_insn *prev)
{
	switch (prev->kind) {
	case PROBE_INSN_TRAP:
	case PROBE_INSN_FAR:
	case PROBE_INSN_ENTRY:
	case PROBE_INSN_WAIT:
	case PROBE_INSN_CALL ... PROBE_INSN_JMP_MEM:
	case PROBE_INSN_RET:
		return true;
	default:
		return !prev->length;
	}
}

/**
 * probe_insn_is_breakpoint() - has another owner put an int3 over an instruction?
 * @text: the bytes of the instruction, read without probes
 * @prev: the instruction before it; length 0 at the start of the function
 *
 * Context: any; pure.
 * Return: true if so; false if there is no int3, or it is padding.
 */
bool probe_insn_is_breakpoint(const u8 *text, const struct probe_insn *prev)
{
	return text[0] == INT3_OPCODE && !may_precede_padding(prev);
}

static int boundary_read(unsigned long addr, probe_text_read_t read, void *data,
			 u8 *text, struct probe_insn *pi)
{
	int got = read(addr, text, MAX_INSN_SIZE, data);

	if (got < 0)
		return got;
	*pi = probe_insn_decode(text, got);
	return pi->length ? 0 : -EILSEQ;
}

/* Only sti depends on the next instruction; any other kind reads none. */
static struct probe_insn boundary_peek_next(unsigned long addr, probe_text_read_t read,
					    void *data, const struct probe_insn *pi)
{
	struct probe_insn next = { };
	u8 text[MAX_INSN_SIZE];

	if (pi->kind == PROBE_INSN_STI)
		boundary_read(addr + pi->length, read, data, text, &next);
	return next;
}

/**
 * probe_insn_find() - find the instruction that starts at an address
 * @start: start of the function
 * @addr: the address, at least @start
 * @read: reads text
 * @data: passed to @read
 * @site: filled in on success
 *
 * Context: any that @read allows. Takes no lock. The caller keeps text unchanged (text_mutex)
 * meanwhile; who uses the result later must compare the text again.
 * Return: 0, and @site->insn.kind holds the result; -EILSEQ if no instruction
 * starts at @addr, or the text before it cannot be decoded; an errno of @read.
 */
int probe_insn_find(unsigned long start, unsigned long addr,
		    probe_text_read_t read, void *data,
		    struct probe_insn_site *site)
{
	struct probe_insn next;
	unsigned long at;
	int ret;

	memset(site, 0, sizeof(*site));
	for (at = start; ; at += site->prev.length) {
		ret = boundary_read(at, read, data, site->text, &site->insn);
		if (ret)
			return ret;
		if (probe_insn_is_breakpoint(site->text, &site->prev))
			return -EILSEQ;
		if (at >= addr)
			break;
		site->prev = site->insn;
	}
	if (at != addr)
		return -EILSEQ;
	next = boundary_peek_next(at, read, data, &site->insn);
	site->insn.kind = probe_insn_refuse_beside(&site->prev, &site->insn, &next);
	return 0;
}
