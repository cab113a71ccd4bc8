/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef _KERNEL_KPROBES_METHOD_H
#define _KERNEL_KPROBES_METHOD_H
/*
 * Methods: the ways in which a point gets control.
 *
 * A base method serves a point from its first client to its last. An upgrade takes a
 * point over from its base method when it can, and gives it back when it must. point.c
 * has the table of states and moves.
 *
 * A new method is a struct kprobe_method in a file of its own, declared here, an entry in
 * the list of method.c, its states and the data of its points in point.h, and its moves in
 * the table of point.c. The list is tried in order, so a base method comes before the trap,
 * which fits every address; an upgrade comes after its base. A point has one upgrade at most.
 */
#include <linux/types.h>

struct kprobe_place;
struct kprobe_point;
struct list_head;
struct seq_file;

/**
 * struct kprobe_method - how a point gets control
 * @name: a word for messages
 * @why: say in words why a point has it, for messages; may be NULL
 * @over: the method this one is an upgrade of; NULL for a base method
 * @flag: KPROBE_FLAG_* that clients show while the method has their point, or 0
 * @reach: bytes of text that a point replaces
 * @replaces: the method replaces the instruction, which must have no other owner and
 *	must be one that can be resumed
 * @slots: tasks can be in memory of a point; release() waits for RCU-tasks
 * @fits: can the method serve an address; base methods only
 * @admits: may the method take, or keep, a point of @over; upgrades only
 * @prepare: make what a point needs. A base method is asked before the point can
 *	be found, an upgrade before it arms the point for the first time; an upgrade
 *	gets no place
 * @unsettled: does an armed point have to be armed again, as its clients have
 *	changed. May be NULL
 * @arm: give each point of a list, linked by kprobe_point::batch, its state; sets
 *	kprobe_point::error of those where it fails
 * @disarm: undo @arm. A point whose text cannot be put back now keeps its state
 *	and gets kprobe_point::late
 * @release: free what @prepare made, after the grace period; may be NULL
 * @show: print a word in brackets about a point for debugfs; may be NULL
 * @text: write the original bytes over those in a buffer, which was read from
 *	@addr, that an armed point replaces; may be NULL
 *
 * Context: process context. @release is called without locks, or under the core
 * mutex if the point was never found. The others are called under the core mutex.
 */
struct kprobe_method {
	const char			*name;
	const struct kprobe_method	*over;
	u32				flag;
	u8				reach;
	bool				replaces;
	bool				slots;

	const char *(*why)(void);
	bool	(*fits)(unsigned long addr);
	bool	(*admits)(const struct kprobe_point *point);
	int	(*prepare)(struct kprobe_point *point, struct kprobe_place *place);
	bool	(*unsettled)(const struct kprobe_point *point);
	void	(*arm)(struct list_head *points);
	void	(*disarm)(struct list_head *points);
	void	(*release)(struct kprobe_point *point);
	void	(*show)(struct seq_file *m, const struct kprobe_point *point);
	void	(*text)(const struct kprobe_point *point, unsigned long addr, u8 *buf,
			size_t len);
};

/* ftrace.c */
extern const struct kprobe_method kprobe_ftrace_method;

/* trap.c */
extern const struct kprobe_method kprobe_trap_method;

/* jump.c */
extern const struct kprobe_method kprobe_jump_method;

/* method.c */
const struct kprobe_method *kprobe_method_for(unsigned long addr);
const struct kprobe_method *kprobe_method_next(const struct kprobe_method *method);
const struct kprobe_method *kprobe_method_prev(const struct kprobe_method *method);

/* For KUnit only: one more upgrade */
int kprobe_method_add(const struct kprobe_method *method);
void kprobe_method_remove(void);

#endif /* _KERNEL_KPROBES_METHOD_H */
