// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The point: made with the first client of an address, freed after the last.
 *
 * States, and the moves between them. All moves are made under the core mutex, in a commit
 * (commit.c) unless the table says otherwise. The table shows the function, the further
 * locks, and the grace period that the next move requires.
 *
 *	from		to		by			lock		then
 *	(new)		NONE		kprobe_point_make()
 *	NONE		FTRACE		arm, ftrace.c		ftrace's
 *	FTRACE		FTRACE		arm, ftrace.c (to the	ftrace's	RCU, in arm
 *					other ftrace_ops)
 *	FTRACE		NONE		disarm, ftrace.c	ftrace's	RCU
 *					kprobe_points_drop(),
 *					gone.c: the site is freed
 *	NONE		TRAP		arm, trap.c		CPU, text
 *	TRAP		NONE		disarm, trap.c		CPU, text	RCU-tasks
 *	TRAP		TRAP_WIDE	pass.c					RCU-tasks
 *	TRAP_WIDE	TRAP		pass.c
 *	TRAP		JUMP		arm, jump.c		CPU, text
 *	TRAP_WIDE	JUMP		arm, jump.c		CPU, text
 *	JUMP		TRAP		disarm, jump.c		CPU, text	RCU-tasks
 *	JUMP		NONE		disarm, jump.c: the	CPU, text	RCU-tasks
 *					branch was replaced
 *	NONE		(freed)		kprobe_point_free()
 *
 * A point is freed after the longest grace period that its methods require
 * (kprobe_method::slots). A point that loses its last client leaves the table after it
 * has reached NONE. A point whose text cannot be restored keeps its state and is
 * retried, see kprobe_point::late.
 */
#include <kunit/visibility.h>
#include <linux/err.h>
#include <linux/kprobe-arch.h>
#include <linux/list_sort.h>
#include <linux/rculist.h>
#include <linux/slab.h>
#include "core.h"
#include "method.h"
#include "place.h"
#include "point.h"

/* There can be very many points, and kmalloc() has no such size */
static struct kmem_cache *point_cache __ro_after_init;

struct mutex kprobe_mutex = __MUTEX_INITIALIZER(kprobe_mutex);
EXPORT_SYMBOL_IF_KUNIT(kprobe_mutex);

static int point_order(void *unused, const struct list_head *a, const struct list_head *b)
{
	return list_entry(a, struct kprobe_point, batch)->addr >
	       list_entry(b, struct kprobe_point, batch)->addr;
}

/**
 * kprobe_points_sort() - sort points by their addresses, as patching text wants them
 * @points: the list, by kprobe_point::batch
 *
 * Context: under the core mutex.
 */
void kprobe_points_sort(struct list_head *points)
{
	lockdep_assert_held(&kprobe_mutex);
	list_sort(NULL, points, point_order);
}

/**
 * kprobe_point_free() - free a point
 * @point: a point without clients, in no table; no hit and no task uses it
 *
 * Context: process context.
 */
void kprobe_point_free(struct kprobe_point *point)
{
	const struct kprobe_method *base = point->method->over ?: point->method;

	if (point->upgrade && point->upgrade->release)
		point->upgrade->release(point);
	if (base->release)
		base->release(point);
	kmem_cache_free(point_cache, point);
}

/**
 * kprobe_point_make() - make a point
 * @place: its place, accepted by kprobe_place_check(). Receives the refusal if the
 *	instruction is refused
 *
 * Context: process context, under the core mutex.
 * Return: the point, without clients and in no table, or an ERR_PTR().
 */
struct kprobe_point *kprobe_point_make(struct kprobe_place *place)
{
	struct kprobe_point *point = kmem_cache_zalloc(point_cache, GFP_KERNEL);
	int ret;

	lockdep_assert_held(&kprobe_mutex);
	if (!point)
		return ERR_PTR(-ENOMEM);
	point->addr = place->addr;
	point->on_entry = place->on_entry;
	point->method = kprobe_method_for(place->addr);
	INIT_LIST_HEAD(&point->clients);
	INIT_LIST_HEAD(&point->batch);
	INIT_HLIST_NODE(&point->gone_link);
	ret = point->method->prepare(point, place);
	if (!ret)
		return point;
	kmem_cache_free(point_cache, point);
	return ERR_PTR(ret);
}

/**
 * kprobe_point_has() - is a kprobe a client of a point?
 * @point: the point
 * @p: the kprobe; its contents are not read
 *
 * Context: under the core mutex.
 * Return: true if it is.
 */
bool kprobe_point_has(const struct kprobe_point *point, const struct kprobe *p)
{
	const struct kprobe *client;

	lockdep_assert_held(&kprobe_mutex);
	list_for_each_entry(client, &point->clients, list) {
		if (client == p)
			return true;
	}
	return false;
}

/**
 * kprobe_point_narrow() - let hits of a trap go on after one instruction
 * @point: the point, which has a trap or is about to have one; its state is TRAP afterwards
 *
 * Context: under the core mutex.
 */
void kprobe_point_narrow(struct kprobe_point *point)
{
	lockdep_assert_held(&kprobe_mutex);
	/* Pairs with the read in kprobe_insn_resume(), which takes either value */
	WRITE_ONCE(point->insn->resume, point->insn->slot);
	point->state = KPROBE_STATE_TRAP;
}

/**
 * kprobe_point_note_post() - note whether an enabled client has a post-handler
 * @point: the point, one of whose clients has changed
 *
 * Context: under the core mutex.
 */
void kprobe_point_note_post(struct kprobe_point *point)
{
	struct kprobe *p;
	bool post = false;

	lockdep_assert_held(&kprobe_mutex);
	list_for_each_entry(p, &point->clients, list)
		post |= p->post_handler && !kprobe_disabled(p);
	WRITE_ONCE(point->post, post);
	/* From now on hits step, and return after the first instruction */
	if (post && point->state == KPROBE_STATE_TRAP_WIDE)
		kprobe_point_narrow(point);
}

static bool point_is_settled(const struct kprobe_point *point)
{
	return !point->method->unsettled || !point->method->unsettled(point);
}

static bool point_may_be_sole(const struct kprobe *p)
{
	u32 flags = p->flags & (KPROBE_FLAGS_SILENT | KPROBE_FLAG_REENTRANT);

	return flags == KPROBE_FLAG_REENTRANT && p->pre_handler && !p->post_handler;
}

/**
 * kprobe_point_note_sole() - note whether hits concern one client that may always be called
 * @point: the point, whose list or one of whose clients has changed, or which has become
 *	settled or will cease to be
 *
 * Context: under the core mutex.
 */
void kprobe_point_note_sole(struct kprobe_point *point)
{
	struct kprobe *p = NULL;

	lockdep_assert_held(&kprobe_mutex);
	if (list_is_singular(&point->clients))
		p = list_first_entry(&point->clients, struct kprobe, list);
	if (p && !(point_may_be_sole(p) && point_is_settled(point)))
		p = NULL;
	/* Pairs with kprobe_hit(): a hit that sees the client sees its handler */
	smp_store_release(&point->sole, p);
}

/**
 * kprobe_point_add_client() - add a client to a point
 * @point: the point; if it is armed already, @p may be called at once
 * @p: the client
 * @flags: KPROBE_FLAG_* to set in addition to those of the client and the point
 *
 * Context: under the core mutex.
 */
void kprobe_point_add_client(struct kprobe_point *point, struct kprobe *p, u32 flags)
{
	lockdep_assert_held(&kprobe_mutex);
	p->addr = (kprobe_opcode_t *)point->addr;
	p->nmissed = 0;
	p->unwatched = 0;
	p->retiring = 0;
	p->diverted = 0;
	p->flags &= KPROBE_FLAG_DISABLED;
	p->flags |= flags | point->method->flag;
	if (point->on_entry)
		p->flags |= KPROBE_FLAG_ON_FUNC_ENTRY;
	if (point->insn && point->insn->unframed)
		p->flags |= KPROBE_FLAG_UNFRAMED;
	/* No hit may call the pre-handler without knowing that the other follows */
	if (p->post_handler && !kprobe_disabled(p))
		WRITE_ONCE(point->post, true);
	list_add_rcu(&p->list, &point->clients);
	kprobe_point_note_post(point);
	kprobe_point_note_sole(point);
}

/**
 * kprobe_point_remove_client() - undo kprobe_point_add_client()
 * @point: the point
 * @p: the client, whose handlers may run for an RCU grace period
 *
 * Context: under the core mutex.
 */
void kprobe_point_remove_client(struct kprobe_point *point, struct kprobe *p)
{
	lockdep_assert_held(&kprobe_mutex);
	list_del_rcu(&p->list);
	kprobe_point_note_post(point);
	kprobe_point_note_sole(point);
}

/**
 * kprobe_point_set_method() - set the method of a point, and the flags of its clients
 * @point: the point
 * @method: an upgrade that has taken it over, or the base method that has it back
 *
 * Context: under the core mutex.
 */
void kprobe_point_set_method(struct kprobe_point *point, const struct kprobe_method *method)
{
	struct kprobe *p;

	lockdep_assert_held(&kprobe_mutex);
	list_for_each_entry(p, &point->clients, list)
		kprobe_client_set_flags(p, point->method->flag, method->flag);
	point->method = method;
}

/**
 * kprobe_upgrade_prepare() - let an upgrade make what it needs of a point
 * @point: the point, of which the upgrade has been asked by kprobe_method::admits
 * @method: the upgrade
 *
 * Context: process context, under the core mutex.
 * Return: 0; -EBUSY if the point has another upgrade, or an error of kprobe_method::prepare.
 */
int kprobe_upgrade_prepare(struct kprobe_point *point, const struct kprobe_method *method)
{
	int ret;

	lockdep_assert_held(&kprobe_mutex);
	if (point->upgrade)
		return point->upgrade == method ? 0 : -EBUSY;
	ret = method->prepare(point, NULL);
	if (!ret)
		point->upgrade = method;
	return ret;
}

/**
 * kprobe_upgrade_prepare_all() - let an upgrade make what it needs of several points
 * @points: points as for kprobe_upgrade_prepare(); those that can be upgraded stay
 * @method: the upgrade
 * @refused: receives the others
 *
 * Points for which there is no memory are late. After some of them no more memory is asked for:
 * it can take long to find out that there is none.
 *
 * Context: process context, under the core mutex.
 */
void kprobe_upgrade_prepare_all(struct list_head *points, const struct kprobe_method *method,
				struct list_head *refused)
{
	struct kprobe_point *point, *next;
	unsigned int failed = 0;
	int ret;

	lockdep_assert_held(&kprobe_mutex);
	list_for_each_entry_safe(point, next, points, batch) {
		ret = -ENOMEM;
		if (point->upgrade || failed < KPROBE_NOMEM_MAX)
			ret = kprobe_upgrade_prepare(point, method);
		if (!ret)
			continue;
		if (ret == -ENOMEM) {
			point->late = true;
			failed++;
		}
		list_move_tail(&point->batch, refused);
	}
}

/* kprobe_blacklist_ready() is not true before */
static int __init kprobe_point_make_cache(void)
{
	point_cache = KMEM_CACHE(kprobe_point, SLAB_PANIC);
	return 0;
}
early_initcall(kprobe_point_make_cache);
