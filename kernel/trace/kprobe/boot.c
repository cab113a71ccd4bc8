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

/* Those behind @devent: what bootconfig has defined is not ours to switch on */
static void __init enable_events_after(struct dyn_event *devent)
{
	struct trace_event_call *call;

	list_for_each_entry_continue(devent, &dyn_event_list, list) {
		call = &event_probe_of(devent)->event->call;
		if (trace_set_clr_event(call->class->system, call->name, 1))
			pr_warn("kprobe_event: could not enable %s\n", call->name);
	}
}

/* Nobody else defines events while this runs, and enabling takes event_mutex */
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
