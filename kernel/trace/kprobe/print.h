/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef _TRACE_KPROBE_PRINT_H
#define _TRACE_KPROBE_PRINT_H
/*
 * Printing records; describing them.
 */
#include <linux/trace_events.h>

struct kprobe_event;

extern struct trace_event_functions kprobe_entry_output;
extern struct trace_event_functions kprobe_return_output;
extern struct trace_event_fields kprobe_event_fields[];

#endif /* _TRACE_KPROBE_PRINT_H */
