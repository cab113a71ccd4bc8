// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Return probes. A kprobe at a function's entry takes an instance, notes in it
 * what the function would return to, and has it return to a trampoline instead;
 * the trampoline calls the handlers and goes on to where the instance says.
 *
 * The calls under way of a task are in a list, the newest first. Only the task
 * changes it, interrupts and NMIs on top of the task included: what they put in
 * front they have taken out again when they return. An unwinder may look at any
 * moment, so a call is in the list before its frame is hijacked, and is taken
 * out after the frame is restored.
 *
 * The same frame can be hijacked more than once, by two return probes of one
 * function, by a tail call, and by rethook and the graph tracer in between.
 */
#include <linux/atomic.h>
#include <linux/context_tracking_irq.h>
#include <linux/cpuhotplug.h>
#include <linux/cpumask.h>
#include <linux/export.h>
#include <linux/init.h>
#include <linux/kallsyms.h>
#include <linux/kprobes.h>
#include <linux/minmax.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <asm/kretprobe.h>
#include "instance.h"
#include "point.h"

static __always_inline struct kretprobe_instance *to_instance(struct llist_node *node)
{
	return container_of(node, struct kretprobe_instance, llist);
}

static __always_inline bool leads_on(struct kretprobe_instance *ri, void *frame)
{
	return ri->frame == frame && !is_kretprobe_trampoline(ri->ret_addr);
}

/* Clients read the member as the int it is; misses can happen on all CPUs */
static void count_missed(struct kretprobe *rp)
{
	static_assert(sizeof(rp->nmissed) == sizeof(atomic_t));
	atomic_inc((atomic_t *)&rp->nmissed);
}
NOKPROBE_SYMBOL(count_missed);

static __always_inline unsigned long caller_of(struct kretprobe_instance *ri)
{
	if (likely(!arch_kretprobe_hijacked(ri->ret_addr)))
		return ri->ret_addr;
	return arch_kretprobe_caller(ri->ret_addr, ri->frame);
}

static __always_inline bool wants_return(struct kretprobe *rp,
					 struct kretprobe_instance *ri,
					 struct pt_regs *regs)
{
	if (rp->entry_handler && rp->entry_handler(ri, regs))
		return false;
	return rp->handler;
}

static int kretprobe_entered(struct kprobe *p, struct pt_regs *regs)
{
	struct task_struct *tsk = current;
	struct kretprobe *rp = container_of(p, struct kretprobe, kp);
	struct kretprobe_holder *holder = READ_ONCE(rp->holder);
	struct kretprobe_instance *ri;

	/* Being unregistered */
	if (unlikely(!holder))
		return 0;
	ri = kretprobe_instance_get(holder);
	if (unlikely(!ri)) {
		count_missed(rp);
		return 0;
	}
	arch_kretprobe_prepare(ri, regs);
	ri->caller = caller_of(ri);
	if (!wants_return(rp, ri, regs)) {
		kretprobe_instance_put(ri);
		return 0;
	}
	/* Partners: kretprobe_find_ret_addr() in an interrupt of this task */
	WRITE_ONCE(ri->llist.next, tsk->kretprobe_instances.first);
	WRITE_ONCE(tsk->kretprobe_instances.first, &ri->llist);
	arch_kretprobe_hijack(ri, regs);
	return 0;
}
NOKPROBE_SYMBOL(kretprobe_entered);

/* The oldest call whose frame this is, the one that knows where it leads on */
static __always_inline struct kretprobe_instance *find_oldest(void *frame)
{
	struct llist_node *node = current->kretprobe_instances.first;

	while (node && !leads_on(to_instance(node), frame))
		node = node->next;
	return node ? to_instance(node) : NULL;
}

static __always_inline void call_handler(struct kretprobe_instance *ri,
					 struct pt_regs *regs)
{
	/* get_kretprobe() can ask lockdep, which can be probed, without a mark */
	struct kretprobe *rp = rcu_dereference_raw(ri->holder->rp);
	struct kprobe **mark, *outer;

	if (unlikely(!rp))
		return;
	mark = kprobe_context_mark();
	outer = *mark;
	/* What the handler calls is not probed in this context */
	WRITE_ONCE(*mark, &rp->kp);
	rp->handler(ri, regs);
	WRITE_ONCE(*mark, outer);
}

static __always_inline void call_handlers(struct kretprobe_instance *oldest,
					  struct pt_regs *regs)
{
	struct llist_node *node = current->kretprobe_instances.first;

	instruction_pointer_set(regs, oldest->caller);
	for (; node != oldest->llist.next; node = node->next) {
		/* Others are of calls that were left without a return */
		if (likely(to_instance(node)->frame == oldest->frame))
			call_handler(to_instance(node), regs);
	}
}

static __always_inline void put_up_to(struct llist_node *end)
{
	struct llist_node *node = current->kretprobe_instances.first, *next;

	WRITE_ONCE(current->kretprobe_instances.first, end);
	for (; node != end; node = next) {
		next = node->next;
		kretprobe_instance_put(to_instance(node));
	}
}

static void returned(struct pt_regs *regs)
{
	void *frame = arch_kretprobe_returned(regs);
	struct kretprobe_instance *oldest = find_oldest(frame);
	struct llist_node *end;

	/* There is no address to go on at */
	BUG_ON(!oldest);
	end = oldest->llist.next;
	call_handlers(oldest, regs);
	arch_kretprobe_restore(regs, frame, oldest->ret_addr);
	put_up_to(end);
}
NOKPROBE_SYMBOL(returned);

/**
 * kretprobe_returned() - a function with a return probe has returned
 * @regs: registers the trampoline has saved, those of the return
 *
 * Called by the trampoline. Calls the handlers of the return probes that have
 * hijacked this return, the newest first, and has the trampoline go on to where
 * the function would have returned to.
 *
 * Context: that of the function; preemption is off while handlers run.
 */
void kretprobe_returned(struct pt_regs *regs)
{
	preempt_disable_notrace();
	if (likely(kprobe_rcu_watching())) {
		returned(regs);
	} else {
		/* It was when the function was called */
		ct_nmi_enter();
		returned(regs);
		ct_nmi_exit();
	}
	preempt_enable_notrace();
}
NOKPROBE_SYMBOL(kretprobe_returned);

/**
 * kretprobe_find_ret_addr() - what a return address was before it was hijacked
 * @tsk: whose stack it is on: current, or a task that is not running
 * @fp: the frame it is in
 * @cur: where the walk of this stack stands, NULL in the beginning
 *
 * Call it for each address that is_kretprobe_trampoline(). What @cur holds is
 * only compared: that call may have ended if the task is not current.
 *
 * Context: any.
 * Return: the address, which can be another tracer's trampoline; zero if there
 * is none, as the stack is changing.
 */
unsigned long kretprobe_find_ret_addr(struct task_struct *tsk, void *fp,
				      struct llist_node **cur)
{
	struct llist_node *node;
	bool beyond = !*cur;

	if (tsk != current && task_is_running(tsk))
		return 0;
	/* Keeps the instances from being freed, see kernel/kprobes/instance.c */
	guard(preempt_notrace)();
	for (node = READ_ONCE(tsk->kretprobe_instances.first); node;
	     node = READ_ONCE(node->next)) {
		if (beyond && leads_on(to_instance(node), fp)) {
			*cur = node;
			return to_instance(node)->ret_addr;
		}
		beyond |= node == *cur;
	}
	return 0;
}
NOKPROBE_SYMBOL(kretprobe_find_ret_addr);

/**
 * kprobe_flush_task() - give back the instances of a task
 * @tsk: a task that does not run; the calls it is in never return
 */
void kprobe_flush_task(struct task_struct *tsk)
{
	struct llist_node *node, *next;

	guard(preempt_notrace)();
	for (node = tsk->kretprobe_instances.first; node; node = next) {
		next = node->next;
		kretprobe_instance_put(to_instance(node));
	}
	tsk->kretprobe_instances.first = NULL;
}
NOKPROBE_SYMBOL(kprobe_flush_task);

/*
 * The calls in which an idle task took its CPU offline do not return either: it
 * starts anew when the CPU comes back.
 */
static int flush_idle_task(unsigned int cpu)
{
	kprobe_flush_task(idle_task(cpu));
	return 0;
}

static int __init kretprobe_init(void)
{
	int ret = cpuhp_setup_state_nocalls(CPUHP_BP_PREPARE_DYN, "kretprobe:prepare",
					    flush_idle_task, NULL);

	return min(ret, 0);
}
core_initcall(kretprobe_init);

/* The default leaves room for calls that sleep or are preempted */
static void default_maxactive(struct kretprobe *rp)
{
	if (rp->maxactive <= 0)
		rp->maxactive = max(10, 2 * (int)num_possible_cpus());
}

static bool may_return(const struct kprobe_place *place)
{
	unsigned long offset;

	if (!place->on_entry)
		return false;
	if (!kallsyms_lookup_size_offset(place->addr, NULL, &offset))
		return true;
	return !arch_kretprobe_refused(place->addr - offset);
}

static int check_place(struct kretprobe *rp)
{
	struct kprobe_place place;
	int ret = kprobe_place_find(&rp->kp, &place);

	if (ret)
		return ret;
	return may_return(&place) ? 0 : -EINVAL;
}

/* A holder means: registered */
static int kretprobe_prepare(struct kretprobe *rp)
{
	int ret;

	if (rp->holder)
		return -EINVAL;
	ret = check_place(rp);
	if (ret)
		return ret;
	if (rp->data_size > KRETPROBE_MAX_DATA_SIZE)
		return -E2BIG;
	default_maxactive(rp);
	rp->nmissed = 0;
	rp->kp.pre_handler = kretprobe_entered;
	rp->kp.post_handler = NULL;
	rp->holder = kretprobe_holder_alloc(rp);
	return rp->holder ? 0 : -ENOMEM;
}

static void kretprobe_retire(struct kretprobe *rp)
{
	struct kretprobe_holder *holder = rp->holder;

	if (!holder)
		return;
	/* Partner: kretprobe_entered() */
	WRITE_ONCE(rp->holder, NULL);
	kretprobe_holder_retire(holder);
}

/**
 * register_kretprobes() - register return probes
 * @rps: the return probes
 * @num: how many, one at least
 *
 * Where one cannot be registered, none is.
 *
 * Context: may sleep.
 * Return: 0; -EINVAL for a place that is not a function's entry or a return
 * probe that is registered already, -E2BIG for too much data_size, -ENOMEM, or
 * what register_kprobes() says of the places.
 */
int register_kretprobes(struct kretprobe **rps, int num)
{
	struct kprobe **kps __free(kvfree) = NULL;
	int i, ret = 0;

	if (num <= 0)
		return -EINVAL;
	kps = kvmalloc_array(num, sizeof(*kps), GFP_KERNEL);
	if (!kps)
		return -ENOMEM;
	for (i = 0; i < num; i++) {
		ret = kretprobe_prepare(rps[i]);
		if (ret)
			break;
		kps[i] = &rps[i]->kp;
	}
	if (!ret)
		ret = kprobe_register(kps, num, KPROBE_FLAG_RETURN);
	while (ret && i--)
		kretprobe_retire(rps[i]);
	return ret;
}
EXPORT_SYMBOL_GPL(register_kretprobes);

/**
 * register_kretprobe() - register a return probe
 * @rp: the return probe
 *
 * Context: may sleep.
 * Return: as register_kretprobes().
 */
int register_kretprobe(struct kretprobe *rp)
{
	return register_kretprobes(&rp, 1);
}
EXPORT_SYMBOL_GPL(register_kretprobe);

/**
 * unregister_kretprobes_nowait() - unregister return probes, wait for nobody
 * @rps: the return probes; those that are not registered are passed over
 * @num: how many
 *
 * Handlers may be running until a grace period has gone by; only then may the
 * return probes be freed, or registered again. Calls under way return unseen.
 *
 * Context: may sleep.
 */
void unregister_kretprobes_nowait(struct kretprobe **rps, int num)
{
	struct kprobe **kps __free(kvfree) = NULL;
	int i, n = 0;

	if (num <= 0)
		return;
	/* Unregistering must not fail for want of memory: who does it could do nothing */
	kps = kvmalloc_array(num, sizeof(*kps), GFP_KERNEL | __GFP_NOFAIL);
	for (i = 0; i < num; i++) {
		if (rps[i]->holder)
			kps[n++] = &rps[i]->kp;
	}
	unregister_kprobes_nowait(kps, n);
	while (n--)
		kretprobe_retire(container_of(kps[n], struct kretprobe, kp));
}

/**
 * unregister_kretprobes() - unregister return probes
 * @rps: the return probes; those that are not registered are passed over
 * @num: how many
 *
 * When this returns no handler runs, and the return probes may be freed. Calls
 * under way return unseen.
 *
 * Context: may sleep; waits for one grace period.
 */
void unregister_kretprobes(struct kretprobe **rps, int num)
{
	if (num <= 0)
		return;
	unregister_kretprobes_nowait(rps, num);
	synchronize_rcu();
}
EXPORT_SYMBOL_GPL(unregister_kretprobes);

/**
 * unregister_kretprobe() - unregister a return probe
 * @rp: the return probe
 *
 * Context: may sleep; waits for a grace period.
 */
void unregister_kretprobe(struct kretprobe *rp)
{
	unregister_kretprobes(&rp, 1);
}
EXPORT_SYMBOL_GPL(unregister_kretprobe);
