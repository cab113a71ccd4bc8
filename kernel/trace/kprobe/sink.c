// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Sinks of events: trace event files and perf.
 *
 * An event is on while it has a sink: files in any number of instances, perf,
 * or both. The first sink arms its probes, the last one disarms them (event_batch.c).
 * Neither waits for hits under way: a hit holds the links, under RCU, and each link
 * holds a reference to its file. The lists of perf that a hit walks live as long as the
 * event (TRACE_EVENT_FL_PERF_RCU).
 */
#include <linux/rculist.h>
#include <linux/slab.h>

#include "event.h"
#include "event_batch.h"
#include "sink.h"

static struct event_link *sink_find_link(struct kprobe_event *event,
					 struct trace_event_file *file)
{
	struct event_link *link;

	hlist_for_each_entry(link, &event->links, node)
		if (link->file == file)
			return link;
	return NULL;
}

static void sink_set_only(struct kprobe_event *event, unsigned int sinks)
{
	struct hlist_node *first = event->links.first;
	struct event_link *only = NULL;

	if (sinks == EVENT_SINK_TRACE && !first->next)
		only = hlist_entry(first, struct event_link, node);
	/* Pairs with event_hit_serve() and event_hit_serve_any() */
	smp_store_release(&event->only, only);
}

static void sink_set(struct kprobe_event *event, unsigned int sinks)
{
	sink_set_only(event, sinks);
	/* Pairs with event_hit_serve_sinks(): a hit that sees a sink sees its links */
	smp_store_release(&event->sinks, sinks);
}

static int sink_add_file(struct kprobe_event *event, struct trace_event_file *file)
{
	struct event_link *link = kzalloc(sizeof(*link), GFP_KERNEL);

	if (!link)
		return -ENOMEM;
	link->tally = event_tally_get(&event->tallies, file);
	if (!link->tally) {
		kfree(link);
		return -ENOMEM;
	}
	event_file_get(file);
	link->file = file;
	link->recorded = link->tally->recorded;
	link->head.type = file->event_call->event.type;
	hlist_add_head_rcu(&link->node, &event->links);
	sink_set(event, event->sinks | EVENT_SINK_TRACE);
	return 0;
}

static void sink_free_link(struct rcu_head *rcu)
{
	struct event_link *link = container_of(rcu, struct event_link, rcu);

	event_file_put(link->file);
	kfree(link);
}

static void sink_remove_link(struct kprobe_event *event, struct event_link *link)
{
	hlist_del_rcu(&link->node);
	sink_set(event, hlist_empty(&event->links) ? event->sinks & ~EVENT_SINK_TRACE :
						     event->sinks);
	event->quiet_after = get_state_synchronize_rcu();
	call_rcu(&link->rcu, sink_free_link);
}

static int sink_take(struct kprobe_event *event, struct trace_event_file *file)
{
	lockdep_assert_held(&event_mutex);
	if (file)
		return sink_add_file(event, file);
	sink_set(event, event->sinks | EVENT_SINK_PERF);
	return 0;
}

static void sink_drop(struct kprobe_event *event, struct trace_event_file *file)
{
	struct event_link *link = file ? sink_find_link(event, file) : NULL;

	lockdep_assert_held(&event_mutex);
	if (link)
		sink_remove_link(event, link);
	else if (!file)
		sink_set(event, event->sinks & ~EVENT_SINK_PERF);
}

static int sink_event_on(struct kprobe_event *event, struct trace_event_file *file)
{
	bool was_on = event->sinks;
	int ret = sink_take(event, file);

	if (ret || was_on)
		return ret;
	ret = event_batch_add(event);
	if (ret) {
		sink_drop(event, file);
		event_batch_add(event);
	}
	return ret;
}

static int sink_event_off(struct kprobe_event *event, struct trace_event_file *file)
{
	bool was_on = event->sinks;

	sink_drop(event, file);
	return was_on && !event->sinks ? event_batch_add(event) : 0;
}

#ifdef CONFIG_PERF_EVENTS
static int sink_reg_perf(struct kprobe_event *event, enum trace_reg type)
{
	switch (type) {
	case TRACE_REG_PERF_REGISTER:
		return sink_event_on(event, NULL);
	case TRACE_REG_PERF_UNREGISTER:
		return sink_event_off(event, NULL);
	default:
		return 0;
	}
}
#else
static int sink_reg_perf(struct kprobe_event *event, enum trace_reg type)
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
 * Context: any if perf adds an event to a CPU, or removes it. Otherwise the caller is
 * trace_events.c or perf with event_mutex; sink_take() and sink_drop() assert that.
 * Return: 0, or an error of the core: the event is as it was before. In a batch of
 * events such an error comes from the commit.
 */
int kprobe_event_reg(struct trace_event_call *call, enum trace_reg type, void *data)
{
	struct kprobe_event *event = kprobe_event_of(call);

	switch (type) {
	case TRACE_REG_REGISTER:
		return sink_event_on(event, data);
	case TRACE_REG_UNREGISTER:
		return sink_event_off(event, data);
	default:
		return sink_reg_perf(event, type);
	}
}
