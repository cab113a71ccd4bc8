// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The files of tracefs that have to do with all kprobe events: kprobe_events,
 * to define and delete them and to see the definitions, and kprobe_profile.
 */
#include <linux/array_size.h>
#include <linux/fs.h>
#include <linux/init.h>
#include <linux/security.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "event.h"

static int events_seq_show(struct seq_file *m, void *v)
{
	struct dyn_event *devent = v;

	if (!is_kprobe_event(devent))
		return 0;
	return devent->ops->show(m, devent);
}

static const struct seq_operations events_seq_ops = {
	.show	= events_seq_show,
	.start	= dyn_event_seq_start,
	.stop	= dyn_event_seq_stop,
	.next	= dyn_event_seq_next,
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

/* What a write is cut into: a line and its end have to fit in one piece */
#define PIECE_SIZE	4096

/* In error_log a line that is too long is shown by its beginning */
#define SHOWN_OF_LONG_LINE	60

static ssize_t refuse_long_line(char *line)
{
	struct probe_error err = {};

	line[SHOWN_OF_LONG_LINE] = '\0';
	probe_error_set(&err, PROBE_ERR_LINE_2LONG, SHOWN_OF_LONG_LINE);
	kprobe_event_log(line, &err);
	return -EINVAL;
}

/* Run the lines of @piece; one that has no end is run if it is the @last */
static ssize_t run_lines(char *piece, size_t len, bool last)
{
	size_t done = 0;
	char *end;
	int ret;

	while (done < len) {
		end = memchr(piece + done, '\n', len - done);
		if (!end && !last)
			break;
		if (!end)
			end = piece + len;
		*end = '\0';
		*strchrnul(piece + done, '#') = '\0';
		ret = kprobe_event_run_line(piece + done);
		if (ret)
			return ret;
		done = end - piece + 1;
	}
	return done ? min(done, len) : refuse_long_line(piece);
}

static ssize_t run_pieces(char *piece, const char __user *text, size_t len)
{
	size_t done = 0, size;
	ssize_t ret;

	while (done < len) {
		size = min_t(size_t, len - done, PIECE_SIZE - 1);
		if (copy_from_user(piece, text + done, size))
			return -EFAULT;
		ret = run_lines(piece, size, done + size == len);
		if (ret < 0)
			return ret;
		done += ret;
	}
	return len;
}

static ssize_t events_write(struct file *file, const char __user *text, size_t len,
			    loff_t *pos)
{
	char *piece = kmalloc(PIECE_SIZE, GFP_KERNEL);
	ssize_t ret;

	if (!piece)
		return -ENOMEM;
	ret = run_pieces(piece, text, len);
	kfree(piece);
	return ret;
}

static const struct file_operations events_fops = {
	.open		= events_open,
	.release	= seq_release,
	.read		= seq_read,
	.write		= events_write,
	.llseek		= seq_lseek,
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
	.show	= profile_seq_show,
	.start	= dyn_event_seq_start,
	.stop	= dyn_event_seq_stop,
	.next	= dyn_event_seq_next,
};

static int profile_open(struct inode *inode, struct file *file)
{
	int ret = may_open();

	return ret ? ret : seq_open(file, &profile_seq_ops);
}

static const struct file_operations profile_fops = {
	.open		= profile_open,
	.release	= seq_release,
	.read		= seq_read,
	.llseek		= seq_lseek,
};

static __init int create_files(void)
{
	static const struct {
		const char			*name;
		umode_t				mode;
		const struct file_operations	*fops;
	} files[] = {
		{ "kprobe_events", TRACE_MODE_WRITE, &events_fops },
		{ "kprobe_profile", TRACE_MODE_READ, &profile_fops },
	};
	unsigned int i;

	/* There is no tracefs: nothing to show, and nobody to show it to */
	if (tracing_init_dentry())
		return 0;
	for (i = 0; i < ARRAY_SIZE(files); i++)
		trace_create_file(files[i].name, files[i].mode, NULL, NULL, files[i].fops);
	return 0;
}
fs_initcall(create_files);
