/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Variable: a parameter, the return value or the caller of the probed function; members.
 */
#ifndef _TRACE_KPROBE_VARIABLE_H
#define _TRACE_KPROBE_VARIABLE_H

#include "expr.h"
#include "type.h"

/* Where the name at the start of @text ends: a member follows */
static inline unsigned int fetch_variable_name_end(struct probe_span text)
{
	unsigned int dot = probe_span_find(text, '.');
	unsigned int hyphen = probe_span_find(text, '-');

	return dot < hyphen ? dot : hyphen;
}

int fetch_variable_exists(struct fetch_context *ctx, struct probe_span name);
int fetch_variable_read_number(struct fetch_expr *expr, struct fetch_context *ctx,
			       unsigned int nr, struct probe_span text);
int fetch_variable_read_retval(struct fetch_expr *expr, struct fetch_context *ctx,
			       unsigned int column);
int fetch_variable_read_caller(struct fetch_expr *expr, struct fetch_context *ctx,
			       unsigned int column);
int fetch_variable_parse(struct fetch_expr *expr, struct fetch_context *ctx,
			 struct probe_span text);
int fetch_variable_parse_argument(struct fetch_expr *expr, struct fetch_context *ctx,
				  struct probe_span text);
int fetch_variable_parse_retval(struct fetch_expr *expr, struct fetch_context *ctx,
				struct probe_span text);

/* member.c */
int fetch_member_parse(struct fetch_expr *expr, struct fetch_context *ctx,
		       struct probe_span text);

/* c_value.c */
const struct value_type *fetch_c_value_type(const struct fetch_c_value *c,
					    const struct probe_c_types *types);
int fetch_c_value_fit(struct fetch_expr *expr, struct arg_type *type,
		      struct fetch_context *ctx, unsigned int column);

#endif /* _TRACE_KPROBE_VARIABLE_H */
