/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Parameter: what is known of how a function's parameters are passed.
 */
#ifndef _TRACE_KPROBE_PARAMETER_H
#define _TRACE_KPROBE_PARAMETER_H

#include "lookup.h"

#ifdef CONFIG_PROBE_EVENTS_BTF_ARGS
void probe_parameters_find(const char *function, struct probe_parameters *known);
#else
static inline void probe_parameters_find(const char *function,
					 struct probe_parameters *known)
{
}
#endif

#endif /* _TRACE_KPROBE_PARAMETER_H */
