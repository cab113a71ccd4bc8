// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Defining a probe, from a parsed line to an event in tracefs.
 *
 * One transaction under event_mutex: make the probe, make its event or join the one
 * that has the name, register with the core, list it with its siblings, ask the BPF
 * programs of the event, arm if the event is on, publish. define_probe() undoes the steps
 * that were taken when one of them fails, in reverse order. A definition that is only
 * checked is undone after it was registered.
 */
#include <linux/slab.h>

#include "bpf_query.h"
#include "check.h"
#include "define.h"
#include "event_class.h"
#include "event_hit.h"
#include "join.h"
#include "log.h"
#include "lookup.h"
#include "probe.h"
#include "record.h"

static int define_new_event(struct trace_kprobe *probe, const struct probe_definition *def,
			    struct probe_error *err)
{
	struct kprobe_event *event;

	event = kprobe_event_make(def->group, def->event, probe->location.is_return,
				  probe->args);
	if (IS_ERR(event))
		return probe_error_set(err, PROBE_ERR_NO_MEMORY, 0);
	probe->event = event;
	return 0;
}

static int define_take_event(struct trace_kprobe *probe, const struct probe_definition *def,
			     struct probe_error *err)
{
	struct kprobe_event *event = kprobe_event_find(def->group, def->event);

	if (event)
		return event_join(event, probe, err);
	return define_new_event(probe, def, err);
}

static void define_leave_event(struct trace_kprobe *probe)
{
	struct kprobe_event *event = probe->event;

	scoped_guard(mutex, &kprobe_event_probes_mutex)
		list_del(&probe->sibling);
	if (list_empty(&event->probes))
		kprobe_event_retire(event);
}

/*
 * A probe whose module is not loaded is accepted, and registered when the module comes.
 * The symbols of a module are known a moment before it comes, and after it has gone.
 */
static bool define_may_wait(const struct trace_kprobe *probe, int error)
{
	return error == -ENOENT && !probe->function.is_outside &&
	       probe_location_module_len(&probe->location);
}

static int define_register(struct trace_kprobe *probe, unsigned int column,
			   struct probe_error *err)
{
	int ret = trace_kprobe_register(probe);

	if (!ret)
		return 0;
	if (!define_may_wait(probe, ret))
		return kprobe_event_refused(probe, ret, column, err);
	probe->function.is_pending = true;
	WRITE_ONCE(probe->function.address, 0);
	return 0;
}

/* A probe is listed after it is registered: a program that is attached now checks its address */
static void define_list(struct trace_kprobe *probe)
{
	guard(mutex)(&kprobe_event_probes_mutex);
	list_add_tail(&probe->sibling, &probe->event->probes);
}

static int define_ask_programs(struct trace_kprobe *probe, unsigned int column,
			       struct probe_error *err)
{
	if (bpf_query_admits(probe))
		return 0;
	return probe_error_set(err, PROBE_ERR_EVENT_BUSY, column);
}

/* The event is on already: its new probe hits at once */
static int define_arm(struct trace_kprobe *probe, unsigned int column, struct probe_error *err)
{
	int ret;

	if (!probe->event->sinks || !trace_kprobe_is_live(probe))
		return 0;
	ret = enable_kprobe(&probe->rp.kp);
	return ret ? kprobe_event_refused(probe, ret, column, err) : 0;
}

/* Would define_arm() be refused? */
static int define_check_arming(struct trace_kprobe *probe, unsigned int column,
			       struct probe_error *err)
{
	int ret;

	if (!probe->event->sinks || !trace_kprobe_is_live(probe))
		return 0;
	ret = kprobe_arming_error(&probe->rp.kp);
	return ret ? kprobe_event_refused(probe, ret, column, err) : 0;
}

static int define_publish(struct trace_kprobe *probe, struct probe_error *err)
{
	struct kprobe_event *event = probe->event;
	int ret = kprobe_event_is_added(event) ? 0 : kprobe_event_add(event);

	if (ret == -EEXIST)
		return probe_error_set(err, PROBE_ERR_EVENT_EXIST, 0);
	if (ret == -ENOMEM)
		return probe_error_set(err, PROBE_ERR_NO_MEMORY, 0);
	if (ret) {
		probe_error_set(err, PROBE_ERR_FAIL_REG_PROBE, 0);
		if (ret == -ENODEV)
			err->reason = "no event type is available";
		return ret;
	}
	trace_kprobe_list(probe);
	event_join_sort(event);
	return 0;
}

static int define_switch_on(struct trace_kprobe *probe, unsigned int column,
			    struct probe_error *err)
{
	int ret;

	define_list(probe);
	ret = define_ask_programs(probe, column, err);
	ret = ret ?: define_arm(probe, column, err);
	return ret ?: define_publish(probe, err);
}

/* Refuse what define_switch_on() would refuse; else say what was found */
static int define_check(struct trace_kprobe *probe, unsigned int column, char **finding,
			struct probe_error *err)
{
	int ret = define_ask_programs(probe, column, err);

	ret = ret ?: define_check_arming(probe, column, err);
	if (ret)
		return ret;
	if (!kprobe_event_is_added(probe->event) && kprobe_event_name_is_taken(probe->event))
		return probe_error_set(err, PROBE_ERR_EVENT_EXIST, 0);
	if (!finding)
		return 0;
	*finding = probe_check_finding(probe);
	return *finding ? 0 : probe_error_set(err, PROBE_ERR_NO_MEMORY, 0);
}

static int define_probe(struct probe_definition *def, const struct probe_command *cmd,
			char **finding, struct probe_error *err)
{
	struct trace_kprobe *probe = trace_kprobe_alloc(def, &event_hit_handlers);
	unsigned int column = cmd->location.column;
	int ret;

	if (IS_ERR(probe))
		return probe_error_set(err, PROBE_ERR_NO_MEMORY, 0);
	ret = define_take_event(probe, def, err);
	if (ret)
		goto free;
	ret = define_register(probe, column, err);
	if (ret)
		goto leave;
	ret = cmd->is_check ? define_check(probe, column, finding, err) :
			      define_switch_on(probe, column, err);
	if (!ret && !cmd->is_check)
		return 0;
	trace_kprobe_unregister(probe);
leave:
	define_leave_event(probe);
free:
	/* It may have been registered, and a hit may be under way */
	trace_kprobe_retire(probe);
	return ret;
}

/**
 * kprobe_event_define() - define a probe, and its event if there is none of that name
 * @cmd: a parsed line that defines; or checks, and then nothing changes
 * @finding: gets the text that a check has found, to be freed with kfree(); or NULL
 * @err: gets the refusal
 *
 * Context: may sleep; takes event_mutex. Modules that come and go wait for that: the
 * symbols that the line names stay as they were looked up, but for a module that has almost
 * gone.
 * Return: 0, or a negative error with @err set; nothing has changed then.
 */
int kprobe_event_define(const struct probe_command *cmd, char **finding,
			struct probe_error *err)
{
	struct probe_definition def;
	int ret;

	guard(mutex)(&event_mutex);
	ret = probe_definition_build(&def, cmd, KPROBE_EVENT_GROUP, &kprobe_event_lookup, err);
	if (!ret && fetch_args_vary(def.args) && record_scratch_alloc())
		ret = probe_error_set(err, PROBE_ERR_NO_MEMORY, 0);
	if (!ret)
		ret = define_probe(&def, cmd, finding, err);
	probe_definition_free(&def);
	return ret;
}
