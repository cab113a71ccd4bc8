// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * NMIs on request: the pseudo-NMIs of arm64, which the command line enables. Every
 * pseudo-NMI has an owner; perf provides those of the counters. A counter of an event
 * that only software triggers overflows after one event. A counter of cycles overflows
 * after the number of cycles between two NMIs.
 */
#include <linux/cpufeature.h>
#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/hardirq.h>
#include <linux/minmax.h>
#include <linux/percpu.h>
#include <linux/perf/arm_pmuv3.h>
#include <linux/perf_event.h>
#include <asm/barrier.h>
#include <asm/sysreg.h>
#include "../nmi.h"

#define CYCLES_PER_US	1000	/* QEMU's; other machines are close enough */
#define SHORTEST_US	20	/* between two NMIs, so that other code runs */

static nmi_job_t *nmi_job;
static DEFINE_PER_CPU(struct perf_event *, nmi_sent);
static struct perf_event *nmi_storm_event;

static void nmi_overflow(struct perf_event *event, struct perf_sample_data *data,
			 struct pt_regs *regs)
{
	if (in_nmi())
		nmi_job(regs);
}

static struct perf_event *nmi_make_event(int cpu, u32 type, u64 config, u64 period)
{
	struct perf_event_attr attr = {
		.size		= sizeof(attr),
		.type		= type,
		.config		= config,
		.sample_period	= period,
		.pinned		= 1,
	};

	return perf_event_create_kernel_counter(&attr, cpu, NULL, nmi_overflow, NULL);
}

/**
 * nmi_possible() - can NMIs be requested on this machine?
 *
 * Return: true if they can.
 */
bool nmi_possible(void)
{
	return system_uses_irq_prio_masking();
}

/**
 * nmi_exit_all() - undo nmi_init()
 */
void nmi_exit_all(void)
{
	int cpu;

	for_each_online_cpu(cpu) {
		if (per_cpu(nmi_sent, cpu))
			perf_event_release_kernel(per_cpu(nmi_sent, cpu));
		per_cpu(nmi_sent, cpu) = NULL;
	}
}

/**
 * nmi_init() - prepare for NMIs
 * @job: called in each NMI
 *
 * Return: 0, also if the machine has none; or a negative error.
 */
int nmi_init(nmi_job_t *job)
{
	struct perf_event *event;
	int cpu;

	nmi_job = job;
	if (!nmi_possible())
		return 0;
	for_each_online_cpu(cpu) {
		event = nmi_make_event(cpu, PERF_TYPE_RAW, ARMV8_PMUV3_PERFCTR_SW_INCR, 1);
		if (IS_ERR(event)) {
			nmi_exit_all();
			return PTR_ERR(event);
		}
		per_cpu(nmi_sent, cpu) = event;
	}
	return 0;
}

/**
 * nmi_send() - raise an NMI on this CPU
 *
 * Context: any but NMI, preemption off.
 */
void nmi_send(void)
{
	write_sysreg(BIT(this_cpu_read(nmi_sent)->hw.idx), pmswinc_el0);
	isb();
}

/**
 * nmi_storm_begin() - raise NMIs on a CPU until nmi_storm_end()
 * @cpu: the CPU
 * @us: microseconds between two NMIs; 0 for as many as possible
 *
 * Return: 0 or a negative error; -ENODEV if the machine has none.
 */
int nmi_storm_begin(int cpu, unsigned int us)
{
	if (!nmi_possible())
		return -ENODEV;
	nmi_storm_event = nmi_make_event(cpu, PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES,
					 CYCLES_PER_US * max(us, SHORTEST_US));
	return PTR_ERR_OR_ZERO(nmi_storm_event);
}

/**
 * nmi_storm_end() - undo nmi_storm_begin()
 */
void nmi_storm_end(void)
{
	perf_event_release_kernel(nmi_storm_event);
}
