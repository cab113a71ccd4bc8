// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Probes at places that user space names, thousands of them, in modules too that
 * are still to come: the file kprobes_places of debugfs.
 *
 * Events of tracefs stay out of functions that ftrace does not know of, and so of
 * everything in assembly. Here register_kprobe() is asked itself.
 *
 * A write is a place: SYMBOL+OFFSET, MODULE:SYMBOL+OFFSET or 0xADDRESS. Its probe is
 * registered disabled, so the text stays as it is; what cannot be had fails the write
 * with register_kprobe()'s error and is forgotten. The probes of a module go with it.
 * When it is back they are registered again, this time enabled, before any of its
 * code has run.
 *
 * Reading gives the hits of each place and the hits it has missed. Who truncates the
 * file removes them all.
 */
#include <linux/atomic.h>
#include <linux/cleanup.h>
#include <linux/debugfs.h>
#include <linux/err.h>
#include <linux/kprobes.h>
#include <linux/kstrtox.h>
#include <linux/list.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/notifier.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>

/* More than a module's name, a symbol's and an offset take */
#define TEXT_MAX	1024

/**
 * struct place - a probe and what became of it
 * @list: in places [places_mutex]
 * @kp: the probe
 * @hits: how often it was hit
 * @missed: the hits it has missed in former lives of its module [places_mutex]
 * @registered: @kp is [places_mutex]
 * @offset: where it is, from @symbol or from 0
 * @symbol: where, as kprobe::symbol_name has it; may be empty
 */
struct place {
	struct list_head	list;
	struct kprobe		kp;
	atomic_long_t		hits;
	unsigned long		missed;
	bool			registered;
	unsigned long		offset;
	char			symbol[];
};

static DEFINE_MUTEX(places_mutex);
static LIST_HEAD(places);
static struct dentry *places_file;

static int place_hit(struct kprobe *kp, struct pt_regs *regs)
{
	atomic_long_inc(&container_of(kp, struct place, kp)->hits);
	return 0;
}
NOKPROBE_SYMBOL(place_hit);

/* A probe that was registered once has to begin from nothing */
static struct kprobe *place_prepare(struct place *place, u32 flags)
{
	struct kprobe *kp = &place->kp;

	memset(kp, 0, sizeof(*kp));
	kp->pre_handler = place_hit;
	kp->flags = flags;
	if (place->symbol[0]) {
		kp->symbol_name = place->symbol;
		kp->offset = place->offset;
	} else {
		kp->addr = (kprobe_opcode_t *)place->offset;
	}
	return kp;
}

/* All places, or those of a module */
static bool place_is_of(const struct place *place, const struct module *module)
{
	size_t len;

	if (!module)
		return true;
	len = strlen(module->name);
	return !strncmp(place->symbol, module->name, len) && place->symbol[len] == ':';
}

/* Those of @module that are registered, or not: how many, and where @kps is, which */
static int pick(const struct module *module, bool registered, struct kprobe **kps)
{
	struct place *place;
	int num = 0;

	list_for_each_entry(place, &places, list) {
		if (place->registered != registered || !place_is_of(place, module))
			continue;
		if (kps)
			kps[num] = registered ? &place->kp : place_prepare(place, 0);
		num++;
	}
	return num;
}

static void mark(struct kprobe **kps, int num, bool registered)
{
	struct place *place;
	int i;

	for (i = 0; i < num; i++) {
		place = container_of(kps[i], struct place, kp);
		place->registered = registered;
		if (!registered)
			place->missed += place->kp.nmissed;
	}
}

/* Bring all places of @module to the other state, as one batch */
static int switch_places(const struct module *module, bool registered)
{
	int ret = 0, num = pick(module, registered, NULL);
	struct kprobe **kps __free(kvfree) = NULL;

	if (!num)
		return 0;
	kps = kvmalloc_array(num, sizeof(*kps), GFP_KERNEL | __GFP_NOFAIL);
	pick(module, registered, kps);
	if (registered)
		unregister_kprobes(kps, num);
	else
		ret = register_kprobes(kps, num);
	if (!ret)
		mark(kps, num, !registered);
	return ret;
}

static int module_changes(struct notifier_block *nb, unsigned long state, void *module)
{
	int ret = 0;

	guard(mutex)(&places_mutex);
	if (state == MODULE_STATE_COMING)
		ret = switch_places(module, false);
	else if (state == MODULE_STATE_GOING)
		ret = switch_places(module, true);
	if (ret)
		pr_warn("places in %s: %d\n", ((struct module *)module)->name, ret);
	return NOTIFY_DONE;
}

/* Behind the core, which has to know of a module first */
static struct notifier_block module_notifier = {
	.notifier_call	= module_changes,
	.priority	= -10,
};

static void forget_all(void)
{
	struct place *place, *next;

	guard(mutex)(&places_mutex);
	switch_places(NULL, true);
	list_for_each_entry_safe(place, next, &places, list)
		kfree(place);
	INIT_LIST_HEAD(&places);
}

/* Cuts the offset off @text */
static int parse_offset(char *text, unsigned long *offset)
{
	char *plus = strrchr(text, '+');

	if (!plus)
		return -EINVAL;
	*plus = '\0';
	return kstrtoul(plus + 1, 0, offset);
}

static struct place *parse_place(char *text)
{
	unsigned long offset;
	struct place *place;
	size_t len;
	int ret = kstrtoul(text, 0, &offset);

	if (!ret)
		text += strlen(text);
	else
		ret = parse_offset(text, &offset);
	if (ret)
		return ERR_PTR(ret);
	len = strlen(text) + 1;
	place = kzalloc(struct_size(place, symbol, len), GFP_KERNEL);
	if (!place)
		return ERR_PTR(-ENOMEM);
	place->offset = offset;
	memcpy(place->symbol, text, len);
	return place;
}

static ssize_t places_write(struct file *file, const char __user *user, size_t size,
			    loff_t *pos)
{
	char *text __free(kfree) = NULL;
	struct place *place;
	int ret;

	if (size > TEXT_MAX)
		return -E2BIG;
	text = memdup_user_nul(user, size);
	if (IS_ERR(text))
		return PTR_ERR(text);
	place = parse_place(strim(text));
	if (IS_ERR(place))
		return PTR_ERR(place);
	guard(mutex)(&places_mutex);
	ret = register_kprobe(place_prepare(place, KPROBE_FLAG_DISABLED));
	if (ret) {
		kfree(place);
		return ret;
	}
	place->registered = true;
	list_add_tail(&place->list, &places);
	return size;
}

static int places_show(struct seq_file *seq, void *unused)
{
	struct place *place;

	guard(mutex)(&places_mutex);
	list_for_each_entry(place, &places, list)
		seq_printf(seq, "%s+%#lx %ld %lu\n", place->symbol, place->offset,
			   atomic_long_read(&place->hits),
			   place->missed + (place->registered ? place->kp.nmissed : 0));
	return 0;
}

static int places_open(struct inode *inode, struct file *file)
{
	if (file->f_flags & O_TRUNC)
		forget_all();
	return single_open(file, places_show, NULL);
}

static const struct file_operations places_fops = {
	.owner		= THIS_MODULE,
	.open		= places_open,
	.read		= seq_read,
	.write		= places_write,
	.llseek		= seq_lseek,
	.release	= single_release,
};

static int __init places_init(void)
{
	int ret = register_module_notifier(&module_notifier);

	if (!ret)
		places_file = debugfs_create_file("kprobes_places", 0600, NULL, NULL,
						  &places_fops);
	return ret;
}
module_init(places_init);

static void __exit places_exit(void)
{
	debugfs_remove(places_file);
	unregister_module_notifier(&module_notifier);
	forget_all();
}
module_exit(places_exit);

MODULE_DESCRIPTION("Probes at places that a test names");
MODULE_LICENSE("GPL");
