// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Return probes. A kprobe at a function's entry takes an instance, saves the return
 * address in it, and makes the function return to a trampoline. The trampoline calls
 * the handlers and continues at the saved address.
 *
 * Each task has a list of its instances, the newest first. Only the task itself
 * changes it, which includes interrupts and NMIs that run on top of it: they remove
 * what they add before they return. An unwinder may walk the list at any time, so an
 * instance is added before its frame is hijacked and removed after the frame is
 * restored.
 *
 * One frame can be hijacked several times: by two return probes of one function,
 * after a tail call, and by rethook and the graph tracer in between.
 */
#include <linux/atomic.h>
#include <linux/context_tracking_irq.h>
#include <linux/kprobe-arch.h>
#include <linux/kprobes.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <asm/kretprobe.h>
#include "instance.h"
#include "context.h"
#include "hit.h"
#include "resched.h"
#include "retprobe.h"

static __always_inline struct kretprobe_instance *kretprobe_instance_of(struct llist_node *node)
{
	return container_of(node, struct kretprobe_instance, llist);
}

/* The oldest instance of a frame has the address that the function was called with */
static __always_inline bool kretprobe_is_oldest(struct kretprobe_instance *ri, void *frame)
{
	return ri->frame == frame && !is_kretprobe_trampoline(ri->ret_addr);
}

/* nmissed is an int for clients; several CPUs may add to it at once */
static void kretprobe_count_missed(struct kretprobe *rp)
{
	static_assert(sizeof(rp->nmissed) == sizeof(atomic_t));
	atomic_inc((atomic_t *)&rp->nmissed);
}
NOKPROBE_SYMBOL(kretprobe_count_missed);

static __always_inline unsigned long kretprobe_caller_of(struct kretprobe_instance *ri)
{
	if (likely(!arch_kretprobe_hijacked(ri->ret_addr)))
		return ri->ret_addr;
	return arch_kretprobe_caller(ri->ret_addr, ri->frame);
}

/**
 * kretprobe_caller() - find the address that a function returns to
 * @regs: registers at the entry of the function, of a hit there
 *
 * Context: preemption off.
 * Return: the address after the call instruction, even if return probes or other tracers
 * have hijacked the return already; zero if it is unknown.
 */
unsigned long kretprobe_caller(struct pt_regs *regs)
{
	struct kretprobe_instance ri;

	arch_kretprobe_prepare(&ri, regs);
	return kretprobe_caller_of(&ri);
}
NOKPROBE_SYMBOL(kretprobe_caller);

/* Find where the call returns to, and whom it was made by */
static __always_inline void kretprobe_find_caller(struct kretprobe_instance *ri,
						  struct pt_regs *regs)
{
	arch_kretprobe_prepare(ri, regs);
	ri->caller = kretprobe_caller_of(ri);
}

static __always_inline struct kretprobe *kretprobe_live(struct kretprobe_instance *ri)
{
	return rcu_dereference_raw(ri->holder->live);
}

static __always_inline void kretprobe_put_until(struct llist_node *end)
{
	struct llist_node *node = current->kretprobe_instances.first, *next;

	WRITE_ONCE(current->kretprobe_instances.first, end);
	for (; node != end; node = next) {
		next = node->next;
		kretprobe_instance_put(kretprobe_instance_of(node));
	}
}

/* The call will not return to the trampoline for those who have caught it before */
static noinline void kretprobe_drop(void *frame)
{
	struct llist_node *node = current->kretprobe_instances.first;
	struct kretprobe *rp;

	for (; node && kretprobe_instance_of(node)->frame == frame; node = node->next) {
		rp = kretprobe_live(kretprobe_instance_of(node));
		if (rp)
			kprobe_client_missed(&rp->kp, KPROBE_MISSED_DIVERTED);
	}
	kretprobe_put_until(node);
}
NOKPROBE_SYMBOL(kretprobe_drop);

static __always_inline bool kretprobe_wants_return(struct kretprobe *rp,
						   struct kretprobe_instance *ri,
						   struct pt_regs *regs)
{
	unsigned long found = ri->ret_addr;
	bool wanted;

	if (!rp->entry_handler)
		return rp->handler;
	wanted = !rp->entry_handler(ri, regs) && rp->handler;
	/* It may have changed the address that the function returns to */
	kretprobe_find_caller(ri, regs);
	if (unlikely(ri->ret_addr != found) && is_kretprobe_trampoline(found))
		kretprobe_drop(ri->frame);
	return wanted;
}

/* Catch the return of the call that @ri stands for */
static __always_inline void kretprobe_catch(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	struct task_struct *tsk = current;

	WRITE_ONCE(ri->llist.next, tsk->kretprobe_instances.first);
	/* Pairs with kretprobe_find_ret_addr(), on another CPU too, which then reads next */
	smp_store_release(&tsk->kretprobe_instances.first, &ri->llist);
	arch_kretprobe_hijack(ri, regs);
}

/* Any call; @ri is the spare instance if there was one */
static noinline int kretprobe_entered_any(struct kretprobe *rp, struct kretprobe_holder *holder,
					  struct kretprobe_instance *ri, struct pt_regs *regs)
{
	if (unlikely(!holder)) {
		kprobe_client_missed(&rp->kp, KPROBE_MISSED_RETIRING);
		return 0;
	}
	if (!ri)
		ri = kretprobe_pool_steal(kretprobe_pool_of(holder));
	if (unlikely(!ri)) {
		kretprobe_count_missed(rp);
		return 0;
	}
	kretprobe_find_caller(ri, regs);
	if (kretprobe_wants_return(rp, ri, regs))
		kretprobe_catch(ri, regs);
	else
		kretprobe_instance_put(ri);
	return 0;
}
NOKPROBE_SYMBOL(kretprobe_entered_any);

/**
 * kretprobe_entered() - handle a call of a function with a return probe
 * @p: kretprobe::kp
 * @regs: registers at the entry of the function
 *
 * The pre-handler of return probes. It calls nothing, and saves no register, for a call whose
 * return nobody else has hijacked, and whose entry the client leaves alone.
 *
 * Context: preemption off.
 * Return: 0.
 */
int kretprobe_entered(struct kprobe *p, struct pt_regs *regs)
{
	struct kretprobe *rp = container_of(p, struct kretprobe, kp);
	struct kretprobe_holder *holder = READ_ONCE(rp->holder);
	struct kretprobe_instance *ri = holder ? kretprobe_instance_spare(holder) : NULL;

	if (unlikely(!ri) || rp->entry_handler || unlikely(!rp->handler))
		return kretprobe_entered_any(rp, holder, ri, regs);
	arch_kretprobe_prepare(ri, regs);
	if (unlikely(arch_kretprobe_hijacked(ri->ret_addr)))
		return kretprobe_entered_any(rp, holder, ri, regs);
	ri->caller = ri->ret_addr;
	kretprobe_catch(ri, regs);
	return 0;
}
NOKPROBE_SYMBOL(kretprobe_entered);

static __always_inline struct kretprobe_instance *kretprobe_find_oldest(void *frame)
{
	struct llist_node *node = current->kretprobe_instances.first;

	while (node && !kretprobe_is_oldest(kretprobe_instance_of(node), frame))
		node = node->next;
	return node ? kretprobe_instance_of(node) : NULL;
}

/* NULL if it is unregistered. Not rcu_dereference(): lockdep may be probed */
static __always_inline void kretprobe_call_handler(struct kretprobe *rp,
						   struct kretprobe_instance *ri,
						   struct pt_regs *regs)
{
	struct kprobe **mark = kprobe_context_mark();
	struct kprobe *outer = *mark;

	/* Hits in functions that the handler calls are counted as missed */
	WRITE_ONCE(*mark, &rp->kp);
	rp->handler(ri, regs);
	WRITE_ONCE(*mark, outer);
}

static __always_inline void kretprobe_call_handlers(struct kretprobe_instance *oldest,
						    struct pt_regs *regs)
{
	struct llist_node *node = current->kretprobe_instances.first;
	struct kretprobe_instance *ri;
	struct kretprobe *rp;

	arch_kretprobe_set_caller(regs, oldest->caller);
	for (; node != oldest->llist.next; node = node->next) {
		ri = kretprobe_instance_of(node);
		rp = kretprobe_live(ri);
		/* The others belong to calls that were left without a return */
		if (likely(ri->frame == oldest->frame) && likely(rp))
			kretprobe_call_handler(rp, ri, regs);
	}
}

/*
 * Several instances: of the frame, or of calls that were left without a return. Or one
 * whose kretprobe is unregistered.
 */
static noinline void kretprobe_return_all(struct pt_regs *regs, void *frame)
{
	struct kretprobe_instance *oldest = kretprobe_find_oldest(frame);
	struct llist_node *end;

	/* The address to continue at is lost */
	BUG_ON(!oldest);
	end = oldest->llist.next;
	kretprobe_call_handlers(oldest, regs);
	arch_kretprobe_restore(regs, frame, oldest->ret_addr);
	kretprobe_put_until(end);
}
NOKPROBE_SYMBOL(kretprobe_return_all);

/* The newest instance is the only one of the frame, and its kretprobe is registered */
static __always_inline void kretprobe_return_one(struct kretprobe *rp,
						 struct kretprobe_instance *ri,
						 struct pt_regs *regs, void *frame)
{
	arch_kretprobe_set_caller(regs, ri->caller);
	kretprobe_call_handler(rp, ri, regs);
	arch_kretprobe_restore(regs, frame, ri->ret_addr);
	WRITE_ONCE(current->kretprobe_instances.first, ri->llist.next);
	/* Preemption is off since @rp was read */
	kretprobe_instance_free(ri);
}

static __always_inline void kretprobe_handle_return(struct pt_regs *regs)
{
	struct llist_node *first = current->kretprobe_instances.first;
	void *frame = arch_kretprobe_returned(regs);
	struct kretprobe_instance *ri = kretprobe_instance_of(first);
	struct kretprobe *rp;

	/* Nobody has hijacked the return before: it is the oldest of the frame */
	if (likely(first) && likely(ri->frame == frame) && likely(ri->ret_addr == ri->caller)) {
		rp = kretprobe_live(ri);
		if (likely(rp))
			return kretprobe_return_one(rp, ri, regs, frame);
	}
	kretprobe_return_all(regs, frame);
}

/* RCU may have been watching when the function was called */
static noinline void kretprobe_return_unwatched(struct pt_regs *regs)
{
	ct_nmi_enter();
	kretprobe_handle_return(regs);
	ct_nmi_exit();
}
NOKPROBE_SYMBOL(kretprobe_return_unwatched);

/**
 * kretprobe_returned() - handle the return of a function with a return probe
 * @regs: registers that the trampoline saved, those of the return
 *
 * The trampoline calls this. Calls the handlers of all return probes that hijacked
 * this return, the newest first, and sets the address at which the trampoline
 * continues.
 *
 * Context: that of the function; preemption is off while handlers run.
 */
void kretprobe_returned(struct pt_regs *regs)
{
	preempt_disable_notrace();
	if (likely(kprobe_rcu_watching()))
		kretprobe_handle_return(regs);
	else
		kretprobe_return_unwatched(regs);
	kprobe_preempt_enable();
}
NOKPROBE_SYMBOL(kretprobe_returned);

#ifdef CONFIG_SMP
static __always_inline bool kretprobe_task_on_cpu(const struct task_struct *tsk)
{
	/* Pairs with the scheduler's release; the stack and the list stay as they are after that */
	return smp_load_acquire(&tsk->on_cpu);
}
#else
/* The only CPU runs the current task */
static __always_inline bool kretprobe_task_on_cpu(const struct task_struct *tsk)
{
	return false;
}
#endif

/**
 * kretprobe_find_ret_addr() - find the return address that a trampoline's replaced
 * @tsk: the task whose stack it is: current, or a task that no CPU runs
 * @fp: the frame
 * @cur: the state of this walk of the stack; NULL at the beginning
 *
 * Call this for each address that is_kretprobe_trampoline() recognises. The value of
 * @cur is only compared: its instance may be free if @tsk is not current.
 *
 * Context: any.
 * Return: the address, which may be another tracer's trampoline; zero if none is
 * found because the stack is changing.
 */
unsigned long kretprobe_find_ret_addr(struct task_struct *tsk, void *fp,
				      struct llist_node **cur)
{
	struct llist_node *node;
	bool beyond = !*cur;

	if (tsk != current && kretprobe_task_on_cpu(tsk))
		return 0;
	/* Keeps the instances from being freed, see instance.c */
	guard(preempt_notrace)();
	for (node = READ_ONCE(tsk->kretprobe_instances.first); node;
	     node = READ_ONCE(node->next)) {
		if (beyond && kretprobe_is_oldest(kretprobe_instance_of(node), fp)) {
			*cur = node;
			return kretprobe_instance_of(node)->ret_addr;
		}
		beyond |= node == *cur;
	}
	return 0;
}
NOKPROBE_SYMBOL(kretprobe_find_ret_addr);
