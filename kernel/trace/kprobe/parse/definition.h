/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Definition: all that a defining command says, checked, looked up and compiled.
 *
 * This folder turns a line of kprobe_events into a definition. It is plain C on text, which
 * also builds in user space. Each file knows only files above it in this list:
 *
 *	span		a piece of a line that knows its column
 *	error		identifiers, texts and numbers of refusals, in error_table.h
 *	command		a line taken apart into words
 *	location	where the probe is put, as typed
 *	c_type		C types of the probed kernel, and who describes them
 *	function	what the look-up of a location tells
 *	lookup		the machine: symbols, registers, calling convention, prototypes
 *	passing		the words in which a function gets its parameters
 *	prototype	parameters of a function
 *	type		the type of an argument: TYPE, bW@O/C, TYPE[N]
 *	program		how a hit fetches an argument
 *	move		the same for what one step fetches
 *	fetch_context	what the arguments of a probe are read in
 *	expr		the expression of an argument
 *	variable	parameters and their members; member and c_value belong to it
 *	spelling	values that are spelled as in 2009
 *	expr_parse	reads an expression
 *	compile		from expression and type to a program
 *	arg_text	the words of the arguments, taken apart
 *	args		all arguments of a probe; keep, compare, recheck and layout belong
 *			to it
 *	definition	all of it together
 *	nearest		the known names that a mistyped one may have meant
 *
 * A new source of values begins in expr_parse.c (read it), goes through enum fetch_source,
 * program.c (can it fault) and compile.c, and ends in ../fetch.c (run it). The head of type.c
 * says how to add a type.
 */
#ifndef _TRACE_KPROBE_DEFINITION_H
#define _TRACE_KPROBE_DEFINITION_H

#include "args.h"
#include "command.h"
#include "function.h"
#include "location.h"
#include "lookup.h"

/**
 * struct probe_definition - a probe to be made
 * @group:	name of the group, given or the default
 * @event:	name of the event, given or made up from the location
 * @maxactive:	as written; 0 if it was not given
 * @location:	where; the caller may take it (and clear it here)
 * @function:	what is there
 * @args:	what to record; the caller may take it (and clear it here)
 */
struct probe_definition {
	char			group[PROBE_NAME_LEN];
	char			event[PROBE_NAME_LEN];
	unsigned int		maxactive;
	struct probe_location	location;
	struct probe_function	function;
	struct fetch_args	*args;
};

int probe_definition_build(struct probe_definition *def, const struct probe_command *cmd,
			   const char *default_group, const struct probe_lookup *lookup,
			   struct probe_error *err);
void probe_definition_free(struct probe_definition *def);

#endif /* _TRACE_KPROBE_DEFINITION_H */
