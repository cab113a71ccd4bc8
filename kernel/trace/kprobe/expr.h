/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Expression: the part of an argument between '=' and ':', as it was written.
 */
#ifndef _TRACE_KPROBE_EXPR_H
#define _TRACE_KPROBE_EXPR_H

#include <linux/types.h>

#include "lookup.h"
#include "place.h"
#include "program.h"
#include "span.h"

/* More cannot be written in an argument; fewer than this can be run. */
#define FETCH_MAX_DEREFS	20

/**
 * struct fetch_context - what an argument is read in
 * @place:	where its probe is put
 * @lookup:	the machine
 * @err:	where a refusal is noted
 */
struct fetch_context {
	const struct probe_place	*place;
	const struct probe_lookup	*lookup;
	struct probe_error		*err;
};

/**
 * struct fetch_deref - one +OFFS( ) of an expression
 * @offset:	OFFS
 * @user:	it is a +uOFFS( )
 * @column:	of what stands in its braces
 */
struct fetch_deref {
	long		offset;
	bool		user;
	unsigned int	column;
};

/**
 * struct fetch_expr - a parsed expression
 * @source:	what is innermost
 * @where:	see enum fetch_source
 * @value:	see enum fetch_source
 * @parameter:	which one @source is, if it is one
 * @text:	the symbol's name or the literal string
 * @nr_derefs:	number of @derefs
 * @derefs:	dereferences, the outermost first; @ADDR and @SYM are one too
 */
struct fetch_expr {
	enum fetch_source	source;
	unsigned int		where;
	unsigned long		value;
	struct fetch_parameter	parameter;
	struct probe_span	text;
	unsigned int		nr_derefs;
	struct fetch_deref	derefs[FETCH_MAX_DEREFS];
};

int fetch_expr_deref(struct fetch_expr *expr, const struct fetch_context *ctx,
		     const struct fetch_deref *deref);
int fetch_expr_parse(struct fetch_expr *expr, const struct fetch_context *ctx,
		     struct probe_span text);

#endif /* _TRACE_KPROBE_EXPR_H */
