// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Variables of the probed function: parameters by name or number, and the return value.
 *
 *	NAME		the parameter of this name
 *	$argN		word N of the arguments, counted from 1
 *	$retval		the return value
 *
 * Members follow, see member.c: NAME->MEMBER.MEMBER. A return probe reads parameters that
 * were kept when the function was entered.
 */
#include <linux/string.h>

#include "variable.h"

static void variable_read_word(struct fetch_expr *expr, const struct fetch_context *ctx,
			       const struct probe_word *word)
{
	if (fetch_context_when(ctx) == FETCH_AT_RETURN) {
		expr->source = word->on_stack ? FETCH_ENTRY_STACK : FETCH_ENTRY;
		expr->entry = *word;
		return;
	}
	expr->source = word->on_stack ? FETCH_STACK : FETCH_REGISTER;
	expr->where = word->where;
}

/* Its type is that of the whole expression as long as nothing is around it. */
static void variable_set_type(struct fetch_expr *expr, struct probe_c_type type)
{
	expr->is_variable = true;
	expr->is_typed = type.owner;
	expr->c = (struct fetch_c_value){ .type = type };
}

static int variable_read_number(struct fetch_expr *expr, const struct fetch_context *ctx,
				unsigned int nr, struct probe_span text)
{
	const struct probe_lookup *lookup = ctx->lookup;
	struct probe_word word;

	if (lookup->argument(lookup, nr, &word))
		return fetch_context_refuse(ctx, PROBE_ERR_BAD_ARG_NUM, text.column);
	variable_read_word(expr, ctx, &word);
	expr->is_variable = true;
	return 0;
}

static int variable_read_parameter(struct fetch_expr *expr, const struct fetch_context *ctx,
				   const struct probe_parameter *parameter,
				   struct probe_span text)
{
	int ret;

	if (!probe_parameter_in_word(parameter))
		return fetch_context_refuse(ctx, PROBE_ERR_ARG_NOT_WORD, text.column);
	ret = variable_read_number(expr, ctx, parameter->words.first, text);
	if (!ret)
		variable_set_type(expr, parameter->type);
	return ret;
}

/* Members need a type, so they need a prototype. */
static int variable_parse_members(struct fetch_expr *expr, struct fetch_context *ctx,
				  struct probe_span variable, struct probe_span members)
{
	const struct probe_prototype *prototype;

	if (!members.len)
		return 0;
	prototype = fetch_context_prototype(ctx, variable.column);
	if (!prototype)
		return -ENOMEM;
	if (prototype->unknown)
		return fetch_context_refuse(ctx, prototype->unknown, variable.column);
	return fetch_member_parse(expr, ctx, members);
}

static const struct probe_parameter *
variable_find(const struct probe_prototype *prototype, struct probe_span name)
{
	unsigned int i;

	for (i = 0; i < prototype->nr; i++) {
		const struct probe_parameter *parameter = &prototype->parameter[i];

		if (parameter->name && probe_span_is(name, parameter->name))
			return parameter;
	}
	return NULL;
}

/**
 * fetch_variable_exists() - has the function a parameter of this name?
 * @ctx:	what an argument is read in
 * @name:	the name
 *
 * Context: may sleep.
 * Return: 1; 0, also where parameters cannot be read; -ENOMEM, which has been noted.
 */
int fetch_variable_exists(struct fetch_context *ctx, struct probe_span name)
{
	const struct probe_prototype *prototype;

	if (fetch_context_when(ctx) == FETCH_AT_HIT)
		return 0;
	prototype = fetch_context_prototype(ctx, name.column);
	return prototype ? !!variable_find(prototype, name) : -ENOMEM;
}

static int variable_parse_name(struct fetch_expr *expr, struct fetch_context *ctx,
			       struct probe_span name)
{
	const struct probe_prototype *prototype;
	const struct probe_parameter *parameter;

	if (fetch_context_when(ctx) == FETCH_AT_HIT)
		return fetch_context_refuse(ctx, PROBE_ERR_NOFENTRY_NAME, name.column);
	prototype = fetch_context_prototype(ctx, name.column);
	if (!prototype)
		return -ENOMEM;
	if (prototype->unknown)
		return fetch_context_refuse(ctx, prototype->unknown, name.column);
	if (!prototype->nr)
		return fetch_context_refuse(ctx, PROBE_ERR_NO_BTF_ENTRY, name.column);
	parameter = variable_find(prototype, name);
	if (!parameter)
		return fetch_context_refuse(ctx, PROBE_ERR_NO_BTFARG, name.column);
	return variable_read_parameter(expr, ctx, parameter, name);
}

/**
 * fetch_variable_parse() - read a variable that is given by its name
 * @expr:	the expression it is the source of
 * @ctx:	what the expression is read in
 * @text:	NAME and its members
 *
 * Context: may sleep.
 * Return: 0 or a negative error.
 */
int fetch_variable_parse(struct fetch_expr *expr, struct fetch_context *ctx,
			 struct probe_span text)
{
	unsigned int end = fetch_variable_name_end(text);
	struct probe_span name = probe_span_head(text, end);

	if (!probe_span_is_identifier(name, '_'))
		return fetch_context_refuse(ctx, PROBE_ERR_BAD_FETCH_ARG, text.column);
	return variable_parse_name(expr, ctx, name) ?:
	       variable_parse_members(expr, ctx, name, probe_span_skip(text, end));
}

/* A word that is no parameter is an argument where the function takes any number of them. */
static enum probe_error_id variable_check_further(const struct probe_prototype *prototype,
						  unsigned int nr,
						  const struct probe_lookup *lookup)
{
	if (nr == prototype->hidden.first)
		return PROBE_ERR_NONE;
	if (!probe_passing_knows(&prototype->passing, nr, lookup))
		return PROBE_ERR_ARG_NOT_WORD;
	return prototype->is_variadic ? PROBE_ERR_NONE : PROBE_ERR_NO_BTFARG;
}

/* A word that is a part of a parameter has no type that is known. */
static int variable_read_argument(struct fetch_expr *expr, struct fetch_context *ctx,
				  unsigned int nr, struct probe_span text)
{
	const struct probe_prototype *prototype;
	const struct probe_parameter *parameter;
	enum probe_error_id refusal;

	if (fetch_context_when(ctx) == FETCH_AT_HIT)
		return fetch_context_refuse(ctx, PROBE_ERR_NOFENTRY_ARGS, text.column);
	prototype = fetch_context_prototype(ctx, text.column);
	if (!prototype)
		return -ENOMEM;
	parameter = probe_prototype_parameter(prototype, nr);
	if (parameter && probe_parameter_in_word(parameter))
		return variable_read_parameter(expr, ctx, parameter, text);
	refusal = parameter ? PROBE_ERR_NONE :
			      variable_check_further(prototype, nr, ctx->lookup);
	if (refusal)
		return fetch_context_refuse(ctx, refusal, text.column);
	return variable_read_number(expr, ctx, nr, text);
}

/**
 * fetch_variable_read_number() - read a word of the arguments as a plain word
 * @expr:	the expression it is the source of
 * @ctx:	what the expression is read in
 * @nr:		number of the word, counted from 1
 * @text:	how it was written
 *
 * Context: may sleep.
 * Return: 0 or a negative error.
 */
int fetch_variable_read_number(struct fetch_expr *expr, struct fetch_context *ctx,
			       unsigned int nr, struct probe_span text)
{
	int ret = variable_read_argument(expr, ctx, nr, text);

	expr->c = (struct fetch_c_value){};
	return ret;
}

/**
 * fetch_variable_parse_argument() - read $argN
 * @expr:	the expression it is the source of
 * @ctx:	what the expression is read in
 * @text:	$argN and its members
 *
 * Without a member it is a plain word, whatever the parameter's type.
 *
 * Context: may sleep.
 * Return: 0 or a negative error.
 */
int fetch_variable_parse_argument(struct fetch_expr *expr, struct fetch_context *ctx,
				  struct probe_span text)
{
	unsigned int end = fetch_variable_name_end(text);
	struct probe_span variable = probe_span_head(text, end);
	struct probe_span members = probe_span_skip(text, end);
	unsigned long number;
	int ret;

	if (probe_span_ulong(probe_span_skip(variable, strlen("$arg")), 10, &number))
		return fetch_context_refuse(ctx, PROBE_ERR_BAD_VAR, text.column);
	if (fetch_context_when(ctx) != FETCH_AT_HIT &&
	    (!number || number > ctx->lookup->stack_words))
		return fetch_context_refuse(ctx, PROBE_ERR_BAD_ARG_NUM, text.column);
	ret = variable_read_argument(expr, ctx, number, variable);
	if (ret)
		return ret;
	if (!members.len)
		expr->c = (struct fetch_c_value){};
	return variable_parse_members(expr, ctx, variable, members);
}

/**
 * fetch_variable_read_retval() - read the return value
 * @expr:	the expression it is the source of
 * @ctx:	what the expression is read in
 * @column:	column of its name
 *
 * Context: may sleep.
 * Return: 0 or a negative error.
 */
int fetch_variable_read_retval(struct fetch_expr *expr, struct fetch_context *ctx,
			       unsigned int column)
{
	const struct probe_prototype *prototype;

	if (fetch_context_when(ctx) != FETCH_AT_RETURN)
		return fetch_context_refuse(ctx, PROBE_ERR_RETVAL_ON_PROBE, column);
	prototype = fetch_context_prototype(ctx, column);
	if (!prototype)
		return -ENOMEM;
	if (prototype->no_retval)
		return fetch_context_refuse(ctx, prototype->no_retval, column);
	expr->source = FETCH_REGISTER;
	expr->where = ctx->lookup->retval_offset;
	variable_set_type(expr, prototype->returned);
	return 0;
}

/**
 * fetch_variable_read_caller() - read the address that the function returns to
 * @expr:	the expression it is the source of
 * @ctx:	what the expression is read in
 * @column:	column of its name
 *
 * Inside the function only an unwinder knows where that address is.
 *
 * Context: any.
 * Return: 0 or a negative error.
 */
int fetch_variable_read_caller(struct fetch_expr *expr, struct fetch_context *ctx,
			       unsigned int column)
{
	if (fetch_context_when(ctx) == FETCH_AT_HIT)
		return fetch_context_refuse(ctx, PROBE_ERR_NO_CALLER, column);
	expr->source = FETCH_CALLER;
	expr->is_variable = true;
	return 0;
}

/**
 * fetch_variable_parse_retval() - read $retval
 * @expr:	the expression it is the source of
 * @ctx:	what the expression is read in
 * @text:	$retval and its members
 *
 * Context: may sleep.
 * Return: 0 or a negative error.
 */
int fetch_variable_parse_retval(struct fetch_expr *expr, struct fetch_context *ctx,
				struct probe_span text)
{
	struct probe_span variable = probe_span_head(text, fetch_variable_name_end(text));
	struct probe_span members = probe_span_skip(text, variable.len);
	int ret;

	if (!probe_span_is(variable, "$retval"))
		return fetch_context_refuse(ctx, PROBE_ERR_BAD_VAR, text.column);
	ret = fetch_variable_read_retval(expr, ctx, text.column);
	return ret ?: variable_parse_members(expr, ctx, variable, members);
}
