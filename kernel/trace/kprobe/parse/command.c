// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Split a line of kprobe_events into its parts.
 */
#include <linux/array_size.h>
#include <linux/limits.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "command.h"

/*
 * Words are separated by one space, and no space is around them. error_log shows this
 * line; a tab in it would misplace the caret.
 */
static char *command_squeeze(const char *line)
{
	char *copy = kmalloc(strlen(line) + 1, GFP_KERNEL);
	char *to = copy;

	if (!copy)
		return NULL;
	for (; *line; line++) {
		if (!probe_is_blank(*line))
			*to++ = *line;
		else if (to > copy && to[-1] != ' ')
			*to++ = ' ';
	}
	if (to > copy && to[-1] == ' ')
		to--;
	*to = '\0';
	return copy;
}

/* Cut the first word off the rest of the line. */
static struct probe_span command_next_word(struct probe_span *rest)
{
	unsigned int end = probe_span_find(*rest, ' ');
	struct probe_span word = probe_span_head(*rest, end);

	*rest = probe_span_skip(*rest, min(end + 1, rest->len));
	return word;
}

/* No event has a name that no event can have: that is all to say of a deletion. */
static int command_refuse_name(const struct probe_command *cmd, enum probe_error_id id,
			       struct probe_span text, struct probe_error *err)
{
	if (cmd->kind == PROBE_COMMAND_DELETE)
		id = PROBE_ERR_NO_SUCH_EVENT;
	return probe_error_set(err, id, text.column);
}

/* Directories of these names take the place of files in events/, or in a group there. */
static const char * const command_files_of_events[] = {
	"enable", "header_event", "header_page"
};

static const char * const command_files_of_group[] = { "enable", "filter" };

static bool command_is_among(struct probe_span text, const char * const *names, size_t nr)
{
	while (nr--) {
		if (probe_span_is(text, names[nr]))
			return true;
	}
	return false;
}

static int command_parse_group(struct probe_command *cmd, struct probe_span text,
			       struct probe_error *err)
{
	if (!text.len)
		return command_refuse_name(cmd, PROBE_ERR_NO_GROUP_NAME, text, err);
	if (text.len >= PROBE_NAME_LEN)
		return command_refuse_name(cmd, PROBE_ERR_GROUP_TOO_LONG, text, err);
	if (!probe_span_is_identifier(text, '-'))
		return command_refuse_name(cmd, PROBE_ERR_BAD_GROUP_NAME, text, err);
	if (command_is_among(text, command_files_of_events, ARRAY_SIZE(command_files_of_events)))
		return command_refuse_name(cmd, PROBE_ERR_NAME_OF_FILE, text, err);
	cmd->group = text;
	return 0;
}

static int command_parse_event(struct probe_command *cmd, struct probe_span text,
			       struct probe_error *err)
{
	if (!text.len && !cmd->group.len)
		return probe_error_set(err, PROBE_ERR_NO_EVENT_NAME,
				       text.column);
	if (text.len >= PROBE_NAME_LEN)
		return command_refuse_name(cmd, PROBE_ERR_EVENT_TOO_LONG, text, err);
	if (text.len && !probe_span_is_identifier(text, '_'))
		return command_refuse_name(cmd, PROBE_ERR_BAD_EVENT_NAME, text, err);
	if (command_is_among(text, command_files_of_group, ARRAY_SIZE(command_files_of_group)))
		return command_refuse_name(cmd, PROBE_ERR_NAME_OF_FILE, text, err);
	cmd->event = text;
	return 0;
}

/* [GRP/][EVENT]; if there is no slash, a dot separates them. */
static int command_parse_name(struct probe_command *cmd, struct probe_span text,
			      struct probe_error *err)
{
	unsigned int end = probe_span_find(text, '/');
	int ret;

	if (end == text.len)
		end = probe_span_find(text, '.');
	if (end < text.len) {
		ret = command_parse_group(cmd, probe_span_head(text, end), err);
		if (ret)
			return ret;
		text = probe_span_skip(text, end + 1);
	}
	return command_parse_event(cmd, text, err);
}

static int command_parse_maxactive(struct probe_command *cmd, struct probe_span text,
				   struct probe_error *err)
{
	unsigned long number;

	if (!cmd->is_return)
		return probe_error_set(err, PROBE_ERR_BAD_MAXACT_TYPE,
				       text.column);
	if (probe_span_ulong(text, 0, &number) || !number || number > UINT_MAX)
		return probe_error_set(err, PROBE_ERR_BAD_MAXACT, text.column);
	if (number > PROBE_MAX_MAXACTIVE)
		return probe_error_set(err, PROBE_ERR_MAXACT_TOO_BIG,
				       text.column);
	cmd->maxactive = number;
	return 0;
}

/* The text between the command's letter and the colon of the name. */
static int command_parse_option(struct probe_command *cmd, struct probe_span text,
				struct probe_error *err)
{
	if (!text.len)
		return 0;
	if (cmd->kind != PROBE_COMMAND_DEFINE || !probe_span_is_number(text))
		return probe_error_set(err, PROBE_ERR_BAD_COMMAND, text.column);
	return command_parse_maxactive(cmd, text, err);
}

/* The first word without its letter: [MAXACTIVE][:NAME]. */
static int command_parse_head(struct probe_command *cmd, struct probe_span head,
			      struct probe_error *err)
{
	unsigned int colon = probe_span_find(head, ':');
	int ret;

	ret = command_parse_option(cmd, probe_span_head(head, colon), err);
	if (ret)
		return ret;
	if (colon < head.len)
		return command_parse_name(cmd, probe_span_skip(head, colon + 1), err);
	if (cmd->kind == PROBE_COMMAND_DELETE)
		return probe_error_set(err, PROBE_ERR_BAD_COMMAND,
				       probe_span_end(head));
	return 0;
}

static int command_parse_args(struct probe_command *cmd, struct probe_span rest,
			      struct probe_error *err)
{
	unsigned int i, nr = rest.len ? 1 : 0;

	for (i = 0; i < rest.len; i++)
		nr += rest.text[i] == ' ';
	if (!nr)
		return 0;
	nr = min(nr, PROBE_MAX_ARGS);
	cmd->args = kcalloc(nr, sizeof(*cmd->args), GFP_KERNEL);
	if (!cmd->args)
		return probe_error_set(err, PROBE_ERR_NO_MEMORY, rest.column);
	while (rest.len && cmd->nr_args < nr)
		cmd->args[cmd->nr_args++] = command_next_word(&rest);
	if (rest.len)
		return probe_error_set(err, PROBE_ERR_TOO_MANY_ARGS,
				       rest.column);
	return 0;
}

static int command_parse_letter(struct probe_command *cmd, struct probe_span head,
				struct probe_error *err)
{
	switch (head.len ? head.text[0] : 0) {
	case 'r':
		cmd->is_return = true;
		fallthrough;
	case 'p':
		cmd->kind = PROBE_COMMAND_DEFINE;
		return 0;
	case '-':
		if (cmd->is_check)
			break;
		cmd->kind = PROBE_COMMAND_DELETE;
		return 0;
	}
	return probe_error_set(err, PROBE_ERR_BAD_COMMAND, head.column);
}

static int command_parse_words(struct probe_command *cmd, struct probe_span rest,
			       struct probe_error *err)
{
	struct probe_span head = command_next_word(&rest);
	int ret;

	cmd->is_check = head.text[0] == '?';
	head = probe_span_skip(head, cmd->is_check);
	ret = command_parse_letter(cmd, head, err);
	if (ret)
		return ret;
	ret = command_parse_head(cmd, probe_span_skip(head, 1), err);
	if (ret)
		return ret;
	cmd->location = command_next_word(&rest);
	if (cmd->kind == PROBE_COMMAND_DEFINE && !cmd->location.len)
		return probe_error_set(err, PROBE_ERR_NO_LOCATION,
				       probe_span_end(head));
	return command_parse_args(cmd, rest, err);
}

/**
 * probe_command_parse() - split a line into its parts
 * @cmd:	the result; the caller always frees it by probe_command_free()
 * @line:	the line, without a comment
 * @err:	the reason of a refusal
 *
 * Context: may sleep.
 * Return: 0 or a negative error.
 */
int probe_command_parse(struct probe_command *cmd, const char *line,
			struct probe_error *err)
{
	*cmd = (struct probe_command){};
	*err = (struct probe_error){};
	cmd->line = command_squeeze(line);
	if (!cmd->line)
		return probe_error_set(err, PROBE_ERR_NO_MEMORY, 0);
	if (strlen(cmd->line) > PROBE_MAX_LINE)
		return probe_error_set(err, PROBE_ERR_LINE_2LONG,
				       PROBE_MAX_LINE);
	if (!cmd->line[0])
		return 0;
	return command_parse_words(cmd, probe_span_of(cmd->line), err);
}

/**
 * probe_command_free() - free the memory of a command
 * @cmd: a command filled in by probe_command_parse(), or all zeros
 *
 * Context: may sleep.
 */
void probe_command_free(struct probe_command *cmd)
{
	kfree(cmd->args);
	kfree(cmd->line);
	*cmd = (struct probe_command){};
}
