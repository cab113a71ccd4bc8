// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Messages in error_log about a refused line or probe.
 *
 * A refusal has the column of its caret already: parse/span.h computes it. Its text is in
 * error_table.h. If the core refuses an address, its reason follows that text. error_log
 * stores a pointer to the text, not a copy. Texts with a reason are therefore kept for good,
 * each once.
 */
#include <linux/cleanup.h>
#include <linux/kernel.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "../trace.h"
#include "log.h"
#include "probe.h"

/* The name of this subsystem in error_log */
#define LOG_NAME	"trace_kprobe"

/* Twice the number of the core's log_reasons */
#define MAX_REASONS	64

/* [log_reasons_mutex] entries are added in order; an entry never changes once it is set */
static const char *log_reasons[MAX_REASONS];
static DEFINE_MUTEX(log_reasons_mutex);

/* Return the index of @text in log_reasons[], after adding it if it is new; or an error. */
static int log_keep_reason(char *text)
{
	int i;

	guard(mutex)(&log_reasons_mutex);
	for (i = 0; i < MAX_REASONS && log_reasons[i]; i++) {
		if (strcmp(log_reasons[i], text))
			continue;
		kfree(text);
		return i;
	}
	if (i < MAX_REASONS) {
		log_reasons[i] = text;
		return i;
	}
	kfree(text);
	return -ENOSPC;
}

static int log_find_reason(const struct probe_error *err)
{
	char *text;

	if (!err->reason)
		return -ENOENT;
	text = kasprintf(GFP_KERNEL, "%s: %s", probe_error_texts[err->id], err->reason);
	return text ? log_keep_reason(text) : -ENOMEM;
}

/**
 * kprobe_event_log() - write to error_log why a line was refused
 * @line: the line
 * @err: the refusal; nothing is written if there is none
 *
 * Context: may sleep.
 */
void kprobe_event_log(const char *line, const struct probe_error *err)
{
	/* A part missing at the end would begin after one more space. */
	size_t end = strlen(line) + 1;
	u16 column = min_t(size_t, err->column, end);
	int reason;

	if (err->id == PROBE_ERR_NONE)
		return;
	reason = log_find_reason(err);
	if (reason < 0)
		tracing_log_err(NULL, LOG_NAME, line, probe_error_texts, err->id, column);
	else
		tracing_log_err(NULL, LOG_NAME, line, log_reasons, reason, column);
}

/* Map the error of a registration to the identifier of a refusal. */
static enum probe_error_id log_refusal_id(int error)
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
 * kprobe_event_refused() - record why the core refuses to register or arm a probe
 * @probe: the probe
 * @error: the error of trace_kprobe_register() or enable_kprobe()
 * @column: column of the location in the line
 * @err: receives the refusal
 *
 * Context: process context, event_mutex held.
 * Return: the negative error for the writer of the line.
 */
int kprobe_event_refused(const struct trace_kprobe *probe, int error, unsigned int column,
			 struct probe_error *err)
{
	const char *reason = kprobe_refusal(&probe->rp.kp);
	enum probe_error_id id = log_refusal_id(error);
	int ret;

	lockdep_assert_held(&event_mutex);
	/* -EAGAIN with a reason does not come from ftrace */
	if (error == -EAGAIN && reason)
		id = PROBE_ERR_FAIL_REG_PROBE;
	ret = probe_error_set(err, id, column);
	if (id == PROBE_ERR_FAIL_REG_PROBE)
		err->reason = reason;
	/* A symbol that exists with an offset that leads nowhere is not a bad word. */
	return id == PROBE_ERR_FAIL_REG_PROBE || error == -ENOENT ? error : ret;
}

static char *log_late_line(const struct trace_kprobe *probe)
{
	char *location = trace_kprobe_location_name(probe), *line;

	line = kasprintf(GFP_KERNEL, "%c:%s/%s %s", probe->location.is_return ? 'r' : 'p',
			 probe->event->class.system, probe->event->call.name, location ?: "");
	kfree(location);
	return line;
}

/**
 * kprobe_event_log_late() - log that an already defined probe is refused
 * @probe: the probe
 * @err: the refusal; its column becomes that of the location
 *
 * Context: process context, event_mutex held.
 */
void kprobe_event_log_late(const struct trace_kprobe *probe, struct probe_error *err)
{
	char *line = log_late_line(probe);

	lockdep_assert_held(&event_mutex);
	if (!line)
		return;
	err->column = strchrnul(line, ' ') + 1 - line;
	kprobe_event_log(line, err);
	kfree(line);
}
