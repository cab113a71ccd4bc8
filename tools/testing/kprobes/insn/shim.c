// SPDX-License-Identifier: GPL-2.0
/* What the kernel's headers get from elsewhere in the kernel. */
#include <linux/compiler.h>
#include <linux/kernel.h>
#include <linux/uaccess.h>
#include <asm/pgtable_types.h>

unsigned long shim_unreadable;
unsigned int shim_virtual_mask_shift = 47;
