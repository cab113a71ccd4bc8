/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef _ARM64_PROBES_PATCH_H
#define _ARM64_PROBES_PATCH_H
/*
 * Changing text: of points, whose instructions are executed meanwhile, and of
 * slots, whose are not.
 */
#include <linux/types.h>

/* patch.c */
void probe_patch_queue(unsigned long addr, u32 old, u32 new);
void probe_patch_flush(void);
void probe_patch_unused(void *addr, const void *text, size_t size);

#endif /* _ARM64_PROBES_PATCH_H */
