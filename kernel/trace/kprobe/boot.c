// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Events defined on the kernel's command line, kprobe_event=LINE[;LINE]..., and
 * enabled as soon as probes are available.
 *
 * A comma stands for a space, because a space would end the parameter.
 */
#include <linux/cache.h>
#include <linux/init.h>
#include <linux/mutex.h>
#include <linux/printk.h>
#include <linux/string.h>
#include <asm/sections.h>
#include <asm/setup.h>

#include "../trace.h"
#include "../trace_kprobe.h"
#include "event_batch.h"
#include "lookup.h"
#include "probe.h"

static char boot_lines[COMMAND_LINE_SIZE] __initdata;

static int __init boot_set_lines(char *text)
{
	strscpy(boot_lines, text, sizeof(boot_lines));
	disable_tracing_selftest("running kprobe events");
	return 1;
}
__setup("kprobe_event=", boot_set_lines);

static void __init boot_define_events(void)
{
	char *rest = strreplace(boot_lines, ',', ' '), *line;
	int ret;

	while ((line = strsep(&rest, ";"))) {
		ret = kprobe_event_run_line(line);
		if (ret)
			pr_warn("kprobe_event: \"%s\" was refused (%d)\n", line, ret);
	}
}

static int __init boot_enable_event(struct trace_event_call *call)
{
	struct trace_array *tr = top_trace_array();
	struct trace_event_file *file = NULL;

	if (tr)
		file = find_event_file(tr, call->class->system, trace_event_name(call));
	return file ? trace_event_enable_disable(file, 1, 0) : -ENOENT;
}

/* The command line does not enable probes that bootconfig has defined. */
static void __init boot_skip_present_probes(void)
{
	struct dyn_event *devent;

	guard(mutex)(&event_mutex);
	for_each_dyn_event(devent)
		if (is_kprobe_event(devent))
			trace_kprobe_of(devent)->boot_skip = true;
}

static int __init boot_enable_probes(void)
{
	struct trace_kprobe *probe;
	struct dyn_event *devent;
	int ret = 0;

	for_each_dyn_event(devent) {
		if (!is_kprobe_event(devent))
			continue;
		probe = trace_kprobe_of(devent);
		if (!probe->boot_skip)
			ret = boot_enable_event(&probe->event->call) ?: ret;
	}
	return ret;
}

/*
 * Enabled in one batch. A line may have deleted an event of an earlier line or of
 * bootconfig, so the list is read only now.
 */
static void __init boot_enable_events(void)
{
	int ret;

	guard(mutex)(&event_mutex);
	event_batch_begin();
	ret = boot_enable_probes();
	ret = event_batch_commit() ?: ret;
	if (ret)
		pr_warn("kprobe_event: not all events could be enabled (%d)\n", ret);
}

static int __init boot_run_lines(void)
{
	if (!boot_lines[0])
		return 0;
	if (tracing_is_disabled()) {
		pr_warn("kprobe_event: ignored, tracing is disabled\n");
		return 0;
	}
	boot_skip_present_probes();
	boot_define_events();
	boot_enable_events();
	return 0;
}
fs_initcall(boot_run_lines);

static bool boot_is_in_init(unsigned long address, const void *unused)
{
	return init_section_contains((void *)address, 1);
}

/* What only the boot needs is freed soon, and arguments must not read what comes there then. */
static int __init boot_forget_init(void)
{
	struct dyn_event *devent;

	guard(mutex)(&event_mutex);
	kprobe_event_lookup_boot_ends();
	for_each_dyn_event(devent) {
		if (is_kprobe_event(devent))
			fetch_args_forget(trace_kprobe_of(devent)->args, boot_is_in_init, NULL);
	}
	return 0;
}
late_initcall_sync(boot_forget_init);
