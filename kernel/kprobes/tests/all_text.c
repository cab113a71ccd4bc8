// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Probes at thousands of addresses at once, for a walk over all text: the debugfs file
 * kprobes_all_text.
 *
 * A write names a bucket of probes, a line each: `p ADDRESS` for a probe, `q ADDRESS` for
 * one with a post-handler as well, `r ADDRESS` for a return probe. They are registered as
 * one batch. Those that are refused stay in the bucket, with the error and the reason.
 * Reading shows of each, in the same order:
 *
 *	ADDRESS ERROR HITS MISSED REASON
 *
 * A hit of `q` or `r` is counted when its post-handler or return handler has run.
 * Truncating the file removes all probes.
 */
#include <linux/cleanup.h>
#include <linux/debugfs.h>
#include <linux/err.h>
#include <linux/kprobes.h>
#include <linux/kstrtox.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>

/**
 * struct walked - one probe of the bucket
 * @rp: the probe; only its kprobe is used unless it is a return probe
 * @address: what was asked for; registering may change kprobe::addr
 * @hits: how often it was hit. CPUs at the same time may lose some, but not all
 * @returns: is it a return probe?
 */
struct walked {
	struct kretprobe	rp;
	unsigned long		address;
	unsigned long		hits;
	bool			returns;
};

static DEFINE_MUTEX(bucket_mutex);
static struct walked *bucket;		/* [bucket_mutex] */
static unsigned int bucket_size;	/* [bucket_mutex] */
static struct dentry *bucket_file;

static void walked_count(struct kprobe *p)
{
	struct walked *walked = container_of(p, struct walked, rp.kp);

	WRITE_ONCE(walked->hits, READ_ONCE(walked->hits) + 1);
}
NOKPROBE_SYMBOL(walked_count);

static int walked_pre(struct kprobe *p, struct pt_regs *regs)
{
	walked_count(p);
	return 0;
}
NOKPROBE_SYMBOL(walked_pre);

static void walked_post(struct kprobe *p, struct pt_regs *regs, unsigned long flags)
{
	walked_count(p);
}
NOKPROBE_SYMBOL(walked_post);

static int walked_return(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	walked_count(&get_kretprobe(ri)->kp);
	return 0;
}
NOKPROBE_SYMBOL(walked_return);

/* One line of a bucket */
static int walked_parse(struct walked *walked, char *line)
{
	struct kprobe *p = &walked->rp.kp;
	int ret;

	if (!line[0] || line[1] != ' ')
		return -EINVAL;
	ret = kstrtoul(line + 2, 0, &walked->address);
	if (ret)
		return ret;
	p->addr = (kprobe_opcode_t *)walked->address;
	switch (line[0]) {
	case 'p':
		p->pre_handler = walked_pre;
		return 0;
	case 'q':
		p->post_handler = walked_post;
		return 0;
	case 'r':
		walked->rp.handler = walked_return;
		walked->returns = true;
		return 0;
	default:
		return -EINVAL;
	}
}

static unsigned int count_lines(const char *text)
{
	unsigned int lines = 0;

	for (; *text; text++)
		lines += *text == '\n';
	return lines;
}

/* Fill @fresh from @text, as many lines as count_lines() has counted. */
static int bucket_parse(struct walked *fresh, unsigned int size, char *text)
{
	unsigned int i;
	int ret = 0;

	for (i = 0; i < size && !ret; i++)
		ret = walked_parse(&fresh[i], strsep(&text, "\n"));
	return ret;
}

/* Register or unregister all that is in the bucket. */
static void bucket_switch(bool on)
{
	struct kprobe_batch *batch = kprobe_batch_alloc();
	struct walked *walked;

	for (walked = bucket; walked < bucket + bucket_size; walked++) {
		if (on && walked->returns)
			kprobe_batch_register_return(batch, &walked->rp);
		else if (on)
			kprobe_batch_register(batch, &walked->rp.kp);
		else if (!kprobe_error(&walked->rp.kp))
			kprobe_batch_unregister(batch, &walked->rp.kp);
	}
	kprobe_batch_commit(batch);
	kprobe_batch_put(batch);
}

static void bucket_empty(void)
{
	if (!bucket)
		return;
	bucket_switch(false);
	/* A hit may still be in a handler of ours */
	synchronize_rcu();
	kvfree(bucket);
	bucket = NULL;
	bucket_size = 0;
}

static ssize_t bucket_write(struct file *file, const char __user *user, size_t size,
			    loff_t *pos)
{
	char *text __free(kvfree) = kvzalloc(size + 1, GFP_KERNEL);
	struct walked *fresh __free(kvfree) = NULL;
	unsigned int lines;
	int ret;

	if (!text)
		return -ENOMEM;
	if (copy_from_user(text, user, size))
		return -EFAULT;
	lines = count_lines(text);
	fresh = kvcalloc(lines, sizeof(*fresh), GFP_KERNEL);
	if (!fresh)
		return -ENOMEM;
	ret = bucket_parse(fresh, lines, text);
	if (ret)
		return ret;
	guard(mutex)(&bucket_mutex);
	bucket_empty();
	bucket = no_free_ptr(fresh);
	bucket_size = lines;
	bucket_switch(true);
	return size;
}

static unsigned long walked_missed(const struct walked *walked)
{
	return walked->rp.kp.nmissed + (walked->returns ? walked->rp.nmissed : 0);
}

static int bucket_show(struct seq_file *seq, void *unused)
{
	const struct walked *walked;
	const struct kprobe *p;

	guard(mutex)(&bucket_mutex);
	for (walked = bucket; walked < bucket + bucket_size; walked++) {
		p = &walked->rp.kp;
		seq_printf(seq, "%#lx %d %lu %lu %s\n", walked->address, kprobe_error(p),
			   READ_ONCE(walked->hits), walked_missed(walked),
			   kprobe_error(p) ? kprobe_refusal(p) ?: "" : "");
	}
	return 0;
}

static int bucket_open(struct inode *inode, struct file *file)
{
	if (file->f_flags & O_TRUNC) {
		guard(mutex)(&bucket_mutex);
		bucket_empty();
	}
	return single_open_size(file, bucket_show, NULL, SZ_4M);
}

static const struct file_operations bucket_fops = {
	.owner		= THIS_MODULE,
	.open		= bucket_open,
	.read		= seq_read,
	.write		= bucket_write,
	.llseek		= seq_lseek,
	.release	= single_release,
};

static int __init all_text_init(void)
{
	bucket_file = debugfs_create_file("kprobes_all_text", 0600, NULL, NULL, &bucket_fops);
	return PTR_ERR_OR_ZERO(bucket_file);
}
module_init(all_text_init);

static void __exit all_text_exit(void)
{
	debugfs_remove(bucket_file);
	bucket_empty();
}
module_exit(all_text_exit);

MODULE_DESCRIPTION("Probes at thousands of addresses that a test names");
MODULE_IMPORT_NS(EXPORTED_FOR_KUNIT_TESTING);
MODULE_LICENSE("GPL");
