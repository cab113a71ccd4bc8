/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef _TRACE_KPROBE_COUNTER_H
#define _TRACE_KPROBE_COUNTER_H
/*
 * Counters that each CPU counts up by itself.
 */
#include <linux/percpu.h>
#include <asm/local.h>

local_t __percpu *event_counter_alloc(void);
void event_counter_free(local_t __percpu *counter);
unsigned long event_counter_sum(const local_t __percpu *counter);

#endif /* _TRACE_KPROBE_COUNTER_H */
