// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Kprobe events: the front. Lines come in here, from kprobe_events, dynamic_events, the
 * command line or the kernel itself, and are passed on.
 *
 * The event layer is in kprobe/:
 *
 *	parse/		text: spans, commands, locations, types, programs, errors
 *	lookup.c	what the parser asks of the running kernel
 *	module_names.c	is a symbol one of a module
 *	btf.c		parameters of a function, by BTF
 *
 *	define.c	a line that defines: the whole transaction, and its undoing
 *	check.c		what a line that only checks has found
 *	join.c		may a probe join an event that exists
 *	release.c	a line that deletes
 *	event.c		events: made, found by name, added to tracefs, removed, freed
 *	event_class.c	the functions by which trace_events.c uses an event
 *	group.c		groups of events
 *	probe.c		probes: made, registered with the core, shown, counted, freed
 *	event_module.c	modules that come and go under probes
 *
 *	sink.c		consumers of records switch an event on and off
 *	event_batch.c	events that are switched or deleted together
 *	counter.c	per-CPU counters of probes and tallies
 *	tally.c		what became of hits, for each instance
 *
 *	event_hit.c	a hit, from the core's handler to the sinks
 *	trace_sink.c	records into the ring buffers of trace event files
 *	fetch_memory.c	bytes and strings of memory
 *	fetch.c		the programs of arguments, run on a frame
 *	fetch_values.c	all values of a record, fetched in one go
 *	fetch_keep.c	what a return probe reads when the function is entered
 *	record.c	records with texts
 *	fields.c	the layout of records, and how they are printed
 *	fields_bare.c	the layout of records without arguments
 *	print.c		the head of records, the format file
 *	print_fmt.c	the "print fmt" of the format file
 *
 *	perf_sink.c	a hit, as perf and BPF programs see it
 *	local_event.c	events that belong to one perf event
 *	bpf_query.c	what BPF asks about the probes of an event
 *
 *	files.c		kprobe_events, kprobe_profile
 *	stats.c		the stats file of an event
 *	log.c		error_log
 *	hint.c		what the writer of a refused line can try next
 *	hint_function.c	the same, of the function that a line probes
 *	boot.c		events of the command line
 *	generate.c	events that kernel code defines
 *	selftest.c	the test at boot
 *	selftest_target.c  the function that it probes
 */
#include <linux/init.h>
#include <linux/string.h>

#include "kprobe/define.h"
#include "kprobe/event_batch.h"
#include "kprobe/log.h"
#include "kprobe/probe.h"
#include "kprobe/release.h"
#include "trace_kprobe.h"

static int kprobe_event_run(const struct probe_command *cmd, char **finding,
			    struct probe_error *err)
{
	switch (cmd->kind) {
	case PROBE_COMMAND_DEFINE:
		return kprobe_event_define(cmd, finding, err);
	case PROBE_COMMAND_DELETE:
		return kprobe_event_delete_line(cmd, err);
	default:
		return 0;
	}
}

/**
 * kprobe_event_run_or_check() - do what a line of kprobe_events says
 * @line: the line
 * @finding: gets what was found if the line only checks a definition, to be freed with
 *	kfree(); unchanged otherwise. May be NULL
 *
 * Context: may sleep; takes event_mutex.
 * Return: 0, or a negative error, which error_log explains.
 */
int kprobe_event_run_or_check(const char *line, char **finding)
{
	struct probe_command cmd;
	struct probe_error err = {};
	int ret;

	ret = probe_command_parse(&cmd, line, &err);
	if (!ret)
		ret = kprobe_event_run(&cmd, finding, &err);
	if (ret)
		kprobe_event_log(cmd.line ?: line, &err);
	probe_command_free(&cmd);
	return ret;
}

/**
 * kprobe_event_run_line() - do what a line of kprobe_events says
 * @line: the line
 *
 * Context: may sleep; takes event_mutex.
 * Return: 0, or a negative error, which error_log explains.
 */
int kprobe_event_run_line(const char *line)
{
	return kprobe_event_run_or_check(line, NULL);
}

/* Words end where command.c ends them */
static size_t kprobe_event_word_len(const char *line)
{
	size_t len = 0;

	while (line[len] && !probe_is_blank(line[len]))
		len++;
	return len;
}

/*
 * dynamic_events offers a line to one kind of event after the other. Lines of kprobe
 * events begin with p or r, after a '?' that only checks. So do those of uprobes, which
 * have a path where kprobe events have a symbol.
 */
static bool kprobe_event_claims_line(const char *line)
{
	const char *location;

	line += *line == '?';
	if (*line != 'p' && *line != 'r')
		return false;
	location = skip_spaces(line + kprobe_event_word_len(line));
	return !memchr(location, '/', kprobe_event_word_len(location));
}

static int kprobe_event_ops_create(const char *line)
{
	line = skip_spaces(line);
	if (!*line)
		return 0;
	return kprobe_event_claims_line(line) ? kprobe_event_run_line(line) : -ECANCELED;
}

static int kprobe_event_ops_show(struct seq_file *m, struct dyn_event *devent)
{
	return trace_kprobe_show(m, trace_kprobe_of(devent));
}

/* Asked only before all events are deleted: one that is busy is the reason to refuse. */
static bool kprobe_event_ops_is_busy(struct dyn_event *devent)
{
	struct trace_kprobe *probe = trace_kprobe_of(devent);

	if (!kprobe_event_is_busy(probe->event))
		return false;
	kprobe_event_log_busy(probe);
	return true;
}

static int kprobe_event_ops_free(struct dyn_event *devent)
{
	return kprobe_event_release_one(trace_kprobe_of(devent));
}

struct dyn_event_operations kprobe_event_ops = {
	.create		= kprobe_event_ops_create,
	.show		= kprobe_event_ops_show,
	.is_busy	= kprobe_event_ops_is_busy,
	.free		= kprobe_event_ops_free,
	.commit		= event_batch_delete_commit,
	.release	= kprobe_event_delete_words,
};

/**
 * kprobe_events_clear() - delete all kprobe events
 *
 * Context: may sleep; takes event_mutex.
 * Return: 0, or -EBUSY if one of them is in use.
 */
int kprobe_events_clear(void)
{
	return dyn_events_release_all(&kprobe_event_ops);
}

static struct trace_event_batch_ops kprobe_event_batch_ops = {
	.begin		= event_batch_begin,
	.commit		= event_batch_commit,
};

/* Before bootconfig, which defines events from core_initcall_sync on */
static __init int kprobe_event_init(void)
{
	register_trace_event_batch(&kprobe_event_batch_ops);
	return dyn_event_register(&kprobe_event_ops);
}
core_initcall(kprobe_event_init);
