// SPDX-License-Identifier: GPL-2.0
/*
 * Fuzz target: any line, against the properties every line has.
 *
 *  - a refusal has an identifier, and a column in the line or right behind it;
 *  - what is accepted, listed and read again is listed the same and compiles to
 *    the same programs;
 *  - a refused allocation is a refusal, and leaves nothing behind;
 *  - programs keep the limits that those who run them rely on.
 */
#include <stdlib.h>

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
}

static void check_definition(const struct probe_definition *def)
{
	const struct fetch_args *args = def->args;
	unsigned int i, offset = 0;

	for (i = 0; i < args->nr; i++) {
		REQUIRE(args->arg[i].offset == offset);
		offset += args->arg[i].size;
		check_arg(&args->arg[i]);
	}
	REQUIRE(offset <= PROBE_MAX_RECORD);
	REQUIRE(args->size == offset + (args->can_fault ? 8 : 0));
	REQUIRE(strlen(def->event) < PROBE_NAME_LEN && def->event[0]);
	REQUIRE(strlen(def->group) < PROBE_NAME_LEN && def->group[0]);
}

/* A definition is named by the words it is listed with. */
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
	REQUIRE(probe_place_equal(&def->place, &def->place));
	REQUIRE(probe_place_module_len(&def->place) <= PROBE_MAX_LINE);
}

static void check_refusal(const struct probe_command *cmd,
			  const struct probe_error *err, int ret)
{
	REQUIRE(ret < 0);
	REQUIRE(err->id > PROBE_ERR_NONE && err->id < PROBE_ERR_COUNT);
	REQUIRE(probe_error_texts[err->id]);
	REQUIRE(err->column <= (cmd->line ? strlen(cmd->line) : 0));
}

/* The listing and, behind its newline, the programs; NULL when refused. */
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
		REQUIRE(probe_place_matches(&def.place, cmd.place.text,
					    cmd.place.len));
		out = open_memstream(&text, &size);
		describe_line(out, &def);
		describe_programs(out, &def);
		fclose(out);
	}
	probe_definition_free(&def);
	probe_command_free(&cmd);
	REQUIRE(!shim_live);
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
