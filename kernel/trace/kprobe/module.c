// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Modules that come and go under the probes of events.
 *
 * A probe can be defined before its module is there, and stays when it has
 * gone. When the module comes (back), the probe is registered, and armed if its
 * event is on. Symbols that arguments read are forgotten with their module and
 * looked up when one comes.
 */
#include <linux/init.h>
#include <linux/module.h>
#include <linux/notifier.h>

#include "event.h"

/*
 * Behind all who have to know of a module first (the higher goes first): jump
 * labels, static calls, and the core with the module's blacklist.
 */
#define NOTIFIER_PRIORITY	(-10)

static bool is_in_module(const struct event_probe *probe, const struct module *module)
{
	size_t len = probe_place_module_len(&probe->place);

	/* What comes to an address is not what was there */
	if (!probe->place.symbol)
		return false;
	if (len)
		return len == strlen(module->name) &&
		       !memcmp(probe->place.symbol, module->name, len);
	return within_module(event_probe_address(probe), module);
}

/* In a module that can be another than the one before */
static int register_again(struct event_probe *probe)
{
	const struct probe_lookup *lookup = &kprobe_event_lookup;
	int ret = lookup->symbol_check(lookup, probe->place.symbol);

	ret = ret ?: event_probe_register(probe);
	if (ret)
		return ret;
	if (!event_perf_admits(probe)) {
		event_probe_unregister(probe);
		return -EINVAL;
	}
	return probe->event->sinks ? enable_kprobe(&probe->rp.kp) : 0;
}

static void come_back(struct event_probe *probe)
{
	struct probe_error err = {};
	int ret;

	/* No hit is left of the code that has gone */
	event_probe_unregister(probe);
	ret = fetch_args_check(probe->args, &probe->place, &kprobe_event_lookup, &err);
	if (!ret) {
		ret = register_again(probe);
		if (ret)
			kprobe_event_refused(probe, ret, 0, &err);
	}
	if (ret)
		kprobe_event_log_late(probe, &err);
}

static bool lacks_symbols(const struct event_probe *probe)
{
	const struct fetch_program *program;
	unsigned int i;

	for (i = 0; i < probe->args->nr; i++) {
		program = &probe->args->arg[i].program;
		if (program->source == FETCH_SYMBOL && !program->value)
			return true;
	}
	return false;
}

/**
 * event_probe_resolve() - look up the symbols that arguments of a probe read
 * @probe: the probe
 *
 * What cannot be found faults until it can.
 *
 * Context: event_mutex held.
 */
void event_probe_resolve(struct event_probe *probe)
{
	struct probe_error ignored = {};

	fetch_args_resolve(probe->args, &kprobe_event_lookup, &ignored);
}

static void forget_symbols(struct event_probe *probe, const struct module *module)
{
	struct fetch_program *program;
	unsigned int i;

	for (i = 0; i < probe->args->nr; i++) {
		program = &probe->args->arg[i].program;
		if (program->source == FETCH_SYMBOL &&
		    within_module(program->value, module))
			WRITE_ONCE(program->value, 0);
	}
}

static void module_came(struct event_probe *probe, const struct module *module)
{
	if (lacks_symbols(probe))
		event_probe_resolve(probe);
	if (!event_probe_is_live(probe) && is_in_module(probe, module))
		come_back(probe);
}

static int module_changes(struct notifier_block *nb, unsigned long state, void *data)
{
	struct dyn_event *devent;

	if (state != MODULE_STATE_COMING && state != MODULE_STATE_GOING)
		return NOTIFY_DONE;
	guard(mutex)(&event_mutex);
	for_each_dyn_event(devent) {
		if (!is_kprobe_event(devent))
			continue;
		if (state == MODULE_STATE_COMING)
			module_came(event_probe_of(devent), data);
		else
			forget_symbols(event_probe_of(devent), data);
	}
	return NOTIFY_DONE;
}

static struct notifier_block module_notifier = {
	.notifier_call	= module_changes,
	.priority	= NOTIFIER_PRIORITY,
};

static __init int watch_modules(void)
{
	return register_module_notifier(&module_notifier);
}
core_initcall(watch_modules);
