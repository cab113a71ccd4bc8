// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Interface for kernel code that defines kprobe events, field by field.
 *
 * The functions build a command line in the caller's buffer. The line is then executed
 * as if it had been written to kprobe_events.
 */
#include <linux/export.h>
#include <linux/slab.h>
#include <linux/stdarg.h>

#include "../trace_dynevent.h"
#include "../trace_kprobe.h"
#include "parse/command.h"

static int generate_run(struct dynevent_cmd *cmd)
{
	const char *line = seq_buf_str(&cmd->seq);

	return kprobe_event_run_line(line);
}

/**
 * kprobe_event_cmd_init() - begin a command line
 * @cmd: the command
 * @buf: buffer for its text
 * @maxlen: the size of @buf
 */
void kprobe_event_cmd_init(struct dynevent_cmd *cmd, char *buf, int maxlen)
{
	dynevent_cmd_init(cmd, buf, maxlen, DYNEVENT_TYPE_KPROBE, generate_run);
}
EXPORT_SYMBOL_GPL(kprobe_event_cmd_init);

static int generate_add_word(struct dynevent_cmd *cmd, const char *word)
{
	struct dynevent_arg arg;

	dynevent_arg_init(&arg, 0);
	arg.str = word;
	return dynevent_arg_add(cmd, &arg, NULL);
}

static int generate_add_words(struct dynevent_cmd *cmd, va_list words)
{
	const char *word;
	int ret;

	while ((word = va_arg(words, const char *))) {
		if (++cmd->n_fields > PROBE_MAX_ARGS)
			return -EINVAL;
		ret = generate_add_word(cmd, word);
		if (ret)
			return ret;
	}
	return 0;
}

static int generate_add_name(struct dynevent_cmd *cmd, char letter, const char *name)
{
	return seq_buf_printf(&cmd->seq, "%c:%s", letter, name) ? -E2BIG : 0;
}

/**
 * __kprobe_event_gen_cmd_start() - write name, location and first fields
 * @cmd: a command initialized by kprobe_event_cmd_init()
 * @kretprobe: a return probe, not an entry probe
 * @name: of the event, preceded by its group and a slash if it has one
 * @loc: the location, or NULL if @name already contains the rest of the line
 * @...: fields, NULL after the last one
 *
 * Return: 0; -EINVAL if @cmd or the number of fields is wrong, -E2BIG if the buffer is
 * too small.
 */
int __kprobe_event_gen_cmd_start(struct dynevent_cmd *cmd, bool kretprobe,
				 const char *name, const char *loc, ...)
{
	va_list words;
	int ret;

	if (cmd->type != DYNEVENT_TYPE_KPROBE)
		return -EINVAL;
	ret = generate_add_name(cmd, kretprobe ? 'r' : 'p', name);
	if (!ret && loc)
		ret = generate_add_word(cmd, loc);
	if (ret)
		return ret;
	va_start(words, loc);
	ret = generate_add_words(cmd, words);
	va_end(words);
	return ret;
}
EXPORT_SYMBOL_GPL(__kprobe_event_gen_cmd_start);

/**
 * __kprobe_event_add_fields() - write more fields
 * @cmd: a command begun by __kprobe_event_gen_cmd_start()
 * @...: fields, NULL after the last one
 *
 * Return: like __kprobe_event_gen_cmd_start().
 */
int __kprobe_event_add_fields(struct dynevent_cmd *cmd, ...)
{
	va_list words;
	int ret;

	if (cmd->type != DYNEVENT_TYPE_KPROBE)
		return -EINVAL;
	va_start(words, cmd);
	ret = generate_add_words(cmd, words);
	va_end(words);
	return ret;
}
EXPORT_SYMBOL_GPL(__kprobe_event_add_fields);

/**
 * kprobe_event_delete() - delete an event
 * @name: its name, preceded by its group and a slash if it has one
 *
 * Return: 0, -ENOENT if there is none, -EBUSY if it is in use.
 */
int kprobe_event_delete(const char *name)
{
	char *line = kasprintf(GFP_KERNEL, "-:%s", name);
	int ret;

	if (!line)
		return -ENOMEM;
	ret = kprobe_event_run_line(line);
	kfree(line);
	return ret;
}
EXPORT_SYMBOL_GPL(kprobe_event_delete);
