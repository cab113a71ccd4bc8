// SPDX-License-Identifier: GPL-2.0
/*
 * Read the expression of an argument.
 *
 * Braces are taken from the outside to the inside, in a loop: what is left in
 * the end is the source.  No function here calls itself.
 */
#include <linux/array_size.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "expr.h"

static int refuse(const struct fetch_context *ctx, enum probe_error_id id,
		  unsigned int column)
{
	return probe_error_set(ctx->err, id, column);
}

/* $comm */
static int parse_comm(struct fetch_expr *expr, const struct fetch_context *ctx,
		      struct probe_span text)
{
	if (text.len != strlen("$comm"))
		return refuse(ctx, PROBE_ERR_BAD_VAR, text.column);
	expr->source = FETCH_COMM;
	return 0;
}

/* Whether the function has it is asked of all arguments at once */
static void note_parameter(struct fetch_expr *expr, unsigned int nr, unsigned int column)
{
	expr->parameter.is_read = true;
	expr->parameter.nr = nr;
	expr->parameter.column = column;
}

/* $retval; what could follow it is a field, of a type we do not know */
static int parse_retval(struct fetch_expr *expr,
			const struct fetch_context *ctx, struct probe_span text)
{
	struct probe_span rest = probe_span_skip(text, strlen("$retval"));
	bool is_field = probe_span_starts(rest, "->") ||
			probe_span_starts(rest, ".");

	if (rest.len && !is_field)
		return refuse(ctx, PROBE_ERR_BAD_VAR, text.column);
	if (!ctx->place->is_return)
		return refuse(ctx, PROBE_ERR_RETVAL_ON_PROBE, text.column);
	if (is_field)
		return refuse(ctx, PROBE_ERR_NOSUP_BTFARG, text.column);
	expr->source = FETCH_REGISTER;
	expr->where = ctx->lookup->retval_offset;
	note_parameter(expr, PROBE_RETVAL, text.column);
	return 0;
}

/* $stack, $stackN */
static int parse_stack(struct fetch_expr *expr, const struct fetch_context *ctx,
		       struct probe_span text)
{
	struct probe_span rest = probe_span_skip(text, strlen("$stack"));
	unsigned long number;

	if (!rest.len) {
		expr->source = FETCH_STACK_ADDRESS;
		return 0;
	}
	if (probe_span_ulong(rest, 10, &number))
		return refuse(ctx, PROBE_ERR_BAD_VAR, text.column);
	if (number > ctx->lookup->stack_words)
		return refuse(ctx, PROBE_ERR_BAD_STACK_NUM, text.column);
	expr->source = FETCH_STACK;
	expr->where = number;
	return 0;
}

/* $argN: only at a function's entry are the arguments where they were put. */
static int parse_argument(struct fetch_expr *expr,
			  const struct fetch_context *ctx,
			  struct probe_span text)
{
	struct probe_span rest = probe_span_skip(text, strlen("$arg"));
	struct probe_arg_place place;
	unsigned long number;

	if (probe_span_ulong(rest, 10, &number))
		return refuse(ctx, PROBE_ERR_BAD_VAR, text.column);
	if (!ctx->place->is_entry || ctx->place->is_return)
		return refuse(ctx, PROBE_ERR_NOFENTRY_ARGS, text.column);
	if (!number || number > ctx->lookup->stack_words ||
	    ctx->lookup->argument(ctx->lookup, number, &place))
		return refuse(ctx, PROBE_ERR_BAD_ARG_NUM, text.column);
	expr->source = place.on_stack ? FETCH_STACK : FETCH_REGISTER;
	expr->where = place.where;
	note_parameter(expr, number, text.column);
	return 0;
}

static const struct {
	const char	*name;
	int		(*parse)(struct fetch_expr *expr,
				 const struct fetch_context *ctx,
				 struct probe_span text);
} variables[] = {
	{ "$comm",	parse_comm },
	{ "$COMM",	parse_comm },
	{ "$retval",	parse_retval },
	{ "$stack",	parse_stack },
	{ "$arg",	parse_argument },
};

static int parse_variable(struct fetch_expr *expr,
			  const struct fetch_context *ctx,
			  struct probe_span text)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(variables); i++) {
		if (probe_span_starts(text, variables[i].name))
			return variables[i].parse(expr, ctx, text);
	}
	return refuse(ctx, PROBE_ERR_BAD_VAR, text.column);
}

/* %REG */
static int parse_register(struct fetch_expr *expr,
			  const struct fetch_context *ctx,
			  struct probe_span text)
{
	char *name = probe_span_dup(probe_span_skip(text, 1));
	int offset;

	if (!name)
		return refuse(ctx, PROBE_ERR_NO_MEMORY, text.column);
	offset = ctx->lookup->register_offset(ctx->lookup, name);
	kfree(name);
	if (offset < 0)
		return refuse(ctx, PROBE_ERR_BAD_REG_NAME, text.column);
	expr->source = FETCH_REGISTER;
	expr->where = offset;
	return 0;
}

/* SYM[+|-OFFS] of @SYM: the symbol is looked up by fetch_args_resolve(). */
static int parse_symbol(struct fetch_expr *expr, struct probe_span text,
			struct fetch_deref *deref)
{
	unsigned int end = min(probe_span_find(text, '+'),
			       probe_span_find(text, '-'));
	struct probe_span offset = probe_span_skip(text, end);

	if (!end || (offset.len && probe_span_long(offset, &deref->offset)))
		return -EINVAL;
	expr->source = FETCH_SYMBOL;
	expr->text = probe_span_head(text, end);
	return 0;
}

/* @ADDR, @SYM[+|-OFFS] */
static int parse_memory(struct fetch_expr *expr,
			const struct fetch_context *ctx,
			struct probe_span text)
{
	struct probe_span rest = probe_span_skip(text, 1);
	struct fetch_deref deref = { .column = text.column };
	int ret;

	if (probe_span_starts(rest, "+"))
		return refuse(ctx, PROBE_ERR_FILE_ON_KPROBE, text.column);
	if (probe_span_is_number(rest)) {
		expr->source = FETCH_VALUE;
		ret = probe_span_ulong(rest, 0, &expr->value);
	} else {
		ret = parse_symbol(expr, rest, &deref);
	}
	if (ret)
		return refuse(ctx, PROBE_ERR_BAD_MEM_ADDR, text.column);
	return fetch_expr_deref(expr, ctx, &deref);
}

/* \"TEXT": the last character closes it, those between may be anything. */
static int parse_literal(struct fetch_expr *expr,
			 const struct fetch_context *ctx,
			 struct probe_span text)
{
	struct probe_span rest = probe_span_skip(text, 2);

	if (!rest.len || rest.text[rest.len - 1] != '"')
		return refuse(ctx, PROBE_ERR_IMMSTR_NO_CLOSE,
			      probe_span_end(text));
	expr->source = FETCH_TEXT;
	expr->text = probe_span_head(rest, rest.len - 1);
	return 0;
}

/* \VALUE, \-VALUE, \"TEXT" */
static int parse_immediate(struct fetch_expr *expr,
			   const struct fetch_context *ctx,
			   struct probe_span text)
{
	struct probe_span rest = probe_span_skip(text, 1);
	long number;

	if (probe_span_starts(rest, "\""))
		return parse_literal(expr, ctx, text);
	expr->source = FETCH_VALUE;
	if (!probe_span_ulong(rest, 0, &expr->value))
		return 0;
	if (!probe_span_starts(rest, "-") && !probe_span_starts(rest, "+"))
		return refuse(ctx, PROBE_ERR_BAD_IMM, rest.column);
	if (probe_span_long(rest, &number))
		return refuse(ctx, PROBE_ERR_BAD_IMM, rest.column);
	expr->value = number;
	return 0;
}

/* A bare word names a variable of the function, which only BTF knows. */
static int parse_word(const struct fetch_context *ctx, struct probe_span text)
{
	if (probe_span_is_identifier(probe_span_head(text, 1), '_'))
		return refuse(ctx, PROBE_ERR_NOSUP_BTFARG, text.column);
	return refuse(ctx, PROBE_ERR_BAD_FETCH_ARG, text.column);
}

static int parse_source(struct fetch_expr *expr,
			const struct fetch_context *ctx,
			struct probe_span text)
{
	if (!text.len)
		return refuse(ctx, PROBE_ERR_BAD_FETCH_ARG, text.column);
	switch (text.text[0]) {
	case '$':
		return parse_variable(expr, ctx, text);
	case '%':
		return parse_register(expr, ctx, text);
	case '@':
		return parse_memory(expr, ctx, text);
	case '\\':
		return parse_immediate(expr, ctx, text);
	}
	return parse_word(ctx, text);
}

/* +|-[u]OFFS in front of a brace; scripts write +-8( ) too. */
static int parse_deref_offset(struct fetch_deref *deref, struct probe_span text)
{
	bool negative = text.text[0] == '-';
	struct probe_span digits = probe_span_skip(text, 1);
	unsigned long number;

	deref->user = probe_span_starts(digits, "u");
	if (deref->user)
		digits = probe_span_skip(digits, 1);
	if (!negative && !probe_span_long(digits, &deref->offset))
		return 0;
	if (probe_span_ulong(digits, 0, &number) || number > LONG_MAX)
		return -EINVAL;
	deref->offset = negative ? -(long)number : (long)number;
	return 0;
}

/*
 * Take one +OFFS( ) off @text.  Braces are paired from the outside: the last
 * one closes the first, and a missing one is missing at the innermost.
 */
static int parse_deref(struct fetch_expr *expr, const struct fetch_context *ctx,
		       struct probe_span *text)
{
	unsigned int open = probe_span_find(*text, '(');
	struct probe_span inner;
	struct fetch_deref deref;
	unsigned int close;

	if (open == text->len)
		return refuse(ctx, PROBE_ERR_DEREF_NEED_BRACE, text->column);
	if (parse_deref_offset(&deref, probe_span_head(*text, open)))
		return refuse(ctx, PROBE_ERR_BAD_DEREF_OFFS, text->column);
	inner = probe_span_skip(*text, open + 1);
	close = probe_span_find_last(inner, ')');
	if (close == inner.len)
		return refuse(ctx, PROBE_ERR_DEREF_OPEN_BRACE,
			      probe_span_end(inner));
	if (close + 1 < inner.len)
		return refuse(ctx, PROBE_ERR_BAD_FETCH_ARG,
			      inner.column + close + 1);
	deref.column = inner.column;
	*text = probe_span_head(inner, close);
	return fetch_expr_deref(expr, ctx, &deref);
}

/**
 * fetch_expr_deref - put one more dereference inside those of an expression
 * @expr:	expression whose source is not read yet
 * @ctx:	what it is read in
 * @deref:	the dereference
 *
 * Context: any.
 * Return: 0 or a negative error.
 */
int fetch_expr_deref(struct fetch_expr *expr, const struct fetch_context *ctx,
		     const struct fetch_deref *deref)
{
	if (expr->nr_derefs == ARRAY_SIZE(expr->derefs))
		return refuse(ctx, PROBE_ERR_TOO_MANY_OPS, deref->column);
	expr->derefs[expr->nr_derefs++] = *deref;
	return 0;
}

/*
 * Text has no address to add an offset to.  Of too many dereferences the
 * column is that of the first one, counted from the inside, that is too much.
 */
static int check_derefs(const struct fetch_expr *expr,
			const struct fetch_context *ctx, unsigned int column)
{
	unsigned int nr = expr->nr_derefs;
	bool is_text = expr->source == FETCH_COMM || expr->source == FETCH_TEXT;

	if (nr && is_text)
		return refuse(ctx, PROBE_ERR_COMM_CANT_DEREF, column);
	if (nr > PROBE_MAX_DEREFS)
		return refuse(ctx, PROBE_ERR_TOO_MANY_OPS,
			      expr->derefs[nr - PROBE_MAX_DEREFS - 1].column);
	return 0;
}

/**
 * fetch_expr_parse - read an expression
 * @expr:	the result; zeros, or with dereferences to put around it
 * @ctx:	what it is read in
 * @text:	the expression
 *
 * Context: may sleep.
 * Return: 0 or a negative error.
 */
int fetch_expr_parse(struct fetch_expr *expr, const struct fetch_context *ctx,
		     struct probe_span text)
{
	int ret;

	while (probe_span_starts(text, "+") || probe_span_starts(text, "-")) {
		ret = parse_deref(expr, ctx, &text);
		if (ret)
			return ret;
	}
	ret = parse_source(expr, ctx, text);
	if (ret)
		return ret;
	return check_derefs(expr, ctx, text.column);
}
