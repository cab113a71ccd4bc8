/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef _TRACE_KPROBE_BPF_QUERY_H
#define _TRACE_KPROBE_BPF_QUERY_H
/*
 * Questions of BPF about events.
 */
#include <linux/types.h>

struct trace_kprobe;

#ifdef CONFIG_PERF_EVENTS
bool bpf_query_admits(struct trace_kprobe *probe);
#else
static inline bool bpf_query_admits(struct trace_kprobe *probe)
{
	return true;
}
#endif

#endif /* _TRACE_KPROBE_BPF_QUERY_H */
