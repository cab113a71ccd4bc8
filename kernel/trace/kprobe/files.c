// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The files of tracefs that have to do with all kprobe events: kprobe_events,
 * to define and delete them and to see the definitions, and kprobe_profile.
 */
#include <linux/fs.h>
#include <linux/init.h>
#include <linux/security.h>
#include <linux/seq_file.h>

#include "event.h"

static int events_seq_show(struct seq_file *m, void *v)
{
	struct dyn_event *devent = v;

	if (!is_kprobe_event(devent))
		return 0;
	return devent->ops->show(m, devent);
}

static const struct seq_operations events_seq_ops = {
	.start	= dyn_event_seq_start,
	.next	= dyn_event_seq_next,
	.stop	= dyn_event_seq_stop,
	.show	= events_seq_show,
};

static int may_open(void)
{
	int ret = security_locked_down(LOCKDOWN_TRACEFS);

	return ret ? ret : tracing_check_open_get_tr(NULL);
}

static int events_open(struct inode *inode, struct file *file)
{
	int ret = may_open();

	if (!ret && file->f_mode & FMODE_WRITE && file->f_flags & O_TRUNC)
		ret = kprobe_events_clear();
	return ret ? ret : seq_open(file, &events_seq_ops);
}

static ssize_t events_write(struct file *file, const char __user *buffer,
			    size_t count, loff_t *ppos)
{
	return trace_parse_run_command(file, buffer, count, ppos,
				       kprobe_event_run_line);
}

static const struct file_operations events_fops = {
	.owner		= THIS_MODULE,
	.open		= events_open,
	.read		= seq_read,
	.llseek		= seq_lseek,
	.release	= seq_release,
	.write		= events_write,
};

static int profile_seq_show(struct seq_file *m, void *v)
{
	struct event_probe *probe;

	if (!is_kprobe_event(v))
		return 0;
	probe = event_probe_of(v);
	seq_printf(m, "  %-44s %15lu %15lu\n",
		   trace_event_name(&probe->event->call),
		   event_probe_hits(probe), event_probe_missed(probe));
	return 0;
}

static const struct seq_operations profile_seq_ops = {
	.start	= dyn_event_seq_start,
	.next	= dyn_event_seq_next,
	.stop	= dyn_event_seq_stop,
	.show	= profile_seq_show,
};

static int profile_open(struct inode *inode, struct file *file)
{
	int ret = may_open();

	return ret ? ret : seq_open(file, &profile_seq_ops);
}

static const struct file_operations profile_fops = {
	.owner		= THIS_MODULE,
	.open		= profile_open,
	.read		= seq_read,
	.llseek		= seq_lseek,
	.release	= seq_release,
};

static __init int create_files(void)
{
	if (tracing_init_dentry())
		return 0;
	trace_create_file("kprobe_events", TRACE_MODE_WRITE, NULL, NULL, &events_fops);
	trace_create_file("kprobe_profile", TRACE_MODE_READ, NULL, NULL, &profile_fops);
	return 0;
}
fs_initcall(create_files);
