/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef _TRACE_KPROBE_LOG_H
#define _TRACE_KPROBE_LOG_H
/*
 * Writing refusals to error_log.
 */
#include "parse/error.h"

struct trace_kprobe;

void kprobe_event_log(const char *line, const struct probe_error *err);
void kprobe_event_log_locked(const char *line, const struct probe_error *err);
void kprobe_event_log_busy(const struct trace_kprobe *probe);
void kprobe_event_log_late(const struct trace_kprobe *probe, struct probe_error *err);
int kprobe_event_refused(const struct trace_kprobe *probe, int error, unsigned int column,
			 struct probe_error *err);

#endif /* _TRACE_KPROBE_LOG_H */
