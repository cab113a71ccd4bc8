/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Error: why a line written to kprobe_events is refused.
 *
 * A refusal is an identifier and a column (see span.h). The caller prints the identifier's
 * text, the line, and a caret under the column. No state is kept between lines: the caller passes
 * a struct probe_error down to the functions that may refuse.
 */
#ifndef _TRACE_KPROBE_ERROR_H
#define _TRACE_KPROBE_ERROR_H

#include <linux/types.h>

/* Identifiers of refusals; error_table.h has their texts and numbers. */
enum probe_error_id {
	PROBE_ERR_NONE,
#define PROBE_ERROR(id, number, text)	PROBE_ERR_##id,
#include "error_table.h"
#undef PROBE_ERROR
	PROBE_ERR_COUNT,	/* last */
};

/**
 * struct probe_error - where and why a command was refused
 * @id:		the reason; PROBE_ERR_NONE while nothing was refused
 * @column:	offset of the offending text in the command's line; the length of the
 *		line when something is missing at its end
 * @reason:	further words about it, a constant; or NULL
 */
struct probe_error {
	enum probe_error_id	id;
	unsigned int		column;
	const char		*reason;
};

/* Indexed by enum probe_error_id */
extern const char * const probe_error_texts[PROBE_ERR_COUNT];

int probe_error_set(struct probe_error *err, enum probe_error_id id, unsigned int column);

#endif /* _TRACE_KPROBE_ERROR_H */
