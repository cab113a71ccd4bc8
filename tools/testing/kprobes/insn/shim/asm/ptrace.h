/* SPDX-License-Identifier: GPL-2.0 */
/* The registers as the kernel lays them out for x86_64, by the kernel's names. */
#ifndef _SHIM_ASM_PTRACE_H
#define _SHIM_ASM_PTRACE_H

struct pt_regs {
	unsigned long r15, r14, r13, r12, bp, bx;
	unsigned long r11, r10, r9, r8, ax, cx, dx, si, di;
	unsigned long orig_ax, ip, cs, flags, sp, ss;
};

#endif
