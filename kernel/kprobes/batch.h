/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef _KERNEL_KPROBES_BATCH_H
#define _KERNEL_KPROBES_BATCH_H
/*
 * Batches, internal interface. The interface of clients is in <linux/kprobes.h>.
 */
#include <linux/kprobes.h>
#include <linux/list.h>
#include <linux/llist.h>
#include <linux/types.h>

struct kprobe_point;

/**
 * enum kprobe_wish - the request of a client in a batch
 * @KPROBE_WISH_NONE: nothing: the client is in no batch, or its wish has been judged
 * @KPROBE_WISH_REGISTER: be registered
 * @KPROBE_WISH_REGISTER_RETURN: the same, as part of a kretprobe
 * @KPROBE_WISH_ENABLE: be enabled
 * @KPROBE_WISH_ENABLE_LATE: be enabled, and armed later if that cannot be done now
 * @KPROBE_WISH_DISABLE: be disabled
 * @KPROBE_WISH_UNREGISTER: be unregistered, kretprobe or not
 * @KPROBE_WISH_FORGET: have what registering wrote erased: the client was refused after all
 */
enum kprobe_wish {
	KPROBE_WISH_NONE,
	KPROBE_WISH_REGISTER,
	KPROBE_WISH_REGISTER_RETURN,
	KPROBE_WISH_ENABLE,
	KPROBE_WISH_ENABLE_LATE,
	KPROBE_WISH_DISABLE,
	KPROBE_WISH_UNREGISTER,
	KPROBE_WISH_FORGET,
};

/**
 * struct kprobe_batch - clients whose wishes are granted together, and their points
 * @clients: the first client, then by kprobe::next, until the commit ends
 * @end: where the next client is linked
 * @points: points whose text may have to change, by kprobe_point::batch
 * @retired: points that no hit can find any more, to be freed
 * @all_or_none: if one client is refused, none is registered
 * @handlers_may_run: hits may still be running handlers of an unregistered client
 * @forgets: clients are to forget what registering wrote, after a grace period
 * @failed: a point could not be armed
 * @rcu: a grace period for @retired
 * @over: in the list of those that are freed after it
 *
 * The caller of kprobe_batch_alloc() owns it until kprobe_batch_put(), whatever
 * mutexes the caller takes meanwhile. The core owns it afterwards, until @retired is
 * freed.
 *
 * <linux/kprobes.h> explains the locks.
 */
struct kprobe_batch {
	struct kprobe		*clients;	/* [O] */
	struct kprobe		**end;		/* [O] */
	struct list_head	points;		/* [M] */
	struct list_head	retired;	/* [M], then [O] */
	bool			all_or_none;	/* [O] */
	bool			handlers_may_run; /* [M] */
	bool			forgets;	/* [M] */
	bool			failed;		/* [M] */
	struct rcu_head		rcu;
	struct llist_node	over;
};

/* batch.c */
void kprobe_batch_add(struct kprobe_batch *batch, struct kprobe *p, enum kprobe_wish wish);
void kprobe_batch_add_point(struct kprobe_batch *batch, struct kprobe_point *point);
void kprobe_batch_add_around(struct kprobe_batch *batch, unsigned long addr);
void kprobe_batch_finish(struct kprobe_batch *batch);

/* commit.c */
int kprobe_batch_commit_locked(struct kprobe_batch *batch);
void kprobe_batch_apply(struct kprobe_batch *batch);
bool kprobe_all_disarmed(void);
int kprobe_set_for_all(bool *what, bool value);
int kprobe_set_all_disarmed(bool disarmed);

#endif /* _KERNEL_KPROBES_BATCH_H */
