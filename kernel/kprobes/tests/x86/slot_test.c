// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What comes while a probed instruction runs in a slot: interrupts, NMIs and
 * faults, whose traces lead to who was probed; and the end of the probe, while the
 * task has been preempted there.
 *
 * The instruction lasts: it fills memory.
 */
#include <kunit/test.h>
#include <linux/completion.h>
#include <linux/delay.h>
#include <linux/hrtimer.h>
#include <linux/kallsyms.h>
#include <linux/kdebug.h>
#include <linux/kprobes.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/sched.h>
#include <linux/smp.h>
#include <linux/stacktrace.h>
#include <linux/vmalloc.h>
#include <asm/apic.h>
#include <asm/irq_regs.h>
#include <asm/nmi.h>
#include "hard_places.h"
#include "../ours.h"

#define FILLED		(16ul << 20)
#define ENOUGH		20
#define FRAMES		32
#define PERIOD		(NSEC_PER_MSEC / 2)
#define NOT_CANONICAL	0x4141414141414141ul

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
	sprint_symbol(text, regs->ip);
	return !strncmp(text, "0x", 2);
}

static noinline void fill_caller(u8 byte)
{
	hard_fill(memory, byte, FILLED);
	barrier();
}

static bool is_filled(u8 byte)
{
	return memory[0] == byte && !memchr_inv(memory, byte, FILLED);
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
		if (trace[i] >= (unsigned long)hard_fill_at &&
		    trace[i] <= (unsigned long)hard_fill_behind)
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

static int watch_nmi(unsigned int type, struct pt_regs *regs)
{
	if (raw_smp_processor_id() != READ_ONCE(watched))
		return NMI_DONE;
	look(&nmis, regs);
	return NMI_HANDLED;
}

static int nmi_thread(void *cpu)
{
	while (!kthread_should_stop()) {
		__apic_send_IPI_mask(cpumask_of((long)cpu), NMI_VECTOR);
		usleep_range(500, 1000);
	}
	return 0;
}

static bool enough(void)
{
	return irqs.seen >= ENOUGH && nmis.seen >= ENOUGH;
}

static void fill_and_watch(struct kunit *test)
{
	unsigned long end = jiffies + 20 * HZ;
	unsigned int rounds = 0;

	for (hits = 0; !enough() && time_before(jiffies, end); rounds++) {
		fill_caller(rounds);
		KUNIT_EXPECT_TRUE(test, is_filled(rounds));
	}
	KUNIT_EXPECT_EQ(test, hits, rounds);
}

/* On a CPU that is interrupted all the time, and by another one's NMIs */
static void run_watched(struct kunit *test, struct task_struct *sender)
{
	struct hrtimer timer;

	hrtimer_init(&timer, CLOCK_MONOTONIC, HRTIMER_MODE_REL_PINNED_HARD);
	timer.function = watch_irq;
	WRITE_ONCE(watched, raw_smp_processor_id());
	hrtimer_start(&timer, ns_to_ktime(PERIOD), HRTIMER_MODE_REL_PINNED_HARD);
	wake_up_process(sender);
	fill_and_watch(test);
	kthread_stop(sender);
	hrtimer_cancel(&timer);
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
	struct task_struct *sender;

	memset(&irqs, 0, sizeof(irqs));
	memset(&nmis, 0, sizeof(nmis));
	KUNIT_ASSERT_EQ(test, set_cpus_allowed_ptr(current, cpumask_of(cpu)), 0);
	sender = kthread_create(nmi_thread, (void *)(long)cpu, "kprobes_nmi");
	KUNIT_ASSERT_FALSE(test, IS_ERR(sender));
	KUNIT_ASSERT_EQ(test, register_kprobe(p), 0);
	run_watched(test, sender);
	unregister_kprobe(p);
	set_cpus_allowed_ptr(current, cpu_possible_mask);
	check_witness(test, &irqs);
	check_witness(test, &nmis);
	kunit_info(test, "%u interrupts and %u NMIs in the slot", irqs.seen, nmis.seen);
}

static void test_traces(struct kunit *test)
{
	struct kprobe p = { .addr = (void *)hard_fill_at, .pre_handler = count_pre };

	check_traces(test, &p);
}

/* The form that ends in a trap */
static void test_traces_post(struct kunit *test)
{
	struct kprobe p = {
		.addr = (void *)hard_fill_at,
		.pre_handler = count_pre,
		.post_handler = ignore_post,
	};

	check_traces(test, &p);
}

/* A fault handler that looks at the instruction finds it, and goes on behind it */
static u8 faulting_insn[3];
static unsigned int faults;

static int skip_fault(struct notifier_block *nb, unsigned long event, void *data)
{
	struct pt_regs *regs = ((struct die_args *)data)->regs;

	if (event != DIE_GPF || regs->di != NOT_CANONICAL || !in_slot(regs))
		return NOTIFY_DONE;
	if (memcmp((void *)regs->ip, faulting_insn, sizeof(faulting_insn)))
		return NOTIFY_DONE;
	faults++;
	regs->ax = 42;
	regs->ip += sizeof(faulting_insn);
	return NOTIFY_STOP;
}

static void check_fault(struct kunit *test, struct kprobe *p)
{
	p->addr = (void *)hard_read_bare_at;
	faults = 0;
	hits = 0;
	KUNIT_ASSERT_EQ(test, register_kprobe(p), 0);
	KUNIT_EXPECT_EQ(test, hard_read_bare(&p->addr), (unsigned long)hard_read_bare_at);
	KUNIT_EXPECT_EQ(test, hard_read_bare((void *)NOT_CANONICAL), 42);
	unregister_kprobe(p);
	KUNIT_EXPECT_EQ(test, faults, 1);
	KUNIT_EXPECT_EQ(test, hits, 2);
}

static void test_fault(struct kunit *test)
{
	struct notifier_block nb = { .notifier_call = skip_fault };
	struct kprobe p = { .pre_handler = count_pre };
	struct kprobe q = { .pre_handler = count_pre, .post_handler = ignore_post };

	KUNIT_ASSERT_EQ(test, hard_read_bare_behind - hard_read_bare_at, sizeof(faulting_insn));
	memcpy(faulting_insn, hard_read_bare_at, sizeof(faulting_insn));
	register_die_notifier(&nb);
	check_fault(test, &p);
	check_fault(test, &q);
	unregister_die_notifier(&nb);
}

/*
 * A task is preempted in the slot, and stays so while its probe goes and others
 * come. It goes on where it was. The others are disabled: they have slots, and
 * nothing else has to wait for the task.
 */
static struct kprobe others[HARD_OTHERS];
static DECLARE_COMPLETION(filled);

static int fill_thread(void *unused)
{
	hard_fill(memory, 0x5a, FILLED);
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
	for (i = 0; i < HARD_OTHERS; i++) {
		others[i].addr = (void *)hard_others + i * HARD_OTHERS_SIZE;
		others[i].flags = KPROBE_FLAG_DISABLED;
		KUNIT_EXPECT_EQ(test, register_kprobe(&others[i]), 0);
	}
}

static void unregister_others(void)
{
	int i;

	for (i = 0; i < HARD_OTHERS; i++)
		unregister_kprobe(&others[i]);
}

/* Let @filler begin, and keep it from going on in the middle of it */
static void preempt(struct task_struct *filler, struct task_struct *hog)
{
	unsigned long end = jiffies + 10 * HZ;

	memset(memory, 0, FILLED);
	reinit_completion(&filled);
	wake_up_process(filler);
	while (!READ_ONCE(memory[0]) && time_before(jiffies, end))
		usleep_range(20, 50);
	wake_up_process(hog);
	msleep(20);
}

/*
 * That a post-handler comes, too, is what makes stock 6.12 give up a jump at once
 * where it was one; for that it gets its time.
 */
static void change_probes(struct kunit *test, struct task_struct *filler,
			  struct task_struct *hog)
{
	struct kprobe p = { .addr = (void *)hard_fill_at, .pre_handler = count_pre };
	struct kprobe q = { .addr = (void *)hard_fill_at, .post_handler = ignore_post };

	KUNIT_EXPECT_EQ(test, register_kprobe(&p), 0);
	msleep(OURS ? 0 : 2000);
	preempt(filler, hog);
	KUNIT_EXPECT_EQ(test, register_kprobe(&q), 0);
	unregister_kprobe(&p);
	unregister_kprobe(&q);
	register_others(test);
	msleep(OURS ? 200 : 2000);
	KUNIT_EXPECT_FALSE_MSG(test, completion_done(&filled), "not preempted long enough");
}

static void test_preempted(struct kunit *test)
{
	struct task_struct *filler, *hog;
	int cpu = cpumask_last(cpu_online_mask);

	if (num_online_cpus() < 2)
		kunit_skip(test, "needs two CPUs");
	filler = create_on(test, cpu, MAX_NICE, fill_thread, "kprobes_fill");
	hog = create_on(test, cpu, MIN_NICE, hog_thread, "kprobes_hog");
	KUNIT_ASSERT_EQ(test, set_cpus_allowed_ptr(current, cpumask_of(0)), 0);
	change_probes(test, filler, hog);
	kthread_stop(hog);
	wait_for_completion(&filled);
	kthread_stop(filler);
	KUNIT_EXPECT_TRUE(test, is_filled(0x5a));
	unregister_others();
	set_cpus_allowed_ptr(current, cpu_possible_mask);
}

static int suite_init(struct kunit_suite *suite)
{
	memory = vzalloc(FILLED);
	if (!memory)
		return -ENOMEM;
	return register_nmi_handler(NMI_LOCAL, watch_nmi, 0, "kprobes_slot");
}

static void suite_exit(struct kunit_suite *suite)
{
	unregister_nmi_handler(NMI_LOCAL, "kprobes_slot");
	vfree(memory);
}

static struct kunit_case slot_cases[] = {
	KUNIT_CASE_SLOW(test_traces),
	KUNIT_CASE_SLOW(test_traces_post),
	KUNIT_CASE(test_fault),
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
