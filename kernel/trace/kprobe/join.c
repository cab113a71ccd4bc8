// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Siblings: a probe joins an event that is there already.
 *
 * Whatever is refused here leaves the event as it was.
 */
#include "event.h"

static int check_kind(struct kprobe_event *event, const struct event_probe *probe,
		      struct probe_error *err)
{
	if (event->is_return == probe->place.is_return)
		return 0;
	return probe_error_set(err, PROBE_ERR_DIFF_PROBE_TYPE, 0);
}

/* Name and type of each argument are those of the event, and so is the order */
static int check_args(struct kprobe_event *event, const struct event_probe *probe,
		      struct probe_error *err)
{
	const struct fetch_args *args = probe->args;
	int nr = fetch_args_differ(kprobe_event_first(event)->args, args);

	if (!nr)
		return 0;
	return probe_error_set(err, PROBE_ERR_DIFF_ARG_TYPE,
			       nr <= args->nr ? args->arg[nr - 1].column : UINT_MAX);
}

static int check_new(struct kprobe_event *event, const struct event_probe *probe,
		     struct probe_error *err)
{
	struct event_probe *other;

	list_for_each_entry(other, &event->probes, sibling)
		if (event_probe_equal(other, probe))
			return probe_error_set(err, PROBE_ERR_SAME_PROBE, 0);
	return 0;
}

/**
 * event_join() - add a probe to the probes of an event
 * @event: the event
 * @probe: the probe
 * @err: gets what speaks against it, with a column of UINT_MAX where that is
 *	something missing at the end of the line
 *
 * Context: event_mutex held.
 * Return: 0, or a negative error with @err set.
 */
int event_join(struct kprobe_event *event, struct event_probe *probe,
	       struct probe_error *err)
{
	int ret = check_kind(event, probe, err);

	if (!ret)
		ret = check_args(event, probe, err);
	if (!ret)
		ret = check_new(event, probe, err);
	if (ret)
		return ret;
	probe->event = event;
	scoped_guard(mutex, &kprobe_event_probes_mutex)
		list_add_tail(&probe->sibling, &event->probes);
	return 0;
}
