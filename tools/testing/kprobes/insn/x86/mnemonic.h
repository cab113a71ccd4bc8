/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The treatment of an instruction according to a disassembler's text. */
#ifndef _MNEMONIC_H
#define _MNEMONIC_H

#include <stdbool.h>
#include <stdint.h>

/* The text is no instruction, or only prefixes. */
#define MNEMONIC_BAD	(-1)
#define MNEMONIC_PREFIX	(-2)

/**
 * struct mnemonic - a line of disassembly, read without its bytes
 * @kind:	the enum probe_insn_kind that it should have, or one of the above
 * @name:	the mnemonic, without prefixes
 * @target:	the target of a direct branch, or the address in a "# address" comment
 * @has_target:	whether there is one
 */
struct mnemonic {
	int		kind;
	char		name[24];
	uint64_t	target;
	bool		has_target;
};

struct mnemonic mnemonic_read(const char *text);

#endif
