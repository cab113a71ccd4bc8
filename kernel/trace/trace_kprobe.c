// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Kprobe events: the front. A line that defines or deletes comes in here,
 * from kprobe_events, dynamic_events, the command line or the kernel itself.
 *
 * How such a line reads is in kprobe/command.c, what becomes of it in the other
 * files of kprobe/.
 */
#include <linux/init.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "kprobe/event.h"
#include "kprobe/record.h"

static struct dyn_event_operations kprobe_event_ops;

/**
 * is_kprobe_event() - is a dynamic event one of ours
 * @devent: the dynamic event
 *
 * Return: true if so.
 */
bool is_kprobe_event(const struct dyn_event *devent)
{
	return devent->ops == &kprobe_event_ops;
}

/* A probe whose module is not there is taken on trust: it is tried when that comes */
static int register_probe(struct event_probe *probe, unsigned int column,
			  struct probe_error *err)
{
	int ret = event_probe_register(probe);

	if (!ret || (ret == -ENOENT && probe->place.is_pending))
		return 0;
	return kprobe_event_refused(probe, ret, column, err);
}

/* An event that is on expects its new probe to be */
static int arm_probe(struct event_probe *probe, unsigned int column, struct probe_error *err)
{
	int ret;

	if (!probe->event->sinks || !event_probe_is_live(probe))
		return 0;
	ret = enable_kprobe(&probe->rp.kp);
	if (!ret)
		return 0;
	event_probe_unregister(probe);
	return kprobe_event_refused(probe, ret, column, err);
}

static int ask_programs(struct event_probe *probe, unsigned int column,
			struct probe_error *err)
{
	if (event_perf_admits(probe))
		return 0;
	event_probe_unregister(probe);
	return probe_error_set(err, PROBE_ERR_EVENT_BUSY, column);
}

/* Before its first hit; for no probe that the core does not want */
static int have_fault_field(struct event_probe *probe, struct probe_error *err)
{
	struct kprobe_event *event = probe->event;

	if (!probe->args->can_fault || event->fields->has_fault ||
	    !kprobe_event_add_fault_field(event))
		return 0;
	event_probe_unregister(probe);
	return probe_error_set(err, PROBE_ERR_NO_MEMORY, 0);
}

static int join_event(struct kprobe_event *event, struct event_probe *probe,
		      unsigned int column, struct probe_error *err)
{
	int ret = event_join(event, probe, err);

	if (ret)
		return ret;
	ret = register_probe(probe, column, err);
	if (!ret)
		ret = ask_programs(probe, column, err);
	if (!ret)
		ret = have_fault_field(probe, err);
	if (!ret)
		ret = arm_probe(probe, column, err);
	if (!ret)
		return 0;
	scoped_guard(mutex, &kprobe_event_probes_mutex)
		list_del(&probe->sibling);
	return ret;
}

static int publish(struct kprobe_event *event, struct probe_error *err)
{
	int ret = kprobe_event_add(event);

	if (ret == -EEXIST)
		return probe_error_set(err, PROBE_ERR_EVENT_EXIST, 0);
	if (ret)
		probe_error_set(err, PROBE_ERR_FAIL_REG_PROBE, 0);
	return ret;
}

static int begin_event(const struct probe_definition *def, struct event_probe *probe,
		       unsigned int column, struct probe_error *err)
{
	struct kprobe_event *event;
	int ret;

	event = kprobe_event_alloc(def->group, def->event, probe->place.is_return, probe->args);
	if (IS_ERR(event))
		return probe_error_set(err, PROBE_ERR_NO_MEMORY, 0);
	list_add(&probe->sibling, &event->probes);
	probe->event = event;
	ret = register_probe(probe, column, err);
	if (!ret)
		ret = publish(event, err);
	if (ret) {
		event_probe_unregister(probe);
		kprobe_event_retire(event);
	}
	return ret;
}

static int add_probe(const struct probe_definition *def, struct event_probe *probe,
		     unsigned int column, struct probe_error *err)
{
	struct kprobe_event *event = kprobe_event_find(def->group, def->event);
	int ret;

	if (probe->args->nr_text && record_scratch_alloc())
		return probe_error_set(err, PROBE_ERR_NO_MEMORY, 0);
	/* Modules may have come and gone since the line was read */
	event_probe_resolve(probe);
	ret = event ? join_event(event, probe, column, err) :
		      begin_event(def, probe, column, err);
	if (ret)
		return ret;
	dyn_event_init(&probe->devent, &kprobe_event_ops);
	return dyn_event_add(&probe->devent, &probe->event->call);
}

static int define(const struct probe_command *cmd, struct probe_error *err)
{
	struct probe_definition def;
	struct event_probe *probe;
	int ret;

	ret = probe_definition_build(&def, cmd, KPROBE_EVENT_GROUP, &kprobe_event_lookup, err);
	if (ret)
		goto out;
	probe = event_probe_alloc(&def);
	if (IS_ERR(probe)) {
		ret = probe_error_set(err, PROBE_ERR_NO_MEMORY, 0);
		goto out;
	}
	scoped_guard(mutex, &event_mutex)
		ret = add_probe(&def, probe, cmd->place.column, err);
	/* The core may have had it for a moment */
	if (ret)
		event_probe_retire(probe);
out:
	probe_definition_free(&def);
	return ret;
}

/* In the words that dyn_event_release() understands */
static char *release_line(const struct probe_command *cmd)
{
	const char *rest = cmd->event.text + cmd->event.len;

	if (!cmd->group.len)
		return kstrdup(cmd->line, GFP_KERNEL);
	return kasprintf(GFP_KERNEL, "-:%.*s/%.*s%s", cmd->group.len, cmd->group.text,
			 cmd->event.len, cmd->event.text, rest);
}

static int delete(const struct probe_command *cmd, struct probe_error *err)
{
	unsigned int column = cmd->group.len ? cmd->group.column : cmd->event.column;
	char *line = release_line(cmd);
	int ret;

	if (!line)
		return probe_error_set(err, PROBE_ERR_NO_MEMORY, 0);
	ret = dyn_event_release(line, &kprobe_event_ops);
	kfree(line);
	if (ret == -ENOENT)
		probe_error_set(err, PROBE_ERR_NO_SUCH_EVENT, column);
	else if (ret == -EBUSY)
		probe_error_set(err, PROBE_ERR_EVENT_BUSY, column);
	return ret;
}

static int run(const struct probe_command *cmd, struct probe_error *err)
{
	switch (cmd->kind) {
	case PROBE_COMMAND_DEFINE:
		return define(cmd, err);
	case PROBE_COMMAND_DELETE:
		return delete(cmd, err);
	default:
		return 0;
	}
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
	struct probe_command cmd;
	struct probe_error err = {};
	int ret;

	ret = probe_command_parse(&cmd, line, &err);
	if (!ret)
		ret = run(&cmd, &err);
	if (ret)
		kprobe_event_log(cmd.line ?: line, &err);
	probe_command_free(&cmd);
	return ret;
}

/*
 * dynamic_events offers a line to one kind of event after the other. Ours begin
 * with p or r, and so do uprobes, which have a path where we have a symbol.
 */
static bool is_for_us(const char *line)
{
	const char *place;

	if (*line != 'p' && *line != 'r')
		return false;
	place = skip_spaces(line + strcspn(line, " \t"));
	return !memchr(place, '/', strcspn(place, " \t"));
}

static int create(const char *line)
{
	line = skip_spaces(line);
	if (!*line)
		return 0;
	return is_for_us(line) ? kprobe_event_run_line(line) : -ECANCELED;
}

static int show(struct seq_file *m, struct dyn_event *devent)
{
	const struct event_probe *probe = event_probe_of(devent);
	const struct fetch_args *args = probe->args;
	char *place = event_probe_place_name(probe);
	unsigned int i;

	if (!place)
		return -ENOMEM;
	seq_putc(m, probe->place.is_return ? 'r' : 'p');
	if (probe->maxactive)
		seq_printf(m, "%u", probe->maxactive);
	seq_printf(m, ":%s/%s %s", probe->event->class.system, probe->event->call.name,
		   place);
	kfree(place);
	for (i = 0; i < args->nr; i++)
		seq_printf(m, " %s=%s", args->arg[i].name, args->arg[i].text);
	seq_putc(m, '\n');
	return 0;
}

static bool is_busy(struct dyn_event *devent)
{
	return kprobe_event_is_busy(event_probe_of(devent)->event);
}

/*
 * Some of the probes can leave an event that is in use, if not all are meant. But
 * perf asks an event without a lock what it probes: bpf_get_kprobe_info().
 */
static bool must_stay(const struct event_probe *probe, bool is_last)
{
	struct kprobe_event *event = probe->event;

	if (!is_last && probe->by_place && !(event->sinks & EVENT_SINK_PERF))
		return false;
	return kprobe_event_is_busy(event);
}

/* The last probe of an event takes the event with it */
static int release(struct dyn_event *devent)
{
	struct event_probe *probe = event_probe_of(devent);
	struct kprobe_event *event = probe->event;
	bool is_last = list_is_singular(&event->probes);
	int ret;

	if (must_stay(probe, is_last))
		return -EBUSY;
	ret = is_last ? kprobe_event_remove(event) : 0;
	if (ret)
		return ret;
	dyn_event_remove(devent);
	event_batch_delete(probe, is_last);
	return 0;
}

static bool matches_words(const struct event_probe *probe, int nr, const char **words)
{
	int i;

	if (!nr)
		return true;
	if (nr - 1 > probe->args->nr ||
	    !probe_place_matches(&probe->place, words[0], strlen(words[0])))
		return false;
	for (i = 1; i < nr; i++)
		if (!fetch_arg_matches(&probe->args->arg[i - 1], words[i], strlen(words[i])))
			return false;
	return true;
}

static bool fit_all(const struct kprobe_event *event, int nr, const char **words)
{
	const struct event_probe *probe;

	list_for_each_entry(probe, &event->probes, sibling)
		if (!matches_words(probe, nr, words))
			return false;
	return true;
}

/* Asked of each probe of a line right before release(), if the answer is yes */
static bool match(const char *group, const char *name, int nr, const char **words,
		  struct dyn_event *devent)
{
	struct event_probe *probe = event_probe_of(devent);
	const struct kprobe_event *event = probe->event;

	probe->by_place = nr && !fit_all(event, nr, words);
	return (!*name || !strcmp(name, event->call.name)) &&
	       (!group || !strcmp(group, event->class.system)) &&
	       matches_words(probe, nr, words);
}

static struct dyn_event_operations kprobe_event_ops = {
	.create		= create,
	.show		= show,
	.is_busy	= is_busy,
	.free		= release,
	.commit		= event_batch_delete_commit,
	.match		= match,
};

/**
 * kprobe_events_clear() - delete all kprobe events
 *
 * Return: 0, or -EBUSY if one of them is in use.
 */
int kprobe_events_clear(void)
{
	return dyn_events_release_all(&kprobe_event_ops);
}

/* bootconfig defines events from core_initcall_sync on */
static __init int register_ops(void)
{
	return dyn_event_register(&kprobe_event_ops);
}
core_initcall(register_ops);
