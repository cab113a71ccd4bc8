/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef _SHIM_ASM_PAGE_H
#define _SHIM_ASM_PAGE_H

#include <linux/types.h>

#define PAGE_SIZE	4096ul
#define PAGE_MASK	(-PAGE_SIZE)

/* The end of user space; by default every address counts as one of the kernel. */
extern unsigned long shim_task_size_max;

#define TASK_SIZE_MAX	shim_task_size_max

static inline bool __is_canonical_address(u64 address, u8 bits)
{
	s64 upper = (s64)address >> (bits - 1);

	return !upper || upper == -1;
}

#endif
