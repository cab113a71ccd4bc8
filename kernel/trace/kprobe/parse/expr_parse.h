/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Expr parse: from an expression's text to its source and dereferences.
 */
#ifndef _TRACE_KPROBE_EXPR_PARSE_H
#define _TRACE_KPROBE_EXPR_PARSE_H

#include "expr.h"

int fetch_expr_parse(struct fetch_expr *expr, struct fetch_context *ctx,
		     struct probe_span text);

#endif /* _TRACE_KPROBE_EXPR_PARSE_H */
