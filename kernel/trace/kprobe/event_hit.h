/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef _TRACE_KPROBE_EVENT_HIT_H
#define _TRACE_KPROBE_EVENT_HIT_H
/*
 * Hits: the handlers of probes.
 */
#include "probe.h"

extern const struct trace_kprobe_handlers event_hit_handlers;

#endif /* _TRACE_KPROBE_EVENT_HIT_H */
