/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef _KERNEL_KPROBES_POINT_H
#define _KERNEL_KPROBES_POINT_H
/*
 * Private to kernel/kprobes/: the point, and who does what with it.
 *
 *	client.c	register, unregister
 *	enable.c	enable, disable
 *	resolve.c	which address is meant, and may it be probed
 *	blacklist.c	what may not
 *	table.c		address to point
 *	batch.c		points whose text changes together
 *	call.c		the method of ftrace sites
 *	trap.c		the method of traps
 *	slot.c		executable memory, for instructions run elsewhere
 *	context.c	which context a hit is in, and what runs in it
 *	hit.[ch]	from a hit to the clients' handlers
 *	module.c	code that comes and goes
 *	debugfs.c	what users see of all this
 */
#include <linux/context_tracking_state.h>
#include <linux/hash.h>
#include <linux/kprobes.h>
#include <linux/list.h>
#include <linux/llist.h>
#include <linux/lockdep.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/preempt.h>

struct arch_kprobe_trap;
struct kprobe_call;
struct kprobe_method;
struct module;
struct pt_regs;

extern struct mutex kprobe_mutex;

/**
 * struct kprobe_point - a probed address
 * @addr: the address, as clients have it in kprobe::addr
 * @clients: the kprobes registered there, oldest first; never empty between
 *	two holdings of the core mutex
 * @method: how it gets control
 * @on_entry: the address is where a function begins
 * @post: some client has a post-handler
 * @gone: the code has been freed: the point is not in the table but on the list
 *	of those whose clients have yet to unregister
 * @armed: the ftrace_ops a hit comes by, NULL while not armed
 * @stale: the ftrace_ops it came by before and has not yet been taken out of
 * @want: what @armed is to become
 * @trap: its instruction, if it comes by a trap
 * @trapped: the trap is in the text
 * @error: why the last batch could not make it so
 * @batch: in the batch being put together
 * @gone_list: in the list of the points that are gone
 * @next_empty: in the list of those the last client is leaving, or that are
 *	freed together
 * @rcu: frees it, or the list it begins, once no hit looks at it
 * @unused: then, in the list of lists to be freed
 *
 * Locks:
 *	I	immutable once in the table
 *	M	core mutex
 *	R	core mutex to write; hits read it under RCU
 */
struct kprobe_point {
	unsigned long		addr;		/* [I] */
	struct list_head	clients;	/* [R] */
	const struct kprobe_method *method;	/* [I] */
	bool			on_entry;	/* [I] */
	bool			post;		/* [R] */
	bool			gone;		/* [M] */
	struct kprobe_call	*armed;		/* [R] */
	struct kprobe_call	*stale;		/* [M] */
	struct kprobe_call	*want;		/* [M] */
	struct arch_kprobe_trap	*trap;		/* [I] */
	bool			trapped;	/* [M] */
	int			error;		/* [M] */
	struct list_head	batch;		/* [M] */
	struct list_head	gone_list;	/* [M] */
	struct kprobe_point	*next_empty;	/* [M] */
	struct rcu_head		rcu;
	struct llist_node	unused;
};

/**
 * struct kprobe_batch - the points whose text is about to change
 * @points: linked by kprobe_point::batch
 *
 * Lives on the stack of who holds the core mutex.
 */
struct kprobe_batch {
	struct list_head	points;		/* [M] */
};

#define KPROBE_BATCH(batch) \
	struct kprobe_batch batch = { .points = LIST_HEAD_INIT((batch).points) }

/**
 * struct kprobe_method - how a point gets control
 * @flag: KPROBE_FLAG_* its clients show, or 0
 * @fits: can the method serve an address
 * @prepare: make what a point needs before it can be found, or NULL
 * @arm: bring every point of a batch to what its clients want, as far as that
 *	means more hits; sets kprobe_point::error of those it cannot
 * @disarm: the same as far as it means less hits; does not fail
 * @is_armed: does the method bring hits of the point
 *
 * Context: process context, under the core mutex.
 */
struct kprobe_method {
	u32	flag;
	bool	(*fits)(unsigned long addr);
	int	(*prepare)(struct kprobe_point *point);
	void	(*arm)(struct kprobe_batch *batch);
	void	(*disarm)(struct kprobe_batch *batch);
	bool	(*is_armed)(const struct kprobe_point *point);
};

/* Flags of a client that nobody outside sees: part of a kretprobe; being enabled */
#define KPROBE_FLAG_RETURN	BIT(30)
#define KPROBE_FLAG_ENABLING	BIT(31)

/**
 * struct kprobe_place - an address somebody wants to probe
 * @addr: the address
 * @on_entry: a function begins there
 * @refusal: why there can be no probe, once kprobe_place_check() has refused it
 */
struct kprobe_place {
	unsigned long	addr;
	bool		on_entry;
	const char	*refusal;
};

/* resolve.c */
int kprobe_place_find(const struct kprobe *p, struct kprobe_place *place);
int kprobe_place_check(struct kprobe_place *place);

/* blacklist.c; between the two is what NOKPROBE_SYMBOL marks */
extern unsigned long __start_kprobe_blacklist[];
extern unsigned long __stop_kprobe_blacklist[];

bool kprobe_blacklist_ready(void);
bool kprobe_blacklist_next(unsigned long *start, unsigned long *end);
int kprobe_blacklist_add_module(struct module *mod);
void kprobe_blacklist_remove(unsigned long start, unsigned long end);

/* module.c */
int kprobe_init_check(unsigned long addr);
#ifdef CONFIG_MODULES
int kprobe_module_check(unsigned long addr);
#else
static inline int kprobe_module_check(unsigned long addr)
{
	return -EINVAL;
}
#endif

/* table.c */

/**
 * struct kprobe_table - address to point, open addressing
 * @shift: a hash of 64 bits goes down to an index by this
 * @mask: one less than the number of slots
 * @filled: slots that are not empty, taken points included
 * @rcu: frees a table that a larger one replaces
 * @slot: points; NULL ends a search, a removed point's slot is filled with one
 *	that nobody asks for
 */
struct kprobe_table {
	unsigned int		shift;		/* [I] */
	unsigned int		mask;		/* [I] */
	unsigned int		filled;		/* [M] */
	struct rcu_head		rcu;
	struct kprobe_point	*slot[];	/* [R] */
};

extern struct kprobe_table *kprobe_table;

static __always_inline unsigned int kprobe_table_index(const struct kprobe_table *table,
						       unsigned long addr)
{
	return ((u64)addr * GOLDEN_RATIO_64) >> table->shift;
}

/**
 * kprobe_point_find() - the point at an address
 * @addr: the address
 *
 * Calls nothing, so it may be used where nothing may be probed.
 *
 * Context: preemption off, or under the core mutex.
 * Return: the point, or NULL.
 */
static __always_inline struct kprobe_point *kprobe_point_find(unsigned long addr)
{
	/* Ordered by dependency; pairs with the releases in table.c */
	const struct kprobe_table *table = READ_ONCE(kprobe_table);
	unsigned int i = kprobe_table_index(table, addr);
	struct kprobe_point *point;

	while ((point = READ_ONCE(table->slot[i]))) {
		if (point->addr == addr)
			return point;
		i = (i + 1) & table->mask;
	}
	return NULL;
}

int kprobe_table_add(struct kprobe_point *point);
void kprobe_table_remove(struct kprobe_point *point);
struct kprobe_point *kprobe_table_next(unsigned int *pos);

/* batch.c */
const struct kprobe_method *kprobe_method_for(unsigned long addr);
void kprobe_batch_add(struct kprobe_batch *batch, struct kprobe_point *point);
int kprobe_batch_commit(struct kprobe_batch *batch);
bool kprobe_point_wanted(const struct kprobe_point *point);
bool kprobe_all_disarmed(void);
int kprobe_set_all_disarmed(bool disarmed);

/* call.c */
extern const struct kprobe_method kprobe_call_method;

/* trap.c */
extern const struct kprobe_method kprobe_trap_method;

void kprobe_trap_points_free(struct kprobe_point *first);

/* client.c */
int kprobe_register(struct kprobe **kps, int num, u32 flags);
struct kprobe_point *kprobe_point_of(const struct kprobe *p);
struct kprobe_point *kprobe_point_gone_next(struct kprobe_point *point);
void kprobe_points_drop(unsigned long start, unsigned long end);

/* context.c */

/**
 * kprobe_context_mark() - where the context of a hit notes whose handler it runs
 *
 * Calls nothing. Who finds NULL there may run handlers, keeps the entry at the
 * client whose handler runs, and puts NULL back. Who finds something else is
 * nested in one of them (or in somebody's busy section).
 *
 * Context: preemption off.
 * Return: this context's entry of current_kprobe.
 */
static __always_inline struct kprobe **kprobe_context_mark(void)
{
	return &(*raw_cpu_ptr(&current_kprobe))[kprobe_context_level()];
}

/**
 * kprobe_context_alone() - is this the only context with a mark on this CPU
 * @mark: as kprobe_context_mark() gave it
 *
 * Context: preemption off.
 * Return: true if no context this one has interrupted is in a handler.
 */
static __always_inline bool kprobe_context_alone(struct kprobe **mark)
{
	struct kprobe **marks = *raw_cpu_ptr(&current_kprobe);
	int i;

	for (i = 0; i < KPROBE_CONTEXTS; i++) {
		if (marks + i != mark && READ_ONCE(marks[i]))
			return false;
	}
	return true;
}

#ifdef CONFIG_CONTEXT_TRACKING_IDLE
/**
 * kprobe_rcu_watching() - can RCU see this CPU
 *
 * What rcu_is_watching() tells, but calls nothing that could be probed.
 *
 * Context: preemption off.
 * Return: true if it can.
 */
static __always_inline bool kprobe_rcu_watching(void)
{
	return raw_atomic_read(raw_cpu_ptr(&context_tracking.state)) & CT_RCU_WATCHING;
}
#else
static __always_inline bool kprobe_rcu_watching(void)
{
	return true;
}
#endif

#endif /* _KERNEL_KPROBES_POINT_H */
