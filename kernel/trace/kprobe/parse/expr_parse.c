// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Expressions of arguments, read from the outside to the inside.
 *
 * A loop takes off one pair of braces at a time; the rest is the source. No function here
 * calls itself.
 */
#include <linux/array_size.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "expr_parse.h"
#include "spelling.h"
#include "variable.h"

/* $comm */
static int expr_parse_comm(struct fetch_expr *expr, struct fetch_context *ctx,
			   struct probe_span text)
{
	if (text.len != strlen("$comm"))
		return fetch_context_refuse(ctx, PROBE_ERR_BAD_VAR, text.column);
	expr->source = FETCH_COMM;
	return 0;
}

/* $stack, $stackN */
static int expr_parse_stack(struct fetch_expr *expr, struct fetch_context *ctx,
			    struct probe_span text)
{
	struct probe_span rest = probe_span_skip(text, strlen("$stack"));
	unsigned long number;

	if (!rest.len) {
		expr->source = FETCH_STACK_ADDRESS;
		return 0;
	}
	if (probe_span_ulong(rest, 10, &number))
		return fetch_context_refuse(ctx, PROBE_ERR_BAD_VAR, text.column);
	if (number > ctx->lookup->stack_words)
		return fetch_context_refuse(ctx, PROBE_ERR_BAD_STACK_NUM, text.column);
	expr->source = FETCH_STACK;
	expr->where = number;
	return 0;
}

/* $caller */
static int expr_parse_caller(struct fetch_expr *expr, struct fetch_context *ctx,
			     struct probe_span text)
{
	if (!probe_span_is(text, "$caller"))
		return fetch_context_refuse(ctx, PROBE_ERR_BAD_VAR, text.column);
	return fetch_variable_read_caller(expr, ctx, text.column);
}

/* $current, $current->MEMBER */
static int expr_parse_current(struct fetch_expr *expr, struct fetch_context *ctx,
			      struct probe_span text)
{
	struct probe_span rest = probe_span_skip(text, strlen("$current"));
	bool is_name = rest.len && !probe_span_starts(rest, "-") && !probe_span_starts(rest, ".");

	return fetch_context_refuse(ctx, is_name ? PROBE_ERR_BAD_VAR : PROBE_ERR_RESERVED,
				    text.column);
}

static const struct {
	const char	*name;
	int		(*parse)(struct fetch_expr *expr,
				 struct fetch_context *ctx,
				 struct probe_span text);
} expr_variables[] = {
	{ "$caller",	expr_parse_caller },
	{ "$comm",	expr_parse_comm },
	{ "$COMM",	expr_parse_comm },
	{ "$current",	expr_parse_current },
	{ "$retval",	fetch_variable_parse_retval },
	{ "$stack",	expr_parse_stack },
	{ "$arg",	fetch_variable_parse_argument },
};

static int expr_parse_variable(struct fetch_expr *expr,
			       struct fetch_context *ctx,
			       struct probe_span text)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(expr_variables); i++) {
		if (probe_span_starts(text, expr_variables[i].name))
			return expr_variables[i].parse(expr, ctx, text);
	}
	return fetch_context_refuse(ctx, PROBE_ERR_BAD_VAR, text.column);
}

/* %REG */
static int expr_parse_register(struct fetch_expr *expr,
			       struct fetch_context *ctx,
			       struct probe_span text)
{
	char *name = probe_span_dup(probe_span_skip(text, 1));
	int offset;

	if (!name)
		return fetch_context_refuse(ctx, PROBE_ERR_NO_MEMORY, text.column);
	offset = ctx->lookup->register_offset(ctx->lookup, name);
	kfree(name);
	if (offset < 0)
		return fetch_context_refuse(ctx, PROBE_ERR_BAD_REG_NAME, text.column);
	expr->source = FETCH_REGISTER;
	expr->where = offset;
	return 0;
}

/* SYM[+|-OFFS] of @SYM: the symbol is looked up by fetch_args_resolve(). */
static int expr_parse_symbol(struct fetch_expr *expr, struct probe_span text,
			     struct fetch_deref *deref)
{
	unsigned int end = min(probe_span_find(text, '+'),
			       probe_span_find(text, '-'));
	struct probe_span offset = probe_span_skip(text, end);

	/* There is no symbol without a name. */
	if (!end)
		return -ENOENT;
	expr->source = FETCH_SYMBOL;
	expr->text = probe_span_head(text, end);
	return offset.len ? probe_span_long(offset, &deref->offset) : 0;
}

/* @ADDR, @SYM[+|-OFFS] */
static int expr_parse_memory(struct fetch_expr *expr,
			     struct fetch_context *ctx,
			     struct probe_span text)
{
	struct probe_span rest = probe_span_skip(text, 1);
	struct fetch_deref deref = { .column = text.column };
	int ret;

	if (probe_span_starts(rest, "+"))
		return fetch_context_refuse(ctx, PROBE_ERR_FILE_ON_KPROBE, text.column);
	if (probe_span_is_number(rest)) {
		expr->source = FETCH_VALUE;
		ret = probe_span_ulong(rest, 0, &expr->value);
	} else {
		ret = expr_parse_symbol(expr, rest, &deref);
	}
	if (ret)
		return fetch_context_refuse_number(ctx, PROBE_ERR_BAD_MEM_ADDR, text.column,
						   ret);
	return fetch_expr_deref(expr, ctx, &deref);
}

/* \"TEXT": the last character closes the text, which may hold any character. */
static int expr_parse_literal(struct fetch_expr *expr,
			      struct fetch_context *ctx,
			      struct probe_span text)
{
	struct probe_span rest = probe_span_skip(text, 2);

	if (!rest.len || rest.text[rest.len - 1] != '"')
		return fetch_context_refuse(ctx, PROBE_ERR_IMMSTR_NO_CLOSE,
			      probe_span_end(text));
	expr->source = FETCH_TEXT;
	expr->text = probe_span_head(rest, rest.len - 1);
	return 0;
}

/* VALUE, -VALUE, +VALUE; scripts write +-VALUE and ++VALUE too. */
static int expr_parse_value(unsigned long *value, struct probe_span text)
{
	long number = 0;
	int ret;

	if (probe_span_is_number(text))
		return probe_span_ulong(text, 0, value);
	if (probe_span_starts(text, "+"))
		text = probe_span_skip(text, 1);
	else if (!probe_span_starts(text, "-"))
		return -EINVAL;
	ret = probe_span_long(text, &number);
	*value = number;
	return ret;
}

/* \VALUE, \"TEXT" */
static int expr_parse_immediate(struct fetch_expr *expr,
				struct fetch_context *ctx,
				struct probe_span text)
{
	struct probe_span rest = probe_span_skip(text, 1);
	int ret;

	if (probe_span_starts(rest, "\""))
		return expr_parse_literal(expr, ctx, text);
	expr->source = FETCH_VALUE;
	ret = expr_parse_value(&expr->value, rest);
	if (ret)
		return fetch_context_refuse_number(ctx, PROBE_ERR_BAD_IMM, rest.column, ret);
	return 0;
}

/*
 * Typecasts, (TYPE)VALUE, and the per-CPU variables of newer kernels. A blank in TYPE ends the
 * argument.
 */
static bool expr_is_reserved(struct probe_span text)
{
	return (probe_span_starts(text, "(") &&
		probe_span_find(text, ')') + 1 != text.len) ||
	       probe_span_starts(text, "this_cpu_read(") ||
	       probe_span_starts(text, "this_cpu_ptr(");
}

/* A bare word names a variable of the function, or is a value as spelled in 2009. */
static int expr_parse_word(struct fetch_expr *expr, struct fetch_context *ctx,
			   struct probe_span text)
{
	int means;

	if (expr_is_reserved(text))
		return fetch_context_refuse(ctx, PROBE_ERR_RESERVED, text.column);
	if (!probe_span_is_identifier(probe_span_head(text, 1), '_'))
		return fetch_context_refuse(ctx, PROBE_ERR_BAD_FETCH_ARG, text.column);
	means = fetch_spelling_means(ctx, text);
	if (means < 0)
		return means;
	return means ? fetch_spelling_parse(expr, ctx, text) :
		       fetch_variable_parse(expr, ctx, text);
}

static int expr_parse_source(struct fetch_expr *expr,
			     struct fetch_context *ctx,
			     struct probe_span text)
{
	if (!text.len)
		return fetch_context_refuse(ctx, PROBE_ERR_BAD_FETCH_ARG, text.column);
	switch (text.text[0]) {
	case '$':
		return expr_parse_variable(expr, ctx, text);
	case '%':
		return expr_parse_register(expr, ctx, text);
	case '@':
		return expr_parse_memory(expr, ctx, text);
	case '\\':
		return expr_parse_immediate(expr, ctx, text);
	}
	return expr_parse_word(expr, ctx, text);
}

/* +|-[u]OFFS before a brace; scripts write +-8( ) and ++8( ) too. */
static int expr_parse_deref_offset(struct fetch_deref *deref, struct probe_span text)
{
	struct probe_span digits = probe_span_skip(text, 1);
	unsigned long number;
	int ret;

	deref->user = probe_span_starts(digits, "u");
	if (deref->user)
		digits = probe_span_skip(digits, 1);
	if (text.text[0] == '+')
		return probe_span_long(digits, &deref->offset);
	ret = probe_span_ulong(digits, 0, &number);
	if (!ret && number > -(unsigned long)LONG_MIN)
		ret = -ERANGE;
	deref->offset = -number;
	return ret;
}

/*
 * Take one +OFFS( ) off @text. Braces pair from the outside: the last one closes the first,
 * and a missing brace belongs to the innermost pair.
 */
static int expr_parse_deref(struct fetch_expr *expr, struct fetch_context *ctx,
			    struct probe_span *text)
{
	unsigned int open = probe_span_find(*text, '(');
	struct probe_span inner;
	struct fetch_deref deref = {};
	unsigned int close;
	int ret;

	if (open == text->len)
		return fetch_context_refuse(ctx, PROBE_ERR_DEREF_NEED_BRACE, text->column);
	ret = expr_parse_deref_offset(&deref, probe_span_head(*text, open));
	if (ret)
		return fetch_context_refuse_number(ctx, PROBE_ERR_BAD_DEREF_OFFS,
						   text->column, ret);
	inner = probe_span_skip(*text, open + 1);
	close = probe_span_find_last(inner, ')');
	if (close == inner.len)
		return fetch_context_refuse(ctx, PROBE_ERR_DEREF_OPEN_BRACE,
			      probe_span_end(inner));
	if (close + 1 < inner.len)
		return fetch_context_refuse(ctx, PROBE_ERR_BAD_FETCH_ARG,
			      inner.column + close + 1);
	deref.column = inner.column;
	*text = probe_span_head(inner, close);
	return fetch_expr_deref(expr, ctx, &deref);
}

/*
 * Text has no address to add an offset to. If there are too many dereferences, the column
 * is that of the first one, counted from the inside, that exceeds the limit.
 */
static int expr_check_derefs(const struct fetch_expr *expr,
			     struct fetch_context *ctx, unsigned int column)
{
	unsigned int nr = expr->nr_derefs;

	if (nr && fetch_expr_is_text(expr))
		return fetch_context_refuse(ctx, PROBE_ERR_COMM_CANT_DEREF, column);
	if (nr > PROBE_MAX_DEREFS)
		return fetch_context_refuse(ctx, PROBE_ERR_TOO_MANY_OPS,
			      expr->derefs[nr - PROBE_MAX_DEREFS - 1].column);
	return 0;
}

/* What a dereference reads has no type that is known, and a bitfield is no address. */
static int expr_parse_outermost(struct fetch_expr *expr, struct fetch_context *ctx,
				struct probe_span text)
{
	bool is_inner = expr->nr_derefs > 0;
	int ret = expr_parse_source(expr, ctx, text);

	if (ret || !is_inner)
		return ret;
	if (expr->c.bit_width)
		return fetch_context_refuse(ctx, PROBE_ERR_BAD_BITFIELD, text.column);
	expr->c = (struct fetch_c_value){};
	return 0;
}

/**
 * fetch_expr_parse() - read an expression
 * @expr:	the result; all zero, or with dereferences to put around it
 * @ctx:	what the expression is read in
 * @text:	the expression
 *
 * Context: may sleep.
 * Return: 0 or a negative error.
 */
int fetch_expr_parse(struct fetch_expr *expr, struct fetch_context *ctx,
		     struct probe_span text)
{
	int ret;

	while (probe_span_starts(text, "+") || probe_span_starts(text, "-")) {
		ret = expr_parse_deref(expr, ctx, &text);
		if (ret)
			return ret;
	}
	ret = expr_parse_outermost(expr, ctx, text);
	if (ret)
		return ret;
	return expr_check_derefs(expr, ctx, text.column);
}
