/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef _TRACE_KPROBE_STATS_H
#define _TRACE_KPROBE_STATS_H
/*
 * The stats file of events.
 */
#include <linux/fs.h>

extern const struct file_operations kprobe_event_stats_fops;

#endif /* _TRACE_KPROBE_STATS_H */
