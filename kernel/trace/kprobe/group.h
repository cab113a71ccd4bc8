/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef _TRACE_KPROBE_GROUP_H
#define _TRACE_KPROBE_GROUP_H
/*
 * Groups of events.
 */
#include <linux/types.h>

int event_group_add(const char *name);
void event_group_remove(const char *name);
void event_group_count(void);
bool event_group_is_ours(const char *name);

#endif /* _TRACE_KPROBE_GROUP_H */
