// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * NMIs on request: sent by the APIC of this CPU or of another one.
 */
#include <linux/cpumask.h>
#include <linux/delay.h>
#include <linux/err.h>
#include <linux/kthread.h>
#include <linux/sched.h>
#include <linux/smp.h>
#include <asm/apic.h>
#include <asm/nmi.h>
#include "../nmi.h"

#define NAME	"kprobes_kunit"

static nmi_job_t *nmi_job;
static struct task_struct *nmi_sender;
static unsigned int nmi_pause;

static int nmi_handler(unsigned int type, struct pt_regs *regs)
{
	return nmi_job(regs) ? NMI_HANDLED : NMI_DONE;
}

/**
 * nmi_init() - prepare for NMIs
 * @job: called in each NMI
 *
 * Return: 0 or a negative error.
 */
int nmi_init(nmi_job_t *job)
{
	nmi_job = job;
	return register_nmi_handler(NMI_LOCAL, nmi_handler, 0, NAME);
}

/**
 * nmi_exit_all() - undo nmi_init()
 */
void nmi_exit_all(void)
{
	unregister_nmi_handler(NMI_LOCAL, NAME);
}

/**
 * nmi_possible() - can NMIs be requested on this machine?
 *
 * Return: true if they can.
 */
bool nmi_possible(void)
{
	return true;
}

/**
 * nmi_send() - raise an NMI on this CPU
 *
 * Context: any but NMI, preemption off.
 */
void nmi_send(void)
{
	__apic_send_IPI_mask(cpumask_of(raw_smp_processor_id()), NMI_VECTOR);
}

static int nmi_send_thread(void *cpu)
{
	while (!kthread_should_stop()) {
		__apic_send_IPI_mask(cpumask_of((long)cpu), NMI_VECTOR);
		if (nmi_pause)
			usleep_range(nmi_pause, 2 * nmi_pause);
		else
			cond_resched();
	}
	return 0;
}

/**
 * nmi_storm_begin() - raise NMIs on a CPU until nmi_storm_end()
 * @cpu: the CPU
 * @us: microseconds between two NMIs; 0 for as many as possible
 *
 * Return: 0 or a negative error; -ENODEV if there is no other CPU to send them.
 */
int nmi_storm_begin(int cpu, unsigned int us)
{
	int other = cpumask_any_but(cpu_online_mask, cpu);

	if (other >= nr_cpu_ids)
		return -ENODEV;
	nmi_sender = kthread_create(nmi_send_thread, (void *)(long)cpu, "kprobes_nmi");
	if (IS_ERR(nmi_sender))
		return PTR_ERR(nmi_sender);
	nmi_pause = us;
	kthread_bind(nmi_sender, other);
	wake_up_process(nmi_sender);
	return 0;
}

/**
 * nmi_storm_end() - undo nmi_storm_begin()
 */
void nmi_storm_end(void)
{
	kthread_stop(nmi_sender);
}
