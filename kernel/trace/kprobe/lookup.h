/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef _TRACE_KPROBE_KERNEL_LOOKUP_H
#define _TRACE_KPROBE_KERNEL_LOOKUP_H
/*
 * The running kernel, as the parser sees it.
 */
#include "parse/lookup.h"

extern const struct probe_lookup kprobe_event_lookup;

void kprobe_event_lookup_boot_ends(void);

bool function_is_marked_notrace(unsigned long addr);

#endif /* _TRACE_KPROBE_KERNEL_LOOKUP_H */
