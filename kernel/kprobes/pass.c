// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The pass that makes jumps of traps where a jump replaces several instructions.
 *
 * No CPU and no task may be inside a window when the jump is written: it would go on in the
 * middle of the branch. Tasks come there by executing the first instruction where it stands,
 * or in the slot of the trap, which returns to the second one. So a jump takes three steps:
 *
 *	TRAP		Windows are looked for, and copied (window.c).
 *	TRAP_WIDE	The trap stays, but its hits go on in the copies, and return after the
 *			window: nobody enters it any more. An RCU-tasks grace period later
 *			nobody is inside. No lock is held meanwhile.
 *	JUMP		Under the core mutex, all conditions are checked again. The jumps of all
 *			points in TRAP_WIDE are written at once.
 *
 * A point goes back to TRAP at once if a condition no longer holds: it has no client any
 * more or one with a post-handler, there is another point in the window, or jumps are
 * switched off. From then on there may be tasks inside again. Passes do not overlap, and only
 * the beginning of a pass moves points to TRAP_WIDE. Therefore a point that is in TRAP_WIDE at
 * the end of a pass has been there for the whole grace period.
 */
#include <kunit/visibility.h>
#include <linux/delay.h>
#include <linux/jiffies.h>
#include <linux/kprobe-arch.h>
#include <linux/kprobe-window.h>
#include <linux/mutex.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include <linux/workqueue.h>
#include "batch.h"
#include "core.h"
#include "jump.h"
#include "method.h"
#include "point.h"
#include "table.h"
#include "targets.h"
#include "window.h"

/* A pass begins after this time: probes that come together share it */
#define PASS_DELAY	(HZ / 50)

/* A pass after one that met text without an index, or a debugger, begins after this time */
#define PASS_LATER	HZ

/* Points that are looked at without releasing the core mutex */
#define PASS_SLICE	64

static void pass_begin(struct work_struct *work);
static void pass_later(struct work_struct *work);
static void pass_end(struct work_struct *work);
static DECLARE_DELAYED_WORK(pass_begin_work, pass_begin);
static DECLARE_DELAYED_WORK(pass_later_work, pass_later);
static DECLARE_WORK(pass_end_work, pass_end);
static struct rcu_head pass_rcu;

/* [M] A pass waits for its grace period */
static bool pass_waits;

/* Could a pass make a jump of a point, as far as the point itself tells? */
static bool pass_is_candidate(const struct kprobe_point *point)
{
	if (point->state != KPROBE_STATE_TRAP || point->method != &kprobe_trap_method)
		return false;
	if (!point->wanted || point->post || point->window_refusal || point->late ||
	    kprobe_jumps_forbidden())
		return false;
	return point->insn->length < ARCH_KPROBE_JUMP_SIZE &&
	       arch_kprobe_window_fits(point->insn) && arch_kprobe_jump_size(point->insn);
}

/* Do the conditions that may change still hold? A debugger wants text_mutex free: targets.h */
static bool pass_conditions_hold(const struct kprobe_point *point)
{
	return point->wanted && !point->post && !kprobe_jumps_forbidden() &&
	       !kprobe_debugger_is_connected() &&
	       kprobe_window_is_free(point, point->wide->window.length);
}

/**
 * kprobe_window_admits() - may a jump replace the window of a point, or stay there?
 * @point: a point without post-handler; its instruction is shorter than a branch
 *
 * Context: under the core mutex.
 * Return: true if so.
 */
bool kprobe_window_admits(const struct kprobe_point *point)
{
	const struct kprobe_wide *wide = point->wide;

	lockdep_assert_held(&kprobe_mutex);
	if (!wide || (point->state != KPROBE_STATE_JUMP &&
		      !(point->state == KPROBE_STATE_TRAP_WIDE && wide->drained)))
		return false;
	return kprobe_window_is_free(point, wide->window.length);
}

/* Windows are copied long before they are used: has another owner changed the text since? */
static bool pass_text_is_unchanged(const struct kprobe_point *point)
{
	const struct kprobe_window *window = &point->wide->window;
	u8 text[KPROBE_WINDOW_TEXT_MAX];

	return !copy_from_kernel_nofault(text, (void *)point->addr, window->length) &&
	       !memcmp(text + ARCH_KPROBE_TRAP_SIZE, window->text + ARCH_KPROBE_TRAP_SIZE,
		       window->length - ARCH_KPROBE_TRAP_SIZE);
}

static void pass_widen(struct kprobe_point *point)
{
	/* The copies are complete; a CPU that reads this has taken a trap, and leaves it */
	WRITE_ONCE(point->insn->resume, point->wide->code);
	point->state = KPROBE_STATE_TRAP_WIDE;
}

/**
 * kprobe_window_review() - withdraw a point if a condition of its jump no longer holds
 * @point: a point whose clients may have changed, or those of points after it
 *
 * Context: under the core mutex, before text is changed for these clients.
 */
void kprobe_window_review(struct kprobe_point *point)
{
	lockdep_assert_held(&kprobe_mutex);
	if (point->state == KPROBE_STATE_TRAP_WIDE && !pass_conditions_hold(point))
		kprobe_point_narrow(point);
}

/**
 * kprobe_window_offer() - begin a pass soon if it could make a jump of a point
 * @point: a point that has been brought to the state that its clients want
 *
 * Context: under the core mutex.
 */
void kprobe_window_offer(struct kprobe_point *point)
{
	lockdep_assert_held(&kprobe_mutex);
	if (pass_is_candidate(point))
		queue_delayed_work(system_unbound_wq, &pass_begin_work, PASS_DELAY);
}

/**
 * kprobe_window_foresee() - say whether a pass makes a jump of a point
 * @point: a point of the trap method, enabled or not; gets its window if there is one
 *
 * Post-handlers and the switches of jumps are not looked at.
 *
 * Context: process context, under the core mutex.
 * Return: KPROBE_WINDOW_OK, or the refusal. After KPROBE_WINDOW_UNKNOWN
 * kprobe_targets_index() is to be called without the mutex.
 */
enum kprobe_window_refusal kprobe_window_foresee(struct kprobe_point *point)
{
	enum kprobe_window_refusal refusal = point->window_refusal;

	lockdep_assert_held(&kprobe_mutex);
	if (!arch_kprobe_window_fits(point->insn))
		return KPROBE_WINDOW_INSN;
	if (!refusal && !point->wide)
		refusal = kprobe_debugger_is_connected() ? KPROBE_WINDOW_UNKNOWN :
							   kprobe_window_make(point);
	if (!refusal && !kprobe_window_is_free(point, point->wide->window.length))
		refusal = KPROBE_WINDOW_PROBED;
	return refusal;
}

/**
 * struct pass_look - the search for windows of a pass
 * @pos: where in the table it is
 * @again: the search of some point has ended on the way there. Points before @pos may be new,
 *	as they come and move while the mutex is not held
 * @left: points that may be looked at before the mutex is released
 * @unknown: an address in text that has no index; 0 if there is none
 * @tried: the last address for which an index was asked
 * @scarce: there was no memory for an index: no other one is tried
 * @failed: points for whose copies there was no memory
 * @later: there was a point in text without an index. It may have been missed since, as the
 *	table changes while that is made, or the text cannot be indexed yet. Or there is a
 *	debugger
 */
struct pass_look {
	unsigned int	pos;
	bool		again;
	unsigned int	left;
	unsigned long	unknown;
	unsigned long	tried;
	bool		scarce;
	unsigned int	failed;
	bool		later;
};

static void pass_look_at(struct pass_look *look, struct kprobe_point *point)
{
	enum kprobe_window_refusal refusal = kprobe_window_make(point);

	look->left--;
	/* What was read may have breakpoints of a debugger that has just come */
	if (refusal && kprobe_debugger_is_connected()) {
		look->later = true;
		return;
	}
	switch (refusal) {
	case KPROBE_WINDOW_UNKNOWN:
		look->later = true;
		if (!look->scarce && point->addr != look->tried)
			look->unknown = point->addr;
		break;
	case KPROBE_WINDOW_NO_MEMORY:
		look->failed++;
		break;
	default:
		look->again = true;
		point->window_refusal = refusal;
	}
}

/*
 * Look for windows of points that have not been looked at. Is there more to do? Not while there
 * is a debugger, see targets.h.
 */
static bool pass_look_at_slice(struct pass_look *look)
{
	struct kprobe_point *point;

	guard(mutex)(&kprobe_mutex);
	look->left = PASS_SLICE;
	look->unknown = 0;
	while (look->left && !look->unknown) {
		if (kprobe_debugger_is_connected()) {
			look->later = true;
			return false;
		}
		point = kprobe_table_next(&look->pos);
		if (!point || look->failed >= KPROBE_NOMEM_MAX)
			return false;
		if (pass_is_candidate(point) && !point->wide)
			pass_look_at(look, point);
	}
	return true;
}

static void pass_look_all(struct pass_look *look)
{
	while (pass_look_at_slice(look)) {
		if (look->unknown && kprobe_targets_index(look->unknown))
			look->scarce = true;
		look->tried = look->unknown;
		/* The point is to be looked at again */
		if (look->unknown)
			look->pos--;
		/* Grace periods wait for this task too, also that of the pass before */
		cond_resched_tasks_rcu_qs();
	}
}

/* Returns the number of points that are in TRAP_WIDE now */
static unsigned int pass_widen_all(void)
{
	struct kprobe_point *point;
	unsigned int pos = 0, num = 0;

	while ((point = kprobe_table_next(&pos))) {
		if (!pass_is_candidate(point) || !point->wide ||
		    !pass_conditions_hold(point) || !pass_text_is_unchanged(point))
			continue;
		pass_widen(point);
		num++;
	}
	return num;
}

static void pass_waited(struct rcu_head *unused)
{
	queue_work(system_unbound_wq, &pass_end_work);
}

/*
 * RCU-tasks waits until each task has slept, or was in user mode, but does not wait for idle
 * tasks. These are not preempted, and the grace period begins and ends with one of RCU, which
 * waits for them, and for CPUs that are in a trap.
 */
static void pass_begin(struct work_struct *work)
{
	struct pass_look look = { };

	pass_look_all(&look);
	/* Not at once: while points come and come, those that were found must not wait */
	if (look.again)
		queue_delayed_work(system_unbound_wq, &pass_begin_work, PASS_DELAY);
	guard(mutex)(&kprobe_mutex);
	if (!pass_waits && pass_widen_all()) {
		pass_waits = true;
		call_rcu_tasks(&pass_rcu, pass_waited);
	}
	/* While there is a debugger nothing is looked for, and nothing is widened */
	if (look.later || look.failed || kprobe_debugger_is_connected())
		queue_delayed_work(system_unbound_wq, &pass_later_work, PASS_LATER);
}

/* Not by a delay of pass_begin_work, for which points that come meanwhile would wait */
static void pass_later(struct work_struct *work)
{
	queue_delayed_work(system_unbound_wq, &pass_begin_work, 0);
}

static void pass_settle(struct kprobe_batch *batch)
{
	struct kprobe_point *point;
	unsigned int pos = 0;

	while ((point = kprobe_table_next(&pos))) {
		if (point->state != KPROBE_STATE_TRAP_WIDE)
			continue;
		point->wide->drained = true;
		kprobe_batch_add_point(batch, point);
	}
}

/*
 * Why did a point in TRAP_WIDE not become a jump, although its conditions hold? The answer
 * keeps passes from trying it again and again. A point that is late only had no memory for its
 * detour.
 */
static enum kprobe_window_refusal pass_failure(struct kprobe_point *point)
{
	if (point->late)
		return KPROBE_WINDOW_OK;
	if (point->upgrade)
		return KPROBE_WINDOW_RESERVED;
	switch (kprobe_upgrade_prepare(point, &kprobe_jump_method)) {
	case 0:
		return KPROBE_WINDOW_OK;
	case -ERANGE:
		return KPROBE_WINDOW_REACH;
	default:
		return KPROBE_WINDOW_RESERVED;
	}
}

static void pass_clean_up(void)
{
	struct kprobe_point *point;
	unsigned int pos = 0;

	while ((point = kprobe_table_next(&pos))) {
		if (point->wide)
			point->wide->drained = false;
		if (point->state != KPROBE_STATE_TRAP_WIDE)
			continue;
		point->window_refusal = pass_failure(point);
		kprobe_point_narrow(point);
	}
}

static void pass_end(struct work_struct *work)
{
	struct kprobe_batch *batch = kprobe_batch_alloc();

	scoped_guard(mutex, &kprobe_mutex) {
		pass_settle(batch);
		kprobe_batch_apply(batch);
		pass_clean_up();
		pass_waits = false;
	}
	kprobe_batch_put(batch);
	/* For the points that came meanwhile */
	queue_delayed_work(system_unbound_wq, &pass_begin_work, 0);
}

#if IS_ENABLED(CONFIG_KUNIT)
static bool pass_is_over(void)
{
	flush_delayed_work(&pass_begin_work);
	guard(mutex)(&kprobe_mutex);
	return !pass_waits && !work_busy(&pass_begin_work.work) && !work_busy(&pass_end_work);
}

/**
 * kprobe_windows_wait() - wait until all points are jumps that can be, for KUnit
 *
 * Those in a module that is being initialised are not waited for.
 *
 * Context: process context.
 */
void kprobe_windows_wait(void)
{
	while (!pass_is_over())
		msleep(20);
}
EXPORT_SYMBOL_IF_KUNIT(kprobe_windows_wait);
#endif
