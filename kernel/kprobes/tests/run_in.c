// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Run a function in a context of the tester's choice, on this CPU, now.
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

/* One a context: a job may start one in a context that can interrupt it */
static struct job jobs[RUN_CONTEXTS];

static bool job_run(enum run_context context)
{
	struct job *job = &jobs[context];

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

static DECLARE_TASKLET(tasklet, job_tasklet);
static struct irq_work irq_job = IRQ_WORK_INIT_HARD(job_irq);

static void start(enum run_context context)
{
	switch (context) {
	case IN_SOFTIRQ:
		/* Enabling them again has them run, here */
		local_bh_disable();
		tasklet_schedule(&tasklet);
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
 * run_in_possible() - can run_in() run something in a context
 * @context: the context
 *
 * Return: false if the machine has no such thing.
 */
bool run_in_possible(enum run_context context)
{
	return context != IN_NMI || nmi_possible();
}

/**
 * run_in() - run a function in a context
 * @context: the context: that of the caller, or one that can interrupt it
 * @func: the function
 * @arg: its argument
 *
 * Context: @context or one below; interrupts on if @context is an irq.
 * Return: true if the function has run, false if it has not within a second.
 */
bool run_in(enum run_context context, void (*func)(void *arg), void *arg)
{
	struct job *job = &jobs[context];
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
	start(context);
	done = wait_done(job);
	preempt_enable();
	return done;
}

/**
 * run_in_init() - make run_in() ready
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
	tasklet_kill(&tasklet);
}
