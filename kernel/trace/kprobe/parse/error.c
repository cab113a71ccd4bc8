// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Texts and error numbers of refusals, built from error_table.h.
 */
#include <linux/errno.h>

#include "error.h"

/* The table is in the order of enum probe_error_id, after PROBE_ERR_NONE. */
const char * const probe_error_texts[PROBE_ERR_COUNT] = {
	"",
#define PROBE_ERROR(id, number, text)	text,
#include "error_table.h"
#undef PROBE_ERROR
};

static const int probe_error_numbers[PROBE_ERR_COUNT] = {
	0,
#define PROBE_ERROR(id, number, text)	-(number),
#include "error_table.h"
#undef PROBE_ERROR
};

/**
 * probe_error_set() - note why a command is refused
 * @err:	where to note it
 * @id:		the reason
 * @column:	offset of the offending text in the command's line
 *
 * Context: any.
 * Return: the error number of @id, negative.
 */
int probe_error_set(struct probe_error *err, enum probe_error_id id, unsigned int column)
{
	err->id = id;
	err->column = column;
	err->reason = NULL;
	return probe_error_numbers[id];
}
