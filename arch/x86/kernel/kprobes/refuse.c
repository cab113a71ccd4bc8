// SPDX-License-Identifier: GPL-2.0-or-later
/* Refusals caused by neighbouring instructions, and the texts of all refusals. */
#include <linux/build_bug.h>
#include <linux/types.h>

#include "insn.h"

/**
 * probe_insn_refuse_beside() - refuse an instruction because of its neighbours
 * @prev: the instruction before it; NULL or length 0 if there is none
 * @this: the instruction
 * @next: the instruction after it; NULL or length 0 if there is none
 *
 * sti and loads of %ss hold back interrupts until the next instruction has
 * completed; loads of %ss also hold back NMIs. A trap on that next instruction
 * ends the shadow before the instruction runs. Between sti and hlt this loses a
 * wake-up. An emulated sti casts no shadow; this is harmless unless the next
 * instruction waits for the interrupt.
 *
 * Context: any; pure.
 * Return: the reason, or the kind of @this if its neighbours do not matter.
 */
enum probe_insn_kind probe_insn_refuse_beside(const struct probe_insn *prev,
					      const struct probe_insn *this,
					      const struct probe_insn *next)
{
	if (probe_insn_refused(this))
		return this->kind;
	if (prev && prev->length && (prev->kind == PROBE_INSN_STI ||
				     prev->kind == PROBE_INSN_STACK_SEGMENT))
		return PROBE_INSN_SHADOW;
	if (this->kind == PROBE_INSN_STI && next && next->length &&
	    (next->kind == PROBE_INSN_WAIT || next->kind == PROBE_INSN_ENTRY))
		return PROBE_INSN_STI_WAIT;
	return this->kind;
}

static const char * const kind_text[] = {
	[PROBE_INSN_UNDEFINED]		= "an unknown instruction",
	[PROBE_INSN_ODD]		= "has an encoding that processors may read differently",
	[PROBE_INSN_EMULATE_PREFIX]	= "has a prefix that asks a hypervisor to emulate it",
	[PROBE_INSN_TRAP]		= "raises an exception by itself (int, ud)",
	[PROBE_INSN_FAR]		= "a far call, jump or return",
	[PROBE_INSN_ENTRY]		= "enters or leaves the kernel (syscall, sysret, iret)",
	[PROBE_INSN_GUEST]		= "enters a guest or an enclave",
	[PROBE_INSN_WAIT]		= "waits for an event (hlt, monitor, mwait)",
	[PROBE_INSN_STACK_SEGMENT]	= "loads %ss, which delays exceptions",
	[PROBE_INSN_GS_BASE]		= "may change the %gs base",
	[PROBE_INSN_CONTROL]		= "changes state that exception entry uses (cr, msr, lgdt)",
	[PROBE_INSN_TRANSACTION]	= "begins or ends a memory transaction",
	[PROBE_INSN_LANDING_PAD]	= "a landing pad (endbr)",
	[PROBE_INSN_SEGMENT]		= "an indirect branch through %fs or %gs",
	[PROBE_INSN_SHADOW]		= "comes right after sti or a load of %ss",
	[PROBE_INSN_STI_WAIT]		= "enables interrupts for the hlt or mwait after it",
	[PROBE_INSN_COPY]		= "copied",
	[PROBE_INSN_CALL]		= "call",
	[PROBE_INSN_CALL_REG]		= "call through a register",
	[PROBE_INSN_CALL_MEM]		= "call through memory",
	[PROBE_INSN_JMP]		= "jmp",
	[PROBE_INSN_JMP_REG]		= "jmp through a register",
	[PROBE_INSN_JMP_MEM]		= "jmp through memory",
	[PROBE_INSN_JCC]		= "jcc",
	[PROBE_INSN_LOOP]		= "loop",
	[PROBE_INSN_LOOPE]		= "loope",
	[PROBE_INSN_LOOPNE]		= "loopne",
	[PROBE_INSN_JCXZ]		= "jrcxz",
	[PROBE_INSN_RET]		= "ret",
	[PROBE_INSN_PUSHF]		= "pushf",
	[PROBE_INSN_POPF]		= "popf",
	[PROBE_INSN_CLI]		= "cli",
	[PROBE_INSN_STI]		= "sti",
	[PROBE_INSN_PUSH_SP]		= "push %rsp",
	[PROBE_INSN_POP_SP]		= "pop %rsp",
};

static_assert(sizeof(kind_text) / sizeof(*kind_text) == PROBE_INSN_KINDS);

/**
 * probe_insn_kind_text() - the text for a kind
 * @kind: the kind
 *
 * Context: any; pure.
 * Return: for a refusal, a clause that completes "the instruction ..."; otherwise
 * the name of the kind.
 */
const char *probe_insn_kind_text(enum probe_insn_kind kind)
{
	return kind < PROBE_INSN_KINDS ? kind_text[kind] : kind_text[0];
}
