// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Probes at addresses that user space names, also in modules that are unloaded and
 * loaded again: the debugfs file kprobes_places. Thousands of probes are possible.
 *
 * Events of tracefs refuse functions that ftrace does not know, and so all functions
 * in assembly. This file calls register_kprobe() directly.
 *
 * Each write names one place: SYMBOL+OFFSET, MODULE:SYMBOL+OFFSET or 0xADDRESS. Its
 * probe is registered disabled, so text does not change. If register_kprobe() fails,
 * the write fails with its error and the place is dropped. The probes of a module are
 * unregistered when it goes. When it comes back they are registered again, this time
 * enabled, before any of its code has run.
 *
 * Reading shows the hits and misses of each place. Truncating the file removes all
 * places.
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

/* Longer than any name of a module, a symbol and an offset together */
#define TEXT_MAX	1024

/**
 * struct place - a probe at an address that user space named
 * @list: in places [places_mutex]
 * @kp: the probe
 * @hits: number of hits
 * @missed: number of misses while the module was loaded before [places_mutex]
 * @registered: whether @kp is registered [places_mutex]
 * @offset: relative to @symbol; an address if @symbol is empty
 * @symbol: as in kprobe::symbol_name; may be empty
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

/* A probe that is registered again must be initialized completely. */
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

/* Is @place in @module? A NULL @module matches all places. */
static bool place_is_of(const struct place *place, const struct module *module)
{
	size_t len;

	if (!module)
		return true;
	len = strlen(module->name);
	return !strncmp(place->symbol, module->name, len) && place->symbol[len] == ':';
}

/*
 * Count the places of @module whose probes are registered, or not registered. Store
 * their probes at @kps unless it is NULL.
 */
static int places_pick(const struct module *module, bool registered, struct kprobe **kps)
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

static void places_mark(struct kprobe **kps, int num, bool registered)
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

/* Register or unregister the probes of all places of @module as one batch. */
static int places_switch(const struct module *module, bool registered)
{
	int ret = 0, num = places_pick(module, registered, NULL);
	struct kprobe **kps __free(kvfree) = NULL;

	if (!num)
		return 0;
	kps = kvmalloc_array(num, sizeof(*kps), GFP_KERNEL | __GFP_NOFAIL);
	places_pick(module, registered, kps);
	if (registered)
		unregister_kprobes(kps, num);
	else
		ret = register_kprobes(kps, num);
	if (!ret)
		places_mark(kps, num, !registered);
	return ret;
}

static int places_module_changes(struct notifier_block *nb, unsigned long state, void *module)
{
	int ret = 0;

	guard(mutex)(&places_mutex);
	if (state == MODULE_STATE_COMING)
		ret = places_switch(module, false);
	else if (state == MODULE_STATE_GOING)
		ret = places_switch(module, true);
	if (ret)
		pr_warn("places in %s: %d\n", ((struct module *)module)->name, ret);
	return NOTIFY_DONE;
}

/* Called after the core, which must know of a module first */
static struct notifier_block places_module_notifier = {
	.notifier_call	= places_module_changes,
	.priority	= -10,
};

static void places_forget_all(void)
{
	struct place *place, *next;

	guard(mutex)(&places_mutex);
	places_switch(NULL, true);
	list_for_each_entry_safe(place, next, &places, list)
		kfree(place);
	INIT_LIST_HEAD(&places);
}

/* Cut the offset off @text. */
static int places_parse_offset(char *text, unsigned long *offset)
{
	char *plus = strrchr(text, '+');

	if (!plus)
		return -EINVAL;
	*plus = '\0';
	return kstrtoul(plus + 1, 0, offset);
}

static struct place *places_parse(char *text)
{
	unsigned long offset;
	struct place *place;
	size_t len;
	int ret = kstrtoul(text, 0, &offset);

	if (!ret)
		text += strlen(text);
	else
		ret = places_parse_offset(text, &offset);
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
	place = places_parse(strim(text));
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
		places_forget_all();
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
	int ret = register_module_notifier(&places_module_notifier);

	if (!ret)
		places_file = debugfs_create_file("kprobes_places", 0600, NULL, NULL,
						  &places_fops);
	return ret;
}
module_init(places_init);

static void __exit places_exit(void)
{
	debugfs_remove(places_file);
	unregister_module_notifier(&places_module_notifier);
	places_forget_all();
}
module_exit(places_exit);

MODULE_DESCRIPTION("Probes at places that a test names");
MODULE_LICENSE("GPL");
