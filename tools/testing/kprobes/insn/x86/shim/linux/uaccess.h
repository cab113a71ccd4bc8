/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef _SHIM_LINUX_UACCESS_H
#define _SHIM_LINUX_UACCESS_H

/*
 * The address of a page that the tests keep unmapped. Reading a word of it fails, as
 * the kernel's macro fails on unreadable memory.
 */
extern unsigned long shim_unreadable;

#define __get_kernel_nofault(dst, src, type, err_label)			\
do {									\
	unsigned long from = (unsigned long)(src);			\
									\
	if (from - shim_unreadable < 4096)				\
		goto err_label;						\
	*(type *)(dst) = get_unaligned((type *)from);			\
} while (0)

#endif
