// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * perf and BPF on kprobe events: hits, and the events that belong to one perf
 * event alone (the "kprobe" PMU), which no file shows.
 */
#include <linux/bpf.h>
#include <linux/error-injection.h>
#include <linux/kallsyms.h>
#include <linux/perf_event.h>
#include <linux/slab.h>

#include "../trace_probe.h"
#include "event.h"
#include "record.h"

static enum outcome write_perf(const struct record_plan *plan,
			       struct trace_event_call *call, struct hlist_head *head)
{
	/* perf puts a u32 in front and wants the two to end on a u64 */
	int size = ALIGN(plan->size + sizeof(u32), sizeof(u64)) - sizeof(u32);
	unsigned long ip;
	void *record;
	int rctx;

	record = perf_trace_buf_alloc(size, NULL, &rctx);
	if (!record)
		return OUTCOME_LOST;
	record_write(plan, record);
	ip = record_trace_from_hit(plan);
	perf_trace_buf_submit(record, size, rctx, call->event.type, 1, plan->regs, head, NULL);
	instruction_pointer_set(plan->regs, ip);
	return OUTCOME_SERVED;
}
NOKPROBE_SYMBOL(write_perf);

static enum outcome write_if_open(struct record_plan *plan, struct trace_event_call *call)
{
	struct hlist_head *head = this_cpu_ptr(call->perf_events);
	enum outcome outcome;

	if (hlist_empty(head))
		return OUTCOME_SERVED;
	if (!record_prepare(plan))
		return OUTCOME_LOST;
	outcome = write_perf(plan, call, head);
	record_finish(plan);
	return outcome;
}
NOKPROBE_SYMBOL(write_if_open);

/* What the BPF programs say: is the record wanted */
static bool programs_want(struct trace_event_call *call, struct pt_regs *regs)
{
	return !bpf_prog_array_valid(call) || trace_call_bpf(call, regs);
}
NOKPROBE_SYMBOL(programs_want);

/**
 * event_perf_hit() - let BPF programs and perf events see a hit
 * @plan: the plan of the record
 * @event: the event
 * @outcome: what became of the hit is added
 *
 * Return: 1 if a program has changed where to go on, else 0.
 */
int event_perf_hit(struct record_plan *plan, struct kprobe_event *event,
		   unsigned int *outcome)
{
	unsigned long ip = instruction_pointer(plan->regs);
	bool wanted = programs_want(&event->call, plan->regs);
	bool diverted = instruction_pointer(plan->regs) != ip;

	if (diverted || !wanted)
		*outcome |= OUTCOME_SERVED;
	else
		*outcome |= write_if_open(plan, &event->call);
	return diverted;
}
NOKPROBE_SYMBOL(event_perf_hit);

static int local_place(struct probe_place *place, const char *func, unsigned long addr,
		       unsigned long offset, bool is_return)
{
	place->is_return = is_return;
	place->offset = func ? offset : addr;
	if (!func)
		return 0;
	place->symbol = kstrdup(func, GFP_KERNEL);
	if (!place->symbol)
		return -ENOMEM;
	return kprobe_event_lookup.symbol_check(&kprobe_event_lookup, func);
}

static struct kprobe_event *make_event(struct event_probe *probe, const char *name)
{
	struct kprobe_event *event;

	event = kprobe_event_alloc(KPROBE_EVENT_GROUP, name, probe->place.is_return,
				   probe->args);
	if (IS_ERR(event))
		return event;
	event->is_local = true;
	list_add(&probe->sibling, &event->probes);
	probe->event = event;
	return event;
}

static struct kprobe_event *start_local(struct event_probe *probe, const char *name)
{
	struct kprobe_event *event = make_event(probe, name);
	int ret;

	if (IS_ERR(event)) {
		event_probe_free(probe);
		return event;
	}
	scoped_guard(mutex, &event_mutex)
		ret = event_probe_register(probe);
	if (!ret)
		return event;
	event_probe_free(probe);
	kprobe_event_free(event);
	/* Why exactly is for error_log; who opened a perf event has no such thing */
	return ERR_PTR(ret == -EACCES ? -EINVAL : ret);
}

static struct kprobe_event *define_local(struct probe_definition *def, const char *name)
{
	struct event_probe *probe;

	def->args = kzalloc(sizeof(*def->args), GFP_KERNEL);
	if (!def->args)
		return ERR_PTR(-ENOMEM);
	probe = event_probe_alloc(def);
	return IS_ERR(probe) ? ERR_CAST(probe) : start_local(probe, name);
}

/**
 * create_local_trace_kprobe() - make an event for one perf event
 * @func: the function, or NULL
 * @addr: the address where @func is NULL
 * @offs: from @func
 * @is_return: a return probe, not an entry probe
 *
 * Context: may sleep.
 * Return: the event, or an error pointer: -ENOENT where there is no such symbol,
 * -EADDRNOTAVAIL where there are several, -EPERM under lockdown, or what
 * register_kprobe() says.
 */
struct trace_event_call *create_local_trace_kprobe(char *func, void *addr,
						   unsigned long offs, bool is_return)
{
	struct probe_definition def = {};
	struct kprobe_event *event;
	int ret;

	ret = local_place(&def.place, func, (unsigned long)addr, offs, is_return);
	event = ret ? ERR_PTR(ret) : define_local(&def, func ?: "address");
	probe_definition_free(&def);
	return IS_ERR(event) ? ERR_CAST(event) : &event->call;
}

/**
 * destroy_local_trace_kprobe() - undo create_local_trace_kprobe()
 * @call: what it returned, switched off
 *
 * Nobody else knows the event: event_mutex may be held, or not.
 *
 * Context: may sleep, waits for nothing.
 */
void destroy_local_trace_kprobe(struct trace_event_call *call)
{
	struct kprobe_event *event = kprobe_event_of(call);
	struct event_probe *probe = kprobe_event_first(event);

	if (WARN_ON_ONCE(!event->is_local || event->sinks))
		return;
	event_probe_unregister(probe);
	event_probe_retire(probe);
	kprobe_event_retire(event);
}

/**
 * trace_kprobe_on_func_entry() - is every probe of an event where a function begins
 * @call: the event
 *
 * Context: may sleep; inside of perf's mutexes, event_mutex is not to be taken.
 * Return: true if so: a BPF program may then make the function return at once.
 */
bool trace_kprobe_on_func_entry(struct trace_event_call *call)
{
	struct kprobe_event *event = kprobe_event_of(call);
	struct event_probe *probe;

	guard(mutex)(&kprobe_event_probes_mutex);
	list_for_each_entry(probe, &event->probes, sibling)
		if (!(probe->rp.kp.flags & KPROBE_FLAG_ON_FUNC_ENTRY))
			return false;
	return true;
}

/**
 * trace_kprobe_error_injectable() - may all functions an event probes be made fail
 * @call: the event
 *
 * Context: may sleep; inside of perf's mutexes, event_mutex is not to be taken.
 * Return: true if each is on the list of those that may.
 */
bool trace_kprobe_error_injectable(struct trace_event_call *call)
{
	struct kprobe_event *event = kprobe_event_of(call);
	struct event_probe *probe;

	guard(mutex)(&kprobe_event_probes_mutex);
	list_for_each_entry(probe, &event->probes, sibling)
		if (!within_error_injection_list(event_probe_address(probe)))
			return false;
	return true;
}

static bool has_overriding_program(struct trace_event_call *call)
{
	struct bpf_prog_array_item *item;
	struct bpf_prog_array *programs;

	guard(rcu)();
	programs = rcu_dereference(call->prog_array);
	if (!programs)
		return false;
	for (item = programs->items; READ_ONCE(item->prog); item++)
		if (READ_ONCE(item->prog)->kprobe_override)
			return true;
	return false;
}

/**
 * event_perf_admits() - may a probe join its event, with the programs there are
 * @probe: the probe, registered, not armed
 *
 * A program that makes functions return at once was asked where it does so when it
 * was attached: trace_kprobe_on_func_entry(), trace_kprobe_error_injectable(). One
 * that is between being asked and being attached is not seen.
 *
 * Return: true if there is no such program, or if the answer stays the same.
 */
bool event_perf_admits(struct event_probe *probe)
{
	if (!has_overriding_program(&probe->event->call))
		return true;
	return probe->rp.kp.flags & KPROBE_FLAG_ON_FUNC_ENTRY &&
	       within_error_injection_list(event_probe_address(probe));
}

/**
 * bpf_get_kprobe_info() - tell what a perf event with a BPF program probes
 * @event: the perf event
 * @fd_type: gets BPF_FD_TYPE_KPROBE or BPF_FD_TYPE_KRETPROBE
 * @symbol: gets the function, or NULL
 * @probe_offset: gets the offset from it
 * @probe_addr: gets the address, or 0 if the caller must not see addresses
 * @missed: gets the misses, unless NULL
 * @perf_type_tracepoint: it was opened by its id
 *
 * Return: 0.
 */
int bpf_get_kprobe_info(const struct perf_event *event, u32 *fd_type, const char **symbol,
			u64 *probe_offset, u64 *probe_addr, unsigned long *missed,
			bool perf_type_tracepoint)
{
	struct event_probe *probe = kprobe_event_first(kprobe_event_of(event->tp_event));
	bool by_symbol = probe->place.symbol;

	*fd_type = probe->place.is_return ? BPF_FD_TYPE_KRETPROBE : BPF_FD_TYPE_KPROBE;
	*symbol = probe->place.symbol;
	*probe_offset = by_symbol ? probe->place.offset : 0;
	*probe_addr = 0;
	if (kallsyms_show_value(current_cred()))
		*probe_addr = (unsigned long)probe->rp.kp.addr;
	if (missed)
		*missed = event_probe_missed(probe);
	return 0;
}
