/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef _TRACE_KPROBE_CHECK_H
#define _TRACE_KPROBE_CHECK_H
/*
 * check.c describes what a checked definition would become.
 */
struct trace_kprobe;

char *probe_check_finding(const struct trace_kprobe *probe);

#endif /* _TRACE_KPROBE_CHECK_H */
