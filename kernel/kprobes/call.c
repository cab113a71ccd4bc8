// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The call method: hits come from the ftrace site at a function's entry.
 *
 * All points share two ftrace_ops, which are never freed, so that a hit costs the
 * same however many there are and nothing waits for ftrace. A point with a
 * post-handler, whose instruction has to be the one that is executed next, comes
 * by the second, which says so to ftrace (IPMODIFY): then live patching and it
 * keep each other off the same function.
 *
 * The filters of both are changed once a batch. ftrace takes such a change whole
 * or not at all and does not say which address it did not like, so a batch that
 * is refused is tried again in halves.
 *
 * An empty filter means every function there is. Before the last address leaves
 * a filter its ops is unregistered; it is registered with the first.
 */
#include <linux/context_tracking_irq.h>
#include <linux/ftrace.h>
#include <linux/kprobes.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include "hit.h"
#include "point.h"

/*
 * Locks:
 *	I	immutable
 *	M	core mutex
 */
struct kprobe_call {
	struct ftrace_ops	ops;	/* [M], and ftrace's own */
	unsigned int		armed;	/* [M] points that come by it */
};

/* The handlers of a hit, in a context that may run them */
static __always_inline void call_hit(struct kprobe_point *point, struct kprobe **mark,
				     struct ftrace_regs *fregs)
{
	struct pt_regs *regs = arch_kprobe_call_regs(fregs);
	struct arch_kprobe_call saved = arch_kprobe_call_enter(regs, point->addr);

	if (likely(kprobe_hit(point, mark, regs))) {
		arch_kprobe_call_resume(regs, saved);
		if (unlikely(READ_ONCE(point->post)))
			kprobe_hit_post(point, mark, regs);
	}
	arch_kprobe_call_leave(regs, saved);
	WRITE_ONCE(*mark, NULL);
}

/*
 * The point of a hit. None if it was removed a moment ago; none either while the
 * point moves from one ops to the other, as long as this is the wrong one: both
 * are called then.
 */
static __always_inline struct kprobe_point *call_point(unsigned long ip, struct ftrace_ops *ops)
{
	struct kprobe_point *point = kprobe_point_find(ip);

	if (point && READ_ONCE(point->armed) == container_of(ops, struct kprobe_call, ops))
		return point;
	return NULL;
}

/*
 * Without RCU watching nothing keeps the point, nor what a handler looks at. Have
 * it watch for as long as it takes to count.
 */
static noinline void call_unwatched(unsigned long ip, struct ftrace_ops *ops)
{
	struct kprobe_point *point;

	ct_nmi_enter();
	point = call_point(ip, ops);
	if (point)
		kprobe_point_missed(point);
	ct_nmi_exit();
}
NOKPROBE_SYMBOL(call_unwatched);

/*
 * Called by ftrace. Nothing this calls before the mark is set has an ftrace site:
 * a hit in there would find no mark and come here again, without end. ftrace's
 * guard against that would drop hits without a count.
 */
static void call_handler(unsigned long ip, unsigned long parent_ip,
			 struct ftrace_ops *ops, struct ftrace_regs *fregs)
{
	struct kprobe **mark;
	struct kprobe_point *point;

	preempt_disable_notrace();
	if (unlikely(!kprobe_rcu_watching())) {
		call_unwatched(ip, ops);
		goto out;
	}
	point = call_point(ip, ops);
	if (unlikely(!point))
		goto out;
	mark = kprobe_context_mark();
	if (likely(!READ_ONCE(*mark)))
		call_hit(point, mark, fregs);
	else
		kprobe_point_missed(point);
out:
	preempt_enable_notrace();
}
NOKPROBE_SYMBOL(call_handler);

static struct kprobe_call call_plain = {
	.ops = {
		.func	= call_handler,
		.flags	= FTRACE_OPS_FL_SAVE_REGS,
	},
};

static struct kprobe_call call_ipmodify = {
	.ops = {
		.func	= call_handler,
		.flags	= FTRACE_OPS_FL_SAVE_REGS | FTRACE_OPS_FL_IPMODIFY,
	},
};

static struct kprobe_call *const calls[] = { &call_plain, &call_ipmodify };

/* Set once, by kprobe_ftrace_kill() */
static bool call_dead;

/**
 * kprobe_ftrace_kill() - take note that ftrace will change no site any more
 *
 * Points that are armed stay so, as far as ftrace still calls anybody; arming
 * others is refused, and disarming leaves the text alone.
 *
 * Context: any; ftrace calls it on the way to a panic, too.
 */
void kprobe_ftrace_kill(void)
{
	WRITE_ONCE(call_dead, true);
}

/* Add addresses to the filter of @call: all of them, or none and an error */
static int call_filter_add(struct kprobe_call *call, unsigned long *ips, unsigned int num)
{
	int ret;

	ret = ftrace_set_filter_ips(&call->ops, ips, num, 0, 0);
	if (ret || call->armed)
		return ret;
	ret = register_ftrace_function(&call->ops);
	if (ret)
		ftrace_set_filter_ips(&call->ops, ips, num, 1, 0);
	return ret;
}

static void call_set_armed(struct kprobe_call *call, unsigned long *ips, unsigned int num)
{
	struct kprobe_point *point;
	unsigned int i;

	for (i = 0; i < num; i++) {
		point = kprobe_point_find(ips[i]);
		point->stale = point->armed;
		WRITE_ONCE(point->armed, call);
	}
	call->armed += num;
}

static void call_set_error(unsigned long *ips, unsigned int num, int error)
{
	unsigned int i;

	for (i = 0; i < num; i++)
		kprobe_point_find(ips[i])->error = error;
}

/* Is it one of the addresses that ftrace does not like, or the weather */
static bool call_error_is_of_one(int error)
{
	return error != -ENODEV && error != -ENOMEM;
}

/* Arm as many as can be; recursion is as deep as @num has bits */
static void call_arm_ips(struct kprobe_call *call, unsigned long *ips, unsigned int num)
{
	int ret = call_filter_add(call, ips, num);

	if (!ret) {
		call_set_armed(call, ips, num);
	} else if (num == 1 || !call_error_is_of_one(ret)) {
		call_set_error(ips, num, ret);
	} else {
		call_arm_ips(call, ips, num / 2);
		call_arm_ips(call, ips + num / 2, num - num / 2);
	}
}

/*
 * An address that stays in the filter because ftrace is dead, has no memory or
 * does not know the place any more does no harm: its hits find no armed point.
 */
static void call_filter_remove(struct kprobe_call *call, unsigned long *ips, unsigned int num)
{
	int ret = ftrace_set_filter_ips(&call->ops, ips, num, 1, 0);

	if (!ret || num == 1 || !call_error_is_of_one(ret))
		return;
	call_filter_remove(call, ips, num / 2);
	call_filter_remove(call, ips + num / 2, num - num / 2);
}

static void call_disarm_ips(struct kprobe_call *call, unsigned long *ips, unsigned int num)
{
	call->armed -= num;
	if (!call->armed)
		unregister_ftrace_function(&call->ops);
	call_filter_remove(call, ips, num);
}

static bool call_is_to_add(const struct kprobe_point *point, const struct kprobe_call *call)
{
	return point->method == &kprobe_call_method && point->want == call &&
	       point->armed != call;
}

static bool call_is_to_leave(const struct kprobe_point *point, const struct kprobe_call *call)
{
	if (point->method != &kprobe_call_method)
		return false;
	return point->stale == call || (point->armed == call && !point->want);
}

/* The addresses of a batch that @pick picks: how many, and where @ips is, which */
static unsigned int call_pick(struct kprobe_batch *batch, const struct kprobe_call *call,
			      bool (*pick)(const struct kprobe_point *point,
					   const struct kprobe_call *call),
			      unsigned long *ips)
{
	struct kprobe_point *point;
	unsigned int num = 0;

	list_for_each_entry(point, &batch->points, batch) {
		if (!pick(point, call))
			continue;
		if (ips)
			ips[num] = point->addr;
		num++;
	}
	return num;
}

static void call_set_wants(struct kprobe_batch *batch)
{
	struct kprobe_point *point;

	list_for_each_entry(point, &batch->points, batch) {
		if (!kprobe_point_wanted(point))
			point->want = NULL;
		else
			point->want = point->post ? &call_ipmodify : &call_plain;
	}
}

/* What ftrace would answer with silence */
static int call_refusal(void)
{
	if (READ_ONCE(call_dead))
		return -ENODEV;
	if (!READ_ONCE(ftrace_enabled))
		return -EAGAIN;
	return 0;
}

static void call_refuse(struct kprobe_batch *batch, const struct kprobe_call *call, int error)
{
	struct kprobe_point *point;

	list_for_each_entry(point, &batch->points, batch) {
		if (call_is_to_add(point, call))
			point->error = error;
	}
}

static void call_arm_group(struct kprobe_batch *batch, struct kprobe_call *call)
{
	unsigned int num = call_pick(batch, call, call_is_to_add, NULL);
	unsigned long *ips;
	int error;

	if (!num)
		return;
	error = call_refusal();
	ips = error ? NULL : kvmalloc_array(num, sizeof(*ips), GFP_KERNEL);
	if (!ips) {
		call_refuse(batch, call, error ?: -ENOMEM);
		return;
	}
	call_pick(batch, call, call_is_to_add, ips);
	call_arm_ips(call, ips, num);
	kvfree(ips);
}

static void call_arm(struct kprobe_batch *batch)
{
	int i;

	call_set_wants(batch);
	for (i = 0; i < ARRAY_SIZE(calls); i++)
		call_arm_group(batch, calls[i]);
}

static void call_forget(struct kprobe_batch *batch, const struct kprobe_call *call)
{
	struct kprobe_point *point;

	list_for_each_entry(point, &batch->points, batch) {
		if (!call_is_to_leave(point, call))
			continue;
		if (point->stale == call)
			point->stale = NULL;
		else
			WRITE_ONCE(point->armed, NULL);
	}
}

static void call_disarm_group(struct kprobe_batch *batch, struct kprobe_call *call)
{
	unsigned int num = call_pick(batch, call, call_is_to_leave, NULL);
	unsigned long *ips;

	if (!num)
		return;
	/* Disarming must not fail for want of memory: who unregisters could do nothing */
	ips = kvmalloc_array(num, sizeof(*ips), GFP_KERNEL | __GFP_NOFAIL);
	call_pick(batch, call, call_is_to_leave, ips);
	call_forget(batch, call);
	call_disarm_ips(call, ips, num);
	kvfree(ips);
}

static void call_disarm(struct kprobe_batch *batch)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(calls); i++)
		call_disarm_group(batch, calls[i]);
}

static bool call_fits(unsigned long addr)
{
	return ftrace_location_range(addr, addr) == addr;
}

static bool call_is_armed(const struct kprobe_point *point)
{
	return point->armed;
}

const struct kprobe_method kprobe_call_method = {
	.flag		= KPROBE_FLAG_FTRACE,
	.fits		= call_fits,
	.arm		= call_arm,
	.disarm		= call_disarm,
	.is_armed	= call_is_armed,
};
