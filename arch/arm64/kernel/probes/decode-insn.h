/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef _ARM64_PROBES_DECODE_INSN_H
#define _ARM64_PROBES_DECODE_INSN_H
/*
 * The interface between uprobes.c and this backend.
 */
#include <asm/probes.h>

/**
 * enum probe_decision - what uprobes does with an instruction
 * @INSN_REJECTED: refuse it
 * @INSN_GOOD_NO_SLOT: call its handler
 * @INSN_GOOD: step it in the out-of-line page
 */
enum probe_decision {
	INSN_REJECTED,
	INSN_GOOD_NO_SLOT,
	INSN_GOOD,
};

enum probe_decision arm_probe_decode_insn(probe_opcode_t insn, struct arch_probe_insn *api);

#endif /* _ARM64_PROBES_DECODE_INSN_H */
