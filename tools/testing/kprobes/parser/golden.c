// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * golden: read commands as kprobe_events would, and print the results.
 *
 *	golden show <FILE	one description a line, to compare with an .ok file
 *	golden caret <FILE	lines "ID COMMAND" with a '^' where the caret must be
 *	golden sweep <FILE	every line with its 1st, 2nd, ... allocation refused
 *	golden member <FILE	lines "TYPE MEMBER BITOFFSET BITWIDTH", or "none" or "invalid"
 *				instead of the numbers
 *	golden prototype <FILE	functions; says where their parameters are
 *	golden changed <FILE	lines "ID OLD NEW ARGS": ARGS compiled for the function OLD,
 *				which is NEW when its module is loaded again; "none" if
 *				they would be the same
 *	golden near <FILE	lines "WORD RANK NAME", with "far" for the rank of names that
 *				are not near; each rank is compared with a slow search
 */
#include <stdlib.h>

#include "debug_info.h"
#include "describe.h"
#include "machine.h"
#include "nearest.h"
#include "prototype.h"

#define MAX_LINE	65536

/* One line: parsed and built, and the result. */
struct attempt {
	struct probe_command	cmd;
	struct probe_definition	def;
	struct probe_error	err;
	int			ret;
};

static void attempt_line(struct attempt *at, const char *line)
{
	*at = (struct attempt){};
	at->ret = probe_command_parse(&at->cmd, line, &at->err);
	if (at->ret || at->cmd.kind != PROBE_COMMAND_DEFINE)
		return;
	at->ret = probe_definition_build(&at->def, &at->cmd, "kprobes",
					 &machine, &at->err);
}

static void attempt_free(struct attempt *at)
{
	probe_definition_free(&at->def);
	probe_command_free(&at->cmd);
}

static int show_line(char *line)
{
	struct attempt at;

	printf("> %s\n", line);
	attempt_line(&at, line);
	if (at.ret) {
		describe_refusal(stdout, &at.cmd, &at.err, at.ret);
	} else if (at.cmd.kind == PROBE_COMMAND_DELETE) {
		describe_delete(stdout, &at.cmd);
	} else if (at.cmd.kind == PROBE_COMMAND_DEFINE) {
		printf("%s", at.cmd.is_check ? "check " : "");
		describe_line(stdout, &at.def);
		describe_programs(stdout, &at.def);
	}
	attempt_free(&at);
	return shim_live || debug_info_held;
}

/* "ID COMMAND": the last '^' marks the column; all of them are removed. */
static int caret_line(char *line)
{
	char *command = strchr(line, ' '), *to, *from;
	struct attempt at;
	unsigned int column;
	int bad;

	if (!command || !strrchr(command, '^'))
		return 1;
	*command++ = '\0';
	column = strrchr(command, '^') - command;
	for (to = from = command; *from; from++) {
		if (*from != '^')
			*to++ = *from;
	}
	*to = '\0';
	attempt_line(&at, command);
	bad = !at.ret || at.err.column != column ||
	      strcmp(describe_error_name(at.err.id), line);
	if (bad)
		printf("%s: %d %s column %u, not %s column %u\n", command,
		       at.ret, describe_error_name(at.err.id), at.err.column,
		       line, column);
	attempt_free(&at);
	return bad || shim_live || debug_info_held;
}

/* Refused for its own reason or for lack of memory: always reported, nothing leaked. */
static int sweep_line(char *line)
{
	struct attempt at;
	unsigned int nth;
	bool done, bad;

	for (nth = 1, done = false; !done; nth++) {
		shim_start(nth);
		attempt_line(&at, line);
		done = shim_requests < nth;
		bad = !done && at.err.id != PROBE_ERR_NO_MEMORY;
		bad |= !done && at.ret != -ENOMEM;
		bad |= at.ret && at.err.id == PROBE_ERR_NONE;
		attempt_free(&at);
		if (bad || shim_live || debug_info_held) {
			printf("%s: request %u: %d %s, %ld left\n", line, nth,
			       at.ret, describe_error_name(at.err.id),
			       shim_live);
			return 1;
		}
	}
	return 0;
}

/* @new is SYM or SYM+OFFS */
static int recheck_args(struct attempt *at, char *new)
{
	char *offset = strchr(new, '+');
	struct probe_location location = { .symbol = new };
	struct probe_function function = {};
	struct fetch_context ctx = { &location, &function, &machine, &at->err };
	int ret;

	if (offset)
		*offset++ = '\0';
	machine.function(&machine, new, offset ? strtoul(offset, NULL, 0) : 0, &function);
	ret = fetch_args_recheck(at->def.args, &ctx);
	fetch_context_end(&ctx);
	return ret;
}

/* "ID OLD NEW ARGS" */
static int changed_line(char *line)
{
	char wanted[64], old[64], new[64], command[1024];
	const char *found = "none";
	struct attempt at;
	int args, ret;

	if (sscanf(line, "%63s %63s %63s %n", wanted, old, new, &args) != 3)
		return 1;
	snprintf(command, sizeof(command), "p %s %s", old, line + args);
	attempt_line(&at, command);
	ret = at.ret ?: recheck_args(&at, new);
	if (ret)
		found = describe_error_name(at.err.id);
	if (strcmp(found, wanted))
		printf("%s: %d %s\n", line, ret, found);
	attempt_free(&at);
	return strcmp(found, wanted) || shim_live || debug_info_held;
}

/* "TYPE MEMBER ANSWER": members of anonymous structures and unions are found as well. */
static int member_line(char *line)
{
	char type_name[64], name[64], wanted[64], answer[64];
	struct probe_c_member member;
	struct probe_c_type type;
	int ret;

	if (sscanf(line, "%63s %63s %63[^\n]", type_name, name, wanted) != 3 ||
	    debug_info_type(type_name, &type))
		return 1;
	ret = probe_c_member_find(&debug_info_types, type, probe_span_of(name), &member);
	if (ret)
		snprintf(answer, sizeof(answer), "%s", ret == -ENOENT ? "none" : "invalid");
	else
		snprintf(answer, sizeof(answer), "%u %u", member.bit_offset, member.bit_width);
	debug_info_types.release(type.owner);
	if (!strcmp(answer, wanted))
		return 0;
	printf("%s: %d %s\n", line, ret, answer);
	return 1;
}

static void show_type(const struct probe_prototype *prototype, struct probe_c_type type)
{
	struct probe_c_info info;

	if (!prototype->types->describe(type, &info))
		printf("%s", info.name ?: "?");
}

static void show_words(struct probe_words words)
{
	if (words.first && words.nr > 1)
		printf(" in words %u to %u", words.first, words.first + words.nr - 1);
	else if (words.first)
		printf(" in word %u", words.first);
	else
		printf(words.nr ? " somewhere" : " nowhere");
}

static void show_parameter(const struct probe_prototype *prototype, unsigned int nr)
{
	const struct probe_parameter *parameter = &prototype->parameter[nr];

	printf("  %s: ", parameter->name ?: "?");
	show_type(prototype, parameter->type);
	printf(parameter->by_reference ? " by reference" : "");
	show_words(parameter->words);
	printf("\n");
}

static void show_prototype(const struct probe_lookup *lookup, char *name)
{
	struct probe_location location = { .symbol = name };
	struct probe_function function = { .is_entry = true };
	struct probe_prototype *prototype;
	unsigned int i;

	prototype = probe_prototype_get(&function, &location, lookup);
	if (prototype->types)
		show_type(prototype, prototype->returned);
	printf("%s%s", prototype->no_retval ? ", not read" : "",
	       prototype->is_variadic ? ", takes any number" : "");
	if (prototype->hidden.first)
		show_words(prototype->hidden);
	printf("%s%s\n", prototype->passing.knows_registers ? "" : ", registers unknown",
	       prototype->passing.knows_stack ? "" : ", stack unknown");
	for (i = 0; i < prototype->nr; i++)
		show_parameter(prototype, i);
	probe_prototype_free(prototype);
}

/* Once by the rules of x86_64, once by those of arm64, with as many registers. */
static int prototype_line(char *line)
{
	struct probe_lookup other = machine;

	other.by_reference = 16;
	other.return_by_reference = UINT_MAX;
	other.registers_in_order = true;
	printf("> %s\n  returns ", line);
	show_prototype(&machine, line);
	printf("  in order, returns ");
	show_prototype(&other, line);
	return shim_live || debug_info_held;
}

/* The distance of @word from the first @len characters of @name, by the definition */
static unsigned int slow_distance(const char *word, const char *name, unsigned int len)
{
	unsigned int row[PROBE_NEAREST_WORD + 1], i, j, diagonal, above;

	for (i = 0; i <= strlen(word); i++)
		row[i] = i;
	for (j = 1; j <= len; j++) {
		diagonal = row[0];
		row[0] = j;
		for (i = 1; i <= strlen(word); i++) {
			above = row[i];
			diagonal += word[i - 1] != name[j - 1];
			row[i] = min(diagonal, min(above, row[i - 1]) + 1);
			diagonal = above;
		}
	}
	return row[strlen(word)];
}

/* "WORD RANK NAME" */
static int near_line(char *line)
{
	static struct probe_nearest nearest;
	char word[256], wanted[16], name[256];
	unsigned int rank, slow;

	if (sscanf(line, "%255s %15s %255s", word, wanted, name) != 3)
		return 1;
	probe_nearest_begin(&nearest, probe_span_of(word));
	rank = probe_nearest_rank(&nearest, name);
	if (rank > nearest.limit && !strcmp(wanted, "far"))
		return 0;
	slow = slow_distance(word, name, strcspn(name, "."));
	if (rank <= nearest.limit && rank == atoi(wanted) && (rank == slow || rank == 1))
		return 0;
	printf("%s: rank %u, distance %u\n", line, rank, slow);
	return 1;
}

typedef int (*line_fn)(char *line);

static int run_lines(line_fn run)
{
	static char line[MAX_LINE];
	int bad = 0;

	while (fgets(line, sizeof(line), stdin)) {
		line[strcspn(line, "\n")] = '\0';
		bad |= run(line);
	}
	return bad;
}

int main(int argc, char **argv)
{
	const char *mode = argc == 2 ? argv[1] : "";

	if (!strcmp(mode, "show"))
		return run_lines(show_line);
	if (!strcmp(mode, "caret"))
		return run_lines(caret_line);
	if (!strcmp(mode, "sweep"))
		return run_lines(sweep_line);
	if (!strcmp(mode, "member"))
		return run_lines(member_line);
	if (!strcmp(mode, "prototype"))
		return run_lines(prototype_line);
	if (!strcmp(mode, "changed"))
		return run_lines(changed_line);
	if (!strcmp(mode, "near"))
		return run_lines(near_line);
	fprintf(stderr, "usage: golden show|caret|sweep|member|prototype|changed|near <FILE\n");
	return 2;
}
