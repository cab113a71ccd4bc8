/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Run text with given registers on this processor until it stops.
 */
#ifndef KPROBES_TEST_MACHINE_H
#define KPROBES_TEST_MACHINE_H

#define NZCV	0xf0000000UL
#define BTYPE	0x00000c00UL

struct machine {
	u64			regs[31];
	u64			sp;
	u64			pc;
	u64			pstate;		/* NZCV and BTYPE */
	unsigned __int128	vectors[32];
	u32			fpsr;
	int			signal;		/* the signal that stopped it */
};

void machine_init(void);
void machine_run(struct machine *machine);

#endif
