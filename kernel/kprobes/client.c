// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Clients: register and unregister.
 *
 * Whether a kprobe is registered is never asked of the kprobe, whose memory is
 * the client's, but of the point at its address: is it among the clients there.
 *
 * Several are registered together all or not at all. Their points are one batch,
 * and one grace period serves all that are unregistered together.
 */
#include <linux/export.h>
#include <linux/kprobes.h>
#include <linux/mutex.h>
#include <linux/rculist.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include "point.h"

/*
 * The core mutex. Above it: dyn_event_ops_mutex, event_mutex, the rwsem of the
 * module notifiers. Below it: the locks of ftrace; cpus_read_lock, the lock of
 * the jump labels, text_mutex.
 */
DEFINE_MUTEX(kprobe_mutex);

/* [M] points whose code has been freed, linked by kprobe_point::gone_list */
static LIST_HEAD(points_gone);

static bool point_has(const struct kprobe_point *point, const struct kprobe *p)
{
	const struct kprobe *client;

	list_for_each_entry(client, &point->clients, list) {
		if (client == p)
			return true;
	}
	return false;
}

/**
 * kprobe_point_of() - the point a kprobe is registered at
 * @p: the kprobe; only kprobe::addr is looked at
 *
 * Context: under the core mutex.
 * Return: the point, or NULL if @p is not registered.
 */
struct kprobe_point *kprobe_point_of(const struct kprobe *p)
{
	struct kprobe_point *point = kprobe_point_find((unsigned long)p->addr);

	if (point && point_has(point, p))
		return point;
	list_for_each_entry(point, &points_gone, gone_list) {
		if (point_has(point, p))
			return point;
	}
	return NULL;
}

static int point_prepare(struct kprobe_point *point)
{
	int ret = point->method->prepare ? point->method->prepare(point) : 0;

	return ret ?: kprobe_table_add(point);
}

/* Free points, linked by next_empty, once nobody can be in or at them */
static void points_free(struct kprobe_point *point)
{
	struct kprobe_point *next, *trapped = NULL;

	for (; point; point = next) {
		next = point->next_empty;
		if (!point->trap) {
			kfree_rcu(point, rcu);
			continue;
		}
		point->next_empty = trapped;
		trapped = point;
	}
	if (trapped)
		kprobe_trap_points_free(trapped);
}

static struct kprobe_point *point_make(const struct kprobe_place *place)
{
	struct kprobe_point *point = kzalloc(sizeof(*point), GFP_KERNEL);
	int ret;

	if (!point)
		return ERR_PTR(-ENOMEM);
	point->addr = place->addr;
	point->on_entry = place->on_entry;
	point->method = kprobe_method_for(place->addr);
	INIT_LIST_HEAD(&point->clients);
	INIT_LIST_HEAD(&point->batch);
	ret = point_prepare(point);
	if (!ret)
		return point;
	points_free(point);
	return ERR_PTR(ret);
}

static void point_note_post(struct kprobe_point *point)
{
	struct kprobe *p;
	bool post = false;

	list_for_each_entry(p, &point->clients, list)
		post |= !!p->post_handler;
	WRITE_ONCE(point->post, post);
}

/* Let @p see the hits of @point, from the next on if that is armed already */
static void client_add(struct kprobe *p, struct kprobe_point *point, u32 flags)
{
	p->addr = (kprobe_opcode_t *)point->addr;
	p->nmissed = 0;
	p->flags &= KPROBE_FLAG_DISABLED;
	p->flags |= flags | point->method->flag;
	if (point->on_entry)
		p->flags |= KPROBE_FLAG_ON_FUNC_ENTRY;
	list_add_tail_rcu(&p->list, &point->clients);
	point_note_post(point);
}

static void client_remove(struct kprobe *p, struct kprobe_point *point)
{
	list_del_rcu(&p->list);
	point_note_post(point);
}

static int attach(struct kprobe *p, u32 flags, struct kprobe_batch *batch)
{
	struct kprobe_place place;
	struct kprobe_point *point;
	int ret;

	ret = kprobe_place_find(p, &place);
	if (ret)
		return ret;
	if (kprobe_point_of(p))
		return -EINVAL;
	point = kprobe_point_find(place.addr);
	if (point && point_has(point, p))
		return -EINVAL;
	ret = kprobe_place_check(&place);
	if (ret)
		return ret;
	if (!point)
		point = point_make(&place);
	if (IS_ERR(point))
		return PTR_ERR(point);
	client_add(p, point, flags);
	kprobe_batch_add(batch, point);
	return 0;
}

/* Take @p from its point; true if there is nobody left there */
static bool client_leave(struct kprobe *p, struct kprobe_point *point,
			 struct kprobe_batch *batch)
{
	client_remove(p, point);
	kprobe_batch_add(batch, point);
	return list_empty(&point->clients);
}

static void point_unlink(struct kprobe_point *point)
{
	if (point->gone)
		list_del(&point->gone_list);
	else
		kprobe_table_remove(point);
}

/*
 * Take clients from their points, those that are not registered excepted, and
 * commit the batch. Hits may be in their handlers for a grace period. The points
 * that are left by all stay findable until they are disarmed.
 */
static bool detach(struct kprobe **kps, int num, struct kprobe_batch *batch)
{
	struct kprobe_point *point, *empty = NULL;
	bool any = false;
	int i;

	for (i = 0; i < num; i++) {
		point = kprobe_point_of(kps[i]);
		if (!point)
			continue;
		any = true;
		if (client_leave(kps[i], point, batch)) {
			point->next_empty = empty;
			empty = point;
		}
	}
	kprobe_batch_commit(batch);
	for (point = empty; point; point = point->next_empty)
		point_unlink(point);
	points_free(empty);
	return any;
}

/* Where a symbol was given, it is what counts when the client tries again */
static void forget_addresses(struct kprobe **kps, int num)
{
	int i;

	for (i = 0; i < num; i++) {
		if (kps[i]->symbol_name)
			kps[i]->addr = NULL;
	}
}

/* Attach all or none; @seen says whether a hit may have come by one of them */
static int attach_all(struct kprobe **kps, int num, u32 flags, bool *seen)
{
	KPROBE_BATCH(batch);
	int attached, ret = 0;

	for (attached = 0; attached < num; attached++) {
		ret = attach(kps[attached], flags, &batch);
		if (ret)
			break;
	}
	if (!ret)
		ret = kprobe_batch_commit(&batch);
	if (ret) {
		*seen = detach(kps, attached, &batch);
		forget_addresses(kps, attached);
	}
	return ret;
}

/**
 * kprobe_register() - register kprobes with flags of ours
 * @kps: the kprobes
 * @num: how many
 * @flags: KPROBE_FLAG_* to set beside what the client has set
 *
 * Context: process context.
 * Return: as register_kprobes().
 */
int kprobe_register(struct kprobe **kps, int num, u32 flags)
{
	bool seen = false;
	int ret;

	if (num <= 0)
		return -EINVAL;
	scoped_guard(mutex, &kprobe_mutex)
		ret = attach_all(kps, num, flags, &seen);
	/* Not where none was attached: then who asks need not wait for an answer */
	if (seen)
		synchronize_rcu();
	return ret;
}

/**
 * register_kprobes() - register several kprobes, all or none
 * @kps: the kprobes
 * @num: how many
 *
 * Context: process context.
 * Return: 0, or the error of the first that could not be had:
 * -EINVAL: not exactly one of kprobe::addr and kprobe::symbol_name is set; not
 *	text, or text where no probe may be; registered already
 * -ENOENT: no such symbol; no symbol at the address; its code has been freed
 * -EILSEQ: no instruction begins at the address
 * -EOPNOTSUPP: the instruction can neither be run elsewhere nor emulated
 * -EBUSY: live patching, or somebody like that, has the function to itself; or
 *	the text is not what it was when the instruction was looked at
 * -EAGAIN: ftrace is switched off (sysctl kernel.ftrace_enabled), or it is too
 *	early to know what must not be probed
 * -ENODEV: ftrace is dead
 * -ENOMEM
 */
int register_kprobes(struct kprobe **kps, int num)
{
	return kprobe_register(kps, num, 0);
}
EXPORT_SYMBOL_GPL(register_kprobes);

/**
 * register_kprobe() - call a kprobe's handlers where its address is executed
 * @p: the kprobe; the memory is the client's, and in use until unregister_kprobe()
 *
 * Context: process context.
 * Return: as register_kprobes().
 */
int register_kprobe(struct kprobe *p)
{
	return register_kprobes(&p, 1);
}
EXPORT_SYMBOL_GPL(register_kprobe);

/**
 * unregister_kprobes_nowait() - unregister kprobes, whose handlers may still run
 * @kps: the kprobes
 * @num: how many
 *
 * For clients that are part of the kernel. Handlers run with preemption off, so
 * memory that call_rcu() or kfree_rcu() frees is safe, and so is whatever the
 * handlers use. A kprobe must not be registered again before such a grace period
 * is over.
 *
 * Context: process context. Waits for no grace period.
 */
void unregister_kprobes_nowait(struct kprobe **kps, int num)
{
	KPROBE_BATCH(batch);

	guard(mutex)(&kprobe_mutex);
	detach(kps, num, &batch);
}

/**
 * unregister_kprobes() - undo register_kprobes()
 * @kps: the kprobes; those that are not registered are passed over
 * @num: how many
 *
 * Context: process context. Waits for one RCU grace period, after which no
 * handler of theirs runs.
 */
void unregister_kprobes(struct kprobe **kps, int num)
{
	KPROBE_BATCH(batch);
	bool any;

	scoped_guard(mutex, &kprobe_mutex)
		any = detach(kps, num, &batch);
	if (any)
		synchronize_rcu();
}
EXPORT_SYMBOL_GPL(unregister_kprobes);

/**
 * unregister_kprobe() - undo register_kprobe()
 * @p: the kprobe; if it is not registered nothing happens
 *
 * Context: as unregister_kprobes().
 */
void unregister_kprobe(struct kprobe *p)
{
	unregister_kprobes(&p, 1);
}
EXPORT_SYMBOL_GPL(unregister_kprobe);

static void point_bury(struct kprobe_point *point, struct kprobe_batch *batch)
{
	struct kprobe *p;

	point->gone = true;
	list_for_each_entry(p, &point->clients, list)
		WRITE_ONCE(p->flags, p->flags | KPROBE_FLAG_GONE);
	kprobe_batch_add(batch, point);
}

/**
 * kprobe_points_drop() - part with the points of code that is about to be freed
 * @start: the first address
 * @end: behind the last
 *
 * Their clients stay registered and never see a hit again; somebody may register
 * another kprobe at the same address, when there is code there again.
 *
 * Context: process context.
 */
void kprobe_points_drop(unsigned long start, unsigned long end)
{
	KPROBE_BATCH(batch);
	struct kprobe_point *point;
	unsigned int pos = 0;

	guard(mutex)(&kprobe_mutex);
	while ((point = kprobe_table_next(&pos))) {
		if (point->addr >= start && point->addr < end)
			point_bury(point, &batch);
	}
	kprobe_batch_commit(&batch);
	pos = 0;
	while ((point = kprobe_table_next(&pos))) {
		if (!point->gone)
			continue;
		kprobe_table_remove(point);
		list_add_tail(&point->gone_list, &points_gone);
	}
}

/**
 * kprobe_point_gone_next() - walk the points whose code has been freed
 * @point: NULL to begin with, then what was returned last
 *
 * Context: under the core mutex.
 * Return: the next point, NULL behind the last.
 */
struct kprobe_point *kprobe_point_gone_next(struct kprobe_point *point)
{
	if (!point)
		return list_first_entry_or_null(&points_gone, struct kprobe_point, gone_list);
	if (list_is_last(&point->gone_list, &points_gone))
		return NULL;
	return list_next_entry(point, gone_list);
}
