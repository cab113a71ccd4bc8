// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Events and modules.
 *
 * A probe may be defined before its module is loaded, and it stays defined after the
 * module is unloaded. When the module is loaded (again), the probe is registered, and
 * armed if its event is enabled. The symbols that arguments read are dropped with
 * their module and looked up again when a module is loaded.
 */
#include <linux/bitmap.h>
#include <linux/init.h>
#include <linux/kallsyms.h>
#include <linux/module.h>
#include <linux/notifier.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <linux/stringhash.h>

#include "bpf_query.h"
#include "log.h"
#include "lookup.h"
#include "module_names.h"
#include "probe.h"

/*
 * Called after all notifiers with a higher priority: jump labels, static calls, and
 * the core with the module's blacklist.
 */
#define NOTIFIER_PRIORITY	(-10)

#define NAMES_BITS		16

/*
 * The names of the symbols of the module that comes or goes, by their hashes. A search for a
 * symbol reads the names of all modules; most probes are not about this one. Under
 * event_mutex.
 */
static DECLARE_BITMAP(event_module_names, BIT(NAMES_BITS));

static unsigned int event_module_name_bit(const char *name)
{
	return full_name_hash(NULL, name, strlen(name)) & (BIT(NAMES_BITS) - 1);
}

static int event_module_note_name(void *unused, const char *name, unsigned long address)
{
	__set_bit(event_module_name_bit(name), event_module_names);
	return 0;
}

static void event_module_note_names(const struct module *module)
{
	bitmap_zero(event_module_names, BIT(NAMES_BITS));
	module_kallsyms_on_each_symbol(module->name, event_module_note_name, NULL);
}

/* May be true of a name that is not there */
static bool event_module_has_name(const char *name)
{
	return test_bit(event_module_name_bit(name), event_module_names);
}

/* The function is in another module, by MOD of the location or by its name */
static bool event_module_is_elsewhere(const struct trace_kprobe *probe, const struct module *module)
{
	size_t len = probe_location_module_len(&probe->location);

	if (!len)
		return !event_module_has_name(probe->location.symbol);
	return len != strlen(module->name) || memcmp(probe->location.symbol, module->name, len);
}

static bool event_module_is_within(const struct trace_kprobe *probe, const struct module *module)
{
	return probe_location_module_len(&probe->location) ||
	       within_module(trace_kprobe_address(probe), module);
}

static int event_module_find_function(struct trace_kprobe *probe)
{
	struct probe_function function;
	int ret;

	ret = kprobe_event_lookup.function(&kprobe_event_lookup, probe->location.symbol,
					   probe->location.offset, &function);
	probe->function.is_entry = function.is_entry;
	probe->function.is_pending = function.is_pending;
	probe->function.is_notrace = function.is_notrace;
	probe->function.is_outside = function.is_outside;
	WRITE_ONCE(probe->function.address, function.address);
	return ret;
}

/* @error is what the look-up of the function said */
static int event_module_register_again(struct trace_kprobe *probe, int error,
				       struct probe_error *err)
{
	int ret = error ?: trace_kprobe_register(probe);

	if (!ret && !bpf_query_admits(probe)) {
		trace_kprobe_unregister(probe);
		probe->event->quiet_after = get_state_synchronize_rcu();
		return probe_error_set(err, PROBE_ERR_EVENT_BUSY, 0);
	}
	return ret ? kprobe_event_refused(probe, ret, 0, err) : 0;
}

static int event_module_come_back(struct trace_kprobe *probe, int error)
{
	struct probe_error err = {};
	struct fetch_context ctx = {
		&probe->location, &probe->function, &kprobe_event_lookup, &err
	};
	int ret;

	/* No hit is in progress: the old code is gone. */
	trace_kprobe_unregister(probe);
	ret = error ? 0 : fetch_args_recheck(probe->args, &ctx);
	fetch_context_end(&ctx);
	ret = ret ?: event_module_register_again(probe, error, &err);
	if (ret)
		kprobe_event_log_late(probe, &err);
	return ret;
}

/**
 * event_module_try_again() - register a probe that was refused when its module came
 * @probe: any probe
 *
 * There may have been no memory then. If it is refused again, error_log has the reason. A probe
 * without MOD goes on waiting while no module has its function.
 *
 * Context: process context, event_mutex held.
 * Return: 0, also if the probe is registered or its module is not loaded; or the error.
 */
int event_module_try_again(struct trace_kprobe *probe)
{
	int ret;

	lockdep_assert_held(&event_mutex);
	if (probe->is_registered || !probe->location.symbol)
		return 0;
	ret = event_module_find_function(probe);
	if (probe->function.is_pending && !(ret && probe_location_module_len(&probe->location)))
		return 0;
	/* The core may still walk over the client, on its way to others of the same point */
	cond_synchronize_rcu(probe->event->quiet_after);
	return event_module_come_back(probe, ret);
}

/* Is a symbol of the module's one that an argument could not find? */
static bool event_module_is_lacked(const struct trace_kprobe *probe)
{
	const struct fetch_program *program;
	unsigned int i;

	for (i = 0; i < probe->args->nr; i++) {
		program = fetch_arg_reader(&probe->args->arg[i]);
		if (program->source == FETCH_SYMBOL && !program->value &&
		    event_module_has_name(program->text))
			return true;
	}
	return false;
}

static bool event_module_has(unsigned long address, const void *module)
{
	return within_module(address, module);
}

static bool event_module_has_for_init(unsigned long address, const void *module)
{
	return within_module_init(address, module);
}

/* A probe at an address keeps it: it does not follow to new code at this address. */
static void event_module_forget_function(struct trace_kprobe *probe, const struct module *module)
{
	if (!probe->location.symbol || !within_module(trace_kprobe_address(probe), module))
		return;
	probe->function.is_pending = true;
	WRITE_ONCE(probe->function.address, 0);
}

static void event_module_came(struct trace_kprobe *probe, const struct module *module,
			      struct kprobe_batch *batch)
{
	struct probe_error ignored = {};
	int ret;

	if (event_module_is_lacked(probe))
		fetch_args_resolve(probe->args, &kprobe_event_lookup, &ignored);
	if (trace_kprobe_is_live(probe) || !probe->location.symbol ||
	    event_module_is_elsewhere(probe, module))
		return;
	ret = event_module_find_function(probe);
	if (event_module_is_within(probe, module) && !event_module_come_back(probe, ret) &&
	    probe->event->sinks)
		kprobe_batch_enable_late(batch, &probe->rp.kp);
}

/* Another module may have a symbol of the same name */
static void event_module_goes(struct trace_kprobe *probe, const struct module *module)
{
	struct probe_error ignored = {};

	fetch_args_forget(probe->args, event_module_has, module);
	if (event_module_is_lacked(probe))
		fetch_args_resolve(probe->args, &kprobe_event_lookup, &ignored);
	event_module_forget_function(probe, module);
}

static void event_module_all_came(const struct module *module)
{
	struct kprobe_batch *batch = kprobe_batch_alloc();
	struct dyn_event *devent;

	for_each_dyn_event(devent) {
		if (is_kprobe_event(devent))
			event_module_came(trace_kprobe_of(devent), module, batch);
		cond_resched();
	}
	kprobe_batch_commit(batch);
	kprobe_batch_put(batch);
}

/* What it needed to initialise itself is freed now */
static void event_module_all_live(const struct module *module)
{
	struct dyn_event *devent;

	for_each_dyn_event(devent) {
		if (is_kprobe_event(devent))
			fetch_args_forget(trace_kprobe_of(devent)->args,
					  event_module_has_for_init, module);
		cond_resched();
	}
}

static void event_module_all_go(const struct module *module)
{
	struct dyn_event *devent;

	for_each_dyn_event(devent) {
		if (is_kprobe_event(devent))
			event_module_goes(trace_kprobe_of(devent), module);
		cond_resched();
	}
}

static int event_module_changes(struct notifier_block *nb, unsigned long state, void *data)
{
	if (state == MODULE_STATE_UNFORMED)
		return NOTIFY_DONE;
	guard(mutex)(&event_mutex);
	if (state == MODULE_STATE_COMING)
		module_names_forget();
	if (list_empty(&dyn_event_list))
		return NOTIFY_DONE;
	if (state == MODULE_STATE_LIVE) {
		event_module_all_live(data);
		return NOTIFY_DONE;
	}
	event_module_note_names(data);
	if (state == MODULE_STATE_COMING)
		event_module_all_came(data);
	else
		event_module_all_go(data);
	return NOTIFY_DONE;
}

static struct notifier_block event_module_notifier = {
	.notifier_call	= event_module_changes,
	.priority	= NOTIFIER_PRIORITY,
};

static __init int event_module_init(void)
{
	return register_module_notifier(&event_module_notifier);
}
core_initcall(event_module_init);
