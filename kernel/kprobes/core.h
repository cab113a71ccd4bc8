/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef _KERNEL_KPROBES_CORE_H
#define _KERNEL_KPROBES_CORE_H
/*
 * The core mutex, and the flags of clients that it protects.
 *
 * The files of the core: <linux/kprobes.h> is the interface of clients.
 *
 *	point.c		one probed address: its clients, its state
 *	table.c		address to point
 *	gone.c		points whose code has been freed
 *	method.c	the ways in which points get control
 *	ftrace.c	the method of ftrace sites; ftrace_hit.c: its hits; ftrace_off.c: when it
 *			cannot arm
 *	trap.c		the method of traps
 *	trap_entry.c	from a trap to its handlers and back
 *	jump.c		the method of jumps, an upgrade of traps
 *	jump_entry.c	from a jump to its handlers and back
 *	window.c	jumps that replace several instructions
 *	pass.c		when these come
 *	divert.c	where to go on if a handler has set the instruction pointer
 *	targets.c	where branches land
 *	target_tables.c	where fixups and jump labels do
 *	target_symbols.c	which symbols there are
 *	way.c		how a probe will be hit, in words
 *	resched.c	rescheduling after a hit that took no exception
 *	insn.c		the instruction at a place
 *	slot.c		executable memory, for instructions that run elsewhere
 *	slot_find.c	what an address there stands for
 *	text.c		the text as it is without probes
 *	symbol.c	the symbol that an address is in
 *	resolve.c	from a symbol to an address, and whether it may be probed
 *	labels.c	jump labels by address
 *	blacklist.c	addresses that must not be probed
 *	batch.c		clients that are registered, enabled, and so on, together
 *	commit.c	a batch's effect on clients and text
 *	client.c	register, unregister
 *	enable.c	enable, disable
 *	hit.c		from a hit to the clients' handlers
 *	context.c	the context of a hit
 *	hotplug.c	CPUs that come up and go
 *	retprobe.c	hits of return probes
 *	retprobe_client.c
 *			register and unregister return probes
 *	instance.c	their instances
 *	module.c	code that is loaded and freed: modules, init text
 *	debugfs.c	the files in debugfs
 */
#include <linux/bits.h>
#include <linux/compiler.h>
#include <linux/kprobes.h>
#include <linux/lockdep.h>
#include <linux/mutex.h>

/*
 * Taken after dyn_event_ops_mutex, event_mutex, the rwsem of the module notifiers.
 * Taken before the locks of ftrace; cpus_read_lock, the locks of jump labels and static
 * calls, text_mutex. Defined in point.c.
 */
extern struct mutex kprobe_mutex;

/* kprobe::flags for the core only: refused, with a reason; part of a kretprobe */
#define KPROBE_FLAG_REFUSED	BIT(29)
#define KPROBE_FLAG_RETURN	BIT(30)

/**
 * kprobe_client_set_flags() - change flags of a client that hits may read
 * @p: the client
 * @clear: flags to clear
 * @set: flags to set
 *
 * Context: under the core mutex.
 */
static inline void kprobe_client_set_flags(struct kprobe *p, u32 clear, u32 set)
{
	lockdep_assert_held(&kprobe_mutex);
	/* Pairs with kprobe_hit_clients(); other reads take either value */
	smp_store_release(&p->flags, (p->flags & ~clear) | set);
}

#endif /* _KERNEL_KPROBES_CORE_H */
