// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The files of tracefs for all kprobe events: kprobe_events defines, checks, deletes and
 * lists events; kprobe_profile shows hits and misses.
 *
 * A write that checks definitions leaves its findings with the open file. Reads return
 * them instead of the list of events, until the next write or a seek to 0.
 */
#include <linux/array_size.h>
#include <linux/fs.h>
#include <linux/init.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/security.h>
#include <linux/seq_buf.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "../trace_kprobe.h"
#include "log.h"
#include "probe.h"

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

static int events_may_open(void)
{
	int ret = security_locked_down(LOCKDOWN_TRACEFS);

	return ret ? ret : tracing_check_open_get_tr(NULL);
}

static int events_open(struct inode *inode, struct file *file)
{
	int ret = events_may_open();

	if (!ret)
		ret = seq_open(file, &events_seq_ops);
	if (ret || !(file->f_mode & FMODE_WRITE) || !(file->f_flags & O_TRUNC))
		return ret;
	/* Last, as events that are deleted do not come back */
	ret = kprobe_events_clear();
	if (ret)
		seq_release(inode, file);
	return ret;
}

/* Writes are processed in pieces; a line and its end must fit in one piece. */
#define PIECE_SIZE	4096

/* error_log shows only the beginning of a line that is too long. */
#define SHOWN_OF_LONG_LINE	60

static ssize_t events_refuse_long_line(char *line)
{
	struct probe_error err = {};

	line[SHOWN_OF_LONG_LINE] = '\0';
	probe_error_set(&err, PROBE_ERR_LINE_2LONG, SHOWN_OF_LONG_LINE);
	kprobe_event_log(line, &err);
	return -EINVAL;
}

/* A line must not contain a NUL; error_log shows it up to there. */
static int events_refuse_nul(const char *line)
{
	struct probe_error err = {};
	int ret = probe_error_set(&err, PROBE_ERR_NUL_IN_LINE, strlen(line));

	kprobe_event_log(line, &err);
	return ret;
}

/* Room for the findings of one write; what does not fit is left out. */
#define FOUND_SIZE	(4 * PIECE_SIZE)

static int events_note_finding(struct seq_buf *found, const char *finding)
{
	if (!found->buffer) {
		char *buffer = kmalloc(FOUND_SIZE, GFP_KERNEL);

		if (!buffer)
			return -ENOMEM;
		seq_buf_init(found, buffer, FOUND_SIZE);
	}
	seq_buf_puts(found, finding);
	return 0;
}

/* Run the line of @len bytes at @line, which is followed by a NUL. */
static int events_run_line(char *line, size_t len, struct seq_buf *found)
{
	char *finding = NULL;
	int ret;

	if (memchr(line, '\0', len))
		return events_refuse_nul(line);
	*strchrnul(line, '#') = '\0';
	ret = kprobe_event_run_or_check(line, &finding);
	if (finding)
		ret = events_note_finding(found, finding);
	kfree(finding);
	return ret;
}

/* Run the lines of @piece; a line without an end only if the piece is the @last. */
static ssize_t events_run_lines(char *piece, size_t len, bool last, struct seq_buf *found)
{
	size_t done = 0;
	char *end;
	int ret;

	while (done < len) {
		cond_resched();
		end = memchr(piece + done, '\n', len - done);
		if (!end && !last)
			break;
		if (!end)
			end = piece + len;
		*end = '\0';
		ret = events_run_line(piece + done, end - piece - done, found);
		if (ret)
			return ret;
		done = end - piece + 1;
	}
	return done ? min(done, len) : events_refuse_long_line(piece);
}

static ssize_t events_run_pieces(char *piece, const char __user *text, size_t len,
				 struct seq_buf *found)
{
	size_t done = 0, size;
	ssize_t ret;

	while (done < len) {
		if (fatal_signal_pending(current))
			return -EINTR;
		size = min_t(size_t, len - done, PIECE_SIZE - 1);
		if (copy_from_user(piece, text + done, size))
			return -EFAULT;
		ret = events_run_lines(piece, size, done + size == len, found);
		if (ret < 0)
			return ret;
		done += ret;
	}
	return len;
}

/*
 * Have @text, or the list of events if it is NULL, read from @file. Return true if the next
 * read has other text than the last one.
 */
static bool events_set_found(struct file *file, char *text)
{
	struct seq_file *m = file->private_data;
	bool changes;

	guard(mutex)(&m->lock);
	changes = text || m->private;
	kfree(m->private);
	m->private = text;
	return changes;
}

static ssize_t events_write(struct file *file, const char __user *text, size_t len,
			    loff_t *pos)
{
	char *piece = kmalloc(PIECE_SIZE, GFP_KERNEL);
	struct seq_buf found = {};
	ssize_t ret;

	if (!piece)
		return -ENOMEM;
	ret = events_run_pieces(piece, text, len, &found);
	kfree(piece);
	if (ret < 0) {
		kfree(found.buffer);
		found.buffer = NULL;
	} else if (found.buffer) {
		seq_buf_str(&found);
	}
	if (events_set_found(file, found.buffer)) {
		*pos = 0;
		/* A write that fails does not hand @pos back */
		if (ret < 0)
			file->f_pos = 0;
	}
	return ret;
}

static ssize_t events_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	struct seq_file *m = file->private_data;

	scoped_guard(mutex, &m->lock) {
		if (m->private)
			return simple_read_from_buffer(buf, len, pos, m->private,
						       strlen(m->private));
	}
	return seq_read(file, buf, len, pos);
}

/* Python's open() seeks to the end of a file that it appends to */
static loff_t events_llseek(struct file *file, loff_t offset, int whence)
{
	struct seq_file *m = file->private_data;

	if (whence == SEEK_END && !offset && !(file->f_mode & FMODE_READ))
		return file->f_pos;
	if (whence == SEEK_SET && !offset)
		events_set_found(file, NULL);
	scoped_guard(mutex, &m->lock) {
		if (m->private)
			return fixed_size_llseek(file, offset, whence, strlen(m->private));
	}
	return seq_lseek(file, offset, whence);
}

static const struct file_operations events_fops = {
	.open		= events_open,
	.release	= seq_release_private,
	.read		= events_read,
	.write		= events_write,
	.llseek		= events_llseek,
};

static int profile_seq_show(struct seq_file *m, void *v)
{
	struct trace_kprobe *probe;

	if (!is_kprobe_event(v))
		return 0;
	probe = trace_kprobe_of(v);
	seq_printf(m, "  %-44s %15lu %15lu\n",
		   trace_event_name(&probe->event->call),
		   trace_kprobe_hits(probe), trace_kprobe_missed(probe));
	return 0;
}

static const struct seq_operations profile_seq_ops = {
	.show	= profile_seq_show,
	.start	= dyn_event_seq_start,
	.stop	= dyn_event_seq_stop,
	.next	= dyn_event_seq_next,
};

static int kprobe_profile_open(struct inode *inode, struct file *file)
{
	int ret = events_may_open();

	return ret ? ret : seq_open(file, &profile_seq_ops);
}

static const struct file_operations profile_fops = {
	.open		= kprobe_profile_open,
	.release	= seq_release,
	.read		= seq_read,
	.llseek		= seq_lseek,
};

static __init int kprobe_create_files(void)
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

	/* Without tracefs there are no files. */
	if (tracing_init_dentry())
		return 0;
	for (i = 0; i < ARRAY_SIZE(files); i++)
		trace_create_file(files[i].name, files[i].mode, NULL, NULL, files[i].fops);
	return 0;
}
fs_initcall(kprobe_create_files);
