/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef _KERNEL_KPROBES_TESTS_HAZARD_PLACES_H
#define _KERNEL_KPROBES_TESTS_HAZARD_PLACES_H

#include <linux/linkage.h>
#include <linux/types.h>

/* hazard_places.S; hazard_X_at is the probed instruction of hazard_X(). */

/* Returns the number of rounds of a loop that begins with @count in rcx, or in ecx. */
asmlinkage unsigned long hazard_loop(unsigned long count);
asmlinkage unsigned long hazard_loop_short(unsigned long count);

/* Calls with a segment prefix; returns 42 if the call returns to the right place. */
asmlinkage int hazard_cs_call(void);

/* Returns the number of bytes that a `ret $16` leaves on the stack. */
asmlinkage long hazard_ret(void);

/* Returns *@from, or 0 if the read faults. The second function reads user memory. */
asmlinkage unsigned long hazard_read(const void *from);
asmlinkage unsigned long hazard_read_user(const void __user *from);

/*
 * Copies memory with one string instruction, which has no entry in the exception table, and
 * stores what it leaves in rcx, rsi and rdi.
 */
asmlinkage void hazard_copy_user(void __user *to, const void *from, unsigned long count,
				 unsigned long left[3]);

/* The same as hazard_read() without an entry in the exception table */
asmlinkage unsigned long hazard_read_bare(const void *from);

/*
 * Returns the flags that hazard_open_callee() returns with: access to user memory is
 * open, if the processor supports closing it, and the direction flag is set.
 */
asmlinkage unsigned long hazard_open(void);
asmlinkage void hazard_open_callee(void);

/*
 * Enters the exception at @entry as if an int3 had been executed, but the text holds
 * another instruction. Returns 1 if that instruction is executed afterwards.
 */
asmlinkage int hazard_ghost(unsigned long entry);

/* Returns 42. It is the last function of the module's text. */
asmlinkage int hazard_last(void);

/* Never executed: waits for interrupts, after an instruction that enables them */
extern const u8 hazard_hlt_at[], hazard_sti_hlt_at[], hazard_mwait_at[];

extern const u8 hazard_loop_at[], hazard_loop_short_at[], hazard_cs_call_at[], hazard_ret_at[];
extern const u8 hazard_read_at[], hazard_read_user_at[], hazard_copy_user_at[];
extern const u8 hazard_read_bare_at[], hazard_read_bare_behind[], hazard_last_at[];

#endif /* _KERNEL_KPROBES_TESTS_HAZARD_PLACES_H */
