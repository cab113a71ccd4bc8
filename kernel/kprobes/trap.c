// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The trap method: hits come from a trap instruction in the text.
 *
 * A trap is judged before anything runs that could have a probe itself. Where the
 * context it interrupts has a mark, or is on the way from a judgement to the
 * handlers or back, the hit is counted and the instruction resumed right there.
 * What lies between is marked too, so a probe on the way can only be a counted
 * hit, never a hit without end.
 *
 * A hit takes one trap: the instruction is emulated, or runs in a slot that
 * branches back. If somebody wants to know when it was executed the slot ends in
 * a second trap. That one is known by its address; nothing needs to be remembered
 * between the two, so interrupts stay as they are and the task may be preempted.
 *
 * A point stays in the table from before its trap is in the text until after no
 * CPU can have executed it. What is replaced, either way, is verified first: what
 * is not what it was is somebody else's, and stays as it is.
 */
#include <linux/compiler.h>
#include <linux/cpu.h>
#include <linux/kprobe-arch.h>
#include <linux/kprobes.h>
#include <linux/llist.h>
#include <linux/memory.h>
#include <linux/mm.h>
#include <linux/percpu.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/sort.h>
#include <linux/uaccess.h>
#include <linux/workqueue.h>
#include "hit.h"
#include "point.h"

/* The mark of a context between a judgement and the first handler, and back */
static struct kprobe judged;

/*
 * An NMI between the two lines, or that takes this one's trap for its own because
 * the entry has not raised the preempt count yet, finds the mark of the context it
 * interrupts: what it hits is counted, as it would be a moment later.
 */
static __always_inline enum kprobe_verdict trap_begin(struct kprobe_trap_hit *hit,
						      struct kprobe **mark)
{
	hit->mark = mark;
	WRITE_ONCE(*mark, &judged);
	raw_cpu_add(kprobe_trap_count, ARCH_KPROBE_TRAP_COUNT);
	return KPROBE_TRAP_HIT;
}

/* The second trap of a hit; its point may have been removed since the first */
static __always_inline enum kprobe_verdict judge_behind(struct kprobe_trap_hit *hit,
							unsigned long addr,
							struct pt_regs *regs)
{
	unsigned long origin = kprobe_slot_trap_origin(addr);
	struct kprobe **mark = kprobe_context_mark();

	if (!origin)
		return KPROBE_TRAP_FOREIGN;
	instruction_pointer_set(regs, kprobe_slot_origin(addr));
	hit->point = kprobe_point_find(origin);
	hit->behind = true;
	/* Where a slot cannot branch back each hit comes here, wanted or not */
	if (!hit->point || !READ_ONCE(hit->point->post) || READ_ONCE(*mark))
		return KPROBE_TRAP_RESUMED;
	return trap_begin(hit, mark);
}

/**
 * kprobe_trap_judge() - may the handlers of a trap be called
 * @hit: written
 * @addr: where the trap is
 * @regs: of the trap; changed if it is dealt with, or if it is the second of a hit
 *
 * RCU need not watch: where a trap of ours can be, it does.
 *
 * Context: the entry of the trap, interrupts and preemption off, the preempt
 * count as the trap found it.
 * Return: what to do; after KPROBE_TRAP_HIT kprobe_trap_end() has to be called.
 */
noinstr enum kprobe_verdict kprobe_trap_judge(struct kprobe_trap_hit *hit,
					      unsigned long addr, struct pt_regs *regs)
{
	struct kprobe_point *point = kprobe_point_find(addr);
	struct kprobe **mark;

	if (unlikely(!point || !point->trap))
		return judge_behind(hit, addr, regs);
	mark = kprobe_context_mark();
	hit->point = point;
	hit->behind = false;
	if (likely(!READ_ONCE(*mark)))
		return trap_begin(hit, mark);
	kprobe_point_missed(point);
	arch_kprobe_trap_resume(point->trap, regs);
	return KPROBE_TRAP_RESUMED;
}

static __always_inline void trap_resume(struct kprobe_point *point, struct kprobe **mark,
					struct pt_regs *regs)
{
	if (likely(!READ_ONCE(point->post)))
		arch_kprobe_trap_resume(point->trap, regs);
	else if (arch_kprobe_trap_step(point->trap, regs))
		kprobe_hit_post(point, mark, regs);
}

/**
 * kprobe_trap_hit() - call the handlers of a trap, and resume
 * @hit: as kprobe_trap_judge() wrote it
 * @regs: of the trap
 *
 * Context: preemption and interrupts off, RCU watching.
 */
void kprobe_trap_hit(struct kprobe_trap_hit *hit, struct pt_regs *regs)
{
	struct kprobe_point *point = hit->point;

	/* As in every method: handlers may count on it in the preempt count */
	preempt_disable_notrace();
	if (unlikely(hit->behind))
		kprobe_hit_post(point, hit->mark, regs);
	else if (likely(kprobe_hit(point, hit->mark, regs)))
		trap_resume(point, hit->mark, regs);
	else
		arch_kprobe_trap_divert(regs);
	preempt_enable_no_resched_notrace();
}
NOKPROBE_SYMBOL(kprobe_trap_hit);

/**
 * kprobe_trap_end() - the context of a trap's handlers has been left
 * @hit: as kprobe_trap_judge() wrote it
 *
 * Context: as kprobe_trap_judge().
 */
noinstr void kprobe_trap_end(struct kprobe_trap_hit *hit)
{
	raw_cpu_sub(kprobe_trap_count, ARCH_KPROBE_TRAP_COUNT);
	WRITE_ONCE(*hit->mark, NULL);
}

/* Replace what traps hide of the byte at @addr */
static void text_untrap(unsigned long addr, u8 *byte)
{
	struct kprobe_point *point;
	int i;

	for (i = 0; i < ARCH_KPROBE_TRAP_SIZE; i++) {
		point = kprobe_point_find(addr - i);
		if (point && point->trapped)
			*byte = arch_kprobe_trap_text(point->trap)[i];
	}
}

/**
 * kprobe_text_read() - read text as it is without our traps
 * @addr: where to begin
 * @buf: where to put it
 * @len: bytes wanted
 *
 * Context: process context, under the core mutex.
 * Return: @len, or -EFAULT.
 */
int kprobe_text_read(unsigned long addr, u8 *buf, size_t len)
{
	size_t i;

	lockdep_assert_held(&kprobe_mutex);
	if (copy_from_kernel_nofault(buf, (void *)addr, len))
		return -EFAULT;
	for (i = 0; i < len; i++)
		text_untrap(addr + i, &buf[i]);
	return len;
}

/* The first of each batch that is to be freed, where that may sleep */
static LLIST_HEAD(batches_unused);

static void points_release(struct kprobe_point *point)
{
	struct kprobe_point *next;

	for (; point; point = next) {
		next = point->next_empty;
		arch_kprobe_trap_free(point->trap);
		kfree(point);
	}
}

static void batches_release(struct work_struct *work)
{
	struct kprobe_point *first, *next;

	llist_for_each_entry_safe(first, next, llist_del_all(&batches_unused), unused)
		points_release(first);
}

static DECLARE_WORK(release_work, batches_release);

static void batch_is_unused(struct rcu_head *rcu)
{
	struct kprobe_point *first = container_of(rcu, struct kprobe_point, rcu);

	if (llist_add(&first->unused, &batches_unused))
		schedule_work(&release_work);
}

/**
 * kprobe_trap_points_free() - free points once nobody is at them or in their slots
 * @first: linked by kprobe_point::next_empty; none is armed or can be found
 *
 * A task that was preempted in a slot has left it by the end of a tasks-RCU grace
 * period. The idle tasks, which that does not wait for, are not preempted; with
 * preemption off, they and the hits' handlers are what the RCU grace periods that
 * a tasks-RCU one begins and ends with wait for.
 *
 * Context: any. Waits for nothing.
 */
void kprobe_trap_points_free(struct kprobe_point *first)
{
	call_rcu_tasks(&first->rcu, batch_is_unused);
}

static bool trap_fits(unsigned long addr)
{
	return true;
}

static int trap_prepare(struct kprobe_point *point)
{
	struct arch_kprobe_trap *trap = arch_kprobe_trap_make(point->addr);

	if (IS_ERR(trap))
		return PTR_ERR(trap);
	point->trap = trap;
	return 0;
}

static bool trap_is_to_arm(const struct kprobe_point *point)
{
	return point->trap && !point->trapped && kprobe_point_wanted(point);
}

static bool trap_is_to_disarm(const struct kprobe_point *point)
{
	return point->trapped && !kprobe_point_wanted(point);
}

static int trap_order(const void *a, const void *b)
{
	const struct kprobe_point *const *first = a, *const *second = b;

	if ((*first)->addr == (*second)->addr)
		return 0;
	return (*first)->addr < (*second)->addr ? -1 : 1;
}

/* The points of a batch that are to be armed: how many, and where @points is, which */
static unsigned int trap_pick(struct kprobe_batch *batch, struct kprobe_point **points)
{
	struct kprobe_point *point;
	unsigned int num = 0;

	list_for_each_entry(point, &batch->points, batch) {
		if (!trap_is_to_arm(point))
			continue;
		if (points)
			points[num] = point;
		num++;
	}
	return num;
}

static void trap_refuse(struct kprobe_batch *batch, int error)
{
	struct kprobe_point *point;

	list_for_each_entry(point, &batch->points, batch) {
		if (trap_is_to_arm(point))
			point->error = error;
	}
}

static void trap_arm_points(struct kprobe_point **points, unsigned int num)
{
	unsigned int i;

	sort(points, num, sizeof(*points), trap_order, NULL);
	guard(cpus_read_lock)();
	guard(mutex)(&text_mutex);
	for (i = 0; i < num; i++) {
		points[i]->error = arch_kprobe_trap_queue(points[i]->trap);
		points[i]->trapped = !points[i]->error;
	}
	arch_kprobe_trap_flush();
}

static void trap_arm(struct kprobe_batch *batch)
{
	unsigned int num = trap_pick(batch, NULL);
	struct kprobe_point **points;

	if (!num)
		return;
	points = kvmalloc_array(num, sizeof(*points), GFP_KERNEL);
	if (!points) {
		trap_refuse(batch, -ENOMEM);
		return;
	}
	trap_pick(batch, points);
	trap_arm_points(points, num);
	kvfree(points);
}

static bool trap_any_to_disarm(struct kprobe_batch *batch)
{
	struct kprobe_point *point;

	list_for_each_entry(point, &batch->points, batch) {
		if (trap_is_to_disarm(point))
			return true;
	}
	return false;
}

static void trap_disarm(struct kprobe_batch *batch)
{
	struct kprobe_point *point;

	if (!trap_any_to_disarm(batch))
		return;
	guard(cpus_read_lock)();
	guard(mutex)(&text_mutex);
	list_for_each_entry(point, &batch->points, batch) {
		if (!trap_is_to_disarm(point))
			continue;
		arch_kprobe_trap_remove(point->trap);
		point->trapped = false;
	}
	arch_kprobe_trap_sync();
}

static bool trap_is_armed(const struct kprobe_point *point)
{
	return point->trapped;
}

const struct kprobe_method kprobe_trap_method = {
	.fits		= trap_fits,
	.prepare	= trap_prepare,
	.arm		= trap_arm,
	.disarm		= trap_disarm,
	.is_armed	= trap_is_armed,
};
