// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Messages in error_log about a refused line or probe.
 *
 * A refusal has the column of its caret already: parse/span.h computes it. Its text is in
 * error_table.h. If the core refuses an address, its reason follows that text. A hint, if
 * there is one, is a line of its own before the command.
 */
#include <linux/kernel.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "../trace.h"
#include "hint.h"
#include "log.h"
#include "lookup.h"
#include "probe.h"

/* The name of this subsystem in error_log */
#define LOG_NAME	"trace_kprobe"

static char *log_text(const struct probe_error *err, const char *hint)
{
	return kasprintf(GFP_KERNEL, "%s%s%s%s%s", probe_error_texts[err->id],
			 err->reason ? ": " : "", err->reason ?: "",
			 hint ? "\n  Hint: " : "", hint ?: "");
}

static void log_refusal(const char *line, const struct probe_error *err, const char *hint)
{
	/* A part missing at the end would begin after one more space. */
	size_t end = strlen(line) + 1;
	u16 column = min_t(size_t, err->column, end);
	char *text = log_text(err, hint);

	tracing_log_err_text(NULL, LOG_NAME, line, text ?: probe_error_texts[err->id], column);
	kfree(text);
}

/**
 * kprobe_event_log() - write to error_log why a line was refused
 * @line: the line
 * @err: the refusal; nothing is written if there is none
 *
 * Context: may sleep; takes event_mutex.
 */
void kprobe_event_log(const char *line, const struct probe_error *err)
{
	char *hint;

	if (err->id == PROBE_ERR_NONE)
		return;
	hint = kprobe_event_hint(line, err);
	log_refusal(line, err, hint);
	kfree(hint);
}

/**
 * kprobe_event_log_locked() - write to error_log without searching for a hint
 * @line: the line
 * @err: the refusal; nothing is written if there is none
 *
 * Context: may sleep; event_mutex held.
 */
void kprobe_event_log_locked(const char *line, const struct probe_error *err)
{
	lockdep_assert_held(&event_mutex);
	if (err->id != PROBE_ERR_NONE)
		log_refusal(line, err, kprobe_event_fixed_hint(err));
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
	/* With a reason they come neither from ftrace nor from live patching */
	if ((error == -EAGAIN || error == -EBUSY) && reason)
		id = PROBE_ERR_FAIL_REG_PROBE;
	if (error == -EACCES && !function_is_marked_notrace(trace_kprobe_address(probe)))
		id = PROBE_ERR_NO_FTRACE_SITE;
	ret = probe_error_set(err, id, column);
	if (id == PROBE_ERR_FAIL_REG_PROBE)
		err->reason = reason;
	/* A symbol that exists with an offset that leads nowhere is not a bad word. */
	return id == PROBE_ERR_FAIL_REG_PROBE || error == -ENOENT ? error : ret;
}

static char *log_probe_line(const struct trace_kprobe *probe)
{
	char *location = trace_kprobe_location_name(&probe->location), *line;

	line = kasprintf(GFP_KERNEL, "%c:%s/%s %s", probe->location.is_return ? 'r' : 'p',
			 probe->event->call.class->system, probe->event->call.name, location ?: "");
	kfree(location);
	return line;
}

/**
 * kprobe_event_log_busy() - log which event does not let all events be deleted
 * @probe: a probe of the event
 *
 * The line shown is that of the event: opening a file is no line.
 *
 * Context: process context, event_mutex held.
 */
void kprobe_event_log_busy(const struct trace_kprobe *probe)
{
	char *line = log_probe_line(probe);
	struct probe_error err = {};

	lockdep_assert_held(&event_mutex);
	if (!line)
		return;
	probe_error_set(&err, PROBE_ERR_EVENT_BUSY, strcspn(line, ":") + 1);
	kprobe_event_log_locked(line, &err);
	kfree(line);
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
	char *line = log_probe_line(probe);

	lockdep_assert_held(&event_mutex);
	if (!line)
		return;
	err->column = strchrnul(line, ' ') + 1 - line;
	kprobe_event_log_locked(line, err);
	kfree(line);
}
