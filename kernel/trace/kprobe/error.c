// SPDX-License-Identifier: GPL-2.0
/*
 * Error numbers and texts of refused commands.
 */
#include "error.h"

#define PROBE_ERROR_TEXT(id, number, text)	[PROBE_ERR_##id] = text,
#define PROBE_ERROR_NUMBER(id, number, text)	[PROBE_ERR_##id] = -(number),

const char *probe_error_texts[PROBE_ERR_COUNT] = {
	[PROBE_ERR_NONE] = "",
	PROBE_ERRORS(PROBE_ERROR_TEXT)
};

static const int probe_error_numbers[PROBE_ERR_COUNT] = {
	PROBE_ERRORS(PROBE_ERROR_NUMBER)
};

/**
 * probe_error_set - note why a command is refused
 * @err:	where to note it
 * @id:		the reason
 * @column:	offset of the offending text in the command's line
 *
 * Context: any.
 * Return: the error number that belongs to @id, negative.
 */
int probe_error_set(struct probe_error *err, enum probe_error_id id,
		    unsigned int column)
{
	err->id = id;
	err->column = column;
	return probe_error_numbers[id];
}
