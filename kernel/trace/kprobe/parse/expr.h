/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Expression: the part of an argument between '=' and ':', as it was written.
 */
#ifndef _TRACE_KPROBE_EXPR_H
#define _TRACE_KPROBE_EXPR_H

#include <linux/types.h>

#include "c_type.h"
#include "fetch_context.h"
#include "program.h"
#include "span.h"

/* Maximum of dereferences that fit in an argument's text; fewer can be run. */
#define FETCH_MAX_DEREFS	20

/**
 * struct fetch_deref - one +OFFS( ) of an expression
 * @offset:	OFFS
 * @user:	it is a +uOFFS( )
 * @column:	column of what stands in its braces
 */
struct fetch_deref {
	long		offset;
	bool		user;
	unsigned int	column;
};

/**
 * struct fetch_c_value - what is known of a value that is a variable, or a part of one
 * @type:	its C type; without an owner if nothing is known
 * @bit_offset:	of a bitfield: from the address that the outermost dereference reads
 * @bit_width:	width of a bitfield; 0 for other values
 * @in_memory:	the outermost dereference reads it: it has an address
 */
struct fetch_c_value {
	struct probe_c_type	type;
	unsigned int		bit_offset;
	unsigned int		bit_width;
	bool			in_memory;
};

/**
 * struct fetch_expr - a parsed expression
 * @source:	what is innermost
 * @where:	see enum fetch_source
 * @value:	see enum fetch_source
 * @entry:	of FETCH_ENTRY: the word to keep when the function is entered
 * @is_variable: @source depends on the function: on its prototype, or where in it the probe is
 * @is_typed:	the C type of that variable was known; what is around it can depend on it
 * @is_spelled:	it is spelled as in 2009: a parameter of this name would be read instead
 * @text_max:	see struct fetch_program
 * @c:		what is known of a variable, or its part, that is all of the expression
 * @text:	the symbol's name or the literal string
 * @nr_derefs:	number of @derefs
 * @derefs:	dereferences, the outermost first; @ADDR and @SYM are one too
 */
struct fetch_expr {
	enum fetch_source	source;
	unsigned int		where;
	unsigned long		value;
	struct probe_word	entry;
	bool			is_variable;
	bool			is_typed;
	bool			is_spelled;
	u16			text_max;
	struct fetch_c_value	c;
	struct probe_span	text;
	unsigned int		nr_derefs;
	struct fetch_deref	derefs[FETCH_MAX_DEREFS];
};

/* Has no address, and no number */
static inline bool fetch_expr_is_text(const struct fetch_expr *expr)
{
	return expr->source == FETCH_COMM || expr->source == FETCH_TEXT;
}

int fetch_expr_deref(struct fetch_expr *expr, struct fetch_context *ctx,
		     const struct fetch_deref *deref);

#endif /* _TRACE_KPROBE_EXPR_H */
