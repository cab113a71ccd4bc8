/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef _TRACE_KPROBE_HINT_H
#define _TRACE_KPROBE_HINT_H
/*
 * Hints: what the writer of a refused line can try next.
 */
#include "parse/error.h"

char *kprobe_event_hint(const char *text, const struct probe_error *err);
const char *kprobe_event_fixed_hint(const struct probe_error *err);

#endif /* _TRACE_KPROBE_HINT_H */
