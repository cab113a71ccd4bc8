// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What users see of probes beside the events: in debugfs, the folder kprobes.
 *
 *	list		a line a client: address, kind, place, state
 *	blacklist	a line a range where no probe may be
 *	enabled		0 or 1: are points armed at all
 */
#include <linux/debugfs.h>
#include <linux/init.h>
#include <linux/kallsyms.h>
#include <linux/kernel.h>
#include <linux/kprobe-arch.h>
#include <linux/kprobes.h>
#include <linux/kstrtox.h>
#include <linux/module.h>
#include <linux/seq_file.h>
#include <linux/uaccess.h>
#include "point.h"

/* The states of a client that are shown behind it, in this order */
static const struct {
	u32		flag;
	const char	*text;
} states[] = {
	{ KPROBE_FLAG_GONE,		"[GONE]" },
	{ KPROBE_FLAG_DISABLED,		"[DISABLED]" },
	{ KPROBE_FLAG_OPTIMIZED,	"[OPTIMIZED]" },
	{ KPROBE_FLAG_FTRACE,		"[FTRACE]" },
};

static void show_states(struct seq_file *m, const struct kprobe *p)
{
	u32 flags = p->flags;
	int i;

	/* What is gone cannot be enabled: no need to say that it is not */
	if (flags & KPROBE_FLAG_GONE)
		flags &= ~KPROBE_FLAG_DISABLED;
	for (i = 0; i < ARRAY_SIZE(states); i++) {
		if (flags & states[i].flag)
			seq_puts(m, states[i].text);
	}
}

static void show_form(struct seq_file *m, const struct kprobe_point *point)
{
	const char *form = point->trap ? arch_kprobe_trap_form(point->trap) : NULL;

	seq_printf(m, "%s\n", form ?: "");
}

/* An address, or zeros for a reader who may not know it */
static void *shown(struct seq_file *m, unsigned long addr)
{
	return kallsyms_show_value(m->file->f_cred) ? (void *)addr : NULL;
}

static void show_client(struct seq_file *m, const struct kprobe *p, unsigned long addr)
{
	const char *kind = p->flags & KPROBE_FLAG_RETURN ? "r" : "k";
	char name[KSYM_NAME_LEN], *module = NULL;
	unsigned long offset = 0;
	const char *symbol = NULL;

	if (!kprobe_gone(p))
		symbol = kallsyms_lookup(addr, NULL, &offset, &module, name);
	if (symbol)
		seq_printf(m, "%px  %s  %s+0x%lx  %s ", shown(m, addr), kind, symbol,
			   offset, module ?: " ");
	else
		seq_printf(m, "%px  %s  %px ", shown(m, addr), kind, shown(m, addr));
	show_states(m, p);
}

static void show_point(struct seq_file *m, const struct kprobe_point *point)
{
	struct kprobe *p;

	list_for_each_entry(p, &point->clients, list) {
		show_client(m, p, point->addr);
		show_form(m, point);
	}
}

static int list_show(struct seq_file *m, void *unused)
{
	struct kprobe_point *point = NULL;
	unsigned int pos = 0;

	guard(mutex)(&kprobe_mutex);
	while ((point = kprobe_table_next(&pos)))
		show_point(m, point);
	while ((point = kprobe_point_gone_next(point)))
		show_point(m, point);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(list);

static int blacklist_show(struct seq_file *m, void *unused)
{
	unsigned long start = 0, end = 0;

	while (kprobe_blacklist_next(&start, &end))
		seq_printf(m, "0x%px-0x%px\t%ps\n", shown(m, start), shown(m, end),
			   (void *)start);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(blacklist);

static ssize_t enabled_read(struct file *file, char __user *buf, size_t count, loff_t *pos)
{
	const char *text = kprobe_all_disarmed() ? "0\n" : "1\n";

	return simple_read_from_buffer(buf, count, pos, text, 2);
}

static ssize_t enabled_write(struct file *file, const char __user *buf, size_t count,
			     loff_t *pos)
{
	bool enable;
	int ret;

	ret = kstrtobool_from_user(buf, count, &enable);
	ret = ret ?: kprobe_set_all_disarmed(!enable);
	return ret ?: count;
}

static const struct file_operations enabled_fops = {
	.read	= enabled_read,
	.write	= enabled_write,
	.llseek	= default_llseek,
};

static int __init kprobe_debugfs_init(void)
{
	struct dentry *dir = debugfs_create_dir("kprobes", NULL);

	debugfs_create_file("list", 0400, dir, NULL, &list_fops);
	debugfs_create_file("blacklist", 0400, dir, NULL, &blacklist_fops);
	debugfs_create_file("enabled", 0600, dir, NULL, &enabled_fops);
	return 0;
}
late_initcall(kprobe_debugfs_init);
