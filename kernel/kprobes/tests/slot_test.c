// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What comes while a probed instruction runs in a slot: interrupts and NMIs, whose
 * traces lead to who was probed; and the end of the probe, while the task has been
 * preempted there.
 *
 * The instruction fills memory: it lasts, or is executed so often that what has
 * waited for the end of the trap comes while it is in the slot.
 */
#include <kunit/test.h>
#include <linux/completion.h>
#include <linux/delay.h>
#include <linux/hrtimer.h>
#include <linux/kallsyms.h>
#include <linux/kprobes.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/sched.h>
#include <linux/smp.h>
#include <linux/stacktrace.h>
#include <linux/vmalloc.h>
#include <asm/irq_regs.h>
#include "nmi.h"
#include "ours.h"
#include "slot.h"

#define ENOUGH		20
#define FRAMES		32
#define PERIOD		(NSEC_PER_MSEC / 2)

static u8 *memory;
static unsigned int hits;

static int count_pre(struct kprobe *p, struct pt_regs *regs)
{
	hits++;
	return 0;
}

static void ignore_post(struct kprobe *p, struct pt_regs *regs, unsigned long flags)
{
}

/* Slots are where no symbol is */
static bool in_slot(struct pt_regs *regs)
{
	char text[KSYM_SYMBOL_LEN];

	if (!regs || user_mode(regs))
		return false;
	sprint_symbol(text, instruction_pointer(regs));
	return !strncmp(text, "0x", 2);
}

static noinline void fill_caller(u8 byte)
{
	slot_fill(memory, byte, SLOT_FILLED);
	barrier();
}

static bool is_filled(u8 byte)
{
	return memory[0] == byte && !memchr_inv(memory, byte, SLOT_FILLED);
}

/**
 * struct witness - what handlers of one kind have seen
 * @seen: slots they have interrupted
 * @right: traces that led from there to fill_caller()
 */
struct witness {
	unsigned int	seen;
	unsigned int	right;
};

static struct witness irqs, nmis;
static int watched = -1;

static bool leads_to_caller(const unsigned long *trace, unsigned int num)
{
	unsigned int i;

	for (i = 0; i + 1 < num; i++) {
		if (trace[i] >= (unsigned long)slot_fill_at &&
		    trace[i] <= (unsigned long)slot_fill_behind)
			return trace[i + 1] - (unsigned long)fill_caller < 128;
	}
	return false;
}

static void look(struct witness *witness, struct pt_regs *regs)
{
	unsigned long trace[FRAMES];

	if (!in_slot(regs))
		return;
	witness->seen++;
	witness->right += leads_to_caller(trace, stack_trace_save(trace, FRAMES, 0));
}

static enum hrtimer_restart watch_irq(struct hrtimer *timer)
{
	look(&irqs, get_irq_regs());
	hrtimer_forward_now(timer, ns_to_ktime(PERIOD));
	return HRTIMER_RESTART;
}

static bool watch_nmi(struct pt_regs *regs)
{
	if (raw_smp_processor_id() != READ_ONCE(watched))
		return false;
	look(&nmis, regs);
	return true;
}

static bool enough(void)
{
	return irqs.seen >= ENOUGH && (!nmi_possible() || nmis.seen >= ENOUGH);
}

static void fill_and_watch(struct kunit *test)
{
	unsigned long end = jiffies + 20 * HZ;
	unsigned int rounds = 0;

	for (hits = 0; !enough() && time_before(jiffies, end); rounds++) {
		fill_caller(rounds);
		KUNIT_EXPECT_TRUE(test, is_filled(rounds));
	}
	KUNIT_EXPECT_EQ(test, hits, rounds * SLOT_FILL_HITS);
}

/* On a CPU that is interrupted all the time, by NMIs too where there are some */
static void run_watched(struct kunit *test, int cpu)
{
	struct hrtimer timer;
	int storm = nmi_storm_begin(cpu, PERIOD / NSEC_PER_USEC);

	KUNIT_EXPECT_EQ(test, storm, nmi_possible() ? 0 : -ENODEV);
	hrtimer_init(&timer, CLOCK_MONOTONIC, HRTIMER_MODE_REL_PINNED_HARD);
	timer.function = watch_irq;
	WRITE_ONCE(watched, cpu);
	hrtimer_start(&timer, ns_to_ktime(PERIOD), HRTIMER_MODE_REL_PINNED_HARD);
	fill_and_watch(test);
	hrtimer_cancel(&timer);
	if (!storm)
		nmi_storm_end();
	WRITE_ONCE(watched, -1);
}

static void check_witness(struct kunit *test, const struct witness *witness)
{
	KUNIT_EXPECT_GE(test, witness->seen, ENOUGH);
	KUNIT_EXPECT_EQ(test, witness->right, witness->seen);
}

static void check_traces(struct kunit *test, struct kprobe *p)
{
	int cpu = cpumask_first(cpu_online_mask);

	memset(&irqs, 0, sizeof(irqs));
	memset(&nmis, 0, sizeof(nmis));
	KUNIT_ASSERT_EQ(test, set_cpus_allowed_ptr(current, cpumask_of(cpu)), 0);
	KUNIT_ASSERT_EQ(test, register_kprobe(p), 0);
	run_watched(test, cpu);
	unregister_kprobe(p);
	set_cpus_allowed_ptr(current, cpu_possible_mask);
	check_witness(test, &irqs);
	if (nmi_possible())
		check_witness(test, &nmis);
	kunit_info(test, "%u interrupts and %u NMIs in the slot", irqs.seen, nmis.seen);
}

static void test_traces(struct kunit *test)
{
	struct kprobe p = { .addr = (void *)slot_fill_at, .pre_handler = count_pre };

	check_traces(test, &p);
}

/* The form that ends in a trap */
static void test_traces_post(struct kunit *test)
{
	struct kprobe p = {
		.addr = (void *)slot_fill_at,
		.pre_handler = count_pre,
		.post_handler = ignore_post,
	};

	check_traces(test, &p);
}

/*
 * A task is preempted in the slot, and stays so while its probe goes and others
 * come. It goes on where it was. The others are disabled: they have slots, and
 * nothing else has to wait for the task.
 */
static struct kprobe others[SLOT_OTHERS];
static DECLARE_COMPLETION(filled);

static struct task_struct *hogs[2];
static bool caught;

/* Who interrupts the slot has it preempted, on the way out of the interrupt */
static enum hrtimer_restart preempt_in_slot(struct hrtimer *timer)
{
	if (in_slot(get_irq_regs())) {
		WRITE_ONCE(caught, true);
		wake_up_process(hogs[0]);
		wake_up_process(hogs[1]);
		return HRTIMER_NORESTART;
	}
	hrtimer_forward_now(timer, ns_to_ktime(PERIOD));
	return HRTIMER_RESTART;
}

static int fill_thread(void *unused)
{
	struct hrtimer timer;

	hrtimer_init(&timer, CLOCK_MONOTONIC, HRTIMER_MODE_REL_PINNED_HARD);
	timer.function = preempt_in_slot;
	hrtimer_start(&timer, ns_to_ktime(PERIOD), HRTIMER_MODE_REL_PINNED_HARD);
	do
		slot_fill(memory, 0x5a, SLOT_FILLED);
	while (!READ_ONCE(caught) && !kthread_should_stop());
	hrtimer_cancel(&timer);
	complete(&filled);
	while (!kthread_should_stop())
		msleep(20);
	return 0;
}

static int hog_thread(void *unused)
{
	while (!kthread_should_stop())
		cond_resched();
	return 0;
}

static struct task_struct *create_on(struct kunit *test, int cpu, int nice,
				     int (*func)(void *), const char *name)
{
	struct task_struct *task = kthread_create(func, NULL, "%s", name);

	KUNIT_ASSERT_FALSE(test, IS_ERR(task));
	kthread_bind(task, cpu);
	set_user_nice(task, nice);
	return task;
}

static void register_others(struct kunit *test)
{
	int i;

	memset(others, 0, sizeof(others));
	for (i = 0; i < SLOT_OTHERS; i++) {
		others[i].addr = (void *)slot_others + i * SLOT_OTHERS_SIZE;
		others[i].flags = KPROBE_FLAG_DISABLED;
		KUNIT_EXPECT_EQ(test, register_kprobe(&others[i]), 0);
	}
}

static void unregister_others(void)
{
	int i;

	for (i = 0; i < SLOT_OTHERS; i++)
		unregister_kprobe(&others[i]);
}

/* Let @filler begin, and wait for it to be kept from going on in the middle of it */
static void preempt(struct kunit *test, struct task_struct *filler)
{
	unsigned long end = jiffies + 10 * HZ;

	memset(memory, 0, SLOT_FILLED);
	WRITE_ONCE(caught, false);
	reinit_completion(&filled);
	wake_up_process(filler);
	while (!READ_ONCE(caught) && time_before(jiffies, end))
		msleep(20);
	KUNIT_EXPECT_TRUE(test, caught);
}

/*
 * That a post-handler comes, too, is what makes stock 6.12 give up a jump at once
 * where it was one; for that it gets its time.
 */
static void change_probes(struct kunit *test, struct task_struct *filler)
{
	struct kprobe p = { .addr = (void *)slot_fill_at, .pre_handler = count_pre };
	struct kprobe q = { .addr = (void *)slot_fill_at, .post_handler = ignore_post };

	KUNIT_EXPECT_EQ(test, register_kprobe(&p), 0);
	msleep(OURS ? 0 : 2000);
	preempt(test, filler);
	KUNIT_EXPECT_EQ(test, register_kprobe(&q), 0);
	unregister_kprobe(&p);
	unregister_kprobe(&q);
	register_others(test);
	msleep(OURS ? 200 : 2000);
	KUNIT_EXPECT_FALSE_MSG(test, completion_done(&filled), "not preempted long enough");
}

/* One that comes at once, and one for the time the scheduler keeps it from running */
static void create_hogs(struct kunit *test, int cpu)
{
	hogs[0] = create_on(test, cpu, MIN_NICE, hog_thread, "kprobes_hog");
	hogs[1] = create_on(test, cpu, MIN_NICE, hog_thread, "kprobes_hog");
	if (OURS)
		sched_set_fifo_low(hogs[0]);
}

static void test_preempted(struct kunit *test)
{
	struct task_struct *filler;
	int cpu = cpumask_last(cpu_online_mask);

	if (num_online_cpus() < 2)
		kunit_skip(test, "needs two CPUs");
	filler = create_on(test, cpu, MAX_NICE, fill_thread, "kprobes_fill");
	create_hogs(test, cpu);
	KUNIT_ASSERT_EQ(test, set_cpus_allowed_ptr(current, cpumask_of(0)), 0);
	change_probes(test, filler);
	kthread_stop(hogs[0]);
	kthread_stop(hogs[1]);
	wait_for_completion(&filled);
	kthread_stop(filler);
	KUNIT_EXPECT_TRUE(test, is_filled(0x5a));
	unregister_others();
	set_cpus_allowed_ptr(current, cpu_possible_mask);
}

static int suite_init(struct kunit_suite *suite)
{
	int ret;

	memory = vzalloc(SLOT_FILLED);
	if (!memory)
		return -ENOMEM;
	ret = nmi_init(watch_nmi);
	if (ret)
		vfree(memory);
	return ret;
}

static void suite_exit(struct kunit_suite *suite)
{
	nmi_exit_all();
	vfree(memory);
}

static struct kunit_case slot_cases[] = {
	KUNIT_CASE_SLOW(test_traces),
	KUNIT_CASE_SLOW(test_traces_post),
	KUNIT_CASE_SLOW(test_preempted),
	{}
};

static struct kunit_suite slot_suite = {
	.name = "kprobes_slot",
	.suite_init = suite_init,
	.suite_exit = suite_exit,
	.test_cases = slot_cases,
};

kunit_test_suite(slot_suite);

MODULE_DESCRIPTION("KUnit tests of what comes while a probed instruction runs elsewhere");
MODULE_LICENSE("GPL");
