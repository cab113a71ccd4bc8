// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Layout: where the fields of a record lie.
 *
 * Fields follow each other without a gap. If a field can hold a value that could not be
 * read, the fault word follows the last field, at the next multiple of its size. The
 * head before the fields is a multiple of that size as well, so the word is aligned in
 * the record.
 */
#include <linux/align.h>
#include <linux/minmax.h>
#include <linux/slab.h>

#include "args.h"

static bool layout_needs_fault(const struct fetch_args *args)
{
	unsigned int i;

	for (i = 0; i < args->nr; i++) {
		if (args->arg[i].can_fault)
			return true;
	}
	return false;
}

static int layout_make_moves(struct fetch_args *args)
{
	unsigned int i;

	args->moves = kcalloc(args->nr, sizeof(*args->moves), GFP_KERNEL);
	if (!args->moves)
		return -ENOMEM;
	for (i = 0; i < args->nr; i++) {
		const struct fetch_arg *arg = &args->arg[i];
		struct fetch_move *move = &args->moves[i];

		*move = fetch_move_make(&arg->program, &arg->type, arg->size, arg->offset);
		if (move->kind != FETCH_MOVE_TEXT)
			args->has_values = true;
		if (move->kind == FETCH_MOVE_STACK)
			args->stack_bytes = max(args->stack_bytes, move->where + sizeof(long));
	}
	return 0;
}

/**
 * fetch_args_layout() - give every argument its field in the record
 * @args:	compiled arguments
 * @err:	the first argument that exceeds the size of a record, or no memory
 *
 * Context: may sleep.
 * Return: 0 or a negative error.
 */
int fetch_args_layout(struct fetch_args *args, struct probe_error *err)
{
	unsigned int i, elements;

	for (i = 0; i < args->nr; i++) {
		struct fetch_arg *arg = &args->arg[i];

		elements = max(arg->type.count, 1);
		arg->offset = args->size;
		args->size += arg->size;
		if (args->size > PROBE_MAX_RECORD)
			return probe_error_set(err, PROBE_ERR_EVENT_TOO_BIG,
					       arg->body_column);
		if (value_type_is_text(arg->type.value))
			args->nr_text += elements;
	}
	if (layout_needs_fault(args)) {
		args->fault_offset = ALIGN(args->size, sizeof(u64));
		args->size = args->fault_offset + sizeof(u64);
	}
	fetch_args_layout_kept(args);
	if (args->nr && layout_make_moves(args))
		return probe_error_set(err, PROBE_ERR_NO_MEMORY, args->arg[0].column);
	return 0;
}
