/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef _TRACE_KPROBE_PRINT_H
#define _TRACE_KPROBE_PRINT_H
/*
 * Printing records; their format.
 */
#include <linux/trace_events.h>

struct kprobe_event;

extern struct trace_event_functions kprobe_entry_output;
extern struct trace_event_functions kprobe_return_output;
extern struct trace_event_fields kprobe_event_fields[];
char *kprobe_event_print_fmt(const struct kprobe_event *event);

#endif /* _TRACE_KPROBE_PRINT_H */
