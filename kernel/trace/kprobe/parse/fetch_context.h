/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Fetch context: what the arguments of a probe are read in.
 *
 * The function's prototype is asked for by the first argument that needs it, and kept for
 * the others: most arguments need none, and the search for one takes time.
 */
#ifndef _TRACE_KPROBE_FETCH_CONTEXT_H
#define _TRACE_KPROBE_FETCH_CONTEXT_H

#include "error.h"
#include "function.h"
#include "location.h"
#include "lookup.h"
#include "program.h"
#include "prototype.h"

/**
 * struct fetch_context - what an argument is read in
 * @location:	where its probe is put
 * @function:	what is there
 * @lookup:	the machine
 * @err:	where a refusal is noted
 * @at_entry:	the argument is read when the function is entered, whatever the probe
 * @prototype:	parameters of the function; NULL until fetch_context_prototype()
 */
struct fetch_context {
	const struct probe_location	*location;
	const struct probe_function	*function;
	const struct probe_lookup	*lookup;
	struct probe_error		*err;
	bool				at_entry;
	struct probe_prototype		*prototype;
};

/**
 * fetch_context_when() - when does the program of an argument run?
 * @ctx: what the argument is read in
 *
 * A location that is an address is never taken for a function's entry.
 *
 * Context: any.
 * Return: the time.
 */
static inline enum fetch_when fetch_context_when(const struct fetch_context *ctx)
{
	if (ctx->location->is_return)
		return ctx->at_entry ? FETCH_AT_ENTRY : FETCH_AT_RETURN;
	return ctx->location->symbol && ctx->function->is_entry ? FETCH_AT_ENTRY : FETCH_AT_HIT;
}

int fetch_context_refuse(const struct fetch_context *ctx, enum probe_error_id id,
			 unsigned int column);
int fetch_context_refuse_number(const struct fetch_context *ctx, enum probe_error_id id,
				unsigned int column, int error);
const struct probe_prototype *fetch_context_prototype(struct fetch_context *ctx,
						      unsigned int column);
void fetch_context_end(struct fetch_context *ctx);

#endif /* _TRACE_KPROBE_FETCH_CONTEXT_H */
