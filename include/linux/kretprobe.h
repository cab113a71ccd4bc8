/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef _LINUX_KRETPROBE_H
#define _LINUX_KRETPROBE_H
/*
 * Return probes: one handler where a function is entered, one where it returns.
 *
 * <linux/kprobes.h> includes this file behind struct kprobe; clients include
 * that one. The code is in kernel/kprobes/retprobe.c and instance.c.
 */
#ifndef _LINUX_KPROBES_H
#error "include <linux/kprobes.h> instead"
#endif

#include <linux/llist.h>
#include <linux/rcupdate.h>
#include <linux/types.h>

struct kretprobe;
struct kretprobe_instance;
struct pt_regs;
struct task_struct;

typedef int (*kretprobe_handler_t)(struct kretprobe_instance *, struct pt_regs *);

/* The most a client may ask for in kretprobe::data_size */
#define KRETPROBE_MAX_DATA_SIZE	4096

/**
 * struct kretprobe - a client of a function's returns
 * @kp: where; only addr, or symbol_name and offset, and flags are the client's
 * @handler: called when the function has returned, or NULL
 * @entry_handler: called when it is entered, or NULL; a value other than zero
 *	lets this call go by: no return is caught, and none counts as missed
 * @maxactive: calls that can be under way at once; zero and less ask for a
 *	default, which registering writes back
 * @nmissed: calls that were let go because @maxactive others were under way
 * @data_size: bytes of kretprobe_instance::data
 *
 * Handlers run with preemption off and must not sleep.
 */
struct kretprobe {
	struct kprobe			kp;
	kretprobe_handler_t		handler;
	kretprobe_handler_t		entry_handler;
	int				maxactive;
	int				nmissed;
	size_t				data_size;
	/* private: the instances, and what outlives this struct */
	struct kretprobe_holder		*holder;
};

/**
 * struct kretprobe_holder - what an instance knows of its kretprobe
 * @rp: the kretprobe, NULL from when it is unregistered on
 *
 * An instance of a call that sleeps outlives its kretprobe, the holder outlives
 * its instances. The rest of it is private to kernel/kprobes/instance.c.
 */
struct kretprobe_holder {
	struct kretprobe __rcu		*rp;
};

/**
 * struct kretprobe_instance - one call of a function with a return probe
 * @data: kretprobe::data_size bytes for the client, as its handlers left them
 */
struct kretprobe_instance {
	/* private: */
	struct llist_node		llist;		/* in the task's calls under way */
	struct kretprobe_holder		*holder;
	unsigned long			ret_addr;	/* what stood in the frame before */
	unsigned long			caller;		/* where that really leads to */
	unsigned long			*frame;		/* the word that was replaced */
	u32				index;		/* in the holder's pool */
	u32				next;		/* free instance below this one */
	/* public: */
	char				data[];
};

#ifdef CONFIG_KRETPROBES

/**
 * get_kretprobe() - the kretprobe an instance belongs to
 * @ri: the instance a handler was called with
 *
 * Context: under RCU, which a handler is.
 * Return: the kretprobe, or NULL if it was unregistered meanwhile.
 */
static __always_inline struct kretprobe *get_kretprobe(struct kretprobe_instance *ri)
{
	return rcu_dereference_check(ri->holder->rp, rcu_read_lock_any_held());
}

/**
 * get_kretprobe_retaddr() - where the function of an instance returns to
 * @ri: the instance a handler was called with
 *
 * Return: the address behind the call, also where other tracers or return
 * probes have hijacked the same return.
 */
static __always_inline unsigned long get_kretprobe_retaddr(struct kretprobe_instance *ri)
{
	return ri->caller;
}

/* In assembly: what the return address of a probed function is replaced with */
void __kretprobe_trampoline(void);
void kretprobe_returned(struct pt_regs *regs);
unsigned long arch_kretprobe_caller(unsigned long addr, unsigned long *frame);

/**
 * is_kretprobe_trampoline() - is this return address one of ours
 * @addr: an address found on a stack
 *
 * Return: true if so.
 */
static __always_inline bool is_kretprobe_trampoline(unsigned long addr)
{
	return addr == (unsigned long)__kretprobe_trampoline;
}

void kprobe_flush_task(struct task_struct *tsk);
unsigned long kretprobe_find_ret_addr(struct task_struct *tsk, void *fp,
				      struct llist_node **cur);

int register_kretprobes(struct kretprobe **rps, int num);
void unregister_kretprobes(struct kretprobe **rps, int num);
void unregister_kretprobes_nowait(struct kretprobe **rps, int num);
int register_kretprobe(struct kretprobe *rp);
void unregister_kretprobe(struct kretprobe *rp);

#else /* !CONFIG_KRETPROBES */

static inline void kprobe_flush_task(struct task_struct *tsk)
{
}

static inline unsigned long
kretprobe_find_ret_addr(struct task_struct *tsk, void *fp, struct llist_node **cur)
{
	return 0;
}

static inline bool is_kretprobe_trampoline(unsigned long addr)
{
	return false;
}

static inline unsigned long arch_kretprobe_caller(unsigned long addr, unsigned long *frame)
{
	return addr;
}

static inline void unregister_kretprobe(struct kretprobe *rp)
{
}

static inline int register_kretprobe(struct kretprobe *rp)
{
	return -EOPNOTSUPP;
}

static inline void unregister_kretprobes_nowait(struct kretprobe **rps, int num)
{
}

static inline void unregister_kretprobes(struct kretprobe **rps, int num)
{
}

static inline int register_kretprobes(struct kretprobe **rps, int num)
{
	return -EOPNOTSUPP;
}

#endif /* CONFIG_KRETPROBES */

/**
 * enable_kretprobe() - undo disable_kretprobe()
 * @rp: a registered kretprobe
 *
 * Return: as enable_kprobe().
 */
static inline int enable_kretprobe(struct kretprobe *rp)
{
	return enable_kprobe(&rp->kp);
}

/**
 * disable_kretprobe() - let a kretprobe's function be entered unseen
 * @rp: a registered kretprobe
 *
 * Calls already under way are still seen to return.
 *
 * Return: as disable_kprobe().
 */
static inline int disable_kretprobe(struct kretprobe *rp)
{
	return disable_kprobe(&rp->kp);
}

#endif /* _LINUX_KRETPROBE_H */
