/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef _SHIM_ASM_PGTABLE_TYPES_H
#define _SHIM_ASM_PGTABLE_TYPES_H

/* Set by harness_init() */
extern unsigned int shim_virtual_mask_shift;

#define __VIRTUAL_MASK_SHIFT	shim_virtual_mask_shift

#endif
