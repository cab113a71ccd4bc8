// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Fuzz target: any line must have these properties.
 *
 *  - A refusal has an identifier, and a column in the line or directly after it.
 *  - An accepted line that is listed and read again gives the same listing and the same
 *    programs.
 *  - A failed allocation is a refusal, and leaks nothing.
 *  - Programs respect the limits that their interpreter relies on.
 */
#include <stdlib.h>

#include "debug_info.h"
#include "describe.h"
#include "machine.h"

static void require(bool condition, const char *what)
{
	if (condition)
		return;
	fprintf(stderr, "property does not hold: %s\n", what);
	abort();
}

#define REQUIRE(condition)	require(condition, #condition)

/* A program runs when its source is there. */
static void check_when(const struct probe_definition *def, const struct fetch_arg *arg)
{
	const struct fetch_program *prog = &arg->program;

	REQUIRE((prog->when == FETCH_AT_RETURN) == def->location.is_return);
	if (arg->is_variable && prog->when != FETCH_AT_RETURN)
		REQUIRE(prog->when == FETCH_AT_ENTRY && def->function.is_entry);
	REQUIRE(!arg->is_typed || arg->is_variable);
	if (arg->is_variable && prog->source == FETCH_KEPT)
		REQUIRE(arg->keeper->when == FETCH_AT_ENTRY);
	REQUIRE((prog->source == FETCH_KEPT) == !!arg->keeper);
	if (fetch_source_is_entry(prog->source))
		REQUIRE(prog->when == FETCH_AT_RETURN && prog->where < def->args->nr_kept);
}

static void check_program(const struct fetch_program *prog)
{
	REQUIRE(prog->nr_steps <= PROBE_MAX_DEREFS);
	REQUIRE(!prog->nr_steps == !prog->steps);
	REQUIRE((prog->source == FETCH_COMM) ==
		(prog->final == FETCH_STORE_COMM));
	REQUIRE((prog->source == FETCH_TEXT) ==
		(prog->final == FETCH_STORE_LITERAL));
	if (prog->source == FETCH_REGISTER)
		REQUIRE(prog->where < 21 * 8);
	if (prog->source == FETCH_STACK)
		REQUIRE(prog->where <= machine.stack_words);
}

static void check_arg(const struct fetch_arg *arg)
{
	const struct arg_type *type = &arg->type;
	unsigned int bits = type->value->size * 8;

	REQUIRE(type->count <= PROBE_MAX_ARRAY);
	REQUIRE(arg->size == type->value->size * (type->count ?: 1u));
	REQUIRE(type->bit_width + type->bit_shift <= bits);
	REQUIRE(type->bit_width || !type->bit_shift);
	check_program(&arg->program);
	if (arg->keeper)
		check_program(arg->keeper);
}

static void check_definition(const struct probe_definition *def)
{
	const struct fetch_args *args = def->args;
	unsigned int i, offset = 0;
	bool can_fault = false;

	for (i = 0; i < args->nr; i++) {
		REQUIRE(args->arg[i].offset == offset);
		offset += args->arg[i].size;
		can_fault |= args->arg[i].can_fault;
		check_arg(&args->arg[i]);
		check_when(def, &args->arg[i]);
	}
	REQUIRE(offset <= PROBE_MAX_RECORD);
	REQUIRE(args->kept_values <= PROBE_MAX_KEPT);
	REQUIRE(args->nr_kept * sizeof(struct fetch_kept) <= 2048);
	REQUIRE(can_fault == !!args->fault_offset);
	if (!can_fault) {
		REQUIRE(args->size == offset);
	} else {
		REQUIRE(args->fault_offset % 8 == 0);
		REQUIRE(args->fault_offset >= offset && args->fault_offset < offset + 8);
		REQUIRE(args->size == args->fault_offset + 8);
	}
	REQUIRE(strlen(def->event) < PROBE_NAME_LEN && def->event[0]);
	REQUIRE(strlen(def->group) < PROBE_NAME_LEN && def->group[0]);
}

/* The name of a definition is the words of its listing. */
static void check_words(const struct probe_definition *def)
{
	const struct fetch_args *args = def->args;
	char word[256];
	unsigned int i;
	int len;

	for (i = 0; i < args->nr; i++) {
		len = snprintf(word, sizeof(word), "%s=%s", args->arg[i].name,
			       args->arg[i].text);
		REQUIRE(fetch_arg_matches(&args->arg[i], word, len));
		REQUIRE(!fetch_arg_matches(&args->arg[i], word, len - 1));
	}
	REQUIRE(!fetch_args_differ(args, args));
	REQUIRE(fetch_args_equal(args, args));
	REQUIRE(probe_location_equal(&def->location, &def->location));
	REQUIRE(probe_location_module_len(&def->location) <= PROBE_MAX_LINE);
}

static void check_refusal(const struct probe_command *cmd,
			  const struct probe_error *err, int ret)
{
	REQUIRE(ret < 0);
	REQUIRE(err->id > PROBE_ERR_NONE && err->id < PROBE_ERR_COUNT);
	REQUIRE(probe_error_texts[err->id]);
	REQUIRE(err->column <= (cmd->line ? strlen(cmd->line) : 0));
}

/* Returns the listing, a newline and the programs, or NULL if the line is refused. */
static char *run_line(const char *line)
{
	struct probe_definition def = {};
	struct probe_command cmd;
	struct probe_error err;
	char *text = NULL;
	size_t size;
	FILE *out;
	int ret;

	ret = probe_command_parse(&cmd, line, &err);
	if (!ret && cmd.kind == PROBE_COMMAND_DEFINE)
		ret = probe_definition_build(&def, &cmd, "kprobes", &machine,
					     &err);
	if (ret)
		check_refusal(&cmd, &err, ret);
	if (!ret && cmd.kind == PROBE_COMMAND_DEFINE) {
		check_definition(&def);
		check_words(&def);
		REQUIRE(probe_location_matches(&def.location, cmd.location.text,
					    cmd.location.len));
		out = open_memstream(&text, &size);
		describe_line(out, &def);
		describe_programs(out, &def);
		fclose(out);
	}
	probe_definition_free(&def);
	probe_command_free(&cmd);
	REQUIRE(!shim_live && !debug_info_held);
	return text;
}

static void check_round_trip(const char *first)
{
	char *line = strdup(first), *second;

	line[strcspn(line, "\n")] = '\0';
	second = run_line(line);
	REQUIRE(second);
	REQUIRE(!strcmp(first, second));
	free(second);
	free(line);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *line = strndup((const char *)data, size);
	unsigned int requests;
	char *text;

	shim_start(0);
	text = run_line(line);
	requests = shim_requests;
	if (text)
		check_round_trip(text);
	free(text);
	shim_start(1 + size % (requests ?: 1));
	text = run_line(line);
	REQUIRE(!text || !requests);
	free(text);
	shim_start(0);
	free(line);
	return 0;
}
