/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef _TRACE_KPROBE_OUTCOME_H
#define _TRACE_KPROBE_OUTCOME_H
/*
 * Outcome of a hit.
 */
#include <linux/bits.h>

/* What became of a hit: bits, one or several sinks may have fared differently */
enum outcome {
	OUTCOME_NONE	= 0,		/* no sink is left */
	OUTCOME_SERVED	= BIT(0),	/* a record was written, or not wanted */
	OUTCOME_LOST	= BIT(1),	/* a record was wanted and not written */
};

#endif /* _TRACE_KPROBE_OUTCOME_H */
