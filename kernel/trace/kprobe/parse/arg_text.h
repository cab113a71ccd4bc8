/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Arg text: the words of a definition's arguments, taken apart.
 */
#ifndef _TRACE_KPROBE_ARG_TEXT_H
#define _TRACE_KPROBE_ARG_TEXT_H

#include <linux/compiler_attributes.h>
#include <linux/types.h>

#include "command.h"
#include "fetch_context.h"
#include "span.h"

/**
 * struct arg_text - one argument, as text
 * @word:	all of it
 * @name:	NAME, or the variable that the argument is called after
 * @body:	EXPR[:TYPE] as it was written
 * @expr:	EXPR; the name of a variable where it was written $argN or $arg*
 * @type:	TYPE; empty if there is none, or nothing after the colon
 * @has_name:	there is a name
 * @has_type:	there is a colon
 */
struct arg_text {
	struct probe_span	word;
	struct probe_span	name;
	struct probe_span	body;
	struct probe_span	expr;
	struct probe_span	type;
	bool			has_name;
	bool			has_type;
};

/**
 * struct arg_texts - the arguments of a definition, as text
 * @nr:		number of arguments
 * @text:	the arguments; names of variables are valid until fetch_context_end()
 */
struct arg_texts {
	unsigned int	nr;
	struct arg_text	text[] __counted_by(nr);
};

struct arg_text arg_text_split(struct probe_span word);
struct arg_texts *arg_texts_get(const struct probe_command *cmd, struct fetch_context *ctx);

#endif /* _TRACE_KPROBE_ARG_TEXT_H */
