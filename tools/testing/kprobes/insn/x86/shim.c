// SPDX-License-Identifier: GPL-2.0-or-later
/* Symbols that the kernel's headers expect from the rest of the kernel. */
#include <linux/compiler.h>
#include <linux/kernel.h>
#include <linux/uaccess.h>
#include <asm/page.h>
#include <asm/pgtable_types.h>

unsigned long shim_unreadable;
unsigned long shim_task_size_max = -PAGE_SIZE;
unsigned int shim_virtual_mask_shift = 47;
