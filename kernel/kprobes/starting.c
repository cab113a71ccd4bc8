// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * CPUs that come up: no handler runs on one before RCU knows it.
 */
#include <linux/cpuhotplug.h>
#include <linux/init.h>
#include <linux/kprobes.h>
#include <linux/minmax.h>
#include <linux/percpu.h>
#include "context.h"

/* The mark of a CPU that comes up */
struct kprobe kprobe_coming_mark;

static void starting_mark_cpu(unsigned int cpu, struct kprobe *mark)
{
	int i;

	for (i = 0; i < KPROBE_CONTEXTS; i++)
		WRITE_ONCE(per_cpu(current_kprobe, cpu)[i], mark);
}

static int starting_prepare_cpu(unsigned int cpu)
{
	starting_mark_cpu(cpu, &kprobe_coming_mark);
	return 0;
}

/**
 * kprobe_cpu_starting() - let handlers run on a CPU
 * @cpu: this CPU; grace periods wait for it from now on
 *
 * Context: on the way up of the CPU, interrupts off.
 */
void kprobe_cpu_starting(unsigned int cpu)
{
	starting_mark_cpu(cpu, NULL);
}

/* The CPUs that come up before this have no probes to hit */
static int __init starting_init(void)
{
	int ret = cpuhp_setup_state_nocalls(CPUHP_BP_PREPARE_DYN, "kprobe:prepare",
					    starting_prepare_cpu, NULL);

	return min(ret, 0);
}
core_initcall(starting_init);
