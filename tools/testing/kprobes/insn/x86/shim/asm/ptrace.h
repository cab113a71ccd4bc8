/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The registers in the layout and with the names of the x86_64 kernel. */
#ifndef _SHIM_ASM_PTRACE_H
#define _SHIM_ASM_PTRACE_H

struct pt_regs {
	unsigned long r15, r14, r13, r12, bp, bx;
	unsigned long r11, r10, r9, r8, ax, cx, dx, si, di;
	unsigned long orig_ax, ip, cs, flags, sp, ss;
};

#endif
