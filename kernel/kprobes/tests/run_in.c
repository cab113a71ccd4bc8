// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Run a function immediately on this CPU, in a given context.
 */
#include <linux/bottom_half.h>
#include <linux/interrupt.h>
#include <linux/irq_work.h>
#include <linux/ktime.h>
#include <linux/preempt.h>
#include <linux/smp.h>
#include "nmi.h"
#include "ours.h"
#include "run_in.h"

const char *const run_context_name[RUN_CONTEXTS] = { "task", "softirq", "irq", "NMI" };

struct job {
	void	(*func)(void *arg);
	void	*arg;
	int	cpu;
	bool	wanted;
};

/* One per context: a job may start another one in a context that interrupts it. */
static struct job run_in_jobs[RUN_CONTEXTS];

static bool job_run(enum run_context context)
{
	struct job *job = &run_in_jobs[context];

	if (!READ_ONCE(job->wanted) || job->cpu != raw_smp_processor_id())
		return false;
	job->func(job->arg);
	WRITE_ONCE(job->wanted, false);
	return true;
}

static void job_tasklet(struct tasklet_struct *unused)
{
	job_run(IN_SOFTIRQ);
}

static void job_irq(struct irq_work *unused)
{
	job_run(IN_IRQ);
}

static bool job_nmi(struct pt_regs *regs)
{
	return job_run(IN_NMI);
}

static DECLARE_TASKLET(run_in_tasklet, job_tasklet);
static struct irq_work irq_job = IRQ_WORK_INIT_HARD(job_irq);

static void run_in_start(enum run_context context)
{
	switch (context) {
	case IN_SOFTIRQ:
		/* local_bh_enable() runs the pending softirqs here. */
		local_bh_disable();
		tasklet_schedule(&run_in_tasklet);
		local_bh_enable();
		break;
	case IN_IRQ:
		irq_work_queue(&irq_job);
		break;
	case IN_NMI:
		nmi_send();
		break;
	default:
		break;
	}
}

static bool wait_done(struct job *job)
{
	u64 end = ktime_get_mono_fast_ns() + NSEC_PER_SEC;

	while (READ_ONCE(job->wanted)) {
		if (ktime_get_mono_fast_ns() > end)
			return false;
		cpu_relax();
	}
	return true;
}

/**
 * run_in_possible() - can run_in() run a function in this context?
 * @context: the context
 *
 * Return: false if the machine or the kernel does not have the context.
 */
bool run_in_possible(enum run_context context)
{
	/* Softirqs are tasks on PREEMPT_RT and interrupt nobody */
	if (context == IN_SOFTIRQ)
		return !IS_ENABLED(CONFIG_PREEMPT_RT);
	return context != IN_NMI || nmi_possible();
}

/**
 * run_in() - run a function in a context
 * @context: the context: that of the caller, or one that can interrupt it
 * @func: the function
 * @arg: its argument
 *
 * Context: @context or one below it; interrupts must be on if @context is IN_IRQ.
 * Return: true if the function has run, false if it has not run within a second.
 */
bool run_in(enum run_context context, void (*func)(void *arg), void *arg)
{
	struct job *job = &run_in_jobs[context];
	bool done;

	if (kprobe_context_level() == context) {
		func(arg);
		return true;
	}
	preempt_disable();
	job->func = func;
	job->arg = arg;
	job->cpu = raw_smp_processor_id();
	WRITE_ONCE(job->wanted, true);
	run_in_start(context);
	done = wait_done(job);
	preempt_enable();
	return done;
}

/**
 * run_in_init() - prepare for run_in()
 *
 * Return: 0 or a negative error.
 */
int run_in_init(void)
{
	return nmi_init(job_nmi);
}

/**
 * run_in_exit() - undo run_in_init()
 */
void run_in_exit(void)
{
	nmi_exit_all();
	irq_work_sync(&irq_job);
	tasklet_kill(&run_in_tasklet);
}
