// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The entry of a jump: from a detour to the handlers and back.
 *
 * A jump comes in the context of the probed code: no exception has changed interrupts,
 * the preempt count, or whether RCU watches. Nothing on the way to the judgement may be
 * probed: a jump there would lead back here without end. A test walks the call graph of
 * the built kernel.
 */
#include <linux/build_bug.h>
#include <linux/compiler.h>
#include <linux/context_tracking_irq.h>
#include <linux/kmsan.h>
#include <linux/kprobe-arch.h>
#include <linux/kprobes.h>
#include <linux/preempt.h>
#include <linux/ptrace.h>
#include <linux/stddef.h>
#include "context.h"
#include "hit.h"
#include "insn.h"
#include "point.h"
#include "resched.h"
#include "window.h"

/* The common code of all detours reads it in assembly */
static_assert(!offsetof(struct kprobe_point, addr));

/*
 * Prepare to execute the instruction. Returns true if the detour goes on to its end, false
 * if the registers say where to go on. In the former case these have the address of the point
 * from here on, as before the handlers, unless the instruction is emulated.
 */
static __always_inline bool jump_resume(struct kprobe_point *point, struct pt_regs *regs)
{
	if (likely(!point->emulated)) {
		if (ARCH_KPROBE_TRAP_AHEAD)
			instruction_pointer_set(regs, point->addr);
		return true;
	}
	return kprobe_insn_resume(point->insn, regs) &&
	       arch_kprobe_detour_ends_at(point->data, instruction_pointer(regs));
}

/* The mark of a context while KMSAN's code runs, which can be probed as well */
static struct kprobe jump_judged;

static __always_inline void jump_tell_kmsan(struct kprobe **mark, struct pt_regs *regs)
{
	if (!IS_ENABLED(CONFIG_KMSAN))
		return;
	WRITE_ONCE(*mark, &jump_judged);
	kmsan_unpoison_entry_regs(regs);
}

/* Call the handlers. The result is that of jump_resume() */
static __always_inline bool jump_hit(struct kprobe_point *point, struct kprobe **mark,
				     struct pt_regs *regs)
{
	bool resumed;

	jump_tell_kmsan(mark, regs);
	resumed = kprobe_hit(point, mark, regs, true);
	if (likely(resumed))
		resumed = jump_resume(point, regs);
	else
		kprobe_divert(regs);
	barrier();
	WRITE_ONCE(*mark, NULL);
	return resumed;
}

/* The same, while RCU does not watch */
static noinline bool kprobe_jump_unwatched(struct kprobe_point *point, struct kprobe **mark,
					   struct pt_regs *regs)
{
	bool resumed;

	ct_nmi_enter();
	resumed = jump_hit(point, mark, regs);
	ct_nmi_exit();
	return resumed;
}
NOKPROBE_SYMBOL(kprobe_jump_unwatched);

/* The same, in a context that must not run handlers */
static noinline bool kprobe_jump_nested(struct kprobe_point *point, struct pt_regs *regs)
{
	kprobe_point_missed(point, KPROBE_MISSED_NESTED);
	return jump_resume(point, regs);
}
NOKPROBE_SYMBOL(kprobe_jump_nested);

/**
 * kprobe_jump() - the whole of a jump
 * @point: the point
 * @regs: registers as a trap at the point would have saved them, but with the point's address.
 *	On return they have the changes that handlers made, and if the result is false they
 *	say where to go on
 *
 * The common code of all detours calls it.
 *
 * Context: that of the probed code; preemption is off while handlers run.
 * Return: true if the detour goes on to its end; false if it leaves as from an exception.
 */
bool kprobe_jump(struct kprobe_point *point, struct pt_regs *regs)
{
	struct kprobe **mark;
	bool resumed;

	/* Handlers of every method see this in the preempt count */
	preempt_disable_notrace();
	mark = kprobe_context_mark();
	if (unlikely(READ_ONCE(*mark)))
		resumed = kprobe_jump_nested(point, regs);
	else if (unlikely(!kprobe_rcu_watching()))
		resumed = kprobe_jump_unwatched(point, mark, regs);
	else
		resumed = jump_hit(point, mark, regs);
	kprobe_preempt_enable();
	return resumed;
}
NOKPROBE_SYMBOL(kprobe_jump);
