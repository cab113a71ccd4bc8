// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * System instructions: hints, barriers, PSTATE, system registers, maintenance.
 *
 * Resume code runs with the complete PSTATE of the original code, does not change
 * the interrupt mask and keeps no state per CPU. Therefore instructions that read
 * or write PSTATE are copied: mrs of DAIF reads the true value, and execution
 * continues with interrupts masked after msr daifset. Refused are:
 *
 * CONTROL   writes of registers that control how the next exception is taken, the
 *	     mappings, or the identity of the task and CPU (SCTLR, TTBR, VBAR,
 *	     SP_EL0, TPIDR_EL1, SPSel, ELR, SPSR, debug). No trap is possible near
 *	     them: it would overwrite the new value, or be taken with only half of
 *	     the change made. The table lists the writable registers; every other
 *	     register is treated as one of these.
 * SYNDROME  reads of registers that the probe's own trap has overwritten: ELR,
 *	     SPSR, ESR, FAR.
 * WAIT	     wfi and wfit. A tasks-RCU grace period does not wait for an idle loop
 *	     that is in a slot, so the slot would be freed under it. wfe is copied:
 *	     the idle loop does not use it, and the exception return, or the
 *	     detour of a jump, has set the event register.
 */
#include <linux/array_size.h>
#include <linux/types.h>

#include <asm/insn.h>

#include "insn.h"

/* Bits 20 to 5 of mrs and msr: op0, op1, CRn, CRm, op2. */
#define SYSREG(op0, op1, crn, crm, op2) \
	((op0) << 14 | (op1) << 11 | (crn) << 7 | (crm) << 3 | (op2))
#define SYSREG_OF(word)	(((word) >> 5) & 0xffff)

#define OP0		SYSREG(3, 0, 0, 0, 0)
#define OP1		SYSREG(0, 7, 0, 0, 0)
#define CRN		SYSREG(0, 0, 15, 0, 0)
#define CRM		SYSREG(0, 0, 0, 15, 0)
#define OP2		SYSREG(0, 0, 0, 0, 7)
#define WHOLE		(OP0 | OP1 | CRN | CRM | OP2)

/* op1 is 0 for EL1 and 4 for EL2. A VHE kernel takes its exceptions at EL2. */
#define EL1_OR_EL2	(WHOLE & ~SYSREG(0, 4, 0, 0, 0))

struct sysregs {
	u16	mask;
	u16	value;
};

static const struct sysregs sysregs_written_by_traps[] = {
	{ EL1_OR_EL2, SYSREG(3, 0, 4, 0, 0) },	/* SPSR */
	{ EL1_OR_EL2, SYSREG(3, 0, 4, 0, 1) },	/* ELR */
	{ EL1_OR_EL2, SYSREG(3, 0, 5, 2, 0) },	/* ESR */
	{ EL1_OR_EL2, SYSREG(3, 0, 6, 0, 0) },	/* FAR */
};

static const struct sysregs sysregs_writable[] = {
	{ WHOLE, SYSREG(3, 3, 4, 2, 0) },	/* NZCV */
	{ WHOLE, SYSREG(3, 3, 4, 2, 1) },	/* DAIF */
	{ WHOLE, SYSREG(3, 3, 4, 2, 2) },	/* SVCR */
	{ WHOLE, SYSREG(3, 3, 4, 2, 5) },	/* DIT */
	{ WHOLE, SYSREG(3, 3, 4, 2, 6) },	/* SSBS */
	{ WHOLE, SYSREG(3, 3, 4, 2, 7) },	/* TCO */
	{ WHOLE, SYSREG(3, 3, 4, 4, 0) },	/* FPCR */
	{ WHOLE, SYSREG(3, 3, 4, 4, 1) },	/* FPSR */
	{ WHOLE, SYSREG(3, 3, 4, 4, 2) },	/* FPMR */
	{ WHOLE, SYSREG(3, 0, 4, 2, 3) },	/* PAN */
	{ WHOLE, SYSREG(3, 0, 4, 2, 4) },	/* UAO */
	{ WHOLE, SYSREG(3, 0, 4, 3, 0) },	/* ALLINT */
	{ WHOLE, SYSREG(3, 0, 4, 6, 0) },	/* ICC_PMR_EL1 */
	{ WHOLE, SYSREG(3, 3, 10, 2, 4) },	/* POR_EL0 */
	{ WHOLE, SYSREG(3, 3, 13, 0, 2) },	/* TPIDR_EL0 */
	{ WHOLE, SYSREG(3, 3, 13, 0, 3) },	/* TPIDRRO_EL0 */
	{ WHOLE, SYSREG(3, 3, 13, 0, 5) },	/* TPIDR2_EL0 */
	{ OP0 | CRN, SYSREG(3, 0, 9, 0, 0) },	/* performance monitors, SPE, TRBE */
	{ OP0 | CRN, SYSREG(3, 0, 14, 0, 0) },	/* timers, event counters */
	{ OP0 | OP1 | CRN | SYSREG(0, 0, 0, 8, 0),
		SYSREG(3, 0, 12, 8, 0) },	/* the GIC's CPU interface */
};

/* Indexed by op1 and op2; the range of the immediates that exist. */
static const struct {
	u16	op;
	u8	first;
	u8	last;
} pstate_fields[] = {
	{ SYSREG(0, 0, 0, 0, 0), 0, 0 },	/* cfinv */
	{ SYSREG(0, 0, 0, 0, 1), 0, 0 },	/* xaflag */
	{ SYSREG(0, 0, 0, 0, 2), 0, 0 },	/* axflag */
	{ SYSREG(0, 0, 0, 0, 3), 0, 1 },	/* UAO */
	{ SYSREG(0, 0, 0, 0, 4), 0, 1 },	/* PAN */
	{ SYSREG(0, 1, 0, 0, 0), 0, 3 },	/* ALLINT, PM */
	{ SYSREG(0, 3, 0, 0, 1), 0, 1 },	/* SSBS */
	{ SYSREG(0, 3, 0, 0, 2), 0, 1 },	/* DIT */
	{ SYSREG(0, 3, 0, 0, 3), 2, 7 },	/* smstart, smstop */
	{ SYSREG(0, 3, 0, 0, 4), 0, 1 },	/* TCO */
	{ SYSREG(0, 3, 0, 0, 6), 0, 15 },	/* DAIFSet */
	{ SYSREG(0, 3, 0, 0, 7), 0, 15 },	/* DAIFClr */
};

static bool sysreg_listed(const struct sysregs *table, size_t entries, u32 word)
{
	for (size_t i = 0; i < entries; i++) {
		if ((SYSREG_OF(word) & table[i].mask) == table[i].value)
			return true;
	}
	return false;
}

static enum probe_insn_kind read_kind(u32 word)
{
	return sysreg_listed(sysregs_written_by_traps, ARRAY_SIZE(sysregs_written_by_traps), word) ?
		PROBE_INSN_SYNDROME : PROBE_INSN_COPY;
}

static enum probe_insn_kind write_kind(u32 word)
{
	return sysreg_listed(sysregs_writable, ARRAY_SIZE(sysregs_writable), word) ?
		PROBE_INSN_COPY : PROBE_INSN_CONTROL;
}

/*
 * aarch64_insn_is_steppable_hint() of asm/insn.h is not usable here: its list is
 * for a single step with interrupts off, and omits hints that authenticate, wait
 * for an event or synchronise.
 */
static enum probe_insn_kind hint_kind(u32 word)
{
	switch (word & 0xfe0) {
	case AARCH64_INSN_HINT_PACIASP:
	case AARCH64_INSN_HINT_PACIBSP:
	case AARCH64_INSN_HINT_BTI:
	case AARCH64_INSN_HINT_BTIC:
	case AARCH64_INSN_HINT_BTIJ:
	case AARCH64_INSN_HINT_BTIJC:
		return PROBE_INSN_PAD;
	case AARCH64_INSN_HINT_WFI:
		return PROBE_INSN_WAIT;
	case AARCH64_INSN_HINT_NOP ... AARCH64_INSN_HINT_WFE:
	case AARCH64_INSN_HINT_SEV ... AARCH64_INSN_HINT_XPACLRI:	/* dgh too */
	case AARCH64_INSN_HINT_PACIA_1716:
	case AARCH64_INSN_HINT_PACIB_1716:
	case AARCH64_INSN_HINT_AUTIA_1716:
	case AARCH64_INSN_HINT_AUTIB_1716:
	case AARCH64_INSN_HINT_ESB ... AARCH64_INSN_HINT_CSDB:	/* gcsb too */
	case AARCH64_INSN_HINT_CLEARBHB:
	case AARCH64_INSN_HINT_PACIAZ:
	case AARCH64_INSN_HINT_PACIBZ:
	case AARCH64_INSN_HINT_AUTIAZ ... AARCH64_INSN_HINT_AUTIBSP:
	case 0x28 << 5:			/* chkfeat */
		return PROBE_INSN_COPY;
	default:			/* pacm: the next pac signs its own address */
		return PROBE_INSN_HINT;
	}
}

/* msr of a PSTATE field with an immediate. The immediate is in CRm. */
static enum probe_insn_kind pstate_kind(u32 word)
{
	u32 op = SYSREG_OF(word) & (OP1 | OP2), imm = SYSREG_OF(word) >> 3 & 0xf;

	if (op == SYSREG(0, 0, 0, 0, 5))	/* SPSel */
		return PROBE_INSN_CONTROL;
	for (size_t i = 0; i < ARRAY_SIZE(pstate_fields); i++) {
		if (op == pstate_fields[i].op && imm >= pstate_fields[i].first &&
		    imm <= pstate_fields[i].last)
			return PROBE_INSN_COPY;
	}
	return PROBE_INSN_UNDEFINED;
}

/* Caches, translations, speculation, but not the guarded control stack (c7, c7). */
static enum probe_insn_kind maintenance_kind(u32 word)
{
	u32 op = SYSREG_OF(word);

	switch (op & CRN) {
	case SYSREG(0, 0, 7, 0, 0):
		return (op & CRM) == SYSREG(0, 0, 0, 7, 0) ?
			PROBE_INSN_CONTROL : PROBE_INSN_COPY;
	case SYSREG(0, 0, 8, 0, 0):
	case SYSREG(0, 0, 9, 0, 0):
		return PROBE_INSN_COPY;
	default:
		return PROBE_INSN_CONTROL;
	}
}

/* wfet and wfit are not encoded as hints. */
static enum probe_insn_kind timed_wait_kind(u32 word)
{
	switch (word & ~0x1fU) {
	case 0xd5031000:
		return PROBE_INSN_COPY;
	case 0xd5031020:
		return PROBE_INSN_WAIT;
	default:
		return PROBE_INSN_UNDEFINED;
	}
}

/**
 * probe_insn_system_kind() - the kind of a system instruction
 * @word: an A64 instruction whose ten upper bits are 1101010100
 *
 * Context: any; pure.
 * Return: an enum probe_insn_kind; PROBE_INSN_UNDEFINED for unknown instructions,
 * including those of transactional memory.
 */
enum probe_insn_kind probe_insn_system_kind(u32 word)
{
	if (aarch64_insn_is_hint(word))
		return hint_kind(word);
	if (aarch64_insn_is_barrier(word))
		return PROBE_INSN_COPY;
	if (aarch64_insn_is_msr_imm(word))
		return pstate_kind(word);
	if (aarch64_insn_is_mrs(word))
		return read_kind(word);
	if (aarch64_insn_is_msr_reg(word))
		return write_kind(word);
	if ((SYSREG_OF(word) & OP0) == SYSREG(1, 0, 0, 0, 0))
		return maintenance_kind(word);
	return timed_wait_kind(word);
}
