/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs instructions on the processor with all registers under control. */
#ifndef _HARNESS_H
#define _HARNESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <asm/ptrace.h>

/*
 * Fixed addresses that 32-bit addresses can all reach. The slot is a gigabyte away,
 * so that displacements have to change.
 */
#define CODE		0x20000000ul
#define CODE_SIZE	0x2000ul
#define DATA		0x20020000ul
#define DATA_SIZE	0x1000ul
#define STACK		0x20030000ul
#define STACK_SIZE	0x1000ul
#define UNREADABLE	0x20040000ul
#define SLOT		0x60000000ul
#define SLOT_SIZE	0x1000ul

#define XSTATE_MAX	16384

/**
 * struct run - registers before and after a run
 * @regs: general registers, flags, ip, sp
 * @xstate: vector and floating point registers, in the layout of XSAVE
 * @has_xstate: start with @xstate; otherwise the current contents are used
 * @signal: out: the signal that stopped the run; SIGTRAP at the first int3
 */
struct run {
	struct pt_regs regs;
	uint8_t xstate[XSTATE_MAX];
	bool has_xstate;
	int signal;
};

void harness_init(void);
void harness_run(struct run *run);
size_t harness_xstate_size(void);
unsigned long harness_stop(const struct run *run);

#endif
