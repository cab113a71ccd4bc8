// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Switching events on and off, for a trace event file or for perf.
 *
 * An event is on while it has a sink: files in any number of instances, perf,
 * or both. The first sink arms its probes, the last one disarms them (batch.c).
 * Neither waits for hits under way: these have the links, and the links have the
 * files.
 */
#include <linux/rculist.h>
#include <linux/slab.h>

#include "event.h"

static struct event_link *find_link(struct kprobe_event *event, struct trace_event_file *file)
{
	struct event_link *link;

	list_for_each_entry(link, &event->links, list)
		if (link->file == file)
			return link;
	return NULL;
}

static void set_sinks(struct kprobe_event *event, unsigned int sinks)
{
	/* Pairs with serve() in hit.c: who sees a sink sees what is in it */
	smp_store_release(&event->sinks, sinks);
}

static int add_file(struct kprobe_event *event, struct trace_event_file *file)
{
	struct event_link *link = kzalloc(sizeof(*link), GFP_KERNEL);

	if (!link)
		return -ENOMEM;
	event_file_get(file);
	link->file = file;
	list_add_tail_rcu(&link->list, &event->links);
	set_sinks(event, event->sinks | EVENT_SINK_TRACE);
	return 0;
}

static void free_link(struct rcu_head *rcu)
{
	struct event_link *link = container_of(rcu, struct event_link, rcu);

	event_file_put(link->file);
	kfree(link);
}

static void remove_link(struct kprobe_event *event, struct event_link *link)
{
	list_del_rcu(&link->list);
	if (list_empty(&event->links))
		set_sinks(event, event->sinks & ~EVENT_SINK_TRACE);
	event->retired = get_state_synchronize_rcu();
	call_rcu(&link->rcu, free_link);
}

/**
 * event_probe_is_live() - can this probe be hit
 * @probe: the probe
 *
 * Context: event_mutex held.
 * Return: false while its module is not there.
 */
bool event_probe_is_live(struct event_probe *probe)
{
	return probe->is_registered && !kprobe_gone(&probe->rp.kp);
}

static int take_sink(struct kprobe_event *event, struct trace_event_file *file)
{
	if (file)
		return add_file(event, file);
	set_sinks(event, event->sinks | EVENT_SINK_PERF);
	return 0;
}

static void drop_sink(struct kprobe_event *event, struct trace_event_file *file)
{
	struct event_link *link = file ? find_link(event, file) : NULL;

	if (link)
		remove_link(event, link);
	else if (!file)
		set_sinks(event, event->sinks & ~EVENT_SINK_PERF);
}

static int event_on(struct kprobe_event *event, struct trace_event_file *file)
{
	bool was_on = event->sinks;
	int ret = take_sink(event, file);

	if (ret || was_on)
		return ret;
	ret = event_batch_add(event);
	if (ret)
		drop_sink(event, file);
	return ret;
}

static int event_off(struct kprobe_event *event, struct trace_event_file *file)
{
	bool was_on = event->sinks;

	drop_sink(event, file);
	return was_on && !event->sinks ? event_batch_add(event) : 0;
}

#ifdef CONFIG_PERF_EVENTS
static int perf_on(struct kprobe_event *event)
{
	int ret = event_on(event, NULL);

	/* Our caller frees at once what hits of the probes that were on look at */
	if (ret)
		tracepoint_synchronize_unregister();
	return ret;
}

static int reg_perf(struct kprobe_event *event, enum trace_reg type)
{
	switch (type) {
	case TRACE_REG_PERF_REGISTER:
		return perf_on(event);
	case TRACE_REG_PERF_UNREGISTER:
		return event_off(event, NULL);
	default:
		return 0;
	}
}
#else
static int reg_perf(struct kprobe_event *event, enum trace_reg type)
{
	return 0;
}
#endif

/**
 * kprobe_event_reg() - trace_event_class::reg of kprobe events
 * @call: the event
 * @type: what is wanted
 * @data: the trace event file, where @type has to do with one
 *
 * Context: event_mutex held.
 * Return: 0, or an error of the core: the event is off then as it was before. In
 * a batch of events such an error comes at its end.
 */
int kprobe_event_reg(struct trace_event_call *call, enum trace_reg type, void *data)
{
	struct kprobe_event *event = kprobe_event_of(call);

	switch (type) {
	case TRACE_REG_REGISTER:
		return event_on(event, data);
	case TRACE_REG_UNREGISTER:
		return event_off(event, data);
	default:
		return reg_perf(event, type);
	}
}
