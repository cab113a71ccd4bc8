/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _SHIM_ASM_PROCESSOR_H
#define _SHIM_ASM_PROCESSOR_H

#include <linux/types.h>

/* The test's processor; harness_init() fills it in. */
struct shim_cpu {
	u8 x86_virt_bits;
};

extern struct shim_cpu boot_cpu_data;

#endif
