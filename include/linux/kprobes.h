/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef _LINUX_KPROBES_H
#define _LINUX_KPROBES_H
/*
 * Kernel probes: call a handler where an address of the kernel is executed.
 *
 * This is the interface of the clients. The code is in kernel/kprobes/. Architectures
 * have theirs in <asm/kprobes.h> and <linux/kprobe-arch.h>. Return probes are in
 * <linux/kretprobe.h>, which comes with this file.
 *
 * Locks of members, here and in the rest of the code:
 *	I	immutable once published
 *	M	the core mutex, kprobe_mutex
 *	E	event_mutex
 *	T	text_mutex
 *	S	the slot mutex
 *	R	written under the owner's mutex, read by hits under RCU
 *	C	per CPU
 *	A	atomic
 *	O	the owner of the object
 *
 * Limits: handlers run with preemption off and must not sleep; what they call
 * may be probed, but such a hit is only counted (struct kprobe::nmissed).
 */
#include <linux/bug.h>
#include <linux/compiler.h>
#include <linux/errno.h>
#include <linux/ftrace.h>
#include <linux/linkage.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/notifier.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/rcupdate.h>
#include <linux/smp.h>
#include <linux/spinlock.h>
#include <linux/types.h>
#include <asm/kprobes.h>

#ifndef CONFIG_KPROBES
#include <asm-generic/kprobes.h>
typedef int kprobe_opcode_t;
#endif

struct kprobe;
struct pt_regs;

typedef int (*kprobe_pre_handler_t)(struct kprobe *p, struct pt_regs *regs);
typedef void (*kprobe_post_handler_t)(struct kprobe *p, struct pt_regs *regs,
				      unsigned long flags);

/**
 * enum kprobe_missed - why a hit did not reach the handlers of a client
 * @KPROBE_MISSED_NESTED: handlers were running in the same context, or (unless the
 *	client is reentrant) anywhere on the same CPU
 * @KPROBE_MISSED_UNWATCHED: RCU was not watching the CPU
 * @KPROBE_MISSED_RETIRING: the client was being unregistered
 * @KPROBE_MISSED_DIVERTED: a handler that was called earlier had set the instruction
 *	pointer; or, of a call, an entry handler of another return probe its return address
 * @KPROBE_MISSED_NO_INSTANCE: too many calls of a return probe's function were under
 *	way; counted in kretprobe::nmissed, not in kprobe::nmissed
 *
 * Nothing is counted at an ftrace site while ftrace is switched off or dead: no code of ours
 * runs then. kprobe_arming_error() tells of clients that wait for ftrace. A recursive call
 * that ftrace drops before it calls any handler is not counted either, nor a hit on
 * a CPU that comes up or goes, while RCU does not wait for that CPU.
 */
enum kprobe_missed {
	KPROBE_MISSED_NESTED,
	KPROBE_MISSED_UNWATCHED,
	KPROBE_MISSED_RETIRING,
	KPROBE_MISSED_DIVERTED,
	KPROBE_MISSED_NO_INSTANCE,
};

/**
 * struct kprobe - a client of one address
 * @nmissed: hits that did not reach the handlers, see enum kprobe_missed
 * @addr: the address, or NULL where @symbol_name is given; registering writes
 *	the address in the end used
 * @symbol_name: a symbol, or NULL where @addr is given
 * @offset: bytes from the one or the other
 * @flags: KPROBE_FLAG_*; the caller of register_kprobe() may set
 *	KPROBE_FLAG_DISABLED, the others are ours. Under the core mutex
 *	while registered
 * @pre_handler: called before the instruction is executed. A value other than
 *	zero says that the handler has set the instruction pointer itself: the
 *	instruction is not executed and no further handler called
 * @post_handler: called after it was executed
 *
 * Handlers of several clients of an address are called newest client first.
 *
 * The memory is the client's, which keeps it from register_kprobe() until
 * unregister_kprobe() has returned.
 */
struct kprobe {
	/* private: */
	union {
		struct list_head	list;		/* [R] in the point's clients */
		const char		*refusal;	/* [M] if KPROBE_FLAG_REFUSED */
	};
	struct kprobe		*next;		/* in a batch, whose owner's it is */
	/* public: */
	unsigned long		nmissed;	/* [A] */
	kprobe_opcode_t		*addr;
	const char		*symbol_name;
	unsigned int		offset;
	u32			flags;		/* [R] */
	kprobe_pre_handler_t	pre_handler;
	kprobe_post_handler_t	post_handler;
	/* private: */
	s16			error;		/* [M] of the last batch */
	u8			wish;		/* as @next: an enum kprobe_wish */
	u32			retiring;	/* [A] part of @nmissed, for one grace period */
	unsigned long		unwatched;	/* [A] part of @nmissed */
	unsigned long		diverted;	/* [A] part of @nmissed */
};

/**
 * struct kprobe_refusal - why a probe was refused
 * @error: a negative errno; 0 if it was not refused
 * @text: the reason in words, a string constant; NULL if the error says it all
 *
 * The function that refuses makes it. It travels with the error from there on.
 */
struct kprobe_refusal {
	int		error;
	const char	*text;
};

#define KPROBE_FLAG_GONE		1	/* the code it was in has been freed */
#define KPROBE_FLAG_DISABLED		2	/* registered, not called */
#define KPROBE_FLAG_OPTIMIZED		4	/* its point is a jump */
#define KPROBE_FLAG_FTRACE		8	/* its point is an ftrace site */
#define KPROBE_FLAG_ON_FUNC_ENTRY	16	/* its address is where a function begins */
#define KPROBE_FLAG_REENTRANT		32	/* see kprobe_set_reentrant() */
#define KPROBE_FLAG_UNFRAMED		64	/* see kprobe_insn::unframed */

/**
 * kprobe_ftrace() - does this kprobe come by an ftrace site
 * @p: a registered kprobe
 *
 * Return: true if so.
 */
static inline bool kprobe_ftrace(const struct kprobe *p)
{
	return !!(p->flags & KPROBE_FLAG_FTRACE);
}

/**
 * kprobe_optimized() - does this kprobe come by a jump
 * @p: a registered kprobe
 *
 * Return: true if so.
 */
static inline bool kprobe_optimized(const struct kprobe *p)
{
	return !!(p->flags & KPROBE_FLAG_OPTIMIZED);
}

/**
 * kprobe_gone() - has the code this kprobe was in been freed
 * @p: a registered kprobe
 *
 * Return: true if so.
 */
static inline bool kprobe_gone(const struct kprobe *p)
{
	return !!(p->flags & KPROBE_FLAG_GONE);
}

/**
 * kprobe_disabled() - are the handlers of this kprobe not called at present
 * @p: a registered kprobe
 *
 * Return: true if so.
 */
static inline bool kprobe_disabled(const struct kprobe *p)
{
	return kprobe_gone(p) || (p->flags & KPROBE_FLAG_DISABLED);
}

#ifdef CONFIG_KPROBES

/* The contexts a hit can interrupt: task, softirq, irq, NMI */
#define KPROBE_CONTEXTS	4

/*
 * [C] The client whose handler runs in each context of this CPU, or NULL. A context
 * writes its own entry only, and restores it.
 */
DECLARE_PER_CPU(struct kprobe *[KPROBE_CONTEXTS], current_kprobe);

/*
 * [C] The part of this CPU's preempt count that the traps of probes have added, from
 * their entry to their end: x86 enters each like an NMI, whatever it interrupts.
 */
DECLARE_PER_CPU(int, kprobe_trap_count);

/**
 * kprobe_preempt_count() - the preempt count, as if no probe came by a trap
 *
 * Context: preemption off.
 * Return: in a handler what the code that was hit had, and what others than
 * traps have added since.
 */
static __always_inline unsigned int kprobe_preempt_count(void)
{
	return preempt_count() - raw_cpu_read(kprobe_trap_count);
}

/**
 * kprobe_context_level() - the kind of code that runs, see KPROBE_CONTEXTS
 *
 * In a handler that is the kind of the code that was hit, whatever the method.
 *
 * Context: preemption off.
 * Return: as interrupt_context_level(), less than KPROBE_CONTEXTS.
 */
static __always_inline unsigned int kprobe_context_level(void)
{
	unsigned int count = kprobe_preempt_count();

	if (likely(!(count & (NMI_MASK | HARDIRQ_MASK | SOFTIRQ_OFFSET))))
		return 0;
	return 1 + !!(count & NMI_MASK) + !!(count & (NMI_MASK | HARDIRQ_MASK));
}

/**
 * kprobe_running() - the client whose handler the caller runs in
 *
 * Context: preemption off.
 * Return: the client, or NULL: a context that has interrupted a handler is not
 * in that handler. Between kprobe_busy_begin() and kprobe_busy_end(), and on a CPU
 * that RCU does not know, some value other than NULL.
 */
static __always_inline struct kprobe *kprobe_running(void)
{
	return __this_cpu_read(current_kprobe[kprobe_context_level()]);
}

void kprobe_busy_begin(void);
void kprobe_busy_end(void);

int register_kprobe(struct kprobe *p);
int register_kprobes(struct kprobe **kps, int num);
int enable_kprobe(struct kprobe *p);
int disable_kprobe(struct kprobe *p);
void unregister_kprobe(struct kprobe *p);
void unregister_kprobes(struct kprobe **kps, int num);

/*
 * Batches, for clients that are part of the kernel; not exported. The expensive part
 * of changing text is paid once a batch: fill one with clients, commit it, and read
 * each client's result. See kernel/kprobes/batch.c.
 */
struct kprobe_batch;
struct kretprobe;

struct kprobe_batch *kprobe_batch_alloc(void);
void kprobe_batch_put(struct kprobe_batch *batch);
void kprobe_batch_register(struct kprobe_batch *batch, struct kprobe *p);
void kprobe_batch_register_return(struct kprobe_batch *batch, struct kretprobe *rp);
void kprobe_batch_unregister(struct kprobe_batch *batch, struct kprobe *p);
void kprobe_batch_enable(struct kprobe_batch *batch, struct kprobe *p);
void kprobe_batch_enable_late(struct kprobe_batch *batch, struct kprobe *p);
void kprobe_batch_disable(struct kprobe_batch *batch, struct kprobe *p);
int kprobe_batch_commit(struct kprobe_batch *batch);

/**
 * kprobe_error() - what became of a client in its last batch
 * @p: the client, in no batch now
 *
 * Return: 0, or a negative error as register_kprobes() or enable_kprobe() has it.
 */
static inline int kprobe_error(const struct kprobe *p)
{
	return p->error;
}

/**
 * struct kprobe_way - how hits of a kprobe get control; constants in words
 * @method: the method
 * @why: why it is this one
 * @form: how the instruction under a trap is executed; empty if that makes no difference
 */
struct kprobe_way {
	const char	*method;
	const char	*why;
	const char	*form;
};

const char *kprobe_refusal(const struct kprobe *p);
bool kprobe_find_way(const struct kprobe *p, struct kprobe_way *way);
unsigned long kprobe_missed(const struct kprobe *p, enum kprobe_missed why);
void kprobe_set_reentrant(struct kprobe *p);
void unregister_kprobe_nowait(struct kprobe *p);

struct kprobe *get_kprobe(void *addr);
bool kprobe_owns_text(unsigned long addr);

bool within_kprobe_blacklist(unsigned long addr);
int kprobe_add_ksym_blacklist(unsigned long entry);
int kprobe_add_area_blacklist(unsigned long start, unsigned long end);
int kprobe_on_func_entry(kprobe_opcode_t *addr, const char *sym, unsigned long offset);

unsigned long kprobe_function_origin(unsigned long addr);

unsigned long kprobe_slot_origin(unsigned long ip);
bool is_kprobe_insn_slot(unsigned long addr);
bool is_kprobe_optinsn_slot(unsigned long addr);
int kprobe_get_kallsym(unsigned int num, unsigned long *addr, char *type, char *name);

void kprobe_free_init_mem(void);
void kprobe_cpu_starting(unsigned int cpu);
void kprobe_cpu_dying(void);

#else /* !CONFIG_KPROBES */

static inline struct kprobe *kprobe_running(void)
{
	return NULL;
}

static inline void kprobe_busy_begin(void)
{
}

static inline void kprobe_busy_end(void)
{
}

static inline void unregister_kprobe(struct kprobe *p)
{
}

static inline int register_kprobe(struct kprobe *p)
{
	return -EOPNOTSUPP;
}

static inline void unregister_kprobes(struct kprobe **kps, int num)
{
}

static inline int register_kprobes(struct kprobe **kps, int num)
{
	return -EOPNOTSUPP;
}

static inline bool kprobe_owns_text(unsigned long addr)
{
	return false;
}

static inline struct kprobe *get_kprobe(void *addr)
{
	return NULL;
}

static inline int enable_kprobe(struct kprobe *p)
{
	return -EOPNOTSUPP;
}

/* Callers ask where a breakpoint is safe: nowhere, without the list */
static inline bool within_kprobe_blacklist(unsigned long addr)
{
	return true;
}

static inline int disable_kprobe(struct kprobe *p)
{
	return -EOPNOTSUPP;
}

static inline void kprobe_free_init_mem(void)
{
}

static inline void kprobe_cpu_starting(unsigned int cpu)
{
}

static inline void kprobe_cpu_dying(void)
{
}

static inline unsigned long kprobe_slot_origin(unsigned long ip)
{
	return ip;
}

static inline bool is_kprobe_insn_slot(unsigned long addr)
{
	return false;
}

static inline bool is_kprobe_optinsn_slot(unsigned long addr)
{
	return false;
}

static inline int
kprobe_get_kallsym(unsigned int num, unsigned long *addr, char *type, char *name)
{
	return -ERANGE;
}

static inline int kprobe_fault_handler(struct pt_regs *regs, int trapnr)
{
	return 0;
}

#endif /* CONFIG_KPROBES */

#if defined(CONFIG_KPROBES) && defined(CONFIG_KPROBES_ON_FTRACE)
void kprobe_ftrace_kill(void);
int kprobe_arming_error(const struct kprobe *p);
#else
static inline void kprobe_ftrace_kill(void)
{
}

static inline int kprobe_arming_error(const struct kprobe *p)
{
	return 0;
}
#endif

/**
 * kprobe_page_fault() - is a page fault one of ours
 * @regs: where it happened
 * @trap: the vector
 *
 * Return: false. A probed instruction that faults does so like any other: no
 * probe is in the middle of a step that a fault would have to undo.
 */
static __always_inline bool kprobe_page_fault(struct pt_regs *regs, unsigned int trap)
{
	return false;
}

#include <linux/kretprobe.h>

#endif /* _LINUX_KPROBES_H */
