/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef _TRACE_KPROBE_EVENT_CLASS_H
#define _TRACE_KPROBE_EVENT_CLASS_H
/*
 * The class of an event.
 */
#include <linux/types.h>

struct fetch_args;
struct kprobe_event;

struct kprobe_event *kprobe_event_make(const char *group, const char *name, bool is_return,
				       const struct fetch_args *args);

#endif /* _TRACE_KPROBE_EVENT_CLASS_H */
