/* SPDX-License-Identifier: GPL-2.0 */
/* What a disassembler's text says should be done with an instruction. */
#ifndef _MNEMONIC_H
#define _MNEMONIC_H

#include <stdbool.h>
#include <stdint.h>

/* The text is no instruction, or nothing but prefixes. */
#define MNEMONIC_BAD	(-1)
#define MNEMONIC_PREFIX	(-2)

/**
 * struct mnemonic - a line of disassembly, read without looking at its bytes
 * @kind:	enum probe_insn_kind it should have, or one of the above
 * @name:	the mnemonic, without prefixes
 * @target:	where a direct branch goes, or the address in a "# address" comment
 * @has_target:	there is one
 */
struct mnemonic {
	int		kind;
	char		name[24];
	uint64_t	target;
	bool		has_target;
};

struct mnemonic mnemonic_read(const char *text);

#endif
