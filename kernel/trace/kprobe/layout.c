// SPDX-License-Identifier: GPL-2.0
/*
 * Where the fields of a record lie.
 *
 * Fields follow each other without a gap, so that every byte of a record is
 * some field's and is written on every hit.
 */
#include <linux/minmax.h>

#include "program.h"

/**
 * fetch_args_layout - give every argument its place in the record
 * @args:	compiled arguments
 * @err:	which of them is too much
 *
 * Context: any.
 * Return: 0 or a negative error.
 */
int fetch_args_layout(struct fetch_args *args, struct probe_error *err)
{
	unsigned int i, elements;

	for (i = 0; i < args->nr; i++) {
		struct fetch_arg *arg = &args->arg[i];

		elements = max(arg->type.count, 1);
		arg->offset = args->size;
		arg->size = arg->type.value->size * elements;
		args->size += arg->size;
		if (args->size > PROBE_MAX_RECORD)
			return probe_error_set(err, PROBE_ERR_EVENT_TOO_BIG,
					       arg->column);
		if (value_type_is_text(arg->type.value))
			args->nr_text += elements;
		args->can_fault |= arg->can_fault;
	}
	if (args->can_fault) {
		args->fault_offset = args->size;
		args->size += sizeof(u64);
	}
	return 0;
}
