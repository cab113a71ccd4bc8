/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef _TRACE_KPROBE_RELEASE_H
#define _TRACE_KPROBE_RELEASE_H
/*
 * Deleting probes.
 */
#include "parse/command.h"

struct trace_kprobe;

int kprobe_event_release_one(struct trace_kprobe *probe);
int kprobe_event_delete_line(const struct probe_command *cmd, struct probe_error *err);
int kprobe_event_delete_words(const char *line, const char *group, const char *event,
			      int nr, const char **words);

#endif /* _TRACE_KPROBE_RELEASE_H */
