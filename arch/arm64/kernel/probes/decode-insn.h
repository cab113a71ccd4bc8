/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The door through which uprobes.c uses this backend.
 */
#ifndef _ARM64_PROBES_DECODE_INSN_H
#define _ARM64_PROBES_DECODE_INSN_H

#include <asm/probes.h>

/**
 * enum probe_decision - what uprobes is to do with an instruction
 * @INSN_REJECTED: refuse it
 * @INSN_GOOD_NO_SLOT: call the handler
 * @INSN_GOOD: step it in its out-of-line page
 */
enum probe_decision {
	INSN_REJECTED,
	INSN_GOOD_NO_SLOT,
	INSN_GOOD,
};

enum probe_decision arm_probe_decode_insn(probe_opcode_t insn,
					  struct arch_probe_insn *api);

#endif /* _ARM64_PROBES_DECODE_INSN_H */
