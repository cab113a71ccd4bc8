// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Probes: made, registered with the core, shown, counted, freed. Each stands for one
 * place in the kernel.
 */
#include <linux/fs.h>
#include <linux/kallsyms.h>
#include <linux/percpu.h>
#include <linux/security.h>
#include <linux/slab.h>
#include <linux/stddef.h>

#include "counter.h"
#include "fetch_keep.h"
#include "probe.h"

/* Entry probes, which end with their kprobe */
static struct kmem_cache *entry_cache __ro_after_init;

static enum record_shape record_shape_of(const struct fetch_args *args)
{
	if (!args->nr)
		return RECORD_BARE;
	if (fetch_args_are_words(args))
		return RECORD_WORDS;
	return fetch_args_vary(args) ? RECORD_VARIES : RECORD_VALUES;
}

static void trace_kprobe_set_handlers(struct trace_kprobe *probe,
				      const struct probe_definition *def,
				      const struct trace_kprobe_handlers *handlers)
{
	enum record_shape shape = record_shape_of(def->args);

	if (!def->location.is_return) {
		probe->rp.kp.pre_handler = handlers->entry[shape];
		return;
	}
	probe->rp.handler = handlers->ret[shape];
	if (def->args->kept_values)
		probe->rp.entry_handler = handlers->keep_values;
	else if (def->args->nr_kept)
		probe->rp.entry_handler = handlers->keep;
}

static struct trace_kprobe *trace_kprobe_zalloc(bool is_return)
{
	if (is_return)
		return kzalloc(sizeof(struct trace_kprobe), GFP_KERNEL);
	return kmem_cache_zalloc(entry_cache, GFP_KERNEL);
}

/**
 * trace_kprobe_alloc() - make a probe
 * @def: its definition; the probe takes location and arguments
 * @handlers: called when it hits
 *
 * The probe has no event yet and is not registered.
 *
 * Context: may sleep.
 * Return: the probe, or an error pointer; @def is unchanged then.
 */
struct trace_kprobe *trace_kprobe_alloc(struct probe_definition *def,
					const struct trace_kprobe_handlers *handlers)
{
	struct trace_kprobe *probe = trace_kprobe_zalloc(def->location.is_return);

	if (!probe)
		return ERR_PTR(-ENOMEM);
	probe->hits = event_counter_alloc();
	if (!probe->hits) {
		kfree(probe);
		return ERR_PTR(-ENOMEM);
	}
	INIT_LIST_HEAD(&probe->sibling);
	INIT_LIST_HEAD(&probe->devent.list);
	trace_kprobe_set_handlers(probe, def, handlers);
	probe->maxactive = def->maxactive;
	probe->location = def->location;
	probe->function = def->function;
	probe->args = def->args;
	def->location.symbol = NULL;
	def->args = NULL;
	return probe;
}

/**
 * trace_kprobe_free() - free a probe that no hit can reach
 * @probe: the probe, or NULL
 */
void trace_kprobe_free(struct trace_kprobe *probe)
{
	if (!probe)
		return;
	event_counter_free(probe->hits);
	fetch_args_free(probe->args);
	probe_location_free(&probe->location);
	kfree(probe);
}

static void trace_kprobe_free_after_hits(struct rcu_head *rcu)
{
	trace_kprobe_free(container_of(rcu, struct trace_kprobe, rcu));
}

/**
 * trace_kprobe_retire() - free a probe after the last hit that uses it
 * @probe: a probe that is not registered and is in no list of siblings
 *
 * Context: any.
 */
void trace_kprobe_retire(struct trace_kprobe *probe)
{
	call_rcu(&probe->rcu, trace_kprobe_free_after_hits);
}

/* What the core has counted: hits that it missed */
static unsigned long trace_kprobe_client_missed(const struct trace_kprobe *probe)
{
	const struct kretprobe *rp = &probe->rp;

	return rp->kp.nmissed + (probe->location.is_return ? (unsigned int)rp->nmissed : 0);
}

/* The core writes its results to the client: each attempt begins from zeros. */
static void trace_kprobe_init_client(struct trace_kprobe *probe)
{
	struct kretprobe *rp = &probe->rp;
	struct kprobe kp = {
		.addr	= (kprobe_opcode_t *)probe->function.address,
		.flags	= KPROBE_FLAG_DISABLED,
	};

	if (!probe->location.is_return) {
		kp.pre_handler = rp->kp.pre_handler;
		rp->kp = kp;
		return;
	}
	*rp = (struct kretprobe) {
		.kp		= kp,
		.handler	= rp->handler,
		.entry_handler	= rp->entry_handler,
		.data_size	= fetch_kept_size(probe->args),
		.maxactive	= probe->maxactive,
	};
}

/* The counts that the core keeps with its client, by the reasons */
static void trace_kprobe_add_misses(const struct trace_kprobe *probe, unsigned long *counts)
{
	const struct kprobe *kp = &probe->rp.kp;

	counts[COUNT_NESTED] += kprobe_missed(kp, KPROBE_MISSED_NESTED);
	counts[COUNT_NO_INSTANCE] += kprobe_missed(kp, KPROBE_MISSED_NO_INSTANCE);
	counts[COUNT_UNWATCHED] += kprobe_missed(kp, KPROBE_MISSED_UNWATCHED);
	counts[COUNT_RETIRING] += kprobe_missed(kp, KPROBE_MISSED_RETIRING);
	counts[COUNT_DIVERTED] += kprobe_missed(kp, KPROBE_MISSED_DIVERTED);
}

/*
 * They begin from zeros. kprobe_profile shows the misses so far with @lost from now on, but
 * the event still knows their reasons.
 */
static int trace_kprobe_keep_misses(struct trace_kprobe *probe)
{
	unsigned long missed = trace_kprobe_client_missed(probe);
	int ret;

	if (!missed)
		return 0;
	ret = kprobe_event_make_past(probe->event);
	if (ret)
		return ret;
	trace_kprobe_add_misses(probe, probe->event->past);
	probe->event->past[COUNT_LOST] -= missed;
	atomic_long_add(missed, &probe->lost);
	return 0;
}

static int trace_kprobe_register_client(struct trace_kprobe *probe)
{
	int ret = probe->event ? trace_kprobe_keep_misses(probe) : 0;

	if (ret)
		return ret;
	trace_kprobe_init_client(probe);
	return probe->location.is_return ? register_kretprobe(&probe->rp) :
					register_kprobe(&probe->rp.kp);
}

/**
 * trace_kprobe_register() - make a probe known to the core, disabled
 * @probe: a probe that is not registered
 *
 * Context: event_mutex held since probe->function was looked up.
 * Return: 0; -EPERM under lockdown; -EACCES in a function without ftrace site;
 * or what register_kprobe() says, -ENOENT where the symbol is not there.
 */
int trace_kprobe_register(struct trace_kprobe *probe)
{
	int ret;

	lockdep_assert_held(&event_mutex);
	ret = security_locked_down(LOCKDOWN_KPROBES);
	if (ret)
		return ret;
	if (probe->function.is_pending)
		return -ENOENT;
	if (probe->function.is_notrace)
		return -EACCES;
	ret = trace_kprobe_register_client(probe);
	if (ret)
		return ret;
	probe->is_registered = true;
	kprobe_set_reentrant(&probe->rp.kp);
	return 0;
}

/**
 * trace_kprobe_is_live() - can a probe be hit
 * @probe: the probe
 *
 * Context: event_mutex held.
 * Return: false while its module is not loaded.
 */
bool trace_kprobe_is_live(const struct trace_kprobe *probe)
{
	lockdep_assert_held(&event_mutex);
	return probe->is_registered && !kprobe_gone(&probe->rp.kp);
}

/**
 * trace_kprobe_unregister() - undo trace_kprobe_register()
 * @probe: any probe
 *
 * Waits for nothing: hits may be under way.
 *
 * Context: event_mutex held, unless the event is local.
 */
void trace_kprobe_unregister(struct trace_kprobe *probe)
{
	if (!probe->is_registered)
		return;
	probe->is_registered = false;
	unregister_kprobe_nowait(&probe->rp.kp);
}

/**
 * trace_kprobe_location_name() - a location, as a line has it
 * @location: the location
 *
 * Context: may sleep.
 * Return: the text, for kfree(); or NULL if there is no memory.
 */
char *trace_kprobe_location_name(const struct probe_location *location)
{
	if (!location->symbol)
		return kasprintf(GFP_KERNEL, "0x%lx", location->offset);
	if (location->offset)
		return kasprintf(GFP_KERNEL, "%s%+ld", location->symbol, location->offset);
	return kstrdup(location->symbol, GFP_KERNEL);
}

/**
 * trace_kprobe_list() - show a probe in kprobe_events and dynamic_events
 * @probe: a probe whose event has been added
 *
 * Context: event_mutex held.
 */
void trace_kprobe_list(struct trace_kprobe *probe)
{
	lockdep_assert_held(&event_mutex);
	dyn_event_init(&probe->devent, &kprobe_event_ops);
	dyn_event_add(&probe->devent, &probe->event->call);
}

/* The address itself: the line can be written back by a reader who may see addresses. */
static void trace_kprobe_show_location(struct seq_file *m, const struct trace_kprobe *probe,
				       const char *location)
{
	if (probe->location.symbol || kallsyms_show_value(m->file->f_cred))
		seq_printf(m, " %s", location);
	else
		seq_printf(m, " 0x%p", (void *)probe->location.offset);
}

/**
 * trace_kprobe_show() - write the line that defines a probe
 * @m: where to
 * @probe: the probe
 *
 * Context: event_mutex held.
 * Return: 0 or -ENOMEM.
 */
int trace_kprobe_show(struct seq_file *m, const struct trace_kprobe *probe)
{
	char *location __free(kfree) = trace_kprobe_location_name(&probe->location);
	const struct fetch_args *args = probe->args;
	unsigned int i;

	lockdep_assert_held(&event_mutex);
	if (!location)
		return -ENOMEM;
	seq_putc(m, probe->location.is_return ? 'r' : 'p');
	if (probe->maxactive)
		seq_printf(m, "%u", probe->maxactive);
	seq_printf(m, ":%s/%s", probe->event->call.class->system, probe->event->call.name);
	trace_kprobe_show_location(m, probe, location);
	for (i = 0; i < args->nr; i++)
		seq_printf(m, " %s=%s", args->arg[i].name, args->arg[i].text);
	seq_putc(m, '\n');
	return 0;
}

/**
 * trace_kprobe_hits() - how often a probe was hit
 * @probe: the probe
 *
 * Return: the hits whose record was written, or not wanted, on all CPUs.
 */
unsigned long trace_kprobe_hits(const struct trace_kprobe *probe)
{
	return event_counter_sum(probe->hits);
}

/**
 * trace_kprobe_missed() - how often a probe was hit and nothing recorded
 * @probe: the probe
 *
 * Return: the hits whose handler was not called, those of a return probe for want
 * of instances with them, and those whose record the ring buffer refused.
 */
unsigned long trace_kprobe_missed(const struct trace_kprobe *probe)
{
	return trace_kprobe_client_missed(probe) + atomic_long_read(&probe->lost);
}

/**
 * trace_kprobe_add_counts() - add what a probe has counted
 * @probe: the probe
 * @counts: COUNT_OF_EVENT numbers
 *
 * Context: event_mutex held.
 */
void trace_kprobe_add_counts(const struct trace_kprobe *probe, unsigned long *counts)
{
	lockdep_assert_held(&event_mutex);
	trace_kprobe_add_misses(probe, counts);
	counts[COUNT_HITS] += trace_kprobe_hits(probe);
	counts[COUNT_LOST] += atomic_long_read(&probe->lost);
}

/**
 * trace_kprobe_keep_counts() - let an event keep what a probe has counted
 * @probe: a probe that leaves its event; the event has others
 *
 * Context: event_mutex held.
 */
void trace_kprobe_keep_counts(struct trace_kprobe *probe)
{
	lockdep_assert_held(&event_mutex);
	trace_kprobe_add_counts(probe, probe->event->past);
}

/**
 * trace_kprobe_equal() - would two probes write the same records
 * @a: a probe
 * @b: one of the same kind
 *
 * Return: true if location and arguments are the same.
 */
bool trace_kprobe_equal(const struct trace_kprobe *a, const struct trace_kprobe *b)
{
	return probe_location_equal(&a->location, &b->location) &&
	       fetch_args_equal(a->args, b->args);
}

static int __init trace_kprobe_make_cache(void)
{
	entry_cache = kmem_cache_create("trace_kprobe_entry",
					offsetofend(struct trace_kprobe, rp.kp),
					__alignof__(struct trace_kprobe), SLAB_PANIC, NULL);
	return 0;
}
core_initcall(trace_kprobe_make_cache);
