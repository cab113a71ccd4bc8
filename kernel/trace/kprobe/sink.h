/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef _TRACE_KPROBE_SINK_H
#define _TRACE_KPROBE_SINK_H
/*
 * Switching events on and off for their sinks.
 */
#include <linux/trace_events.h>

int kprobe_event_reg(struct trace_event_call *call, enum trace_reg type, void *data);

#endif /* _TRACE_KPROBE_SINK_H */
