// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The context in which the arguments of a probe are read: its refusals, and the prototype of
 * the function.
 */
#include <linux/err.h>

#include "fetch_context.h"

/**
 * fetch_context_refuse() - refuse an argument
 * @ctx:	what it is read in
 * @id:		the reason
 * @column:	column of the word at fault
 *
 * Context: any.
 * Return: the reason's error number, negative.
 */
int fetch_context_refuse(const struct fetch_context *ctx, enum probe_error_id id,
			 unsigned int column)
{
	return probe_error_set(ctx->err, id, column);
}

/**
 * fetch_context_refuse_number() - refuse an argument for a number in it
 * @ctx:	what it is read in
 * @id:		the reason
 * @column:	column of the word at fault
 * @error:	what is wrong with the number: -EINVAL or -ERANGE
 *
 * Context: any.
 * Return: @error.
 */
int fetch_context_refuse_number(const struct fetch_context *ctx, enum probe_error_id id,
				unsigned int column, int error)
{
	probe_error_set(ctx->err, id, column);
	return error;
}

/**
 * fetch_context_prototype() - the prototype of the probe's function
 * @ctx:	what an argument is read in
 * @column:	column of the word that needs it, should there be no memory
 *
 * Context: may sleep.
 * Return: the prototype, valid until fetch_context_end(); of a function that nothing is
 *	known of it says so. NULL if there is no memory, which has been noted.
 */
const struct probe_prototype *fetch_context_prototype(struct fetch_context *ctx,
						      unsigned int column)
{
	struct probe_prototype *prototype;

	if (ctx->prototype)
		return ctx->prototype;
	prototype = probe_prototype_get(ctx->function, ctx->location, ctx->lookup);
	if (IS_ERR(prototype)) {
		fetch_context_refuse(ctx, PROBE_ERR_NO_MEMORY, column);
		return NULL;
	}
	ctx->prototype = prototype;
	return prototype;
}

/**
 * fetch_context_end() - the last argument has been read
 * @ctx: what the arguments were read in; may be used again
 *
 * Context: may sleep.
 */
void fetch_context_end(struct fetch_context *ctx)
{
	probe_prototype_free(ctx->prototype);
	ctx->prototype = NULL;
}
