// SPDX-License-Identifier: GPL-2.0
/*
 * The door through which uprobes.c uses this backend: the same classes, the same
 * emulation, for an instruction of user space that is stepped when it is copied.
 *
 * Two kinds that a kernel probe copies are refused here. A step out of line ends
 * at the instruction behind the probed one, which is wrong for a branch to a
 * signed pointer; and the page it is stepped in has no room for a literal.
 */
#include <linux/sched/signal.h>
#include <linux/types.h>
#include <linux/uaccess.h>

#include <asm/probes.h>
#include <asm/ptrace.h>

#include "decode-insn.h"
#include "insn.h"

static int read_user_literal(const struct probe_insn *pi, unsigned long at,
			     u64 *value)
{
	u32 half;
	int ret;

	if (pi->size == sizeof(u64))
		return get_user(*value, (u64 __user *)at);
	ret = get_user(half, (u32 __user *)at);
	*value = half;
	return ret;
}

static void simulate_load(const struct probe_insn *pi, unsigned long addr,
			  struct pt_regs *regs)
{
	unsigned long at = probe_insn_literal(pi, addr);
	u64 value;

	if (read_user_literal(pi, at, &value))
		force_sig_fault(SIGSEGV, SEGV_MAPERR, (void __user *)at);
	else
		probe_insn_emulate_load(pi, addr, regs, value);
}

/* In the task that hit the probe, on its way to user space; may sleep. */
static void simulate(u32 opcode, long addr, struct pt_regs *regs)
{
	struct probe_insn pi = probe_insn_classify(opcode);

	if (pi.kind == PROBE_INSN_LDR || pi.kind == PROBE_INSN_LDRSW)
		simulate_load(&pi, addr, regs);
	else
		probe_insn_emulate(&pi, addr, regs);
}

/**
 * arm_probe_decode_insn - what uprobes is to do with an instruction
 * @insn: the instruction
 * @api: takes the handler to call in place of the instruction, or NULL
 *
 * Context: any.
 * Return: an enum probe_decision.
 */
enum probe_decision arm_probe_decode_insn(probe_opcode_t insn,
					  struct arch_probe_insn *api)
{
	struct probe_insn pi = probe_insn_classify(insn);

	api->handler = probe_insn_emulated(&pi) ? simulate : NULL;
	if (probe_insn_emulated(&pi))
		return INSN_GOOD_NO_SLOT;
	if (pi.kind == PROBE_INSN_COPY || pi.kind == PROBE_INSN_PAD)
		return INSN_GOOD;
	return INSN_REJECTED;
}
