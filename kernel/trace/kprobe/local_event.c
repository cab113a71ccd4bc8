// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Local events: each belongs to one perf event of the "kprobe" PMU. They have no
 * arguments, and no file shows them.
 */
#include <linux/slab.h>

#include "../trace_probe.h"
#include "event_class.h"
#include "event_hit.h"
#include "lookup.h"
#include "probe.h"

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

static struct kprobe_event *local_event_start(struct trace_kprobe *probe, const char *name)
{
	struct kprobe_event *event = local_event_make(probe, name);
	int ret;

	if (IS_ERR(event)) {
		trace_kprobe_free(probe);
		return event;
	}
	ret = trace_kprobe_register(probe);
	if (!ret)
		return event;
	trace_kprobe_free(probe);
	kprobe_event_free(event);
	/* perf_event_open() has no error_log that could explain -EACCES. */
	return ERR_PTR(ret == -EACCES ? -EINVAL : ret);
}

static struct kprobe_event *local_event_define(struct probe_definition *def, const char *name)
{
	struct trace_kprobe *probe;
	int ret;

	guard(mutex)(&event_mutex);
	ret = kprobe_event_lookup.function(&kprobe_event_lookup, def->location.symbol,
					   def->location.offset, &def->function);
	if (ret)
		return ERR_PTR(ret);
	def->args = kzalloc(sizeof(*def->args), GFP_KERNEL);
	if (!def->args)
		return ERR_PTR(-ENOMEM);
	probe = trace_kprobe_alloc(def, &event_hit_handlers);
	return IS_ERR(probe) ? ERR_CAST(probe) : local_event_start(probe, name);
}

/**
 * create_local_trace_kprobe() - make an event for one perf event
 * @func: the function, or NULL
 * @addr: the address where @func is NULL
 * @offs: from @func
 * @is_return: a return probe, not an entry probe
 *
 * Context: may sleep.
 * Return: the event, or an error pointer: -ENOENT if there is no such symbol,
 * -EADDRNOTAVAIL if there are several, -EPERM under lockdown, or the error of
 * register_kprobe().
 */
struct trace_event_call *create_local_trace_kprobe(char *func, void *addr,
						   unsigned long offs, bool is_return)
{
	struct probe_definition def = {};
	struct kprobe_event *event;
	int ret;

	ret = local_event_locate(&def.location, func, (unsigned long)addr, offs, is_return);
	event = ret ? ERR_PTR(ret) : local_event_define(&def, func ?: "address");
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
