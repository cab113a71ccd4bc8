/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef _TRACE_KPROBE_PERF_SINK_H
#define _TRACE_KPROBE_PERF_SINK_H
/*
 * The perf sink of events.
 */
#include <linux/types.h>

struct kprobe_event;
struct record_plan;

#ifdef CONFIG_PERF_EVENTS
int perf_sink_hit(struct record_plan *plan, struct kprobe_event *event,
		  unsigned int *outcome);
#else
static inline int perf_sink_hit(struct record_plan *plan, struct kprobe_event *event,
				unsigned int *outcome)
{
	return 0;
}
#endif

#endif /* _TRACE_KPROBE_PERF_SINK_H */
