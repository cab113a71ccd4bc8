/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _SHIM_ASM_PGTABLE_TYPES_H
#define _SHIM_ASM_PGTABLE_TYPES_H

/* harness_init() finds it out. */
extern unsigned int shim_virtual_mask_shift;

#define __VIRTUAL_MASK_SHIFT	shim_virtual_mask_shift

#endif
