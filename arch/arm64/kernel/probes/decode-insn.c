// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Decide for uprobes whether to emulate an instruction of user space, to step it in an
 * out-of-line page, or to refuse it.
 *
 * Classes and emulation are those of kernel probes, with two differences. A step
 * ends at the instruction after the probed one, so a branch to a signed pointer is
 * refused; and the out-of-line page has no room for a literal. On the other hand, an
 * instruction that kernel probes refuse as unknown is stepped here, unless its
 * encoding lies where it may depend on its address. If it is undefined, the task
 * gets the SIGILL it would get without a probe.
 */
#include <linux/sched/signal.h>
#include <linux/types.h>
#include <linux/uaccess.h>

#include <asm/insn.h>
#include <asm/probes.h>
#include <asm/ptrace.h>

#include "decode-insn.h"
#include "insn.h"

static int user_literal_read(const struct probe_insn *pi, unsigned long at, u64 *value)
{
	u32 half;
	int ret;

	if (pi->size == sizeof(u64))
		return get_user(*value, (u64 __user *)at);
	ret = get_user(half, (u32 __user *)at);
	*value = half;
	return ret;
}

static void user_insn_emulate_load(const struct probe_insn *pi, unsigned long addr,
				   struct pt_regs *regs)
{
	unsigned long at = probe_insn_literal(pi, addr);
	u64 value;

	if (user_literal_read(pi, at, &value))
		force_sig_fault(SIGSEGV, SEGV_MAPERR, (void __user *)at);
	else
		probe_insn_emulate_load(pi, addr, regs, value);
}

/* Runs in the task that hit the probe, on its way to user space; may sleep */
static void user_insn_emulate(u32 opcode, long addr, struct pt_regs *regs)
{
	struct probe_insn pi = probe_insn_classify(opcode);

	if (pi.kind == PROBE_INSN_LDR || pi.kind == PROBE_INSN_LDRSW)
		user_insn_emulate_load(&pi, addr, regs);
	else
		probe_insn_emulate(&pi, addr, regs);
}

/* pac*ppc, aut*ppc: sign and authenticate with the program counter (FEAT_PAuth_LR) */
static bool user_insn_may_sign(u32 word)
{
	return (word & 0xffff0000) == 0xdac10000 ||
	       (word & 0xff800000) == 0xf3800000;
}

/* Exclusives without privilege (FEAT_LSUI); a step clears the monitor, as any does */
static bool user_insn_is_exclusive(u32 word)
{
	return (word & 0x3f800000) == 0x09000000;
}

/* Of the encodings no table lists: those that run at any address */
static bool user_insn_unknown_steps(u32 word)
{
	return !aarch64_insn_is_class_branch_sys(word) && !probe_insn_is_literal_load(word) &&
	       !user_insn_is_exclusive(word) && !user_insn_may_sign(word);
}

static bool user_insn_steps(const struct probe_insn *pi)
{
	switch (pi->kind) {
	case PROBE_INSN_COPY:
	case PROBE_INSN_PAD:
	case PROBE_INSN_PREFIX:
	case PROBE_INSN_SYNDROME:	/* not readable in user space: SIGILL */
		return true;
	case PROBE_INSN_TRAP:		/* udf, but not svc or brk */
	case PROBE_INSN_UNDEFINED:
		return user_insn_unknown_steps(pi->word);
	default:
		return false;
	}
}

/**
 * arm_probe_decode_insn() - decide what uprobes does with an instruction
 * @insn: the instruction
 * @api: its handler is set to the function that emulates @insn, or to NULL
 *
 * Context: any; pure.
 * Return: an enum probe_decision.
 */
enum probe_decision arm_probe_decode_insn(probe_opcode_t insn, struct arch_probe_insn *api)
{
	struct probe_insn pi = probe_insn_classify(insn);

	api->handler = probe_insn_emulated(&pi) ? user_insn_emulate : NULL;
	if (probe_insn_emulated(&pi))
		return INSN_GOOD_NO_SLOT;
	return user_insn_steps(&pi) ? INSN_GOOD : INSN_REJECTED;
}
