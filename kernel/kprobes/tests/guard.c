// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A client that guards tasks, as the module LKRG does: return probes with data wherever a
 * task is made, runs a program, changes its credentials or sleeps, and where modules and
 * text change. They are on while the module is loaded.
 *
 * Each entry handler notes in the instance's data which task entered; the return handler
 * compares. Kernel threads are ignored. do_exit() never returns and has no return handler.
 * guard_dummy() is the module's own: loading fails unless its probe changes what it
 * returns. A first probe finds the address of a function that is not exported.
 *
 * Parameters: `array` registers and unregisters all with one call, else one by one;
 * `maxactive` is that of each return probe.
 *
 * The debugfs file kprobes_guard has a line for each:
 *
 *	NAME ERROR ENTRIES RETURNS MISSED WRONG
 *
 * WRONG counts returns whose data was not that of their entry. `modules` is not a probe
 * but the module notifier: modules that came are its entries, those that went its returns.
 */
#include <linux/atomic.h>
#include <linux/debugfs.h>
#include <linux/err.h>
#include <linux/kallsyms.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/notifier.h>
#include <linux/sched.h>
#include <linux/seq_file.h>
#include <linux/string.h>
#include "ours.h"

#ifdef CONFIG_X86_64
#define SYSCALL(name)	"__x64_sys_" #name
#else
#define SYSCALL(name)	"__arm64_sys_" #name
#endif

/* Words of an instance's data */
#define DATA_WORDS	16

static bool array;
module_param(array, bool, 0400);
MODULE_PARM_DESC(array, "Register all probes with one call");

static int maxactive = 40;
module_param(maxactive, int, 0400);
MODULE_PARM_DESC(maxactive, "Returns that are followed at the same time, a probe");

/**
 * struct guarded - one return probe
 * @rp: the probe
 * @entries: number of entries of user tasks that were not missed
 * @returns: number of their returns
 * @wrong: returns that found other data than their entry has left
 * @ret: what registering returned, if one by one
 */
struct guarded {
	struct kretprobe	rp;
	atomic_long_t		entries;
	atomic_long_t		returns;
	atomic_long_t		wrong;
	int			ret;
};

/**
 * struct guard_data - the data of an instance
 * @task: the task that entered
 * @number: the value of &guarded.entries that counted the entry
 * @words: @number once more, to the end
 */
struct guard_data {
	struct task_struct	*task;
	long			number;
	long			words[DATA_WORDS];
};

static atomic_long_t guard_coming, guard_going;
static struct dentry *guard_file;

static struct guarded *guard_of(struct kretprobe_instance *ri)
{
	return container_of(get_kretprobe(ri), struct guarded, rp);
}

static int guard_enter(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	struct guard_data *data = (void *)ri->data;
	int i;

	if (current->flags & PF_KTHREAD)
		return 1;
	data->task = current;
	data->number = atomic_long_inc_return(&guard_of(ri)->entries);
	for (i = 0; i < DATA_WORDS; i++)
		data->words[i] = data->number;
	return 0;
}
NOKPROBE_SYMBOL(guard_enter);

static int guard_leave(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	struct guard_data *data = (void *)ri->data;
	struct guarded *guarded = guard_of(ri);
	bool good = data->task == current;
	int i;

	for (i = 0; i < DATA_WORDS; i++)
		good &= data->words[i] == data->number;
	atomic_long_inc(&guarded->returns);
	if (!good)
		atomic_long_inc(&guarded->wrong);
	return 0;
}
NOKPROBE_SYMBOL(guard_leave);

static int guard_change(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	regs_set_return_value(regs, regs_return_value(regs) + 1);
	return guard_leave(ri, regs);
}
NOKPROBE_SYMBOL(guard_change);

static noinline int guard_dummy(int value)
{
	barrier();
	return value * 3;
}

#define GUARD(name, leave)						\
{									\
	.rp.kp.symbol_name	= name,					\
	.rp.entry_handler	= guard_enter,				\
	.rp.handler		= leave,				\
	.rp.data_size		= sizeof(struct guard_data),		\
}

static struct guarded guards[] = {
	GUARD("guard_dummy", guard_change),
	/* Tasks and programs */
	GUARD("wake_up_new_task", guard_leave),
	GUARD("do_exit", NULL),
	GUARD("kernel_wait4", guard_leave),
	GUARD("schedule", guard_leave),
	GUARD("security_bprm_committing_creds", guard_leave),
	GUARD("security_bprm_committed_creds", guard_leave),
	GUARD("call_usermodehelper_exec", guard_leave),
	GUARD("__queue_work", guard_leave),
	GUARD(SYSCALL(execve), guard_leave),
	/* Credentials */
	GUARD(SYSCALL(setuid), guard_leave),
	GUARD(SYSCALL(setreuid), guard_leave),
	GUARD(SYSCALL(setresuid), guard_leave),
	GUARD(SYSCALL(setfsuid), guard_leave),
	GUARD(SYSCALL(setgid), guard_leave),
	GUARD(SYSCALL(setregid), guard_leave),
	GUARD(SYSCALL(setresgid), guard_leave),
	GUARD(SYSCALL(setfsgid), guard_leave),
	GUARD("set_current_groups", guard_leave),
	GUARD(SYSCALL(capset), guard_leave),
	GUARD("commit_creds", guard_leave),
	GUARD("override_creds", guard_leave),
	GUARD("revert_creds", guard_leave),
	GUARD(SYSCALL(unshare), guard_leave),
	GUARD(SYSCALL(setns), guard_leave),
	GUARD("capable", guard_leave),
	GUARD("generic_permission", guard_leave),
	GUARD("__mark_inode_dirty", guard_leave),
	/* Modules and text */
	GUARD(SYSCALL(finit_module), guard_leave),
	GUARD(SYSCALL(delete_module), guard_leave),
	GUARD("arch_jump_label_transform_queue", guard_leave),
	GUARD("arch_jump_label_transform_apply", guard_leave),
};

static int guard_module_changes(struct notifier_block *nb, unsigned long state, void *module)
{
	if (state == MODULE_STATE_COMING)
		atomic_long_inc(&guard_coming);
	else if (state == MODULE_STATE_GOING)
		atomic_long_inc(&guard_going);
	return NOTIFY_DONE;
}

static struct notifier_block guard_notifier = { .notifier_call = guard_module_changes };

/* Look up a function that is not exported by a probe on it. */
static int guard_find(const char *name)
{
	struct kprobe p = { .symbol_name = name };
	char found[KSYM_SYMBOL_LEN];
	int ret = register_kprobe(&p);

	if (ret)
		return ret;
	sprint_symbol_no_offset(found, (unsigned long)p.addr);
	unregister_kprobe(&p);
	return strcmp(found, name) ? -ENOENT : 0;
}

static void guard_list(struct kretprobe **rps)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(guards); i++)
		rps[i] = &guards[i].rp;
}

static int guard_register_array(void)
{
	struct kretprobe *rps[ARRAY_SIZE(guards)];

	guard_list(rps);
	return register_kretprobes(rps, ARRAY_SIZE(rps));
}

static void guard_unregister_array(void)
{
	struct kretprobe *rps[ARRAY_SIZE(guards)];

	guard_list(rps);
	unregister_kretprobes(rps, ARRAY_SIZE(rps));
}

/* One that is refused does not keep the others out. */
static int guard_register(void)
{
	struct guarded *guarded;

	for (guarded = guards; guarded < guards + ARRAY_SIZE(guards); guarded++)
		guarded->rp.maxactive = maxactive;
	if (array)
		return guard_register_array();
	for (guarded = guards; guarded < guards + ARRAY_SIZE(guards); guarded++)
		guarded->ret = register_kretprobe(&guarded->rp);
	return 0;
}

static void guard_unregister(void)
{
	struct guarded *guarded;

	if (array) {
		guard_unregister_array();
		return;
	}
	for (guarded = guards; guarded < guards + ARRAY_SIZE(guards); guarded++)
		if (!guarded->ret)
			unregister_kretprobe(&guarded->rp);
}

static int guard_show(struct seq_file *seq, void *unused)
{
	struct guarded *guarded;

	for (guarded = guards; guarded < guards + ARRAY_SIZE(guards); guarded++)
		seq_printf(seq, "%s %d %ld %ld %lu %ld\n", guarded->rp.kp.symbol_name,
			   guarded->ret, atomic_long_read(&guarded->entries),
			   atomic_long_read(&guarded->returns),
			   guarded->rp.kp.nmissed + guarded->rp.nmissed,
			   atomic_long_read(&guarded->wrong));
	seq_printf(seq, "modules 0 %ld %ld 0 0\n", atomic_long_read(&guard_coming),
		   atomic_long_read(&guard_going));
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(guard);

/* All that follows the first probe */
static int __init guard_begin(void)
{
	int ret = guard_register();

	if (ret)
		return ret;
	if (OPAQUE(guard_dummy)(5) != 16) {
		guard_unregister();
		return -ENODATA;
	}
	ret = register_module_notifier(&guard_notifier);
	if (ret) {
		guard_unregister();
		return ret;
	}
	guard_file = debugfs_create_file("kprobes_guard", 0400, NULL, NULL, &guard_fops);
	return 0;
}

static int __init guard_init(void)
{
	int ret = guard_find("kallsyms_lookup_name");

	return ret ?: guard_begin();
}
module_init(guard_init);

static void __exit guard_exit(void)
{
	debugfs_remove(guard_file);
	unregister_module_notifier(&guard_notifier);
	guard_unregister();
}
module_exit(guard_exit);

MODULE_DESCRIPTION("A client of kprobes that guards tasks");
MODULE_LICENSE("GPL");
