/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef _SHIM_ASM_VSYSCALL_H
#define _SHIM_ASM_VSYSCALL_H

#define VSYSCALL_ADDR	(-10ul << 20)

#endif
