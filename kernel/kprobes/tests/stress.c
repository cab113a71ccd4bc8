// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The stress of probes: functions whose calls are counted, threads that call them without end
 * on two CPUs, and clients at all of their places. A program of user space writes to the debugfs
 * file kprobes_stress what is to change, and reads the counts.
 *
 * A write is one of these, and fails with the error of what it does. NAMES are names of
 * clients (stress_clients.c):
 *
 *	park			stop the threads outside of the functions
 *	go			let them call again
 *	register NAMES		register clients as one batch
 *	disabled NAMES		the same, but disabled
 *	unregister NAMES	unregister them as one batch
 *	enable NAMES		enable one after the other
 *	disable NAMES		disable one after the other
 *
 * Reading shows, while threads are parked exactly:
 *
 *	s WRONG BROKEN CHANGED		results that were wrong; windows that a probe inside
 *					has broken; bytes of text that are not as at first
 *	f N SHAPE JUMPS INSIDE TAKEN SKIP CALLS NEGATIVE
 *	c NAME OPTIMIZED HITS ENDS MISSED TEXT
 *
 * Lines f are struct stress_function, and the number of its calls, with any and with negative
 * values. Lines c are clients. ENDS counts post-handlers or return handlers. TEXT is what is
 * at the place: j a jump, t a trap, f an ftrace site, - the first text, ? something else.
 */
#include <linux/cleanup.h>
#include <linux/cpumask.h>
#include <linux/debugfs.h>
#include <linux/err.h>
#include <linux/kthread.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/rcupdate.h>
#include <linux/seq_file.h>
#include <linux/sizes.h>
#include <linux/slab.h>
#include <linux/string.h>
#include "../core.h"
#include "stress.h"

struct stress_function stress_functions[STRESS_FUNCTIONS];
struct stress_thread stress_threads[STRESS_THREADS];

/* Threads leave most of their CPUs to others who want them */
#define STRESS_NICE	10

static DEFINE_MUTEX(stress_mutex);
static bool stress_parked;		/* [stress_mutex] */
static struct dentry *stress_file;

/* A copy of the module's text as it was at first */
static u8 *stress_first_text;

#define STRESS_C(n)						\
static noinline int stress_c_##n(int value)			\
{								\
	OPTIMIZER_HIDE_VAR(value);				\
	return value + (n);					\
}

STRESS_C(1) STRESS_C(2) STRESS_C(3) STRESS_C(4)
STRESS_C(5) STRESS_C(6) STRESS_C(7) STRESS_C(8)
STRESS_C(9) STRESS_C(10) STRESS_C(11) STRESS_C(12)
STRESS_C(13) STRESS_C(14) STRESS_C(15) STRESS_C(16)

static int (*const stress_c[])(int value) = {
	stress_c_1, stress_c_2, stress_c_3, stress_c_4,
	stress_c_5, stress_c_6, stress_c_7, stress_c_8,
	stress_c_9, stress_c_10, stress_c_11, stress_c_12,
	stress_c_13, stress_c_14, stress_c_15, stress_c_16,
};

/* The first half is probed at entries, the other one at returns */
static void stress_fill(void)
{
	unsigned int i;

	static_assert(sizeof(struct stress_function) == 48);
	static_assert(STRESS_IN_ASM + ARRAY_SIZE(stress_c) == STRESS_FUNCTIONS);
	memcpy(stress_functions, stress_asm_functions, sizeof(stress_asm_functions));
	for (i = 0; i < ARRAY_SIZE(stress_c); i++) {
		stress_functions[STRESS_IN_ASM + i] = (struct stress_function) {
			.call	= stress_c[i],
			.place	= { (u8 *)stress_c[i] },
			.shape	= i < ARRAY_SIZE(stress_c) / 2 ? 'i' : 'r',
			.adds	= { i + 1, i + 1 },
			.skip	= -1,
		};
	}
}

/**
 * stress_call() - call a function with a random value
 * @thread: the current thread, whose calls are counted
 * @number: which function
 *
 * Context: that of the thread, also in a handler.
 */
__nocfi void stress_call(struct stress_thread *thread, unsigned int number)
{
	const struct stress_function *function = &stress_functions[number];
	int value;

	thread->random = thread->random * 1664525 + 1013904223;
	value = (int)thread->random >> 1;
	if (function->call(value) != value + function->adds[value < 0])
		thread->wrong++;
	thread->calls[number][value < 0]++;
}

static int stress_spin(void *data)
{
	struct stress_thread *thread = data;
	unsigned int i = 0;

	/* Changes are to come often */
	set_user_nice(current, STRESS_NICE);
	while (!kthread_should_stop()) {
		if (kthread_should_park())
			kthread_parkme();
		stress_call(thread, i);
		i = (i + 1) % STRESS_FUNCTIONS;
		if (!i)
			cond_resched_tasks_rcu_qs();
	}
	return 0;
}

/* What was at an address at first */
static const u8 *stress_first(const u8 *addr)
{
	return stress_first_text + (addr - (u8 *)THIS_MODULE->mem[MOD_TEXT].base);
}

/**
 * stress_text() - what is at an address
 * @addr: where a probe may be, but no ftrace site
 *
 * Context: under the core mutex.
 * Return: a letter as in the debugfs file.
 */
char stress_text(const u8 *addr)
{
	const u8 *first = stress_first(addr);

	lockdep_assert_held(&kprobe_mutex);
	if (!memcmp(addr, first, sizeof(kprobe_opcode_t)))
		return '-';
	if (stress_is_jump(addr))
		return 'j';
	return stress_is_trap(addr) ? 't' : '?';
}

static unsigned int stress_changed_bytes(void)
{
	const u8 *text = THIS_MODULE->mem[MOD_TEXT].base;
	unsigned int i, changed = 0;

	for (i = 0; i < THIS_MODULE->mem[MOD_TEXT].size; i++)
		changed += text[i] != stress_first_text[i];
	return changed;
}

static void stress_show_function(struct seq_file *seq, unsigned int number)
{
	const struct stress_function *function = &stress_functions[number];
	unsigned long calls[2] = { };
	int i;

	for (i = 0; i < STRESS_THREADS; i++) {
		calls[0] += stress_threads[i].calls[number][0];
		calls[1] += stress_threads[i].calls[number][1];
	}
	seq_printf(seq, "f %u %c %u %u %u %d %lu %lu\n", number, function->shape, function->jumps,
		   function->inside, function->taken, function->skip, calls[0] + calls[1],
		   calls[1]);
}

static int stress_show(struct seq_file *seq, void *unused)
{
	unsigned long wrong = 0;
	unsigned int i;

	guard(mutex)(&stress_mutex);
	guard(mutex)(&kprobe_mutex);
	for (i = 0; i < STRESS_THREADS; i++)
		wrong += stress_threads[i].wrong;
	seq_printf(seq, "s %lu %lu %u\n", wrong, stress_windows_broken(), stress_changed_bytes());
	for (i = 0; i < STRESS_FUNCTIONS; i++)
		stress_show_function(seq, i);
	stress_show_clients(seq);
	return 0;
}

static int stress_open(struct inode *inode, struct file *file)
{
	return single_open_size(file, stress_show, NULL, SZ_128K);
}

static int stress_park(bool park)
{
	int i, ret = 0;

	if (park == stress_parked)
		return -EINVAL;
	for (i = 0; i < STRESS_THREADS && !ret; i++) {
		if (park)
			ret = kthread_park(stress_threads[i].task);
		else
			kthread_unpark(stress_threads[i].task);
	}
	stress_parked = park;
	return ret;
}

static int stress_obey(char *text)
{
	char *verb = strsep(&text, " ");

	guard(mutex)(&stress_mutex);
	if (!strcmp(verb, "park"))
		return stress_park(true);
	if (!strcmp(verb, "go"))
		return stress_park(false);
	return text ? stress_change(verb, text) : -EINVAL;
}

static ssize_t stress_write(struct file *file, const char __user *user, size_t size,
			    loff_t *pos)
{
	char *text __free(kfree) = NULL;
	int ret;

	if (size > SZ_4K)
		return -E2BIG;
	text = memdup_user_nul(user, size);
	if (IS_ERR(text))
		return PTR_ERR(no_free_ptr(text));
	ret = stress_obey(strim(text));
	return ret ?: size;
}

static const struct file_operations stress_fops = {
	.owner		= THIS_MODULE,
	.open		= stress_open,
	.read		= seq_read,
	.write		= stress_write,
	.llseek		= seq_lseek,
	.release	= single_release,
};

static void stress_stop(void)
{
	int i;

	for (i = 0; i < STRESS_THREADS; i++) {
		if (!IS_ERR_OR_NULL(stress_threads[i].task))
			kthread_stop(stress_threads[i].task);
	}
}

/* A thread for each of the first CPUs; if there is one, for that */
static int stress_start(void)
{
	struct stress_thread *thread;
	int i;

	for (i = 0; i < STRESS_THREADS; i++) {
		thread = &stress_threads[i];
		thread->random = i + 1;
		thread->task = kthread_create(stress_spin, thread, "kprobes_stress/%d", i);
		if (IS_ERR(thread->task))
			return PTR_ERR(thread->task);
		kthread_bind(thread->task, cpumask_nth(i % num_online_cpus(), cpu_online_mask));
	}
	for (i = 0; i < STRESS_THREADS; i++)
		wake_up_process(stress_threads[i].task);
	return 0;
}

static int __init stress_init(void)
{
	int ret;

	stress_fill();
	stress_first_text = kvmalloc(THIS_MODULE->mem[MOD_TEXT].size, GFP_KERNEL);
	if (!stress_first_text)
		return -ENOMEM;
	memcpy(stress_first_text, THIS_MODULE->mem[MOD_TEXT].base,
	       THIS_MODULE->mem[MOD_TEXT].size);
	ret = stress_start();
	if (ret) {
		stress_stop();
		kvfree(stress_first_text);
		return ret;
	}
	stress_file = debugfs_create_file("kprobes_stress", 0600, NULL, NULL, &stress_fops);
	return 0;
}
module_init(stress_init);

static void __exit stress_exit(void)
{
	debugfs_remove(stress_file);
	stress_stop();
	stress_drop_clients();
	kvfree(stress_first_text);
}
module_exit(stress_exit);

MODULE_DESCRIPTION("A stress of probes that counts each call");
MODULE_IMPORT_NS(EXPORTED_FOR_KUNIT_TESTING);
MODULE_LICENSE("GPL");
