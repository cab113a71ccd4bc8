/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef _TRACE_KPROBE_DEFINE_H
#define _TRACE_KPROBE_DEFINE_H
/*
 * Defining a probe.
 */
#include "parse/command.h"

int kprobe_event_define(const struct probe_command *cmd, char **finding,
			struct probe_error *err);

#endif /* _TRACE_KPROBE_DEFINE_H */
