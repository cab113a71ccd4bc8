// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Hits of the ftrace method, and the two ftrace_ops that they come from.
 *
 * While a point moves from one ops to the other, ftrace calls both for a hit, first that of
 * ftrace_source_ipmodify, and the move may come between the two calls. The hit counts once:
 * the second call serves what the first one has not. It knows by a note that the first one
 * leaves for it:
 *
 *	ftrace_point::by		first call		second call
 *	ftrace_source_plain		nothing			serves
 *	ftrace_source_ipmodify		serves, and notes it	serves what is not noted
 *	ftrace_source_leaving		takes its note away	serves what is not noted
 *
 * A note has the registers of the hit, which both calls get, and ftrace_point::era, which is
 * new each time that hits begin to come from ftrace_source_ipmodify: notes of earlier hits,
 * which had no second call, are not taken for those of this one. An RCU grace period is
 * between the last call with ftrace_source_leaving and the first one with
 * ftrace_source_plain. There is none for hits while RCU does not watch, which are only
 * counted as missed.
 *
 * If a function has no other user, ftrace calls the trampoline of ftrace_source_ipmodify, and
 * no second call comes. A task can be preempted in the trampoline until the move is over.
 * Such a hit is served wherever hits come from by then.
 */
#include <linux/bits.h>
#include <linux/context_tracking_irq.h>
#include <linux/ftrace.h>
#include <linux/kprobe-arch.h>
#include <linux/kprobes.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/trace_recursion.h>
#include "core.h"
#include "context.h"
#include "ftrace.h"
#include "hit.h"
#include "point.h"
#include "table.h"
#include "window.h"

/**
 * struct ftrace_note - the last hit that ftrace_source_ipmodify served in a context
 * @fregs: its registers
 * @era: that of the point, or 0
 */
struct ftrace_note {
	struct ftrace_regs	*fregs;
	u32			era;
};

/*
 * Two notes for each context of this CPU, as ftrace counts contexts: it lets one call of its
 * list function come in the middle of another one, because an interrupt runs a little code
 * before and after it can be told from what it interrupts.
 */
static DEFINE_PER_CPU(struct ftrace_note, ftrace_notes[TRACE_CTX_TRANSITION][2]);

/* The same for both calls of a hit: they come from one call of the list function */
static struct ftrace_note *ftrace_note(void)
{
	bool within = trace_recursion_test(TRACE_LIST_START + TRACE_CTX_TRANSITION);

	return raw_cpu_ptr(&ftrace_notes[interrupt_context_level()][within]);
}
NOKPROBE_SYMBOL(ftrace_note);

/* A handler has set the instruction pointer. ftrace goes there by RET, not from an exception */
static noinline void ftrace_divert(struct pt_regs *regs)
{
	if (kprobe_window_divert(regs))
		arch_kprobe_ftrace_divert();
}
NOKPROBE_SYMBOL(ftrace_divert);

/* The handlers of a hit, in a context that may run them */
static noinline void ftrace_hit_clients(struct kprobe_point *point, struct kprobe **mark,
					struct pt_regs *regs)
{
	struct arch_kprobe_ftrace saved = arch_kprobe_ftrace_enter(regs, point->addr);

	if (likely(kprobe_hit_clients(point, mark, regs, false))) {
		arch_kprobe_ftrace_resume(regs, saved);
		if (unlikely(READ_ONCE(point->post)))
			kprobe_hit_post(point, mark, regs);
	} else {
		ftrace_divert(regs);
	}
	arch_kprobe_ftrace_leave(regs, saved);
	WRITE_ONCE(*mark, NULL);
}
NOKPROBE_SYMBOL(ftrace_hit_clients);

/* The same, of the sole client of the point at @addr; it has no post-handler */
static __always_inline void ftrace_hit_sole(struct kprobe *p, unsigned long addr,
					    struct kprobe **mark, struct ftrace_regs *fregs)
{
	struct pt_regs *regs = arch_kprobe_ftrace_regs(fregs);
	struct arch_kprobe_ftrace saved = arch_kprobe_ftrace_enter(regs, addr);

	if (likely(kprobe_hit_sole(p, mark, regs, false)))
		arch_kprobe_ftrace_resume(regs, saved);
	else
		ftrace_divert(regs);
	arch_kprobe_ftrace_leave(regs, saved);
	WRITE_ONCE(*mark, NULL);
}

/* Which call of a hit is it? */
enum ftrace_turn {
	FTRACE_FIRST,	/* of ftrace_source_ipmodify */
	FTRACE_ONLY,	/* the same, from its trampoline */
	FTRACE_SECOND,	/* of ftrace_source_plain, although there may have been no first one */
};

/* A hit of a point that does not come from ftrace_source_plain: is it left to it? */
static noinline bool ftrace_is_left(const struct kprobe_point *point,
				    const struct ftrace_source *by, struct ftrace_regs *fregs)
{
	const struct ftrace_note *note = ftrace_note();

	if (by != &ftrace_source_ipmodify && by != &ftrace_source_leaving)
		return false;
	/* Pairs with ftrace_source_take() */
	smp_rmb();
	return note->fregs != fregs || note->era != READ_ONCE(point->ftrace.era);
}
NOKPROBE_SYMBOL(ftrace_is_left);

/* Does a call serve the hit? If not, the other one does, or the point has been disarmed */
static __always_inline bool ftrace_serves(const struct kprobe_point *point,
					  enum ftrace_turn turn, struct ftrace_regs *fregs)
{
	const struct ftrace_source *by = READ_ONCE(point->ftrace.by);

	if (turn == FTRACE_SECOND)
		return likely(by == &ftrace_source_plain) || ftrace_is_left(point, by, fregs);
	return by == &ftrace_source_ipmodify || (by && turn == FTRACE_ONLY);
}

/* For the second call: the hit of @point was served; NULL if it was not */
static noinline void ftrace_leave_note(const struct kprobe_point *point,
				       struct ftrace_regs *fregs)
{
	struct ftrace_note *note = ftrace_note();

	/* Pairs with ftrace_source_take() */
	smp_rmb();
	note->fregs = point ? fregs : NULL;
	note->era = point ? READ_ONCE(point->ftrace.era) : 0;
}
NOKPROBE_SYMBOL(ftrace_leave_note);

/*
 * While RCU does not watch, the point can be freed at any time, and so can the data
 * of a handler. This makes RCU watch while the hit is counted.
 */
static noinline void ftrace_unwatched(unsigned long ip, enum ftrace_turn turn,
				      struct ftrace_regs *fregs)
{
	struct kprobe_point *point;

	ct_nmi_enter();
	point = kprobe_point_find(ip);
	if (point && !ftrace_serves(point, turn, fregs))
		point = NULL;
	if (point)
		kprobe_point_missed(point, KPROBE_MISSED_UNWATCHED);
	if (turn == FTRACE_FIRST)
		ftrace_leave_note(point, fregs);
	ct_nmi_exit();
}
NOKPROBE_SYMBOL(ftrace_unwatched);

/* A settled point has hits from ftrace_source_plain alone */
static __always_inline void ftrace_serve_sole(struct kprobe_point *point, struct kprobe *p,
					      unsigned long ip, struct ftrace_regs *fregs)
{
	struct kprobe **mark = kprobe_context_mark();

	if (likely(!READ_ONCE(*mark)))
		ftrace_hit_sole(p, ip, mark, fregs);
	else
		kprobe_point_missed(point, KPROBE_MISSED_NESTED);
}

static void ftrace_serve(struct kprobe_point *point, struct ftrace_regs *fregs)
{
	struct kprobe **mark = kprobe_context_mark();

	if (likely(!READ_ONCE(*mark)))
		ftrace_hit_clients(point, mark, arch_kprobe_ftrace_regs(fregs));
	else
		kprobe_point_missed(point, KPROBE_MISSED_NESTED);
}
NOKPROBE_SYMBOL(ftrace_serve);

/* Any other point, or NULL */
static noinline void ftrace_serve_any(struct kprobe_point *point, enum ftrace_turn turn,
				      struct ftrace_regs *fregs)
{
	if (point && !ftrace_serves(point, turn, fregs))
		point = NULL;
	if (point)
		ftrace_serve(point, fregs);
	if (turn == FTRACE_FIRST)
		ftrace_leave_note(point, fregs);
}
NOKPROBE_SYMBOL(ftrace_serve_any);

/*
 * The functions that it calls before the mark is set have no ftrace site: a hit there would
 * find no mark and recurse endlessly. The recursion guard of ftrace would prevent that, but
 * would drop hits without counting them.
 */
static __always_inline void ftrace_called(unsigned long ip, enum ftrace_turn turn,
					  struct ftrace_regs *fregs)
{
	struct kprobe_point *point;
	struct kprobe *p = NULL;

	preempt_disable_notrace();
	if (unlikely(!kprobe_rcu_watching())) {
		ftrace_unwatched(ip, turn, fregs);
		goto out;
	}
	point = kprobe_point_find(ip);
	/* Ordered by dependency; pairs with kprobe_point_note_sole() */
	if (turn == FTRACE_SECOND && likely(point))
		p = READ_ONCE(point->sole);
	if (likely(p))
		ftrace_serve_sole(point, p, ip, fregs);
	else
		ftrace_serve_any(point, turn, fregs);
out:
	preempt_enable_notrace();
}

/* Called by ftrace */
static void ftrace_handler(unsigned long ip, unsigned long parent_ip,
			   struct ftrace_ops *ops, struct ftrace_regs *fregs)
{
	ftrace_called(ip, FTRACE_SECOND, fregs);
}
NOKPROBE_SYMBOL(ftrace_handler);

/* The same, of points with a post-handler */
static void ftrace_ipmodify_handler(unsigned long ip, unsigned long parent_ip,
				    struct ftrace_ops *ops, struct ftrace_regs *fregs)
{
	bool alone = _RET_IP_ - ops->trampoline < ops->trampoline_size;

	ftrace_called(ip, alone ? FTRACE_ONLY : FTRACE_FIRST, fregs);
}
NOKPROBE_SYMBOL(ftrace_ipmodify_handler);

struct ftrace_source ftrace_source_plain = {
	.bit = BIT(0),
	.ops = {
		.func	= ftrace_handler,
		.flags	= FTRACE_OPS_FL_SAVE_REGS,
	},
};

struct ftrace_source ftrace_source_ipmodify = {
	.bit = BIT(1),
	.ops = {
		.func	= ftrace_ipmodify_handler,
		.flags	= FTRACE_OPS_FL_SAVE_REGS | FTRACE_OPS_FL_IPMODIFY,
	},
};

/* Never registered */
struct ftrace_source ftrace_source_leaving = {
	.bit = BIT(0),
};
