// SPDX-License-Identifier: GPL-2.0-or-later
/* The texts for the kinds of instructions, in particular for refusals. */
#include <linux/array_size.h>
#include <linux/build_bug.h>
#include <linux/types.h>

#include "insn.h"

static const char * const kind_text[] = {
	[PROBE_INSN_UNDEFINED]		= "an unknown instruction",
	[PROBE_INSN_TRAP]		= "raises an exception by itself (svc, brk, udf)",
	[PROBE_INSN_ENTRY]		= "returns from an exception (eret, drps)",
	[PROBE_INSN_WAIT]		= "waits for an interrupt (wfi)",
	[PROBE_INSN_CONTROL]		= "writes a system register that exception entry uses",
	[PROBE_INSN_SYNDROME]		= "reads a system register that the trap overwrites",
	[PROBE_INSN_LOAD_EXCLUSIVE]	= "begins an exclusive sequence (ldxr)",
	[PROBE_INSN_STORE_EXCLUSIVE]	= "ends an exclusive sequence (stxr)",
	[PROBE_INSN_MOPS]		= "part of a memory copy or set (cpyp, setp)",
	[PROBE_INSN_PREFIX]		= "belongs to the next instruction (movprfx)",
	[PROBE_INSN_HINT]		= "a hint not known to be harmless",
	[PROBE_INSN_AUTH_CALL]		= "calls through a signed pointer (blraa)",
	[PROBE_INSN_IN_EXCLUSIVE]	= "inside an exclusive sequence (ldxr to stxr)",
	[PROBE_INSN_PREFIXED]		= "belongs to the instruction before it (movprfx, pacm)",
	[PROBE_INSN_VARIABLE]		= "loads a literal that may change, or cannot be read",
	[PROBE_INSN_COPY]		= "copied",
	[PROBE_INSN_PAD]		= "landing pad",
	[PROBE_INSN_LEAVE]		= "branch to a signed pointer",
	[PROBE_INSN_LITERAL]		= "vector literal",
	[PROBE_INSN_ADR]		= "adr",
	[PROBE_INSN_ADRP]		= "adrp",
	[PROBE_INSN_B]			= "b",
	[PROBE_INSN_BL]			= "bl",
	[PROBE_INSN_BCOND]		= "b.cond",
	[PROBE_INSN_CBZ]		= "cbz",
	[PROBE_INSN_CBNZ]		= "cbnz",
	[PROBE_INSN_TBZ]		= "tbz",
	[PROBE_INSN_TBNZ]		= "tbnz",
	[PROBE_INSN_BR]			= "br",
	[PROBE_INSN_BLR]		= "blr",
	[PROBE_INSN_RET]		= "ret",
	[PROBE_INSN_LDR]		= "ldr of a literal",
	[PROBE_INSN_LDRSW]		= "ldrsw of a literal",
	[PROBE_INSN_PRFM]		= "prfm of a literal",
};

static_assert(ARRAY_SIZE(kind_text) == PROBE_INSN_KINDS);

/**
 * probe_insn_kind_text() - the text for a kind
 * @kind: the kind; for a refusal it is the reason
 *
 * Context: any; pure.
 * Return: a constant string.
 */
const char *probe_insn_kind_text(enum probe_insn_kind kind)
{
	return kind < PROBE_INSN_KINDS ? kind_text[kind] : "?";
}
