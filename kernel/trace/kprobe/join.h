/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef _TRACE_KPROBE_JOIN_H
#define _TRACE_KPROBE_JOIN_H
/*
 * May a probe join an event.
 */
#include "parse/error.h"

struct kprobe_event;
struct trace_kprobe;

int event_join(struct kprobe_event *event, struct trace_kprobe *probe,
	       struct probe_error *err);
void event_join_sort(struct kprobe_event *event);

#endif /* _TRACE_KPROBE_JOIN_H */
