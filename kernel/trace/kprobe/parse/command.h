/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Command: one line of kprobe_events, split into its parts.
 *
 *	p[:[GRP/][EVENT]] LOCATION [ARG]...	define a probe
 *	?p... or ?r...				check a definition
 *	r[MAXACTIVE][:[GRP/][EVENT]] LOCATION [ARG]...  define, at a function's return
 *	-:[GRP/][EVENT] [LOCATION [ARG]...]	delete
 *
 * This is syntax only: no symbol is looked up and no argument is parsed. Every part is
 * a span of the line, so that later refusals know their column.
 */
#ifndef _TRACE_KPROBE_COMMAND_H
#define _TRACE_KPROBE_COMMAND_H

#include <linux/ctype.h>
#include <linux/types.h>

#include "error.h"
#include "span.h"

#define PROBE_MAX_LINE		4094	/* characters, as in kprobe_events */
#define PROBE_NAME_LEN		64	/* of a group or event, with its NUL */
#define PROBE_MAX_ARGS		128
#define PROBE_MAX_MAXACTIVE	4096

/**
 * enum probe_command_kind - the request of a command
 * @PROBE_COMMAND_NONE:		nothing, the line is blank
 * @PROBE_COMMAND_DEFINE:	define an event or add a probe to one
 * @PROBE_COMMAND_DELETE:	delete events or one probe of an event
 */
enum probe_command_kind {
	PROBE_COMMAND_NONE,
	PROBE_COMMAND_DEFINE,
	PROBE_COMMAND_DELETE,
};

/* Does it separate words? The kernel's isspace() takes a byte out of the middle of UTF-8 */
static inline bool probe_is_blank(char c)
{
	return isascii(c) && isspace(c);
}

/**
 * struct probe_command - a parsed line
 * @line:	the line, with single spaces between its words; the spans point into it,
 *		and errors count columns in it. Valid after a refusal too (NULL only if
 *		there was no memory for it)
 * @kind:	the request
 * @is_check:	begins with '?': the definition is checked, and nothing is defined
 * @is_return:	the line begins with 'r'
 * @maxactive:	the number after 'r', 0 if there is none
 * @group:	GRP
 * @event:	EVENT; if both are empty the caller generates a name
 * @location:	LOCATION
 * @nr_args:	number of ARGs
 * @args:	the ARGs, NAME=EXPR:TYPE
 */
struct probe_command {
	char			*line;
	enum probe_command_kind	kind;
	bool			is_check;
	bool			is_return;
	unsigned int		maxactive;
	struct probe_span	group;
	struct probe_span	event;
	struct probe_span	location;
	unsigned int		nr_args;
	struct probe_span	*args;
};

int probe_command_parse(struct probe_command *cmd, const char *line,
			struct probe_error *err);
void probe_command_free(struct probe_command *cmd);

#endif /* _TRACE_KPROBE_COMMAND_H */
