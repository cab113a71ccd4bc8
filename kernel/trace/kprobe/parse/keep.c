// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Values that a return probe reads when the function is entered: ^EXPR.
 *
 * The program of the expression runs at the entry and leaves a struct fetch_kept_value in
 * the data of the call. Another program finds it there at the return, and fills the record
 * from it as from any memory of the kernel.
 */
#include <linux/align.h>
#include <linux/minmax.h>
#include <linux/slab.h>

#include "args.h"

/* Bytes that ../fetch_keep.c writes for an argument */
static unsigned int keep_size(const struct fetch_arg *arg)
{
	unsigned int count = max(arg->type.count, 1);

	switch (arg->program.final) {
	case FETCH_STORE_STRINGS:
		return count * (sizeof(long) + PROBE_KEPT_TEXT);
	case FETCH_STORE_STRING:
	case FETCH_STORE_COMM:
		return PROBE_KEPT_TEXT;
	case FETCH_STORE_SYMSTR:
		return sizeof(long);
	default:
		return arg->size;
	}
}

static enum fetch_final keep_final(enum fetch_final final)
{
	switch (final) {
	case FETCH_STORE_STRINGS:
	case FETCH_STORE_SYMSTR:
		return final;
	case FETCH_STORE_STRING:
	case FETCH_STORE_COMM:
		return FETCH_STORE_STRING;
	default:
		return FETCH_STORE_MEMORY;
	}
}

/* A symstr is made of a word, which is read like a pointer. */
static int keep_read_word(struct fetch_program *program)
{
	if (program->final != FETCH_STORE_SYMSTR)
		return 0;
	program->steps = kcalloc(1, sizeof(*program->steps), GFP_KERNEL);
	program->nr_steps = 1;
	return program->steps ? 0 : -ENOMEM;
}

static int keep_split(struct fetch_arg *arg, unsigned int where)
{
	arg->keeper = kmalloc(sizeof(*arg->keeper), GFP_KERNEL);
	if (!arg->keeper)
		return -ENOMEM;
	*arg->keeper = arg->program;
	arg->program = (struct fetch_program){
		.source = FETCH_KEPT,
		.final = keep_final(arg->keeper->final),
		.when = FETCH_AT_RETURN,
		.where = where,
	};
	return keep_read_word(&arg->program);
}

/**
 * fetch_arg_keep() - keep the value of an argument from the entry to the return
 * @args:	the arguments of the probe
 * @arg:	one of them, whose program is that of the entry
 * @ctx:	what the argument was read in
 *
 * A literal string is the same at the return.
 *
 * Context: may sleep.
 * Return: 0 or a negative error.
 */
int fetch_arg_keep(struct fetch_args *args, struct fetch_arg *arg, struct fetch_context *ctx)
{
	unsigned int size = sizeof(struct fetch_kept_value) + ALIGN(keep_size(arg), sizeof(long));

	if (arg->program.final == FETCH_STORE_LITERAL) {
		arg->program.when = FETCH_AT_RETURN;
		return 0;
	}
	if (size > PROBE_MAX_KEPT - args->kept_values)
		return fetch_context_refuse(ctx, PROBE_ERR_KEPT_TOO_BIG, arg->body_column);
	if (keep_split(arg, args->kept_values))
		return fetch_context_refuse(ctx, PROBE_ERR_NO_MEMORY, arg->body_column);
	args->kept_values += size;
	return 0;
}

/**
 * fetch_args_layout_kept() - find the place of kept values after that of kept words
 * @args:	compiled arguments
 *
 * Context: any.
 */
void fetch_args_layout_kept(struct fetch_args *args)
{
	unsigned int i;

	for (i = 0; i < args->nr; i++) {
		if (args->arg[i].keeper)
			args->arg[i].program.where += args->nr_kept * sizeof(struct fetch_kept);
	}
}
