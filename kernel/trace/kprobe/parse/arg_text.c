// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Words of arguments, taken apart, and called after the variables they read.
 *
 *	count		is count=count
 *	$arg3:u32	is count=count:u32 if BTF knows that parameter 3 is "count"
 *	$arg*		is each parameter, in order
 */
#include <linux/err.h>
#include <linux/minmax.h>
#include <linux/overflow.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "arg_text.h"
#include "spelling.h"

/**
 * arg_text_split() - take an argument apart
 * @word: NAME=EXPR:TYPE
 *
 * The first '=' ends the name, and the first ':' after that begins the type. Inside a
 * literal string both are part of the text.
 *
 * Context: any.
 * Return: the pieces.
 */
struct arg_text arg_text_split(struct probe_span word)
{
	struct arg_text text = { .word = word, .body = word };
	unsigned int equals = probe_span_find(word, '=');
	unsigned int quote = 0;

	if (equals < probe_span_find(word, '"')) {
		text.has_name = true;
		text.name = probe_span_head(word, equals);
		text.body = probe_span_skip(word, equals + 1);
	}
	if (probe_span_starts(text.body, "\\\"")) {
		quote = probe_span_find_last(text.body, '"');
		quote = quote > 1 ? quote : text.body.len;
	}
	text.type = probe_span_skip(text.body, quote);
	text.type = probe_span_skip(text.type, probe_span_find(text.type, ':'));
	text.expr = probe_span_head(text.body, text.body.len - text.type.len);
	text.has_type = text.type.len > 0;
	if (text.has_type)
		text.type = probe_span_skip(text.type, 1);
	return text;
}

static void arg_text_call(struct arg_text *text, const char *name)
{
	unsigned int column = text->expr.column;

	text->expr = probe_span_of(name);
	text->expr.column = column;
	text->name = text->expr;
	text->has_name = true;
}

/* A word that is no parameter, or only a part of one, has no name. */
static int arg_text_call_number(struct arg_text *text, unsigned int nr,
				struct fetch_context *ctx)
{
	const struct probe_prototype *prototype;
	const struct probe_parameter *parameter;

	prototype = fetch_context_prototype(ctx, text->expr.column);
	if (!prototype)
		return -ENOMEM;
	parameter = probe_prototype_parameter(prototype, nr);
	if (parameter && probe_parameter_in_word(parameter) && parameter->name)
		arg_text_call(text, parameter->name);
	return 0;
}

/* A spelling of 2009 is no name. */
static int arg_text_call_itself(struct arg_text *text, struct fetch_context *ctx)
{
	int means = fetch_spelling_means(ctx, text->expr);

	if (means)
		return min(means, 0);
	text->name = text->expr;
	text->has_name = true;
	return 0;
}

/*
 * Where nothing is known of the function, and elsewhere than at its entry and return, $argN
 * stays. The name of a dentry or file is not the value of the variable: every 6.12 kernel
 * numbers an argument that has it.
 */
static int arg_text_call_variable(struct arg_text *text, struct fetch_context *ctx)
{
	unsigned long nr;

	if (text->has_name || probe_span_starts(text->type, "%"))
		return 0;
	if (probe_span_is_identifier(text->expr, '_'))
		return arg_text_call_itself(text, ctx);
	if (!probe_span_starts(text->expr, "$arg") ||
	    fetch_context_when(ctx) == FETCH_AT_HIT ||
	    probe_span_ulong(probe_span_skip(text->expr, strlen("$arg")), 10, &nr) ||
	    !nr || nr > ctx->lookup->stack_words)
		return 0;
	return arg_text_call_number(text, nr, ctx);
}

/* $arg* stands for all parameters, for none if the function has none. */
static int arg_texts_find_all(const struct probe_prototype **all, struct probe_span word,
			      struct fetch_context *ctx)
{
	const struct probe_prototype *prototype;

	if (fetch_context_when(ctx) == FETCH_AT_HIT)
		return fetch_context_refuse(ctx, PROBE_ERR_NOFENTRY_ARGS, word.column);
	if (*all)
		return fetch_context_refuse(ctx, PROBE_ERR_DOUBLE_ARGS, word.column);
	prototype = fetch_context_prototype(ctx, word.column);
	if (!prototype)
		return -ENOMEM;
	if (prototype->unknown)
		return fetch_context_refuse(ctx, prototype->unknown, word.column);
	*all = prototype;
	return 0;
}

static int arg_texts_count(unsigned int *nr, const struct probe_command *cmd,
			   struct fetch_context *ctx)
{
	const struct probe_prototype *all = NULL;
	unsigned int i;
	int ret;

	*nr = cmd->nr_args;
	for (i = 0; i < cmd->nr_args; i++) {
		if (!probe_span_is(cmd->args[i], "$arg*"))
			continue;
		ret = arg_texts_find_all(&all, cmd->args[i], ctx);
		if (ret)
			return ret;
		*nr += all->nr - 1;
		if (*nr > PROBE_MAX_ARGS)
			return fetch_context_refuse(ctx, PROBE_ERR_TOO_MANY_ARGS,
						    cmd->args[i].column);
	}
	return 0;
}

static int arg_texts_add_all(struct arg_text *text, struct probe_span word,
			     const struct fetch_context *ctx)
{
	const struct probe_prototype *all = ctx->prototype;
	unsigned int i;

	for (i = 0; i < all->nr; i++) {
		text[i] = (struct arg_text){ .word = word, .body = word, .expr = word };
		if (!all->parameter[i].name)
			return fetch_context_refuse(ctx, PROBE_ERR_NO_BTFARG, word.column);
		arg_text_call(&text[i], all->parameter[i].name);
	}
	return 0;
}

static int arg_texts_fill(struct arg_texts *texts, const struct probe_command *cmd,
			  struct fetch_context *ctx)
{
	struct arg_text *text = texts->text;
	unsigned int i;
	int ret = 0;

	for (i = 0; i < cmd->nr_args && !ret; i++) {
		if (probe_span_is(cmd->args[i], "$arg*")) {
			ret = arg_texts_add_all(text, cmd->args[i], ctx);
			text += ctx->prototype->nr;
		} else {
			*text = arg_text_split(cmd->args[i]);
			ret = arg_text_call_variable(text++, ctx);
		}
	}
	return ret;
}

/**
 * arg_texts_get() - take the arguments of a command apart
 * @cmd:	a parsed command
 * @ctx:	what they are read in
 *
 * Context: may sleep.
 * Return: the arguments, to be freed with kfree(), or an error pointer.
 */
struct arg_texts *arg_texts_get(const struct probe_command *cmd, struct fetch_context *ctx)
{
	struct arg_texts *texts;
	unsigned int nr;
	int ret;

	ret = arg_texts_count(&nr, cmd, ctx);
	if (ret)
		return ERR_PTR(ret);
	texts = kzalloc(struct_size(texts, text, nr), GFP_KERNEL);
	if (!texts)
		return ERR_PTR(fetch_context_refuse(ctx, PROBE_ERR_NO_MEMORY,
						    cmd->location.column));
	texts->nr = nr;
	ret = arg_texts_fill(texts, cmd, ctx);
	if (!ret)
		return texts;
	kfree(texts);
	return ERR_PTR(ret);
}
