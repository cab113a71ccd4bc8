/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef _TRACE_KPROBE_GROUP_H
#define _TRACE_KPROBE_GROUP_H
/*
 * Groups of events.
 */
#include <linux/types.h>

struct trace_event_class;

struct trace_event_class *event_group_get(const char *name,
					  const struct trace_event_class *methods);
void event_group_put(struct trace_event_class *class);
void event_group_count(void);
bool event_group_is_ours(struct trace_event_class *class);

#endif /* _TRACE_KPROBE_GROUP_H */
