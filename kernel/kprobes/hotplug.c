// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * CPUs that come up and go: no handler runs on one while RCU does not know it.
 */
#include <linux/cpuhotplug.h>
#include <linux/init.h>
#include <linux/irq_work.h>
#include <linux/kprobes.h>
#include <linux/minmax.h>
#include <linux/percpu.h>
#include <linux/smp.h>
#include "context.h"

/* The mark of a CPU that RCU does not know */
struct kprobe kprobe_absent_mark;

static void hotplug_mark_cpu(unsigned int cpu, struct kprobe *mark)
{
	int i;

	for (i = 0; i < KPROBE_CONTEXTS; i++)
		WRITE_ONCE(per_cpu(current_kprobe, cpu)[i], mark);
}

static int hotplug_prepare_cpu(unsigned int cpu)
{
	hotplug_mark_cpu(cpu, &kprobe_absent_mark);
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
	hotplug_mark_cpu(cpu, NULL);
}

/**
 * kprobe_cpu_dying() - let handlers run on this CPU no more
 *
 * Called before RCU is told, and not from a function that returns afterwards: its return
 * would find RCU gone. At its own return a handler would run in spite of the marks, so it must
 * not be probed.
 *
 * smpcfd_dying_cpu() has run the CPU's irq_works for the last time, but handlers have run
 * since, and may have queued more. The CPU takes no interrupt any more. Work left in its
 * list would stay there when the CPU returns, and irq_work_queue() raises no interrupt
 * while the list has work: no irq_work would ever run on the CPU again. The marks come
 * first, so that no handler queues work after this.
 *
 * Context: the idle task of a CPU that goes, interrupts off.
 */
void kprobe_cpu_dying(void)
{
	hotplug_mark_cpu(smp_processor_id(), &kprobe_absent_mark);
	irq_work_run();
}
NOKPROBE_SYMBOL(kprobe_cpu_dying);

/*
 * The CPUs that come up before this have no mark. They hit no probe: only an early_initcall
 * could have registered one, and none does.
 */
static int __init hotplug_init(void)
{
	int ret = cpuhp_setup_state_nocalls(CPUHP_BP_PREPARE_DYN, "kprobe:prepare",
					    hotplug_prepare_cpu, NULL);

	return min(ret, 0);
}
core_initcall(hotplug_init);
