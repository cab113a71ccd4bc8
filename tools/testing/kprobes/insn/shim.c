// SPDX-License-Identifier: GPL-2.0
/* What the kernel's headers get from elsewhere in the kernel. */
#include <linux/compiler.h>
#include <linux/kernel.h>
#include <linux/uaccess.h>
#include <asm/processor.h>

unsigned long shim_unreadable;
struct shim_cpu boot_cpu_data = { .x86_virt_bits = 48 };
