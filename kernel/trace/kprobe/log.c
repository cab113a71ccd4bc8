// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What error_log says of a line, or of a probe, that was refused.
 *
 * A refusal has a text in error.c. Where the core does not want a probe at an
 * address it knows better why, and its words follow that text. error_log keeps
 * where a text is, not what it says: such texts are kept for good, each once.
 */
#include <linux/cleanup.h>
#include <linux/kernel.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "event.h"

/* What error_log calls us */
#define LOG_NAME	"trace_kprobe"

/* Twice as many as the words the core has */
#define MAX_REASONS	64

/* [reasons_mutex] the first so many that are not NULL do not change any more */
static const char *reasons[MAX_REASONS];
static DEFINE_MUTEX(reasons_mutex);

/* Where @text is in reasons[], put there if it is new; or an error */
static int keep_reason(char *text)
{
	int i;

	guard(mutex)(&reasons_mutex);
	for (i = 0; i < MAX_REASONS && reasons[i]; i++) {
		if (strcmp(reasons[i], text))
			continue;
		kfree(text);
		return i;
	}
	if (i < MAX_REASONS) {
		reasons[i] = text;
		return i;
	}
	kfree(text);
	return -ENOSPC;
}

static int find_reason(const struct probe_error *err)
{
	char *text;

	if (!err->reason)
		return -ENOENT;
	text = kasprintf(GFP_KERNEL, "%s: %s", probe_error_texts[err->id], err->reason);
	return text ? keep_reason(text) : -ENOMEM;
}

/**
 * kprobe_event_log() - write to error_log why a line was refused
 * @line: the line
 * @err: the reason; nothing is written if there is none
 *
 * Context: may sleep.
 */
void kprobe_event_log(const char *line, const struct probe_error *err)
{
	/* What is missing at the end would have begun behind one more space */
	size_t end = strlen(line) + 1;
	u16 column = min_t(size_t, err->column, end);
	int reason;

	if (err->id == PROBE_ERR_NONE)
		return;
	reason = find_reason(err);
	if (reason < 0)
		tracing_log_err(NULL, LOG_NAME, line, probe_error_texts, err->id, column);
	else
		tracing_log_err(NULL, LOG_NAME, line, reasons, reason, column);
}

/* Why the core, or who stands in front of it, does not want a probe there */
static enum probe_error_id refusal_id(int error)
{
	switch (error) {
	case -EPERM:
		return PROBE_ERR_LOCKED_DOWN;
	case -EACCES:
		return PROBE_ERR_NOTRACE_FUNC;
	case -EILSEQ:
		return PROBE_ERR_BAD_INSN_BNDRY;
	case -EBUSY:
		return PROBE_ERR_ADDR_IN_USE;
	case -ENOENT:
		return PROBE_ERR_BAD_PROBE_ADDR;
	case -EAGAIN:
		return PROBE_ERR_FTRACE_OFF;
	case -EADDRNOTAVAIL:
		return PROBE_ERR_NON_UNIQ_SYMBOL;
	case -ENODEV:
		return PROBE_ERR_FTRACE_DEAD;
	case -ENOMEM:
		return PROBE_ERR_NO_MEMORY;
	default:
		return PROBE_ERR_FAIL_REG_PROBE;
	}
}

/**
 * kprobe_event_refused() - note why the core does not want a probe, or not now
 * @probe: the probe
 * @error: what event_probe_register() or enable_kprobe() said
 * @column: where in the line the place stands
 * @err: gets the refusal
 *
 * Context: process context, event_mutex held.
 * Return: the error for who wrote the line, negative.
 */
int kprobe_event_refused(const struct event_probe *probe, int error, unsigned int column,
			 struct probe_error *err)
{
	const char *reason = kprobe_refusal(&probe->rp.kp);
	enum probe_error_id id = refusal_id(error);
	int ret;

	/* ftrace is not the only one who says: not now */
	if (error == -EAGAIN && reason)
		id = PROBE_ERR_FAIL_REG_PROBE;
	ret = probe_error_set(err, id, column);
	if (id != PROBE_ERR_FAIL_REG_PROBE)
		return ret;
	err->reason = reason;
	return error;
}

static char *late_line(const struct event_probe *probe)
{
	char *place = event_probe_place_name(probe), *line;

	line = kasprintf(GFP_KERNEL, "%c:%s/%s %s", probe->place.is_return ? 'r' : 'p',
			 probe->event->class.system, probe->event->call.name, place ?: "");
	kfree(place);
	return line;
}

/**
 * kprobe_event_log_late() - log that a probe defined before cannot be had
 * @probe: the probe
 * @err: why; its column is that of the place then
 *
 * Context: process context, event_mutex held.
 */
void kprobe_event_log_late(const struct event_probe *probe, struct probe_error *err)
{
	char *line = late_line(probe);

	if (!line)
		return;
	err->column = strchrnul(line, ' ') + 1 - line;
	kprobe_event_log(line, err);
	kfree(line);
}
