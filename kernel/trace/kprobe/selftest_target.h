/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef _TRACE_KPROBE_SELFTEST_TARGET_H
#define _TRACE_KPROBE_SELFTEST_TARGET_H
/*
 * The function that the self-test of kprobe events probes.
 */
unsigned long kprobe_event_selftest_sum(unsigned long a, unsigned long b, unsigned long c,
					unsigned long d, unsigned long e, unsigned long f);

#endif /* _TRACE_KPROBE_SELFTEST_TARGET_H */
