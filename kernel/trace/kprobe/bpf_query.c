// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Questions of BPF about an event: what it probes, and whether programs may make the
 * probed functions return at once.
 */
#include <linux/bpf.h>
#include <linux/error-injection.h>
#include <linux/kallsyms.h>
#include <linux/perf_event.h>

#include "../trace_probe.h"
#include "bpf_query.h"
#include "probe.h"

/**
 * trace_kprobe_on_func_entry() - is every probe of an event at a function entry
 * @call: the event
 *
 * Context: may sleep. Callers hold mutexes of perf: event_mutex must not be taken.
 * Return: true if so: a BPF program may then make the function return at once.
 */
bool trace_kprobe_on_func_entry(struct trace_event_call *call)
{
	struct kprobe_event *event = kprobe_event_of(call);
	struct trace_kprobe *probe;

	guard(mutex)(&kprobe_event_probes_mutex);
	list_for_each_entry(probe, &event->probes, sibling)
		if (!(probe->rp.kp.flags & KPROBE_FLAG_ON_FUNC_ENTRY))
			return false;
	return true;
}

/**
 * trace_kprobe_error_injectable() - may all functions that an event probes be made to fail
 * @call: the event
 *
 * Context: may sleep. Callers hold mutexes of perf: event_mutex must not be taken.
 * Return: true if each is on the list of those that may.
 */
bool trace_kprobe_error_injectable(struct trace_event_call *call)
{
	struct kprobe_event *event = kprobe_event_of(call);
	struct trace_kprobe *probe;

	guard(mutex)(&kprobe_event_probes_mutex);
	list_for_each_entry(probe, &event->probes, sibling)
		if (!within_error_injection_list(trace_kprobe_address(probe)))
			return false;
	return true;
}

/**
 * bpf_query_admits() - do the programs of an event allow a probe to join it
 * @probe: the probe, registered, not armed
 *
 * A program that makes functions return at once is checked against the probes of the
 * event when it is attached: trace_kprobe_on_func_entry(),
 * trace_kprobe_error_injectable(). A probe that joins later must pass the same checks.
 *
 * Context: event_mutex held, the probe in the list of its event unless it is only checked.
 * Return: true if there is no such program, or if the probe passes.
 */
bool bpf_query_admits(struct trace_kprobe *probe)
{
	lockdep_assert_held(&event_mutex);
	if (!trace_call_overrides(&probe->event->call))
		return true;
	return probe->rp.kp.flags & KPROBE_FLAG_ON_FUNC_ENTRY &&
	       within_error_injection_list(trace_kprobe_address(probe));
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
 * Context: any. Probes do not leave an event while perf has it, but for the last
 * reference: see release_may_split().
 * Return: 0.
 */
int bpf_get_kprobe_info(const struct perf_event *event, u32 *fd_type, const char **symbol,
			u64 *probe_offset, u64 *probe_addr, unsigned long *missed,
			bool perf_type_tracepoint)
{
	struct trace_kprobe *probe = kprobe_event_first(kprobe_event_of(event->tp_event));
	bool by_symbol = probe->location.symbol;

	*fd_type = probe->location.is_return ? BPF_FD_TYPE_KRETPROBE : BPF_FD_TYPE_KPROBE;
	*symbol = probe->location.symbol;
	*probe_offset = by_symbol ? probe->location.offset : 0;
	*probe_addr = 0;
	if (kallsyms_show_value(current_cred()))
		*probe_addr = (unsigned long)probe->rp.kp.addr;
	if (missed)
		*missed = trace_kprobe_missed(probe);
	return 0;
}
