/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _SHIM_ASM_PAGE_H
#define _SHIM_ASM_PAGE_H

#include <linux/types.h>

static inline bool __is_canonical_address(u64 address, u8 bits)
{
	s64 upper = (s64)address >> (bits - 1);

	return !upper || upper == -1;
}

#endif
