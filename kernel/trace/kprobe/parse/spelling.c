// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Values as the kprobe tracer of 2009 spelled them.
 *
 *	aN		word N of the arguments, counted from 0: $argN counts from 1
 *	sN, sa		word N of the stack; the stack pointer
 *	rN		register N of struct pt_regs, counted from 0
 *	rv		the return value
 *	ra, rp		the address that the function returns to
 *	mADDRESS	memory at an address
 *
 * A parameter of the same name wins: these are names of C as well.
 */
#include <linux/array_size.h>
#include <linux/build_bug.h>
#include <linux/string.h>

#include "spelling.h"
#include "variable.h"

static int spelling_parse_argument(struct fetch_expr *expr, struct fetch_context *ctx,
				   struct probe_span text, unsigned long number)
{
	if (number >= ctx->lookup->stack_words)
		return fetch_context_refuse(ctx, PROBE_ERR_BAD_ARG_NUM, text.column);
	return fetch_variable_read_number(expr, ctx, number + 1, text);
}

static int spelling_parse_stack(struct fetch_expr *expr, struct fetch_context *ctx,
				struct probe_span text, unsigned long number)
{
	if (number > ctx->lookup->stack_words)
		return fetch_context_refuse(ctx, PROBE_ERR_BAD_STACK_NUM, text.column);
	expr->source = FETCH_STACK;
	expr->where = number;
	return 0;
}

static int spelling_parse_register(struct fetch_expr *expr, struct fetch_context *ctx,
				   struct probe_span text, unsigned long number)
{
	if (number > ctx->lookup->last_register / sizeof(long))
		return fetch_context_refuse(ctx, PROBE_ERR_BAD_REG_NAME, text.column);
	expr->source = FETCH_REGISTER;
	expr->where = number * sizeof(long);
	return 0;
}

static int spelling_parse_memory(struct fetch_expr *expr, struct fetch_context *ctx,
				 struct probe_span text, unsigned long number)
{
	struct fetch_deref deref = { .column = text.column };

	expr->source = FETCH_VALUE;
	expr->value = number;
	return fetch_expr_deref(expr, ctx, &deref);
}

static int spelling_parse_stack_address(struct fetch_expr *expr, struct fetch_context *ctx,
					struct probe_span text, unsigned long number)
{
	expr->source = FETCH_STACK_ADDRESS;
	return 0;
}

static int spelling_parse_retval(struct fetch_expr *expr, struct fetch_context *ctx,
				 struct probe_span text, unsigned long number)
{
	return fetch_variable_read_retval(expr, ctx, text.column);
}

static int spelling_parse_caller(struct fetch_expr *expr, struct fetch_context *ctx,
				 struct probe_span text, unsigned long number)
{
	return fetch_variable_read_caller(expr, ctx, text.column);
}

/**
 * struct spelling - one way to spell a value
 * @name:	its letters
 * @base:	notation of the number after them: 10, or 0 for those of C; -1: there is none
 * @parse:	read the value
 */
struct spelling {
	const char	*name;
	int		base;
	int		(*parse)(struct fetch_expr *expr, struct fetch_context *ctx,
				 struct probe_span text, unsigned long number);
};

static const struct spelling spellings[] = {
	{ "sa",	-1,	spelling_parse_stack_address },
	{ "rv",	-1,	spelling_parse_retval },
	{ "ra",	-1,	spelling_parse_caller },
	{ "rp",	-1,	spelling_parse_caller },
	{ "a",	10,	spelling_parse_argument },
	{ "s",	10,	spelling_parse_stack },
	{ "r",	10,	spelling_parse_register },
	{ "m",	0,	spelling_parse_memory },
};

static bool spelling_fits(const struct spelling *spelling, struct probe_span text,
			  unsigned long *number)
{
	struct probe_span rest;

	if (spelling->base < 0)
		return probe_span_is(text, spelling->name);
	if (!probe_span_starts(text, spelling->name))
		return false;
	rest = probe_span_skip(text, strlen(spelling->name));
	return !probe_span_ulong(rest, spelling->base, number);
}

static const struct spelling *spelling_find(struct probe_span text, unsigned long *number)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(spellings); i++) {
		if (spelling_fits(&spellings[i], text, number))
			return &spellings[i];
	}
	return NULL;
}

/**
 * fetch_spelling_means() - is a word to be read as in 2009?
 * @ctx:	what it is read in
 * @text:	the word
 *
 * Context: may sleep.
 * Return: 1 or 0; -ENOMEM, which has been noted.
 */
int fetch_spelling_means(struct fetch_context *ctx, struct probe_span text)
{
	unsigned long number;
	int ret;

	if (!spelling_find(text, &number))
		return 0;
	ret = fetch_variable_exists(ctx, text);
	return ret < 0 ? ret : !ret;
}

/**
 * fetch_spelling_parse() - read a value that is spelled as in 2009
 * @expr:	the expression it is the source of
 * @ctx:	what the expression is read in
 * @text:	a word for which fetch_spelling_means() is 1
 *
 * Context: may sleep.
 * Return: 0 or a negative error.
 */
int fetch_spelling_parse(struct fetch_expr *expr, struct fetch_context *ctx,
			 struct probe_span text)
{
	unsigned long number = 0;
	const struct spelling *spelling = spelling_find(text, &number);

	expr->is_spelled = true;
	return spelling->parse(expr, ctx, text, number);
}
