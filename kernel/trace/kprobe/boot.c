// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Events defined on the kernel's command line, kprobe_event=LINE[;LINE]..., and
 * switched on as soon as there are probes.
 *
 * A comma stands for a space there, which would end the parameter.
 */
#include <linux/cache.h>
#include <linux/init.h>
#include <linux/string.h>
#include <asm/setup.h>

#include "event.h"

static char boot_lines[COMMAND_LINE_SIZE] __initdata;

static int __init set_boot_lines(char *text)
{
	strscpy(boot_lines, text, sizeof(boot_lines));
	disable_tracing_selftest("running kprobe events");
	return 1;
}
__setup("kprobe_event=", set_boot_lines);

static void __init define_events(void)
{
	char *rest = strreplace(boot_lines, ',', ' '), *line;
	int ret;

	while ((line = strsep(&rest, ";"))) {
		ret = kprobe_event_run_line(line);
		if (ret)
			pr_warn("kprobe_event: \"%s\" was refused (%d)\n", line, ret);
	}
}

static int __init enable_event(struct trace_event_call *call)
{
	struct trace_array *tr = top_trace_array();
	struct trace_event_file *file = NULL;

	if (tr)
		file = find_event_file(tr, call->class->system, trace_event_name(call));
	return file ? trace_event_enable_disable(file, 1, 0) : -ENOENT;
}

/*
 * Those behind @devent: what bootconfig has defined is not ours to switch on.
 * Nobody else defines events while this runs.
 */
static void __init enable_events_after(struct dyn_event *devent)
{
	int ret = 0;

	guard(mutex)(&event_mutex);
	kprobe_events_begin();
	list_for_each_entry_continue(devent, &dyn_event_list, list)
		ret = enable_event(&event_probe_of(devent)->event->call) ?: ret;
	ret = kprobe_events_commit() ?: ret;
	if (ret)
		pr_warn("kprobe_event: not all could be enabled (%d)\n", ret);
}

static int __init run_boot_lines(void)
{
	struct dyn_event *last;

	if (!boot_lines[0])
		return 0;
	last = list_last_entry(&dyn_event_list, struct dyn_event, list);
	define_events();
	enable_events_after(last);
	return 0;
}
fs_initcall(run_boot_lines);
