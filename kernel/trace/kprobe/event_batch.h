/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef _TRACE_KPROBE_EVENT_BATCH_H
#define _TRACE_KPROBE_EVENT_BATCH_H
/*
 * Batches of events that are switched or deleted together.
 */
#include <linux/types.h>

struct kprobe_event;
struct trace_kprobe;

void event_batch_begin(void);
int event_batch_commit(void);
int event_batch_add(struct kprobe_event *event);
void event_batch_delete(struct trace_kprobe *probe, bool with_event);
void event_batch_delete_commit(void);

#endif /* _TRACE_KPROBE_EVENT_BATCH_H */
