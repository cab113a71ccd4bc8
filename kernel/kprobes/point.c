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
 *	FTRACE		FTRACE		arm, ftrace.c (to the	ftrace's
 *					other ftrace_ops)
 *	FTRACE		NONE		disarm, ftrace.c	ftrace's	RCU
 *					kprobe_points_drop(),
 *					gone.c: the site is freed
 *	NONE		TRAP		arm, trap.c		CPU, text
 *	TRAP		NONE		disarm, trap.c		CPU, text	RCU-tasks
 *	TRAP		TRAP_WIDE	the jump method to come	-		RCU-tasks
 *	TRAP, TRAP_WIDE	JUMP		arm of an upgrade	CPU, text
 *	TRAP_WIDE	TRAP		the jump method to come	-		RCU-tasks
 *	JUMP		JUMP_LEAVING	disarm of an upgrade	CPU, text	RCU-tasks
 *	JUMP		TRAP		the same, if no task	CPU, text
 *					can be in a detour
 *	JUMP_LEAVING	TRAP		the jump method to come	-
 *	NONE		(freed)		kprobe_point_free()
 *
 * A point is freed after the longest grace period that its methods require
 * (kprobe_method::slots). A point that loses its last client leaves the table after it
 * has reached NONE. A point whose text cannot be restored keeps its state and is
 * retried, see kprobe_point::late.
 */
#include <kunit/visibility.h>
#include <linux/err.h>
#include <linux/rculist.h>
#include <linux/slab.h>
#include "core.h"
#include "method.h"
#include "place.h"
#include "point.h"

struct mutex kprobe_mutex = __MUTEX_INITIALIZER(kprobe_mutex);
EXPORT_SYMBOL_IF_KUNIT(kprobe_mutex);

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
	kfree(point);
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
	struct kprobe_point *point = kzalloc(sizeof(*point), GFP_KERNEL);
	int ret;

	lockdep_assert_held(&kprobe_mutex);
	if (!point)
		return ERR_PTR(-ENOMEM);
	point->addr = place->addr;
	point->on_entry = place->on_entry;
	point->method = kprobe_method_for(place->addr);
	INIT_LIST_HEAD(&point->clients);
	INIT_LIST_HEAD(&point->batch);
	INIT_LIST_HEAD(&point->gone_list);
	ret = point->method->prepare(point, place);
	if (!ret)
		return point;
	kfree(point);
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
	list_add_rcu(&p->list, &point->clients);
	kprobe_point_note_post(point);
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
