// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Prints definitions, programs and refusals as text.
 */
#include <stdlib.h>

#include "describe.h"

static const char * const error_names[] = {
	"NONE",
#define PROBE_ERROR(id, number, text)	#id,
#include "error_table.h"
#undef PROBE_ERROR
};

static const char * const source_names[] = {
	[FETCH_REGISTER] = "register",
	[FETCH_STACK] = "stack",
	[FETCH_ENTRY] = "entry",
	[FETCH_ENTRY_STACK] = "entry-stack",
	[FETCH_KEPT] = "kept",
	[FETCH_CALLER] = "caller",
	[FETCH_STACK_ADDRESS] = "stack-address",
	[FETCH_VALUE] = "value",
	[FETCH_SYMBOL] = "symbol",
	[FETCH_COMM] = "comm",
	[FETCH_TEXT] = "text",
};

static const char * const final_names[] = {
	[FETCH_STORE_WORD] = "word",
	[FETCH_STORE_MEMORY] = "memory",
	[FETCH_STORE_STRING] = "string",
	[FETCH_STORE_STRINGS] = "strings",
	[FETCH_STORE_SYMSTR] = "symstr",
	[FETCH_STORE_COMM] = "comm",
	[FETCH_STORE_LITERAL] = "literal",
};

static const char * const move_names[] = {
	[FETCH_MOVE_REGISTER] = " (register)",
	[FETCH_MOVE_STACK] = " (stack)",
	[FETCH_MOVE_MEMORY] = " (memory)",
	[FETCH_MOVE_STACK_MEMORY] = " (stack-memory)",
	[FETCH_MOVE_LOW] = " (low)",
	[FETCH_MOVE_COMM] = " (comm)",
	[FETCH_MOVE_PROGRAM] = "",
	[FETCH_MOVE_TEXT] = "",
};

/**
 * describe_error_name() - the identifier of a refusal
 * @id: a refusal
 *
 * Return: its name in the source.
 */
const char *describe_error_name(enum probe_error_id id)
{
	return error_names[id];
}

/**
 * describe_refusal() - print a refusal as in error_log, and its errno
 * @out:	destination
 * @cmd:	the command
 * @err:	the refusal
 * @ret:	the returned errno
 */
void describe_refusal(FILE *out, const struct probe_command *cmd,
		      const struct probe_error *err, int ret)
{
	fprintf(out, "! %s %d: %s\n", error_names[err->id], ret,
		probe_error_texts[err->id]);
	fprintf(out, "! %s\n! %*s\n", cmd->line ?: "", err->column + 1, "^");
}

static void describe_span(FILE *out, const char *name, struct probe_span span)
{
	if (span.len)
		fprintf(out, " %s=%.*s", name, (int)span.len, span.text);
}

/**
 * describe_delete() - print a command that deletes
 * @out:	destination
 * @cmd:	the command
 */
void describe_delete(FILE *out, const struct probe_command *cmd)
{
	unsigned int i;

	fprintf(out, "delete");
	describe_span(out, "group", cmd->group);
	describe_span(out, "event", cmd->event);
	describe_span(out, "location", cmd->location);
	for (i = 0; i < cmd->nr_args; i++)
		describe_span(out, "arg", cmd->args[i]);
	fprintf(out, "\n");
}

static void describe_location(FILE *out, const struct probe_location *location)
{
	if (!location->symbol)
		fprintf(out, " 0x%lx", location->offset);
	else if (location->offset)
		fprintf(out, " %s%+ld", location->symbol, location->offset);
	else
		fprintf(out, " %s", location->symbol);
}

/**
 * describe_line() - print a definition as in kprobe_events
 * @out:	destination
 * @def:	the definition
 */
void describe_line(FILE *out, const struct probe_definition *def)
{
	unsigned int i;

	fprintf(out, "%c", def->location.is_return ? 'r' : 'p');
	if (def->maxactive)
		fprintf(out, "%u", def->maxactive);
	fprintf(out, ":%s/%s", def->group, def->event);
	describe_location(out, &def->location);
	for (i = 0; i < def->args->nr; i++)
		fprintf(out, " %s=%s", def->args->arg[i].name,
			def->args->arg[i].text);
	fprintf(out, "\n");
}

static void describe_kept(FILE *out, const struct fetch_args *args)
{
	unsigned int i;

	for (i = 0; i < args->nr_kept; i++)
		fprintf(out, "  kept %u: %s %u\n", i, args->kept[i].on_stack ? "stack" : "register",
			args->kept[i].where);
}

static void describe_source(FILE *out, const struct fetch_program *prog)
{
	fprintf(out, " %s", source_names[prog->source]);
	if (fetch_source_is_word(prog->source) && prog->source != FETCH_CALLER)
		fprintf(out, " %u", prog->where);
	if (prog->source == FETCH_KEPT)
		fprintf(out, " at %u", prog->where);
	if (prog->source == FETCH_VALUE || prog->source == FETCH_SYMBOL)
		fprintf(out, " 0x%lx", prog->value);
	if (prog->text)
		fprintf(out, " '%s'", prog->text);
}

static void describe_type(FILE *out, const struct fetch_arg *arg)
{
	const struct arg_type *type = &arg->type;

	fprintf(out, "  %s: %u+%u %s", arg->name, arg->offset, arg->size,
		type->value->field);
	if (type->count)
		fprintf(out, "[%u]", type->count);
	if (type->bit_width)
		fprintf(out, " bits %u@%u", type->bit_width, type->bit_shift);
	fprintf(out, " %s:", type->value->print);
}

static void describe_program(FILE *out, const struct fetch_program *prog)
{
	unsigned int i;

	describe_source(out, prog);
	for (i = 0; i < prog->nr_steps; i++)
		fprintf(out, "; %s%+ld", prog->steps[i].user ? "user" : "",
			prog->steps[i].offset);
	fprintf(out, "; store %s", final_names[prog->final]);
	if (prog->final >= FETCH_STORE_MEMORY &&
	    prog->final <= FETCH_STORE_STRINGS)
		fprintf(out, " %s%+ld%s", prog->user ? "user" : "",
			prog->offset, prog->user_text ? " of user" : "");
	if (prog->text_max)
		fprintf(out, ", at most %u", prog->text_max);
}

static const struct fetch_move *describe_move(const struct fetch_args *args, unsigned int nr)
{
	const struct fetch_move *move = args->moves;

	while (move->arg != nr)
		move++;
	return move;
}

/**
 * describe_programs() - print the layout and the programs of a definition
 * @out:	destination
 * @def:	the definition
 */
void describe_programs(FILE *out, const struct probe_definition *def)
{
	const struct fetch_args *args = def->args;
	unsigned int i;

	for (i = 0; i < args->nr; i++) {
		describe_type(out, &args->arg[i]);
		describe_program(out, &args->arg[i].program);
		fprintf(out, "%s\n", move_names[describe_move(args, i)->kind]);
		if (args->arg[i].keeper) {
			fprintf(out, "    at entry:");
			describe_program(out, args->arg[i].keeper);
			fprintf(out, "\n");
		}
	}
	describe_kept(out, args);
	if (args->kept_values)
		fprintf(out, "  kept values: %u bytes\n", args->kept_values);
	fprintf(out, "  record: %u bytes, %u texts", args->size, args->nr_text);
	if (args->text_bytes)
		fprintf(out, " of %u bytes", args->text_bytes);
	if (args->fault_offset)
		fprintf(out, ", faults at %u", args->fault_offset);
	fprintf(out, "\n");
}
