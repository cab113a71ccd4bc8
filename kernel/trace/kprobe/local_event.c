// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Local events: each belongs to one perf event of the "kprobe" PMU. They have no
 * arguments, and no file shows them.
 */
#include <linux/slab.h>
#include <linux/string_helpers.h>

#include "../trace_probe.h"
#include "event_class.h"
#include "event_hit.h"
#include "log.h"
#include "lookup.h"
#include "probe.h"

/* Column of the location in local_event_line() */
#define LOCAL_COLUMN	2

static int local_event_locate(struct probe_location *location, const char *func,
			      unsigned long addr, unsigned long offset, bool is_return)
{
	location->is_return = is_return;
	location->offset = func ? offset : addr;
	if (!func)
		return 0;
	location->symbol = kstrdup(func, GFP_KERNEL);
	return location->symbol ? 0 : -ENOMEM;
}

static struct kprobe_event *local_event_make(struct trace_kprobe *probe, const char *name)
{
	struct kprobe_event *event;

	event = kprobe_event_make(KPROBE_EVENT_GROUP, name, probe->location.is_return,
				  probe->args);
	if (IS_ERR(event))
		return event;
	event->is_local = true;
	list_add(&probe->sibling, &event->probes);
	probe->event = event;
	return event;
}

/* The error of perf_event_open(); it has always been -EINVAL for functions without ftrace. */
static int local_event_refused(const struct trace_kprobe *probe, int error,
			       struct probe_error *err)
{
	kprobe_event_refused(probe, error, LOCAL_COLUMN, err);
	return error == -EACCES ? -EINVAL : error;
}

static struct kprobe_event *local_event_start(struct trace_kprobe *probe, const char *name,
					      struct probe_error *err)
{
	struct kprobe_event *event = local_event_make(probe, name);
	int ret;

	if (IS_ERR(event)) {
		trace_kprobe_free(probe);
		return ERR_PTR(probe_error_set(err, PROBE_ERR_NO_MEMORY, 0));
	}
	ret = trace_kprobe_register(probe);
	if (!ret)
		return event;
	ret = local_event_refused(probe, ret, err);
	trace_kprobe_free(probe);
	kprobe_event_free(event);
	return ERR_PTR(ret);
}

static struct kprobe_event *local_event_define(struct probe_definition *def, const char *name,
					       struct probe_error *err)
{
	struct trace_kprobe *probe;
	int ret;

	lockdep_assert_held(&event_mutex);
	ret = kprobe_event_lookup.function(&kprobe_event_lookup, def->location.symbol,
					   def->location.offset, &def->function);
	if (ret) {
		probe_error_set(err, ret == -EADDRNOTAVAIL ? PROBE_ERR_NON_UNIQ_SYMBOL :
							     PROBE_ERR_BAD_PROBE_ADDR,
				LOCAL_COLUMN);
		return ERR_PTR(ret);
	}
	def->args = fetch_args_none(def->location.is_return);
	probe = trace_kprobe_alloc(def, &event_hit_handlers);
	if (IS_ERR(probe))
		return ERR_PTR(probe_error_set(err, PROBE_ERR_NO_MEMORY, 0));
	return local_event_start(probe, name, err);
}

/* The line of kprobe_events that would define the same probe, in one line whatever it is */
static char *local_event_line(const struct probe_location *location)
{
	char *name __free(kfree) = trace_kprobe_location_name(location);
	char *plain __free(kfree) = kstrdup_quotable(name, GFP_KERNEL);

	static_assert(sizeof("p ") - 1 == LOCAL_COLUMN);
	return plain ? kasprintf(GFP_KERNEL, "%c %s", location->is_return ? 'r' : 'p', plain) :
		       NULL;
}

/* Tools try functions one after the other: no refusal is worth the search for a hint. */
static struct kprobe_event *local_event_define_or_log(struct probe_definition *def,
						      const char *name)
{
	char *line __free(kfree) = local_event_line(&def->location);
	struct probe_error err = {};
	struct kprobe_event *event;

	if (!line)
		return ERR_PTR(-ENOMEM);
	guard(mutex)(&event_mutex);
	event = local_event_define(def, name, &err);
	kprobe_event_log_locked(line, &err);
	return event;
}

/**
 * create_local_trace_kprobe() - make an event for one perf event
 * @func: the function, or NULL
 * @addr: the address where @func is NULL
 * @offs: from @func
 * @is_return: a return probe, not an entry probe
 *
 * Context: may sleep; takes event_mutex.
 * Return: the event, or an error pointer: -ENOMEM, or what error_log explains: -ENOENT if
 * there is no such symbol, -EADDRNOTAVAIL if there are several, -EPERM under lockdown, or
 * the error of register_kprobe().
 */
struct trace_event_call *create_local_trace_kprobe(char *func, void *addr,
						   unsigned long offs, bool is_return)
{
	struct probe_definition def = {};
	struct kprobe_event *event;
	int ret;

	ret = local_event_locate(&def.location, func, (unsigned long)addr, offs, is_return);
	event = ret ? ERR_PTR(ret) : local_event_define_or_log(&def, func ?: "address");
	probe_definition_free(&def);
	return IS_ERR(event) ? ERR_CAST(event) : &event->call;
}

/**
 * destroy_local_trace_kprobe() - undo create_local_trace_kprobe()
 * @call: the event it returned, switched off
 *
 * Context: may sleep, waits for nothing. event_mutex may be held, or not: only the
 * caller knows the event.
 */
void destroy_local_trace_kprobe(struct trace_event_call *call)
{
	struct kprobe_event *event = kprobe_event_of(call);
	struct trace_kprobe *probe = kprobe_event_first(event);

	if (WARN_ON_ONCE(!event->is_local || event->sinks))
		return;
	trace_kprobe_unregister(probe);
	list_del(&probe->sibling);
	trace_kprobe_retire(probe);
	kprobe_event_retire(event);
}
