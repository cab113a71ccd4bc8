// SPDX-License-Identifier: GPL-2.0
/*
 * Boundaries: is an address the start of an instruction, and of which.
 *
 * x86 code can only be read forwards, so the function is decoded from its start.
 * Compilers put no data among a kernel's instructions; what cannot be decoded
 * ends the walk, and everything behind it is refused.
 */
#include <linux/errno.h>
#include <linux/string.h>

#include <asm/insn.h>

#include "insn.h"

#define INT3_OPCODE	0xcc

/*
 * An int3 that was compiled in stands where execution does not arrive: padding
 * behind a return, a jump, a trap or a call that does not return. Any other is
 * somebody's breakpoint. It hides the instruction below it, whose length is then
 * a guess.
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

static bool is_foreign_breakpoint(const struct probe_insn_site *site)
{
	return site->text[0] == INT3_OPCODE && !may_precede_padding(&site->prev);
}

static int read_insn(unsigned long addr, probe_text_read_t read, void *data,
		     u8 *text, struct probe_insn *pi)
{
	int got = read(addr, text, MAX_INSN_SIZE, data);

	if (got < 0)
		return got;
	*pi = probe_insn_decode(text, got);
	return pi->length ? 0 : -EILSEQ;
}

/* What stands behind a refused or last instruction does not matter: none then. */
static struct probe_insn peek_next(unsigned long addr, probe_text_read_t read,
				   void *data, const struct probe_insn *pi)
{
	struct probe_insn next = { };
	u8 text[MAX_INSN_SIZE];

	if (pi->kind == PROBE_INSN_STI)
		read_insn(addr + pi->length, read, data, text, &next);
	return next;
}

/**
 * probe_insn_find - find the instruction that starts at an address
 * @start: where its function starts
 * @addr: the address; @start or above
 * @read: how to read text
 * @data: passed to @read
 * @site: filled in on success
 *
 * Context: any that @read can take; the caller keeps text from changing
 * (text_mutex) as long as it uses the answer. Takes no lock itself.
 * Return: 0, and @site->insn.kind says what can be done there; -EILSEQ if no
 * instruction starts at @addr, or the text before it cannot be decoded; an errno
 * of @read.
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
		ret = read_insn(at, read, data, site->text, &site->insn);
		if (ret)
			return ret;
		if (is_foreign_breakpoint(site))
			return -EILSEQ;
		if (at >= addr)
			break;
		site->prev = site->insn;
		site->prev_addr = at;
	}
	if (at != addr)
		return -EILSEQ;
	next = peek_next(at, read, data, &site->insn);
	site->insn.kind = probe_insn_refuse_beside(&site->prev, &site->insn, &next);
	return 0;
}
