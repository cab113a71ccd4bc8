// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Siblings: a probe joins an event that exists.
 *
 * The probe must be of the event's kind (entry or return), and its arguments must have the
 * names, types and order of the event's fields. It must not need a fault word that the event
 * lacks, nor repeat a probe that the event has. A refused probe leaves the event as it was.
 */
#include "join.h"
#include "probe.h"

static int join_check_kind(struct kprobe_event *event, const struct trace_kprobe *probe,
			   struct probe_error *err)
{
	if (event->is_return == probe->location.is_return)
		return 0;
	return probe_error_set(err, PROBE_ERR_DIFF_PROBE_TYPE, 0);
}

/* The arguments have the names, types and order of the event. */
static int join_check_args(struct kprobe_event *event, const struct trace_kprobe *probe,
			   struct probe_error *err)
{
	const struct fetch_args *args = probe->args;
	int nr = fetch_args_differ(kprobe_event_first(event)->args, args);

	if (!nr)
		return 0;
	return probe_error_set(err, PROBE_ERR_DIFF_ARG_TYPE,
			       nr <= args->nr ? args->arg[nr - 1].column : UINT_MAX);
}

static unsigned int join_first_fault(const struct fetch_args *args)
{
	unsigned int i;

	for (i = 0; i < args->nr && !args->arg[i].can_fault; i++)
		;
	return i;
}

/* The layout of the event's records is fixed: a fault word cannot be added to it. */
static int join_check_fault(struct kprobe_event *event, const struct trace_kprobe *probe,
			    struct probe_error *err)
{
	const struct fetch_args *args = probe->args;

	if (event->fields->fault || !args->fault_offset)
		return 0;
	return probe_error_set(err, PROBE_ERR_NO_FAULT_WORD,
			       args->arg[join_first_fault(args)].column);
}

/*
 * Without a look at their text: an event can have thousands of probes. Not known of one whose
 * module is not loaded.
 */
static bool join_is_elsewhere(const struct trace_kprobe *a, const struct trace_kprobe *b)
{
	unsigned long here = trace_kprobe_address(a), there = trace_kprobe_address(b);

	return here != there && here && there;
}

static int join_check_new(struct kprobe_event *event, const struct trace_kprobe *probe,
			  struct probe_error *err)
{
	struct trace_kprobe *other;

	list_for_each_entry(other, &event->probes, sibling)
		if (!join_is_elsewhere(other, probe) && trace_kprobe_equal(other, probe))
			return probe_error_set(err, PROBE_ERR_SAME_PROBE, 0);
	return 0;
}

/**
 * event_join() - let a probe belong to an event; its caller adds it to the others
 * @event: the event
 * @probe: the probe
 * @err: gets the refusal; its column is UINT_MAX if something is missing at the end
 *	of the line
 *
 * Context: event_mutex held.
 * Return: 0, or a negative error with @err set.
 */
int event_join(struct kprobe_event *event, struct trace_kprobe *probe,
	       struct probe_error *err)
{
	int ret = join_check_kind(event, probe, err);

	lockdep_assert_held(&event_mutex);
	if (!ret)
		ret = join_check_args(event, probe, err);
	if (!ret)
		ret = join_check_fault(event, probe, err);
	if (!ret)
		ret = join_check_new(event, probe, err);
	if (ret)
		return ret;
	if (kprobe_event_make_past(event))
		return probe_error_set(err, PROBE_ERR_NO_MEMORY, 0);
	if (event->fields->fault)
		fetch_args_add_fault(probe->args);
	probe->event = event;
	return 0;
}

/**
 * event_join_sort() - keep the listing of an event valid after its probes have changed
 * @event: the event
 *
 * When the listing is written back, the first probe of an event decides whether the event
 * has a fault word. In an event that has one, a probe that needs it becomes the first.
 *
 * Context: event_mutex held.
 */
void event_join_sort(struct kprobe_event *event)
{
	struct trace_kprobe *first = kprobe_event_first(event), *probe;

	lockdep_assert_held(&event_mutex);
	if (!event->fields->fault || first->args->fault_offset)
		return;
	list_for_each_entry(probe, &event->probes, sibling) {
		if (!probe->args->fault_offset)
			continue;
		list_move_tail(&probe->devent.list, &first->devent.list);
		scoped_guard(mutex, &kprobe_event_probes_mutex)
			list_move(&probe->sibling, &event->probes);
		return;
	}
}
