// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The expected kind of an instruction, determined by its name in objdump.
 *
 * Written from the names alone, without encodings, so that it shares no mistake with
 * the backend. An instruction that is not listed here must be copied.
 */
#include "insn.h"
#include "mnemonic.h"

struct mnemonic {
	const char	*name;		/* a trailing * matches any ending */
	u64		kinds;
};

static const struct mnemonic mnemonics[] = {
	{ "adr",	KIND(ADR) },
	{ "adrp",	KIND(ADRP) },
	{ "b",		KIND(B) },
	{ "bl",		KIND(BL) },
	{ "b.*",	KIND(BCOND) },
	{ "bc.*",	KIND(BCOND) },
	{ "cbz",	KIND(CBZ) },
	{ "cbnz",	KIND(CBNZ) },
	{ "tbz",	KIND(TBZ) },
	{ "tbnz",	KIND(TBNZ) },
	{ "br",		KIND(BR) },
	{ "blr",	KIND(BLR) },
	{ "ret",	KIND(RET) },
	{ "retaa",	KIND(LEAVE) },
	{ "retab",	KIND(LEAVE) },
	{ "braa",	KIND(LEAVE) },
	{ "brab",	KIND(LEAVE) },
	{ "braaz",	KIND(LEAVE) },
	{ "brabz",	KIND(LEAVE) },
	{ "blraa",	KIND(AUTH_CALL) },
	{ "blrab",	KIND(AUTH_CALL) },
	{ "blraaz",	KIND(AUTH_CALL) },
	{ "blrabz",	KIND(AUTH_CALL) },
	{ "eret*",	KIND(ENTRY) },
	{ "drps",	KIND(ENTRY) },
	{ "svc",	KIND(TRAP) },
	{ "hvc",	KIND(TRAP) },
	{ "smc",	KIND(TRAP) },
	{ "brk",	KIND(TRAP) },
	{ "hlt",	KIND(TRAP) },
	{ "udf",	KIND(TRAP) },
	{ "dcps*",	KIND(TRAP) },
	{ "tcancel",	KIND(TRAP) },
	{ "tstart",	KIND(UNDEFINED) },
	{ "tcommit",	KIND(UNDEFINED) },
	{ "ttest",	KIND(UNDEFINED) },
	{ "ldxr*",	KIND(LOAD_EXCLUSIVE) },
	{ "ldxp",	KIND(LOAD_EXCLUSIVE) },
	{ "ldaxr*",	KIND(LOAD_EXCLUSIVE) },
	{ "ldaxp",	KIND(LOAD_EXCLUSIVE) },
	{ "stxr*",	KIND(STORE_EXCLUSIVE) },
	{ "stxp",	KIND(STORE_EXCLUSIVE) },
	{ "stlxr*",	KIND(STORE_EXCLUSIVE) },
	{ "stlxp",	KIND(STORE_EXCLUSIVE) },
	{ "movprfx",	KIND(PREFIX) },
	{ "cpyf*",	KIND(MOPS) },
	{ "cpyp*",	KIND(MOPS) },
	{ "cpym*",	KIND(MOPS) },
	{ "cpye*",	KIND(MOPS) },
	{ "setp*",	KIND(MOPS) },
	{ "setm*",	KIND(MOPS) },
	{ "sete*",	KIND(MOPS) },
	{ "setg*",	KIND(MOPS) },
	{ "wfi",	KIND(WAIT) },
	{ "wfit",	KIND(WAIT) },
	{ "bti",	KIND(PAD) },
	{ "paciasp",	KIND(PAD) },
	{ "pacibsp",	KIND(PAD) },
	{ "hint",	KIND(HINT) | KIND(COPY) },
	{ "chkfeat",	KIND(COPY) },
	{ "sys",	KIND(COPY) | KIND(CONTROL) },
	{ "sysl",	KIND(COPY) | KIND(CONTROL) },
	{ "sysp",	KIND(UNDEFINED) },
	{ "mrrs",	KIND(UNDEFINED) },
	{ "msrr",	KIND(UNDEFINED) },
};

/* Registers and fields that msr must not write in a slot, and those it may write. */
static const struct mnemonic written[] = {
	{ "s*",			KIND(CONTROL) | KIND(COPY) },	/* no name, or below */
	{ "sctlr*",		KIND(CONTROL) },
	{ "sp_el*",		KIND(CONTROL) },
	{ "spsel",		KIND(CONTROL) },
	{ "spsr*",		KIND(CONTROL) },
	{ "elr_el*",		KIND(CONTROL) },
	{ "esr_el*",		KIND(CONTROL) },
	{ "ttbr*",		KIND(CONTROL) },
	{ "tcr_el*",		KIND(CONTROL) },
	{ "mair_el*",		KIND(CONTROL) },
	{ "vbar_el*",		KIND(CONTROL) },
	{ "cpacr_el*",		KIND(CONTROL) },
	{ "hcr_el2",		KIND(CONTROL) },
	{ "mdscr_el1",		KIND(CONTROL) },
	{ "dbg*",		KIND(CONTROL) },
	{ "contextidr_el*",	KIND(CONTROL) },
	{ "tpidr_el1",		KIND(CONTROL) },
	{ "tpidr_el2",		KIND(CONTROL) },
	{ "apia*",		KIND(CONTROL) },
	{ "rmr_el*",		KIND(CONTROL) },
	{ "daif*",		KIND(COPY) },
	{ "nzcv",		KIND(COPY) },
	{ "fpcr",		KIND(COPY) },
	{ "fpsr",		KIND(COPY) },
	{ "pan",		KIND(COPY) },
	{ "uao",		KIND(COPY) },
	{ "dit",		KIND(COPY) },
	{ "tco",		KIND(COPY) },
	{ "ssbs",		KIND(COPY) },
	{ "allint",		KIND(COPY) },
	{ "tpidr_el0",		KIND(COPY) },
	{ "tpidrro_el0",	KIND(COPY) },
	{ "icc_pmr_el1",	KIND(COPY) },
	{ "icc_eoir*",		KIND(COPY) },
	{ "icc_dir_el1",	KIND(COPY) },
	{ "icc_sgi*",		KIND(COPY) },
	{ "s0_*",		KIND(UNDEFINED) | KIND(CONTROL) },
	{ "cntp_*",		KIND(COPY) },
	{ "cntv_*",		KIND(COPY) },
	{ "pmcr_el0",		KIND(COPY) },
	{ "pmevcntr*",		KIND(COPY) },
};

static const struct mnemonic read[] = {
	{ "elr_el1",	KIND(SYNDROME) },
	{ "elr_el2",	KIND(SYNDROME) },
	{ "spsr_el1",	KIND(SYNDROME) },
	{ "spsr_el2",	KIND(SYNDROME) },
	{ "esr_el1",	KIND(SYNDROME) },
	{ "esr_el2",	KIND(SYNDROME) },
	{ "far_el1",	KIND(SYNDROME) },
	{ "far_el2",	KIND(SYNDROME) },
	{ "s0_*",	KIND(UNDEFINED) },
};

/* A name ends at a blank, a comma or the end of the line. */
static bool same(const char *pattern, const char *text)
{
	size_t len = strcspn(pattern, "*");

	if (strncmp(pattern, text, len))
		return false;
	return pattern[len] == '*' || !text[len] || strchr(" \t,\n", text[len]);
}

/* The last match counts: special names follow general ones. */
static u64 look_up(const struct mnemonic *table, size_t entries,
		   const char *text, u64 otherwise)
{
	u64 kinds = otherwise;

	for (size_t i = 0; i < entries; i++) {
		if (same(table[i].name, text))
			kinds = table[i].kinds;
	}
	return kinds;
}

#define LOOK_UP(table, text, otherwise) \
	look_up(table, ARRAY_SIZE(table), text, otherwise)

/* ldr, ldrsw, prfm with an address instead of a base register. */
static u64 literal_kinds(const char *name, const char *operands)
{
	if (!strcmp(name, "ldrsw"))
		return KIND(LDRSW);
	if (!strcmp(name, "prfm"))
		return KIND(PRFM);
	return strchr("sdq", operands[0]) ? KIND(LITERAL) : KIND(LDR);
}

static bool may_be_literal(const char *name)
{
	return !strcmp(name, "ldr") || !strcmp(name, "ldrsw") || !strcmp(name, "prfm");
}

static const char *after_comma(const char *operands)
{
	const char *comma = strchr(operands, ',');

	return comma ? comma + 1 + strspn(comma + 1, " ") : operands;
}

/* Is the last operand an address: neither a register, a base nor an immediate? */
bool operands_name_text(const char *operands)
{
	const char *last = strrchr(operands, ',');
	char *end;

	last = last ? last + 1 : operands;
	last += strspn(last, " \t");
	if (strchr(operands, '[') || strchr(last, '#') || strchr(last, '{'))
		return false;
	strtoull(last, &end, 16);
	return end > last + 4 && (!*end || strchr(" \n", *end));
}

/* Constants that mapping symbols distinguish from code. */
bool mnemonic_is_data(const char *name)
{
	return !strcmp(name, ".word") || !strcmp(name, ".short") ||
	       !strcmp(name, ".byte");
}

bool mnemonic_is_undefined(const char *name)
{
	return !strcmp(name, ".inst");
}

/* The kinds that are correct for an instruction. */
u64 mnemonic_kinds(const char *name, const char *operands)
{
	if (may_be_literal(name) && !strchr(operands, '['))
		return literal_kinds(name, operands);
	if (!strcmp(name, "adr") && operands[0] == 'z')
		return KIND(COPY);
	if (!strcmp(name, "msr"))
		return LOOK_UP(written, operands, KIND(CONTROL) | KIND(COPY));
	if (!strcmp(name, "mrs"))
		return LOOK_UP(read, after_comma(operands), KIND(COPY) | KIND(SYNDROME));
	return LOOK_UP(mnemonics, name, KIND(COPY));
}
