/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef _LINUX_KRETPROBE_H
#define _LINUX_KRETPROBE_H
/*
 * Return probes: one handler runs where a function is entered, one where it returns.
 *
 * Clients include <linux/kprobes.h>, which includes this file after it has defined
 * struct kprobe. The code is in kernel/kprobes/retprobe.c and instance.c.
 */
#ifndef _LINUX_KPROBES_H
#error "include <linux/kprobes.h> instead"
#endif

#include <linux/llist.h>
#include <linux/types.h>

struct kretprobe;
struct kretprobe_instance;
struct pt_regs;
struct task_struct;

typedef int (*kretprobe_handler_t)(struct kretprobe_instance *, struct pt_regs *);

/* The upper limit of kretprobe::data_size */
#define KRETPROBE_MAX_DATA_SIZE	4096

/**
 * struct kretprobe - a client of a function's returns
 * @kp: the probe of the entry; the client sets only addr, or symbol_name and offset,
 *	and flags. Its nmissed counts calls whose entry was missed, as that of any
 *	kprobe
 * @handler: called when the function has returned, or NULL
 * @entry_handler: called when it is entered, or NULL; a value other than zero
 *	lets this call pass: its return is not caught, and it does not count as missed
 * @maxactive: calls that can be under way at once; for zero and less, registering
 *	writes a default
 * @nmissed: calls that were missed because @maxactive others were under way
 * @data_size: bytes of kretprobe_instance::data
 *
 * Handlers run with preemption off and must not sleep.
 */
struct kretprobe {
	struct kprobe			kp;
	kretprobe_handler_t		handler;
	kretprobe_handler_t		entry_handler;
	int				maxactive;
	int				nmissed;	/* [A] */
	size_t				data_size;
	/* private: [R] the instances, and what outlives this struct */
	struct kretprobe_holder		*holder;
};

/**
 * struct kretprobe_holder - the part of a kretprobe that its instances know
 * @live: the kretprobe; NULL once it is unregistered
 * @rp: the kretprobe, for handlers: one that runs keeps it from being freed
 *
 * The instance of a call that sleeps outlives its kretprobe. The holder outlives its
 * instances. It is part of struct kretprobe_pool of kernel/kprobes/instance.h.
 */
struct kretprobe_holder {
	struct kretprobe __rcu		*live;		/* [R] */
	struct kretprobe		*rp;		/* [I] */
};

/**
 * struct kretprobe_instance - one live call of a function with a return probe
 * @data: kretprobe::data_size bytes for the client; they keep what the handlers of
 *	earlier calls left in them
 *
 * The call owns its instance from its entry to its return. Other CPUs read it only
 * in kretprobe_find_ret_addr().
 */
struct kretprobe_instance {
	/* private: */
	struct llist_node		llist;		/* in the task's list of instances */
	struct kretprobe_holder		*holder;	/* [I] */
	unsigned long			ret_addr;	/* the word that was replaced */
	unsigned long			caller;		/* the address it finally leads to */
	unsigned long			*frame;		/* the frame, see asm/kretprobe.h */
	u32				index;		/* [I] in the holder's pool, from 1 */
	u32				next;		/* [A] index of the free one below */
	/* public: */
	char				data[];
};

#ifdef CONFIG_KRETPROBES

/**
 * get_kretprobe() - get the kretprobe of an instance
 * @ri: the instance that a handler was called with
 *
 * Context: in a handler.
 * Return: the kretprobe, never NULL. Its owner does not free it before the handler has ended.
 */
static __always_inline struct kretprobe *get_kretprobe(struct kretprobe_instance *ri)
{
	return ri->holder->rp;
}

/**
 * get_kretprobe_retaddr() - get the address that an instance's call returns to
 * @ri: the instance that a handler was called with
 *
 * Return: the address after the call instruction, even if other tracers or return
 * probes hijacked the same return; 0 if none of them knows it.
 */
static __always_inline unsigned long get_kretprobe_retaddr(struct kretprobe_instance *ri)
{
	return ri->caller;
}

/* The trampoline: its address replaces the return address of a probed function */
void __kretprobe_trampoline(void);
void kretprobe_returned(struct pt_regs *regs);

/**
 * arch_kretprobe_caller() - see through the trampolines in a return address
 * @addr: the address that a function would return to
 * @frame: the frame, of the current task
 *
 * Context: any; preemption off.
 * Return: the address the function returns to after all tracers that hijacked its
 * return are done; zero if it is unknown.
 */
unsigned long arch_kretprobe_caller(unsigned long addr, unsigned long *frame);

/**
 * is_kretprobe_trampoline() - test whether a return address is the trampoline's
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
 * disable_kretprobe() - stop calling the handlers of new calls
 * @rp: a registered kretprobe
 *
 * Calls already under way still have their handler called when they return.
 *
 * Return: as disable_kprobe().
 */
static inline int disable_kretprobe(struct kretprobe *rp)
{
	return disable_kprobe(&rp->kp);
}

#endif /* _LINUX_KRETPROBE_H */
