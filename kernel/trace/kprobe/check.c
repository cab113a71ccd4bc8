// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Findings: what a definition that begins with '?' would become.
 *
 * define.c makes the probe, asks for its finding, and undoes everything.
 */
#include <linux/slab.h>

#include "check.h"
#include "probe.h"

static char *check_find_place(const struct trace_kprobe *probe)
{
	if (!probe->is_registered)
		return kstrdup("in a module that is not loaded", GFP_KERNEL);
	return kasprintf(GFP_KERNEL, "%pS", probe->rp.kp.addr);
}

static char *check_find_method(const struct trace_kprobe *probe)
{
	struct kprobe_way way;

	if (!probe->is_registered || !kprobe_find_way(&probe->rp.kp, &way))
		return kstrdup("known when the module is loaded", GFP_KERNEL);
	return kasprintf(GFP_KERNEL, "%s%s%s, %s", way.method, *way.form ? " " : "",
			 way.form, way.why);
}

static const char *check_find_texts(const struct fetch_args *args)
{
	return fetch_args_vary(args) ? " and the strings" : "";
}

/**
 * probe_check_finding() - describe what a definition would become
 * @probe: the probe, with its event; registered unless its module is not loaded
 *
 * Context: event_mutex held; may sleep.
 * Return: lines of text, to be freed with kfree(); or NULL without memory.
 */
char *probe_check_finding(const struct trace_kprobe *probe)
{
	char *location __free(kfree) = trace_kprobe_location_name(&probe->location);
	char *place __free(kfree) = check_find_place(probe);
	char *method __free(kfree) = check_find_method(probe);
	const struct kprobe_event *event = probe->event;

	lockdep_assert_held(&event_mutex);
	if (!location || !place || !method)
		return NULL;
	return kasprintf(GFP_KERNEL,
			 "%c:%s/%s %s\n  place: %s\n  method: %s\n  record: %u bytes%s\n",
			 probe->location.is_return ? 'r' : 'p', event->call.class->system,
			 event->call.name, location, place, method, probe->args->record_size,
			 check_find_texts(probe->args));
}
