// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The folder kprobes in debugfs: what users see of probes besides the events.
 *
 *	list		one line per client: address, kind, place, state
 *	blacklist	one line per range that must not be probed
 *	enabled		0 or 1: 0 disarms all points
 */
#include <linux/debugfs.h>
#include <linux/init.h>
#include <linux/kallsyms.h>
#include <linux/kernel.h>
#include <linux/kprobe-arch.h>
#include <linux/kprobes.h>
#include <linux/kstrtox.h>
#include <linux/module.h>
#include <linux/sched.h>
#include <linux/seq_file.h>
#include <linux/uaccess.h>
#include "batch.h"
#include "blacklist.h"
#include "core.h"
#include "gone.h"
#include "method.h"
#include "point.h"
#include "table.h"

/* The flags of a client that are shown after it, in this order */
static const struct {
	u32		flag;
	const char	*text;
} shown_flags[] = {
	{ KPROBE_FLAG_GONE,		"[GONE]" },
	{ KPROBE_FLAG_DISABLED,		"[DISABLED]" },
	{ KPROBE_FLAG_OPTIMIZED,	"[OPTIMIZED]" },
	{ KPROBE_FLAG_FTRACE,		"[FTRACE]" },
};

static void debugfs_show_flags(struct seq_file *m, const struct kprobe *p)
{
	u32 flags = p->flags;
	int i;

	/* A client that is gone cannot be enabled, and nothing calls it */
	if (flags & KPROBE_FLAG_GONE)
		flags &= KPROBE_FLAG_GONE;
	for (i = 0; i < ARRAY_SIZE(shown_flags); i++) {
		if (flags & shown_flags[i].flag)
			seq_puts(m, shown_flags[i].text);
	}
}

/* An address, or zeros for a reader without permission to see addresses */
static void *debugfs_addr(struct seq_file *m, unsigned long addr)
{
	return kallsyms_show_value(m->file->f_cred) ? (void *)addr : NULL;
}

static void debugfs_show_client(struct seq_file *m, const struct kprobe *p, unsigned long addr)
{
	const char *kind = p->flags & KPROBE_FLAG_RETURN ? "r" : "k";
	char name[KSYM_NAME_LEN], *module = NULL;
	unsigned long offset = 0;
	const char *symbol = NULL;

	if (!kprobe_gone(p))
		symbol = kallsyms_lookup(addr, NULL, &offset, &module, name);
	if (symbol)
		seq_printf(m, "%px  %s  %s+0x%lx  %s ", debugfs_addr(m, addr), kind, symbol,
			   offset, module ?: " ");
	else
		seq_printf(m, "%px  %s  %px ", debugfs_addr(m, addr), kind, debugfs_addr(m, addr));
	debugfs_show_flags(m, p);
}

static void debugfs_show_point(struct seq_file *m, const struct kprobe_point *point)
{
	struct kprobe *p;

	/* The file is shown once more, from the beginning, in a larger buffer */
	if (seq_has_overflowed(m))
		return;
	cond_resched();
	list_for_each_entry(p, &point->clients, list) {
		debugfs_show_client(m, p, point->addr);
		if (point->method->show && !point->gone)
			point->method->show(m, point);
		seq_putc(m, '\n');
	}
}

static int kprobe_list_show(struct seq_file *m, void *unused)
{
	struct kprobe_point *point = NULL;
	unsigned int pos = 0;

	guard(mutex)(&kprobe_mutex);
	while ((point = kprobe_table_next(&pos)))
		debugfs_show_point(m, point);
	kprobe_points_gone_show(m, debugfs_show_point);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(kprobe_list);

static int kprobe_blacklist_show(struct seq_file *m, void *unused)
{
	unsigned long start = 0, end = 0;

	while (kprobe_blacklist_next(&start, &end))
		seq_printf(m, "0x%px-0x%px\t%ps\n", debugfs_addr(m, start), debugfs_addr(m, end),
			   (void *)start);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(kprobe_blacklist);

static ssize_t kprobe_enabled_read(struct file *file, char __user *buf, size_t count,
				   loff_t *pos)
{
	const char *text = kprobe_all_disarmed() ? "0\n" : "1\n";

	return simple_read_from_buffer(buf, count, pos, text, 2);
}

static ssize_t kprobe_enabled_write(struct file *file, const char __user *buf, size_t count,
				    loff_t *pos)
{
	bool enable;
	int ret;

	ret = kstrtobool_from_user(buf, count, &enable);
	ret = ret ?: kprobe_set_all_disarmed(!enable);
	return ret ?: count;
}

static const struct file_operations kprobe_enabled_fops = {
	.read	= kprobe_enabled_read,
	.write	= kprobe_enabled_write,
	.llseek	= default_llseek,
};

static int __init kprobe_debugfs_init(void)
{
	struct dentry *dir = debugfs_create_dir("kprobes", NULL);

	debugfs_create_file("list", 0400, dir, NULL, &kprobe_list_fops);
	debugfs_create_file("blacklist", 0400, dir, NULL, &kprobe_blacklist_fops);
	debugfs_create_file("enabled", 0600, dir, NULL, &kprobe_enabled_fops);
	return 0;
}
late_initcall(kprobe_debugfs_init);
