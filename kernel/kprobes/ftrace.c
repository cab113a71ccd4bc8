// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The ftrace method: hits come from the ftrace site at a function's entry.
 *
 * All points share two ftrace_ops, which are never freed. The cost of a hit therefore
 * does not depend on their number, and no caller waits for ftrace. A point with a
 * post-handler uses the second ops, because its instruction must be the one that is
 * executed next. This ops has IPMODIFY: live patching and such a point exclude each
 * other from a function. A point moves from one ops to the other when its first
 * post-handler is added or enabled, or its last one is removed or disabled. Hits go on
 * meanwhile, and each counts once (ftrace_hit.c).
 *
 * The filters of both are changed once per batch. ftrace applies such a change completely
 * or not at all, and does not say which address it refuses. A refused batch is therefore
 * retried in halves. ftrace takes addresses as an array. There is one array; it gets room
 * for each point when the point is made.
 *
 * ftrace may lack the memory to remove an address from a filter. The point records this
 * (ftrace_point::filters) and is late: a worker tries again.
 *
 * Each ops is registered when the first point needs it, with a filter that selects nothing,
 * and stays registered. Registering and unregistering walk all records of ftrace; a change
 * of a filter costs what it changes.
 */
#include <kunit/static_stub.h>
#include <kunit/visibility.h>
#include <linux/ftrace.h>
#include <linux/kprobes.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include "core.h"
#include "ftrace.h"
#include "method.h"
#include "point.h"
#include "table.h"

/* In the order in which they are registered */
static struct ftrace_source *const ftrace_sources[] = {
	&ftrace_source_plain,
	&ftrace_source_ipmodify,
};

/* [M] the last value of ftrace_point::era */
static u32 ftrace_eras;

/* A BPF program that comes to a function, or leaves it, asks for another try, after 1 ms */
#define FTRACE_TRIES	100

/* [M] addresses for ftrace, with room for every point in the table */
static unsigned long *ftrace_addrs;
static unsigned int ftrace_addrs_room;

/**
 * kprobe_ftrace_filter() - change the filter of an ftrace_ops
 * @ops: the ftrace_ops
 * @addrs: addresses
 * @num: their number
 * @remove: true to remove them, false to add them
 *
 * KUnit makes it fail.
 *
 * Context: process context.
 * Return: 0, or a negative error: then nothing was changed.
 */
int kprobe_ftrace_filter(struct ftrace_ops *ops, unsigned long *addrs, unsigned int num,
			 int remove)
{
	KUNIT_STATIC_STUB_REDIRECT(kprobe_ftrace_filter, ops, addrs, num, remove);
	return ftrace_set_filter_ips(ops, addrs, num, remove, 0);
}
EXPORT_SYMBOL_IF_KUNIT(kprobe_ftrace_filter);

/* Is the error specific to one address, or a global condition? */
static bool ftrace_error_is_of_one(int error)
{
	return error != -ENODEV && error != -ENOMEM;
}

/* The address is in no filter, now or later */
static bool ftrace_error_is_removal(int error)
{
	return error == -ENODEV || error == -EINVAL || error == -ENOENT;
}

static void ftrace_source_removed(struct ftrace_source *source, unsigned long *addrs,
				  unsigned int num)
{
	struct kprobe_point *point;
	unsigned int i;

	for (i = 0; i < num; i++) {
		point = kprobe_point_find(addrs[i]);
		point->ftrace.filters &= ~source->bit;
	}
}

/* A point records the filters that it could not leave, and is retried */
static void ftrace_source_keep(unsigned long *addrs, unsigned int num, int error)
{
	unsigned int i;

	pr_warn_ratelimited("kprobes: cannot take %pS, one of %u functions, out of ftrace yet (%d)\n",
			    (void *)addrs[0], num, error);
	for (i = 0; i < num; i++)
		kprobe_point_find(addrs[i])->late = true;
}

/* ftrace takes no memory to remove a few addresses, so -ENOMEM is retried in halves too */
static void ftrace_source_remove(struct ftrace_source *source, unsigned long *addrs,
				 unsigned int num)
{
	int ret = kprobe_ftrace_filter(&source->ops, addrs, num, true);

	if (num > 1 && (ret == -ENOMEM || (ret && ftrace_error_is_of_one(ret)))) {
		ftrace_source_remove(source, addrs, num / 2);
		ftrace_source_remove(source, addrs + num / 2, num - num / 2);
	} else if (!ret || ftrace_error_is_removal(ret)) {
		ftrace_source_removed(source, addrs, num);
	} else {
		ftrace_source_keep(addrs, num, ret);
	}
}

static int ftrace_source_register(struct ftrace_source *source)
{
	int ret;

	if (source->registered)
		return 0;
	ret = ftrace_set_filter_none(&source->ops) ?: register_ftrace_function(&source->ops);
	source->registered = !ret;
	return ret;
}

/* What is registered last is called first, which must be ftrace_source_ipmodify */
static int ftrace_source_register_until(struct ftrace_source *source)
{
	int i, ret = 0;

	for (i = 0; !ret && !source->registered; i++)
		ret = ftrace_source_register(ftrace_sources[i]);
	return ret;
}

static void ftrace_source_added(struct ftrace_source *source, unsigned long *addrs,
				unsigned int num)
{
	unsigned int i;

	for (i = 0; i < num; i++)
		kprobe_point_find(addrs[i])->ftrace.filters |= source->bit;
}

/*
 * Add addresses to a filter: all of them, or none and an error. A change that meets unexpected
 * text kills ftrace, and nothing else tells of that.
 */
static int ftrace_source_add(struct ftrace_source *source, unsigned long *addrs,
			     unsigned int num)
{
	int ret = kprobe_ftrace_error() ?: ftrace_source_register_until(source);
	int tries = FTRACE_TRIES;

	if (ret)
		return ret;
	do {
		ret = kprobe_ftrace_filter(&source->ops, addrs, num, false);
	} while (ret == -EAGAIN && --tries);
	if (!ret)
		ftrace_source_added(source, addrs, num);
	return ret ?: kprobe_ftrace_dead_error();
}

/*
 * A point that stays with IPMODIFY, because it could not move back, serves its clients as
 * well: it is late, not refused. If ftrace is dead it stays there for good.
 */
static void ftrace_source_missed(struct ftrace_source *source, struct kprobe_point *point,
				 int error)
{
	if (point->ftrace.by && source == &ftrace_source_plain)
		point->late = error != -ENODEV;
	else
		point->error = error;
}

/* From now on hits come from a source whose filter has the point */
static void ftrace_source_take(struct ftrace_source *source, struct kprobe_point *point)
{
	struct ftrace_point *ftrace = &point->ftrace;

	if (source == &ftrace_source_ipmodify)
		WRITE_ONCE(ftrace->era, ++ftrace_eras);
	else if (ftrace->era)
		source = &ftrace_source_leaving;
	/* A hit that sees where it comes from sees the era too */
	smp_store_release(&ftrace->by, source);
}

static void ftrace_source_arrive(struct ftrace_source *source, unsigned long *addrs,
				 unsigned int num, int error)
{
	struct kprobe_point *point;
	unsigned int i;

	for (i = 0; i < num; i++) {
		point = kprobe_point_find(addrs[i]);
		point->error = 0;
		if (error)
			ftrace_source_missed(source, point, error);
		else
			ftrace_source_take(source, point);
	}
}

/* Arm as many points as possible; the recursion depth is the number of bits of @num */
static void ftrace_source_arm(struct ftrace_source *source, unsigned long *addrs,
			      unsigned int num)
{
	int ret = ftrace_source_add(source, addrs, num);

	if (num > 1 && ret && ftrace_error_is_of_one(ret)) {
		ftrace_source_arm(source, addrs, num / 2);
		ftrace_source_arm(source, addrs + num / 2, num - num / 2);
	} else {
		ftrace_source_arrive(source, addrs, num, ret);
	}
}

/* The source that the present clients of a point require */
static struct ftrace_source *ftrace_source_for(const struct kprobe_point *point)
{
	return point->post ? &ftrace_source_ipmodify : &ftrace_source_plain;
}

static void ftrace_arrive(struct list_head *points, struct ftrace_source *source)
{
	struct kprobe_point *point;
	unsigned int num = 0;

	list_for_each_entry(point, points, batch) {
		if (ftrace_source_for(point) == source && point->ftrace.by != source)
			ftrace_addrs[num++] = point->addr;
	}
	if (num)
		ftrace_source_arm(source, ftrace_addrs, num);
}

/* Remove points from a filter that they are in but do not use */
static void ftrace_leave(struct list_head *points, struct ftrace_source *source)
{
	struct kprobe_point *point;
	unsigned int num = 0;

	list_for_each_entry(point, points, batch) {
		if ((point->ftrace.filters & source->bit) && point->ftrace.by != source)
			ftrace_addrs[num++] = point->addr;
	}
	if (num)
		ftrace_source_remove(source, ftrace_addrs, num);
}

static void ftrace_leave_all(struct list_head *points)
{
	struct kprobe_point *point;
	int i;

	for (i = 0; i < ARRAY_SIZE(ftrace_sources); i++)
		ftrace_leave(points, ftrace_sources[i]);
	list_for_each_entry(point, points, batch)
		point->state = point->ftrace.filters ? KPROBE_STATE_FTRACE :
						       KPROBE_STATE_NONE;
}

static void ftrace_note_sole(struct list_head *points)
{
	struct kprobe_point *point;

	list_for_each_entry(point, points, batch)
		kprobe_point_note_sole(point);
}

static bool ftrace_is_moving(const struct kprobe_point *point)
{
	return point->ftrace.by == &ftrace_source_leaving ||
	       (point->ftrace.by && point->ftrace.filters & ~point->ftrace.by->bit);
}

/*
 * Points that have come to another source leave the one before. A hit that began before may
 * rely on it, or on what source_ipmodify notes.
 */
static void ftrace_end_moves(struct list_head *points)
{
	struct kprobe_point *point;
	bool moving = false;

	list_for_each_entry(point, points, batch)
		moving |= ftrace_is_moving(point);
	if (!moving)
		return;
	synchronize_rcu();
	list_for_each_entry(point, points, batch) {
		if (point->ftrace.by != &ftrace_source_leaving)
			continue;
		WRITE_ONCE(point->ftrace.by, &ftrace_source_plain);
		WRITE_ONCE(point->ftrace.era, 0);
	}
}

static void ftrace_arm(struct list_head *points)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(ftrace_sources); i++)
		ftrace_arrive(points, ftrace_sources[i]);
	ftrace_end_moves(points);
	ftrace_leave_all(points);
	ftrace_note_sole(points);
}

static void ftrace_disarm(struct list_head *points)
{
	struct kprobe_point *point;

	list_for_each_entry(point, points, batch)
		WRITE_ONCE(point->ftrace.by, NULL);
	ftrace_note_sole(points);
	ftrace_leave_all(points);
}

static bool ftrace_unsettled(const struct kprobe_point *point)
{
	const struct ftrace_source *source = ftrace_source_for(point);

	return point->ftrace.by != source || point->ftrace.filters != source->bit;
}

static bool ftrace_fits(unsigned long addr)
{
	return ftrace_location_range(addr, addr) == addr;
}

/* The room is made in advance, so that disarming never fails for lack of memory */
static int ftrace_prepare(struct kprobe_point *point, struct kprobe_place *place)
{
	unsigned int count = kprobe_table_count() + 1, room = roundup_pow_of_two(count);
	unsigned long *new;

	if (count <= ftrace_addrs_room && room * 4 > ftrace_addrs_room)
		return 0;
	new = kvmalloc_array(room, sizeof(*new), GFP_KERNEL);
	if (!new)
		return count <= ftrace_addrs_room ? 0 : -ENOMEM;
	kvfree(ftrace_addrs);
	ftrace_addrs = new;
	ftrace_addrs_room = room;
	return 0;
}

static const char *ftrace_why(void)
{
	if (kprobe_ftrace_error())
		return "the address is an ftrace site, but function tracing is off";
	return "the address is an ftrace site";
}

const struct kprobe_method kprobe_ftrace_method = {
	.name		= "ftrace",
	.why		= ftrace_why,
	.flag		= KPROBE_FLAG_FTRACE,
	.fits		= ftrace_fits,
	.prepare	= ftrace_prepare,
	.unsettled	= ftrace_unsettled,
	.arm		= ftrace_arm,
	.disarm		= ftrace_disarm,
};
