/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef _SHIM_ASM_PROCESSOR_FLAGS_H
#define _SHIM_ASM_PROCESSOR_FLAGS_H

#include <arch/x86/include/uapi/asm/processor-flags.h>

#endif
