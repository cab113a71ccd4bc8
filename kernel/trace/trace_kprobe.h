/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef _TRACE_KPROBE_H
#define _TRACE_KPROBE_H
/*
 * Kprobe events: lines of text, run by the files and functions that receive them.
 */
int kprobe_events_clear(void);
int kprobe_event_run_line(const char *line);
int kprobe_event_run_or_check(const char *line, char **finding);

#endif /* _TRACE_KPROBE_H */
