// SPDX-License-Identifier: GPL-2.0
/*
 * golden: read commands as kprobe_events would, say what became of them.
 *
 *	golden show <FILE	one description a line, to compare with an .ok file
 *	golden caret <FILE	lines "ID COMMAND" with a '^' where the caret must be
 *	golden sweep <FILE	every line with its 1st, 2nd, ... allocation refused
 */
#include <stdlib.h>

#include "describe.h"
#include "machine.h"

#define MAX_LINE	65536

/* One line's life: parse, build, and what came of it. */
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
		describe_line(stdout, &at.def);
		describe_programs(stdout, &at.def);
	}
	attempt_free(&at);
	return shim_live != 0;
}

/* "ID COMMAND": the last '^' marks the column, all of them go. */
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
	return bad || shim_live;
}

/* Refused for its own reason, or for the memory: never leaks, never silent. */
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
		if (bad || shim_live) {
			printf("%s: request %u: %d %s, %ld left\n", line, nth,
			       at.ret, describe_error_name(at.err.id),
			       shim_live);
			return 1;
		}
	}
	return 0;
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
	fprintf(stderr, "usage: golden show|caret|sweep <FILE\n");
	return 2;
}
