// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Events while a probed instruction runs in a slot: interrupts and NMIs, whose stack
 * traces must contain the caller of the probed function; and the end of the probe while
 * the task is preempted in the slot.
 *
 * The instruction fills memory. It takes long, or is executed so often that interrupts
 * that were pending during the trap arrive while it is in the slot.
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

static u8 *slot_memory;
static unsigned int slot_hits;

static int slot_count_pre(struct kprobe *p, struct pt_regs *regs)
{
	slot_hits++;
	return 0;
}

static void slot_ignore_post(struct kprobe *p, struct pt_regs *regs, unsigned long flags)
{
}

/* A slot is at an address without a symbol. */
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
	slot_fill(slot_memory, byte, SLOT_FILLED);
	barrier();
}

static bool is_filled(u8 byte)
{
	return slot_memory[0] == byte && !memchr_inv(slot_memory, byte, SLOT_FILLED);
}

/**
 * struct witness - the observations of handlers of one kind
 * @seen: number of interrupted slots
 * @right: number of traces that contained fill_caller()
 */
struct witness {
	unsigned int	seen;
	unsigned int	right;
};

static struct witness slot_irqs, slot_nmis;
static int slot_watched = -1;

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

static void witness_look(struct witness *witness, struct pt_regs *regs)
{
	unsigned long trace[FRAMES];

	if (!in_slot(regs))
		return;
	witness->seen++;
	witness->right += leads_to_caller(trace, stack_trace_save(trace, FRAMES, 0));
}

static enum hrtimer_restart watch_irq(struct hrtimer *timer)
{
	witness_look(&slot_irqs, get_irq_regs());
	hrtimer_forward_now(timer, ns_to_ktime(PERIOD));
	return HRTIMER_RESTART;
}

static bool watch_nmi(struct pt_regs *regs)
{
	if (raw_smp_processor_id() != READ_ONCE(slot_watched))
		return false;
	witness_look(&slot_nmis, regs);
	return true;
}

/* NMIs of a storm are sent by another CPU */
static bool storm_possible(void)
{
	return nmi_possible() && num_online_cpus() > 1;
}

static bool witness_enough(void)
{
	return slot_irqs.seen >= ENOUGH && (!storm_possible() || slot_nmis.seen >= ENOUGH);
}

static void fill_and_watch(struct kunit *test)
{
	unsigned long end = jiffies + 20 * HZ;
	unsigned int rounds = 0;

	for (slot_hits = 0; !witness_enough() && time_before(jiffies, end); rounds++) {
		fill_caller(rounds);
		KUNIT_EXPECT_TRUE(test, is_filled(rounds));
	}
	KUNIT_EXPECT_EQ(test, slot_hits, rounds * SLOT_FILL_HITS);
}

/* Runs on a CPU that is interrupted constantly, also by NMIs if there are any. */
static void run_watched(struct kunit *test, int cpu)
{
	struct hrtimer timer;
	int storm = nmi_storm_begin(cpu, PERIOD / NSEC_PER_USEC);

	KUNIT_EXPECT_EQ(test, storm, storm_possible() ? 0 : -ENODEV);
	hrtimer_init(&timer, CLOCK_MONOTONIC, HRTIMER_MODE_REL_PINNED_HARD);
	timer.function = watch_irq;
	WRITE_ONCE(slot_watched, cpu);
	hrtimer_start(&timer, ns_to_ktime(PERIOD), HRTIMER_MODE_REL_PINNED_HARD);
	fill_and_watch(test);
	hrtimer_cancel(&timer);
	if (!storm)
		nmi_storm_end();
	WRITE_ONCE(slot_watched, -1);
}

static void check_witness(struct kunit *test, const struct witness *witness)
{
	KUNIT_EXPECT_GE(test, witness->seen, ENOUGH);
	KUNIT_EXPECT_EQ(test, witness->right, witness->seen);
}

static void check_traces(struct kunit *test, struct kprobe *p)
{
	int cpu = cpumask_first(cpu_online_mask);

	if (IS_ENABLED(CONFIG_UNWINDER_GUESS))
		kunit_skip(test, "the unwinder guesses");
	memset(&slot_irqs, 0, sizeof(slot_irqs));
	memset(&slot_nmis, 0, sizeof(slot_nmis));
	KUNIT_ASSERT_EQ(test, set_cpus_allowed_ptr(current, cpumask_of(cpu)), 0);
	KUNIT_ASSERT_EQ(test, register_kprobe(p), 0);
	run_watched(test, cpu);
	unregister_kprobe(p);
	set_cpus_allowed_ptr(current, cpu_possible_mask);
	check_witness(test, &slot_irqs);
	if (storm_possible())
		check_witness(test, &slot_nmis);
	kunit_info(test, "%u interrupts and %u NMIs in the slot", slot_irqs.seen, slot_nmis.seen);
}

static void test_traces(struct kunit *test)
{
	struct kprobe p = { .addr = (void *)slot_fill_at, .pre_handler = slot_count_pre };

	check_traces(test, &p);
}

/* The form that ends in a trap */
static void test_traces_post(struct kunit *test)
{
	struct kprobe p = {
		.addr = (void *)slot_fill_at,
		.pre_handler = slot_count_pre,
		.post_handler = slot_ignore_post,
	};

	check_traces(test, &p);
}

/*
 * A task is preempted in the slot and stays there while its probe is removed and other
 * probes are added. It must then continue correctly. The other probes are disabled: they
 * take slots, but have no other reason to wait for the task.
 */
static struct kprobe slot_other_probes[SLOT_OTHERS];
static DECLARE_COMPLETION(slot_is_done);

/* Bytes that the task is told to fill */
static unsigned long slot_length;

static struct task_struct *slot_hogs[2];
static bool slot_caught;

/* The handler of an interrupt in the slot preempts the task on return. */
static enum hrtimer_restart preempt_in_slot(struct hrtimer *timer)
{
	if (in_slot(get_irq_regs())) {
		WRITE_ONCE(slot_caught, true);
		wake_up_process(slot_hogs[0]);
		wake_up_process(slot_hogs[1]);
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
		slot_fill(slot_memory, 0x5a, slot_length);
	while (!READ_ONCE(slot_caught) && !kthread_should_stop());
	hrtimer_cancel(&timer);
	complete(&slot_is_done);
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

	memset(slot_other_probes, 0, sizeof(slot_other_probes));
	for (i = 0; i < SLOT_OTHERS; i++) {
		slot_other_probes[i].addr = (void *)slot_others + i * SLOT_OTHERS_SIZE;
		slot_other_probes[i].flags = KPROBE_FLAG_DISABLED;
		KUNIT_EXPECT_EQ(test, register_kprobe(&slot_other_probes[i]), 0);
	}
}

static void unregister_others(void)
{
	int i;

	for (i = 0; i < SLOT_OTHERS; i++)
		unregister_kprobe(&slot_other_probes[i]);
}

/* Let @filler begin, and wait until it is preempted in the middle of it. */
static void slot_preempt(struct kunit *test, struct task_struct *filler)
{
	unsigned long end = jiffies + 10 * HZ;

	memset(slot_memory, 0, SLOT_LONG);
	WRITE_ONCE(slot_caught, false);
	reinit_completion(&slot_is_done);
	wake_up_process(filler);
	while (!READ_ONCE(slot_caught) && time_before(jiffies, end))
		msleep(20);
	KUNIT_EXPECT_TRUE(test, slot_caught);
}

/*
 * Stock 6.12 stops using a jump at once when a post-handler is added; the delays give it
 * time for that.
 */
static void change_probes(struct kunit *test, struct task_struct *filler)
{
	struct kprobe p = { .addr = (void *)slot_fill_at, .pre_handler = slot_count_pre };
	struct kprobe q = { .addr = (void *)slot_fill_at, .post_handler = slot_ignore_post };

	KUNIT_EXPECT_EQ(test, register_kprobe(&p), 0);
	msleep(OURS ? 0 : 2000);
	slot_preempt(test, filler);
	KUNIT_EXPECT_EQ(test, register_kprobe(&q), 0);
	unregister_kprobe(&p);
	unregister_kprobe(&q);
	register_others(test);
	msleep(OURS ? 200 : 2000);
	KUNIT_EXPECT_FALSE_MSG(test, completion_done(&slot_is_done), "not preempted long enough");
}

/*
 * The probe is replaced while the task is in its slot, before the second trap. That trap
 * belongs to the removed probe: a post-handler of the new one runs only after its own
 * pre-handler.
 */
static unsigned int slot_post_hits;

static void slot_count_post(struct kprobe *p, struct pt_regs *regs, unsigned long flags)
{
	slot_post_hits++;
}

static struct kprobe slot_successor = {
	.pre_handler = slot_count_pre,
	.post_handler = slot_count_post,
};

static void slot_replace_probe(struct kunit *test, struct task_struct *filler)
{
	struct kprobe p = {
		.addr = (void *)slot_fill_at,
		.pre_handler = slot_count_pre,
		.post_handler = slot_ignore_post,
	};

	KUNIT_EXPECT_EQ(test, register_kprobe(&p), 0);
	slot_preempt(test, filler);
	unregister_kprobe(&p);
	slot_hits = 0;
	slot_post_hits = 0;
	slot_successor.addr = (void *)slot_fill_at;
	KUNIT_EXPECT_EQ(test, register_kprobe(&slot_successor), 0);
	KUNIT_EXPECT_FALSE_MSG(test, completion_done(&slot_is_done), "not preempted long enough");
}

/*
 * One hog runs at once; the other one while the scheduler throttles the first. RCU's own
 * threads have the same priority on PREEMPT_RT: a grace period would wait for the first.
 */
static void create_hogs(struct kunit *test, int cpu)
{
	slot_hogs[0] = create_on(test, cpu, MIN_NICE, hog_thread, "kprobes_hog");
	slot_hogs[1] = create_on(test, cpu, MIN_NICE, hog_thread, "kprobes_hog");
	if (OURS && !IS_ENABLED(CONFIG_PREEMPT_RT))
		sched_set_fifo_low(slot_hogs[0]);
}

/* Call @change while a task is preempted in a slot, then let the task continue. */
static void run_preempted(struct kunit *test,
			  void (*change)(struct kunit *test, struct task_struct *filler))
{
	struct task_struct *filler;
	int cpu = cpumask_last(cpu_online_mask);

	if (num_online_cpus() < 2)
		kunit_skip(test, "needs two CPUs");
	if (!preempt_model_preemptible())
		kunit_skip(test, "no task is preempted in the kernel");
	filler = create_on(test, cpu, MAX_NICE, fill_thread, "kprobes_fill");
	create_hogs(test, cpu);
	KUNIT_ASSERT_EQ(test, set_cpus_allowed_ptr(current, cpumask_of(0)), 0);
	change(test, filler);
	kthread_stop(slot_hogs[0]);
	kthread_stop(slot_hogs[1]);
	wait_for_completion(&slot_is_done);
	kthread_stop(filler);
	KUNIT_EXPECT_TRUE(test, is_filled(0x5a));
	set_cpus_allowed_ptr(current, cpu_possible_mask);
}

static void test_preempted(struct kunit *test)
{
	slot_length = SLOT_LONG;
	run_preempted(test, change_probes);
	unregister_others();
}

static void test_replaced(struct kunit *test)
{
	if (!OURS)
		kunit_skip(test, "stock steps an instruction that has a post-handler");
	slot_length = SLOT_FILLED;
	run_preempted(test, slot_replace_probe);
	unregister_kprobe(&slot_successor);
	KUNIT_EXPECT_EQ(test, slot_post_hits, slot_hits);
}

static int slot_suite_init(struct kunit_suite *suite)
{
	int ret;

	slot_memory = vzalloc(SLOT_LONG);
	if (!slot_memory)
		return -ENOMEM;
	ret = nmi_init(watch_nmi);
	if (ret)
		vfree(slot_memory);
	return ret;
}

static void slot_suite_exit(struct kunit_suite *suite)
{
	nmi_exit_all();
	vfree(slot_memory);
}

static struct kunit_case slot_cases[] = {
	KUNIT_CASE_SLOW(test_traces),
	KUNIT_CASE_SLOW(test_traces_post),
	KUNIT_CASE_SLOW(test_preempted),
	KUNIT_CASE_SLOW(test_replaced),
	{}
};

static struct kunit_suite slot_suite = {
	.name = "kprobes_slot",
	.suite_init = slot_suite_init,
	.suite_exit = slot_suite_exit,
	.test_cases = slot_cases,
};

kunit_test_suite(slot_suite);

MODULE_DESCRIPTION("KUnit tests of what comes while a probed instruction runs elsewhere");
MODULE_LICENSE("GPL");
