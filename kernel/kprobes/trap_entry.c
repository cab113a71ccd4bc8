// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The entry of a trap: judge, enter, hit, exit, end.
 *
 * A trap is judged before any code runs that may be probed itself. If the interrupted
 * context has a mark, or is between a judgement and its handlers or on the way back,
 * the hit is counted and the instruction resumed at once. The code between judgement
 * and handlers is marked too: a probe there causes a counted hit, not an endless
 * recursion.
 *
 * A hit takes one trap: the instruction is emulated, or runs in a slot that branches
 * back. If a client has a post-handler, the slot ends in a second trap, which is known
 * by its address. No state is kept between the two traps, so interrupts stay as they
 * are and the task may be preempted in the slot.
 */
#include <linux/compiler.h>
#include <linux/instrumentation.h>
#include <linux/kprobe-arch.h>
#include <linux/kprobes.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include "context.h"
#include "hit.h"
#include "insn.h"
#include "point.h"
#include "slot.h"
#include "table.h"
#include "window.h"

/**
 * enum trap_verdict - what becomes of a trap
 * @TRAP_FOREIGN: it belongs to no probe
 * @TRAP_RESUMED: it is dealt with; the registers say where to go on
 * @TRAP_HIT: handlers are to be called
 */
enum trap_verdict {
	TRAP_FOREIGN,
	TRAP_RESUMED,
	TRAP_HIT,
};

/**
 * struct trap_hit - a hit, from its judgement to its end
 * @point: the point
 * @mark: the entry of current_kprobe of the interrupted context
 * @after: the instruction has been executed; post-handlers are to be called
 */
struct trap_hit {
	struct kprobe_point	*point;
	struct kprobe		**mark;
	bool			after;
};

/* The mark of a context between a judgement and the first handler, and back */
static struct kprobe trap_judged;

/*
 * An NMI that arrives before kprobe_trap_count is raised, or before the entry raises
 * the preempt count by it, sees this context's mark; its hits are counted as missed.
 */
static __always_inline enum trap_verdict trap_begin(struct trap_hit *hit, struct kprobe **mark)
{
	hit->mark = mark;
	WRITE_ONCE(*mark, &trap_judged);
	barrier();
	raw_cpu_add(kprobe_trap_count, ARCH_KPROBE_TRAP_COUNT);
	return TRAP_HIT;
}

/*
 * The point whose slot ends in this trap. After the first trap of the hit the point may
 * have been removed, and another point with a slot of its own may have its address.
 */
static __always_inline struct kprobe_point *trap_point_after(const struct kprobe_slot_trap *trap)
{
	struct kprobe_point *point = kprobe_point_find(trap->origin);

	return point && point->insn && point->insn->slot == trap->slot ? point : NULL;
}

/* The second trap of a hit */
static __always_inline enum trap_verdict trap_judge_after(struct trap_hit *hit, unsigned long addr,
							  struct pt_regs *regs)
{
	struct kprobe **mark = kprobe_context_mark();
	struct kprobe_slot_trap trap;

	if (!kprobe_slot_trap_find(addr, &trap))
		return TRAP_FOREIGN;
	instruction_pointer_set(regs, trap.next);
	hit->point = trap_point_after(&trap);
	hit->after = true;
	/* In a slot that cannot branch back each hit takes two traps, wanted or not */
	if (!hit->point || !READ_ONCE(hit->point->post) || READ_ONCE(*mark))
		return TRAP_RESUMED;
	return trap_begin(hit, mark);
}

/*
 * May the handlers of a trap be called? RCU watches wherever a trap of a probe can be, unless
 * the CPU comes up or goes. In that case the CPU has a mark in each context, so no handler
 * runs, and no point leaves the table, as that takes the CPU lock. After TRAP_HIT the caller has to
 * call trap_end().
 */
static __always_inline enum trap_verdict trap_judge(struct trap_hit *hit, unsigned long addr,
						    struct pt_regs *regs)
{
	struct kprobe_point *point = kprobe_point_find(addr);
	struct kprobe **mark;

	if (unlikely(!point || !point->insn))
		return trap_judge_after(hit, addr, regs);
	mark = kprobe_context_mark();
	hit->point = point;
	hit->after = false;
	if (likely(!READ_ONCE(*mark)))
		return trap_begin(hit, mark);
	kprobe_point_missed(point, KPROBE_MISSED_NESTED);
	kprobe_insn_resume(point->insn, regs);
	return TRAP_RESUMED;
}

static __always_inline void trap_resume(struct kprobe_point *point, struct kprobe **mark,
					struct pt_regs *regs)
{
	if (likely(!READ_ONCE(point->post)))
		kprobe_insn_resume(point->insn, regs);
	else if (kprobe_insn_step(point->insn, regs))
		kprobe_hit_post(point, mark, regs);
}

/* Call the handlers, and resume */
static noinline void kprobe_trap_hit(struct trap_hit *hit, struct pt_regs *regs)
{
	struct kprobe_point *point = hit->point;

	/* Handlers of every method see this in the preempt count */
	preempt_disable_notrace();
	if (unlikely(hit->after))
		kprobe_hit_post(point, hit->mark, regs);
	else if (likely(kprobe_hit(point, hit->mark, regs, false)))
		trap_resume(point, hit->mark, regs);
	else
		kprobe_divert(regs);
	preempt_enable_no_resched_notrace();
}
NOKPROBE_SYMBOL(kprobe_trap_hit);

static __always_inline void trap_end(struct trap_hit *hit)
{
	raw_cpu_sub(kprobe_trap_count, ARCH_KPROBE_TRAP_COUNT);
	barrier();
	WRITE_ONCE(*hit->mark, NULL);
}

/**
 * kprobe_trap() - the whole of a trap
 * @regs: registers of the trap; on return they say where to go on
 * @addr: address of the trap
 *
 * The entry of the exception calls it before anything that may be probed.
 *
 * Context: interrupts and preemption off, the preempt count as the trap found it.
 * Return: false if the trap belongs to no probe. Then the caller reads the text again:
 * the trap may have been removed since.
 */
noinstr bool kprobe_trap(struct pt_regs *regs, unsigned long addr)
{
	struct arch_kprobe_trap state;
	enum trap_verdict verdict;
	struct trap_hit hit;

	verdict = trap_judge(&hit, addr, regs);
	if (unlikely(verdict != TRAP_HIT))
		return verdict == TRAP_RESUMED;
	state = arch_kprobe_trap_enter(regs);
	instrumentation_begin();
	kprobe_trap_hit(&hit, regs);
	instrumentation_end();
	arch_kprobe_trap_exit(regs, state);
	trap_end(&hit);
	return true;
}
