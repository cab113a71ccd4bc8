/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Spelling: values as the kprobe tracer of 2009 spelled them, without '$', '%' and '@'.
 */
#ifndef _TRACE_KPROBE_SPELLING_H
#define _TRACE_KPROBE_SPELLING_H

#include "expr.h"

int fetch_spelling_means(struct fetch_context *ctx, struct probe_span text);
int fetch_spelling_parse(struct fetch_expr *expr, struct fetch_context *ctx,
			 struct probe_span text);

#endif /* _TRACE_KPROBE_SPELLING_H */
