// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * NMIs to order: sent by the APIC of this CPU or of another one.
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
static struct task_struct *sender;
static unsigned int pause;

static int nmi_handler(unsigned int type, struct pt_regs *regs)
{
	return nmi_job(regs) ? NMI_HANDLED : NMI_DONE;
}

/**
 * nmi_init() - make NMIs ready to be ordered
 * @job: what to call in each
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
 * nmi_possible() - has this machine NMIs to order
 *
 * Return: true if so.
 */
bool nmi_possible(void)
{
	return true;
}

/**
 * nmi_send() - have an NMI come on this CPU
 *
 * Context: any but NMI, preemption off.
 */
void nmi_send(void)
{
	__apic_send_IPI_mask(cpumask_of(raw_smp_processor_id()), NMI_VECTOR);
}

static int send_thread(void *cpu)
{
	while (!kthread_should_stop()) {
		__apic_send_IPI_mask(cpumask_of((long)cpu), NMI_VECTOR);
		if (pause)
			usleep_range(pause, 2 * pause);
		else
			cond_resched();
	}
	return 0;
}

/**
 * nmi_storm_begin() - have NMIs come on a CPU, until nmi_storm_end()
 * @cpu: the CPU
 * @us: microseconds from one to the next; 0 for as many as the machine can
 *
 * Return: 0, or a negative error: -ENODEV if there is no other CPU to send them.
 */
int nmi_storm_begin(int cpu, unsigned int us)
{
	int other = cpumask_any_but(cpu_online_mask, cpu);

	if (other >= nr_cpu_ids)
		return -ENODEV;
	sender = kthread_create(send_thread, (void *)(long)cpu, "kprobes_nmi");
	if (IS_ERR(sender))
		return PTR_ERR(sender);
	pause = us;
	kthread_bind(sender, other);
	wake_up_process(sender);
	return 0;
}

/**
 * nmi_storm_end() - undo nmi_storm_begin()
 */
void nmi_storm_end(void)
{
	kthread_stop(sender);
}
