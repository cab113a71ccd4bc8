// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Arguments that were compiled for a function, checked against the one that is there now.
 */
#include <linux/string.h>

#include "args.h"
#include "expr.h"

static bool programs_equal(const struct fetch_program *a, const struct fetch_program *b)
{
	if (a->source != b->source || a->final != b->final || a->nr_steps != b->nr_steps ||
	    a->offset != b->offset || a->user != b->user || a->user_text != b->user_text ||
	    a->text_max != b->text_max)
		return false;
	return !a->nr_steps || !memcmp(a->steps, b->steps, a->nr_steps * sizeof(*a->steps));
}

static bool types_equal(const struct arg_type *a, const struct arg_type *b)
{
	return arg_type_equal(a, b) && a->bit_width == b->bit_width &&
	       a->bit_shift == b->bit_shift;
}

/* A word that was kept is compared itself: its number says nothing. */
static bool sources_equal(const struct fetch_args *args, const struct fetch_program *program,
			  const struct fetch_expr *expr)
{
	if (!fetch_source_is_entry(program->source))
		return program->where == expr->where;
	return probe_word_equal(&args->kept[program->where], &expr->entry);
}

/* Where no type was known, the argument is the word it was. */
static bool arg_is_same(const struct fetch_args *args, const struct fetch_arg *old,
			const struct fetch_arg *new, const struct fetch_expr *expr)
{
	const struct fetch_program *reader = fetch_arg_reader((struct fetch_arg *)old);

	if (old->is_spelled != new->is_spelled)
		return false;
	return !old->is_typed ||
	       (types_equal(&old->type, &new->type) &&
		programs_equal(reader, &new->program) && sources_equal(args, reader, expr));
}

static int arg_recheck(const struct fetch_args *args, const struct fetch_arg *arg,
		       struct fetch_context *ctx)
{
	struct arg_text text = arg_text_split(probe_span_of(arg->text));
	struct fetch_expr expr = {};
	struct fetch_arg now = {};
	int ret = fetch_arg_compile(&now, &expr, &text, ctx);

	if (!ret && !arg_is_same(args, arg, &now, &expr))
		ret = fetch_context_refuse(ctx, PROBE_ERR_ARG_CHANGED, 0);
	fetch_program_free(&now.program);
	if (ret)
		ctx->err->column = arg->column;
	return ret;
}

/**
 * fetch_args_recheck() - check that the function is one that arguments were compiled for
 * @args:	arguments
 * @ctx:	what they are read in now; gets the first that would be compiled otherwise
 *
 * Callers call this when the module of the function has been loaded again: it may have
 * other parameters and types now.
 *
 * Context: may sleep.
 * Return: 0 or a negative error.
 */
int fetch_args_recheck(const struct fetch_args *args, struct fetch_context *ctx)
{
	unsigned int i;
	int ret = 0;

	for (i = 0; i < args->nr && !ret; i++) {
		if (args->arg[i].is_variable || args->arg[i].is_spelled)
			ret = arg_recheck(args, &args->arg[i], ctx);
	}
	return ret;
}
