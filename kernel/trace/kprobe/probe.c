// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Probes: one place of the kernel each, and what the core is asked to do there.
 */
#include <linux/ftrace.h>
#include <linux/kallsyms.h>
#include <linux/percpu.h>
#include <linux/security.h>
#include <linux/slab.h>

#include "event.h"

/**
 * event_probe_alloc() - make a probe
 * @def: what it is to be; its place and arguments are taken
 *
 * The probe has no event yet and is not registered.
 *
 * Return: the probe, or an error pointer; nothing was taken then.
 */
struct event_probe *event_probe_alloc(struct probe_definition *def)
{
	struct event_probe *probe = kzalloc(sizeof(*probe), GFP_KERNEL);

	if (!probe)
		return ERR_PTR(-ENOMEM);
	probe->hits = alloc_percpu(unsigned long);
	if (!probe->hits) {
		kfree(probe);
		return ERR_PTR(-ENOMEM);
	}
	INIT_LIST_HEAD(&probe->sibling);
	INIT_LIST_HEAD(&probe->devent.list);
	probe->maxactive = def->maxactive;
	probe->place = def->place;
	probe->args = def->args;
	def->place.symbol = NULL;
	def->args = NULL;
	return probe;
}

/**
 * event_probe_free() - free a probe no hit can have
 * @probe: the probe, or NULL
 */
void event_probe_free(struct event_probe *probe)
{
	if (!probe)
		return;
	free_percpu(probe->hits);
	fetch_args_free(probe->args);
	probe_place_free(&probe->place);
	kfree(probe);
}

static void free_after_hits(struct rcu_head *rcu)
{
	event_probe_free(container_of(rcu, struct event_probe, rcu));
}

/**
 * event_probe_retire() - free a probe when the last hit has left it
 * @probe: a probe that is not registered any more
 */
void event_probe_retire(struct event_probe *probe)
{
	call_rcu(&probe->rcu, free_after_hits);
}

/* The core leaves its findings in there; each attempt begins from nothing */
static void init_client(struct event_probe *probe)
{
	struct kprobe *kp = &probe->rp.kp;

	atomic_long_add(kp->nmissed + probe->rp.nmissed, &probe->lost);
	memset(&probe->rp, 0, sizeof(probe->rp));
	kp->symbol_name = probe->place.symbol;
	if (kp->symbol_name)
		kp->offset = probe->place.offset;
	else
		kp->addr = (kprobe_opcode_t *)probe->place.offset;
	kp->flags = KPROBE_FLAG_DISABLED;
	if (probe->place.is_return) {
		probe->rp.handler = event_return_hit;
		probe->rp.maxactive = probe->maxactive;
	} else {
		kp->pre_handler = event_entry_hit;
	}
}

/**
 * event_probe_address() - where a probe would be now
 * @probe: the probe
 *
 * Return: the address of the place, 0 if its module is not there.
 */
unsigned long event_probe_address(const struct event_probe *probe)
{
	unsigned long addr;

	if (!probe->place.symbol)
		return probe->place.offset;
	addr = kallsyms_lookup_name(probe->place.symbol);
	return addr ? addr + probe->place.offset : 0;
}

#if defined(CONFIG_DYNAMIC_FTRACE) && !defined(CONFIG_KPROBE_EVENTS_ON_NOTRACE)
static bool has_site(unsigned long addr)
{
	unsigned long size, offset;

	if (!kallsyms_lookup_size_offset(addr, &size, &offset) || !size)
		return true;
	addr -= offset;
	return ftrace_location_range(addr, addr + size - 1);
}

/*
 * A function that ftrace does not know of was left out on purpose, most often
 * because what a probe does ends up in it. Of one in parts the first has the site.
 */
static bool is_notrace(unsigned long addr)
{
	unsigned long origin;

	if (!addr || has_site(addr))
		return false;
	origin = kprobe_function_origin(addr);
	return !origin || !has_site(origin);
}
#else
static bool is_notrace(unsigned long addr)
{
	return false;
}
#endif

static int register_client(struct event_probe *probe)
{
	init_client(probe);
	return probe->place.is_return ? register_kretprobe(&probe->rp) :
					register_kprobe(&probe->rp.kp);
}

/**
 * event_probe_register() - make a probe known to the core, disabled
 * @probe: a probe that is not registered
 *
 * Context: event_mutex held.
 * Return: 0; -EPERM under lockdown; -EACCES in a function without ftrace site;
 * or what register_kprobe() says, -ENOENT where the symbol is not there.
 */
int event_probe_register(struct event_probe *probe)
{
	int ret = security_locked_down(LOCKDOWN_KPROBES);

	if (ret)
		return ret;
	if (is_notrace(event_probe_address(probe)))
		return -EACCES;
	ret = register_client(probe);
	if (ret)
		return ret;
	probe->is_registered = true;
	kprobe_set_reentrant(&probe->rp.kp);
	return 0;
}

/**
 * event_probe_unregister() - undo event_probe_register()
 * @probe: any probe
 *
 * Waits for nothing: hits may be under way.
 *
 * Context: event_mutex held, unless the event is local.
 */
void event_probe_unregister(struct event_probe *probe)
{
	struct kretprobe *rp = &probe->rp;
	struct kprobe *kp = &rp->kp;

	if (!probe->is_registered)
		return;
	probe->is_registered = false;
	if (probe->place.is_return)
		unregister_kretprobes_nowait(&rp, 1);
	else
		unregister_kprobes_nowait(&kp, 1);
}

/**
 * event_probe_place_name() - where a probe is, as a line has it
 * @probe: the probe
 *
 * Return: the text, for kfree(); or NULL if there is no memory.
 */
char *event_probe_place_name(const struct event_probe *probe)
{
	const struct probe_place *place = &probe->place;

	if (!place->symbol)
		return kasprintf(GFP_KERNEL, "0x%lx", place->offset);
	if (place->offset)
		return kasprintf(GFP_KERNEL, "%s+%lu", place->symbol, place->offset);
	return kstrdup(place->symbol, GFP_KERNEL);
}

/**
 * event_probe_hits() - how often a probe was hit
 * @probe: the probe
 *
 * Return: the hits its handler saw, on all CPUs.
 */
unsigned long event_probe_hits(const struct event_probe *probe)
{
	unsigned long hits = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		hits += *per_cpu_ptr(probe->hits, cpu);
	return hits;
}

/**
 * event_probe_missed() - how often a probe was hit and nothing recorded
 * @probe: the probe
 *
 * Return: the hits whose handler was not called, those of a return probe for want
 * of instances with them, and those whose record the ring buffer refused.
 */
unsigned long event_probe_missed(const struct event_probe *probe)
{
	return probe->rp.kp.nmissed + probe->rp.nmissed + atomic_long_read(&probe->lost);
}

/**
 * event_probe_equal() - would two probes write the same records
 * @a: a probe
 * @b: one of the same kind
 *
 * Return: true if place and arguments are the same.
 */
bool event_probe_equal(const struct event_probe *a, const struct event_probe *b)
{
	return probe_place_equal(&a->place, &b->place) && fetch_args_equal(a->args, b->args);
}
