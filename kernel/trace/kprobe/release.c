// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Deleting the probes that a line means: -:[GRP/][EVENT] [LOCATION [ARG]...].
 *
 * A line with an event's name finds it in the table of names. The last probe of an
 * event takes the event with it. All probes of a line are one batch of the core.
 */
#include <linux/cleanup.h>
#include <linux/minmax.h>
#include <linux/sched.h>
#include <linux/slab.h>

#include "event_batch.h"
#include "join.h"
#include "log.h"
#include "probe.h"
#include "release.h"

static bool release_means_event(const struct probe_command *cmd,
				const struct kprobe_event *event)
{
	if (cmd->event.len && !probe_span_is(cmd->event, event->call.name))
		return false;
	return !cmd->group.len || probe_span_is(cmd->group, event->call.class->system);
}

/* Arguments may be left out at the end, but not in between */
static bool release_means_probe(const struct probe_command *cmd,
				const struct trace_kprobe *probe)
{
	const struct fetch_args *args = probe->args;
	const struct probe_span *word = cmd->args;
	unsigned int i;

	if (!cmd->location.len)
		return true;
	if (cmd->nr_args > args->nr ||
	    !probe_location_matches(&probe->location, cmd->location.text,
				    cmd->location.len))
		return false;
	for (i = 0; i < cmd->nr_args; i++)
		if (!fetch_arg_matches(&args->arg[i], word[i].text, word[i].len))
			return false;
	return true;
}

static bool release_means_all_probes(const struct probe_command *cmd,
				     const struct kprobe_event *event)
{
	const struct trace_kprobe *probe;

	list_for_each_entry(probe, &event->probes, sibling)
		if (!release_means_probe(cmd, probe))
			return false;
	return true;
}

/*
 * Some of the probes can leave an event that is in use, if the line does not mean all
 * of them. perf is an exception: bpf_get_kprobe_info() reads a probe without a lock.
 */
static bool release_may_split(const struct probe_command *cmd,
			      const struct kprobe_event *event)
{
	return cmd && !(event->sinks & EVENT_SINK_PERF) &&
	       !release_means_all_probes(cmd, event);
}

static bool release_is_refused(const struct probe_command *cmd,
			       const struct trace_kprobe *probe)
{
	return kprobe_event_is_busy(probe->event) && !release_may_split(cmd, probe->event);
}

static int release_one_probe(const struct probe_command *cmd, struct trace_kprobe *probe)
{
	bool is_last = list_is_singular(&probe->event->probes);
	int ret;

	if (release_is_refused(cmd, probe))
		return -EBUSY;
	ret = is_last ? kprobe_event_remove(probe->event) : 0;
	if (ret)
		return ret;
	dyn_event_remove(&probe->devent);
	event_batch_delete(probe, is_last);
	if (!is_last)
		event_join_sort(probe->event);
	return 0;
}

static bool release_means(const struct probe_command *cmd, const struct trace_kprobe *probe)
{
	return release_means_event(cmd, probe->event) && release_means_probe(cmd, probe);
}

static int release_if_meant(const struct probe_command *cmd, struct trace_kprobe *probe,
			    unsigned int *nr)
{
	if (!release_means(cmd, probe))
		return 0;
	++*nr;
	return release_one_probe(cmd, probe);
}

/* The event stays in memory until event_batch_delete_commit() */
static int release_of_event(const struct probe_command *cmd, struct kprobe_event *event,
			    unsigned int *nr)
{
	struct trace_kprobe *probe, *next;
	int ret;

	list_for_each_entry_safe_reverse(probe, next, &event->probes, sibling) {
		ret = release_if_meant(cmd, probe, nr);
		if (ret)
			return ret;
	}
	return 0;
}

static int release_by_name(const struct probe_command *cmd, unsigned int *nr)
{
	struct kprobe_event *event;
	struct hlist_node *next;
	int ret;

	hlist_for_each_entry_safe(event, next, kprobe_event_bucket(cmd->event), name_node) {
		ret = release_of_event(cmd, event, nr);
		if (ret)
			return ret;
	}
	return 0;
}

/* Can all probes that are meant be deleted? A look at the events of the name tells. */
static bool release_by_name_is_free(const struct probe_command *cmd)
{
	struct trace_kprobe *probe;
	struct kprobe_event *event;

	hlist_for_each_entry(event, kprobe_event_bucket(cmd->event), name_node)
		list_for_each_entry(probe, &event->probes, sibling)
			if (release_means(cmd, probe) && release_is_refused(cmd, probe))
				return false;
	return true;
}

/* Return: the oldest probe that is meant and cannot be deleted, or NULL. */
static struct dyn_event *release_first_refused(const struct probe_command *cmd)
{
	struct dyn_event *devent;

	for_each_dyn_event(devent)
		if (is_kprobe_event(devent) && release_means(cmd, trace_kprobe_of(devent)) &&
		    release_is_refused(cmd, trace_kprobe_of(devent)))
			return devent;
	return NULL;
}

/*
 * The probes that are older than the first refused one go. They go newest first, because
 * trace_events.c finds the newest event at the head of its lists.
 */
static int release_by_age(const struct probe_command *cmd, unsigned int *nr)
{
	struct dyn_event *refused = release_first_refused(cmd), *devent, *next;
	bool is_older = !refused;
	int ret;

	for_each_dyn_event_reverse_safe(devent, next) {
		cond_resched();
		ret = is_older && is_kprobe_event(devent) ?
		      release_if_meant(cmd, trace_kprobe_of(devent), nr) : 0;
		if (ret)
			return ret;
		is_older |= devent == refused;
	}
	return refused ? -EBUSY : 0;
}

/*
 * Delete the probes that a line means. Returns 0; -ENOENT if it means none; or the error of the
 * first probe that cannot be deleted, -EBUSY if its event is in use. Those that are older than
 * that one are deleted.
 */
static int release_line(const struct probe_command *cmd)
{
	unsigned int nr = 0;
	int ret;

	lockdep_assert_held(&event_mutex);
	ret = cmd->event.len && release_by_name_is_free(cmd) ? release_by_name(cmd, &nr) :
							       release_by_age(cmd, &nr);
	event_batch_delete_commit();
	return ret ?: nr ? 0 : -ENOENT;
}

/**
 * kprobe_event_release_one() - delete a probe, and its event with the last one
 * @probe: the probe
 *
 * Context: event_mutex held, and until event_batch_delete_commit().
 * Return: 0, or -EBUSY if its event is in use.
 */
int kprobe_event_release_one(struct trace_kprobe *probe)
{
	lockdep_assert_held(&event_mutex);
	return release_one_probe(NULL, probe);
}

/* Say that a line means no probe. If its event is there, its place or arguments are wrong */
static int release_refuse(const struct probe_command *cmd, unsigned int column,
			  struct probe_error *err)
{
	struct dyn_event *devent;

	if (!cmd->location.len)
		return probe_error_set(err, PROBE_ERR_NO_SUCH_EVENT, column);
	for_each_dyn_event(devent) {
		if (is_kprobe_event(devent) &&
		    release_means_event(cmd, trace_kprobe_of(devent)->event))
			return probe_error_set(err, PROBE_ERR_NO_SUCH_PROBE, cmd->location.column);
	}
	return probe_error_set(err, PROBE_ERR_NO_SUCH_EVENT, column);
}

/**
 * kprobe_event_delete_line() - do what a deleting line says
 * @cmd: the parsed line
 * @err: gets the refusal
 *
 * Context: may sleep; takes event_mutex.
 * Return: 0, or a negative error with @err set.
 */
int kprobe_event_delete_line(const struct probe_command *cmd, struct probe_error *err)
{
	unsigned int column = cmd->group.len ? cmd->group.column : cmd->event.column;
	int ret;

	guard(mutex)(&event_mutex);
	ret = release_line(cmd);
	if (ret == -ENOENT)
		return release_refuse(cmd, column, err);
	if (ret == -EBUSY)
		probe_error_set(err, PROBE_ERR_EVENT_BUSY, column);
	return ret;
}

/* Other types may have the event: only what is in use is ours to explain. */
static void release_log_busy(const char *line)
{
	struct probe_error err = {};

	probe_error_set(&err, PROBE_ERR_EVENT_BUSY, strcspn(line, ":") + 1);
	kprobe_event_log_locked(line, &err);
}

/**
 * kprobe_event_delete_words() - do what a deleting line of dynamic_events says
 * @line: the line
 * @group: the group, or NULL
 * @event: the event's name, empty if only the group is given
 * @nr: number of @words
 * @words: location and arguments
 *
 * Context: may sleep; event_mutex held.
 * Return: as release_line().
 */
int kprobe_event_delete_words(const char *line, const char *group, const char *event,
			      int nr, const char **words)
{
	struct probe_span *spans __free(kfree) = kcalloc(nr + 1, sizeof(*spans), GFP_KERNEL);
	struct probe_command cmd = { .args = spans + 1, .nr_args = max(nr - 1, 0) };
	int i, ret;

	lockdep_assert_held(&event_mutex);
	if (!spans)
		return -ENOMEM;
	/* -:/EVENT: there is no group without a name */
	if (group && !*group)
		return -ENOENT;
	for (i = 0; i < nr; i++)
		spans[i] = probe_span_of(words[i]);
	cmd.group = probe_span_of(group ?: "");
	cmd.event = probe_span_of(event);
	cmd.location = spans[0];
	ret = release_line(&cmd);
	if (ret == -EBUSY)
		release_log_busy(line);
	return ret;
}
