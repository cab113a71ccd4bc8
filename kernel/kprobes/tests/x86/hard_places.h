/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef _KERNEL_KPROBES_TESTS_HARD_PLACES_H
#define _KERNEL_KPROBES_TESTS_HARD_PLACES_H

#include <linux/linkage.h>
#include <linux/types.h>

/* hard_places.S; hard_X_at is the instruction of hard_X() that is probed */

/* How often the body of a loop is run that begins with @count in rcx, or in ecx */
asmlinkage unsigned long hard_loop(unsigned long count);
asmlinkage unsigned long hard_loop_short(unsigned long count);

/* Calls with a prefix of the segment; 42 if that comes back to where it should */
asmlinkage int hard_cs_call(void);

/* Bytes that a `ret $16` leaves on the stack */
asmlinkage long hard_ret(void);

/* *@from; 0 if that faults. The second form reads what is user space's */
asmlinkage unsigned long hard_read(const void *from);
asmlinkage unsigned long hard_read_user(const void __user *from);

/* The same without an entry in the exception table */
asmlinkage unsigned long hard_read_bare(const void *from);

/*
 * The flags that hard_open_callee() returns with: user memory is open, if the
 * processor ever closes it, and strings are walked downwards
 */
asmlinkage unsigned long hard_open(void);
asmlinkage void hard_open_callee(void);

/*
 * Enters by @entry as if there had been an int3, but the instruction that is
 * there is another one: 1 if that is executed then.
 */
asmlinkage int hard_ghost(unsigned long entry);

/* Never executed: waits for interrupts, behind an instruction that enables them */
extern const u8 hard_hlt_at[], hard_sti_hlt_at[], hard_mwait_at[];

extern const u8 hard_loop_at[], hard_loop_short_at[], hard_cs_call_at[], hard_ret_at[];
extern const u8 hard_read_at[], hard_read_user_at[];
extern const u8 hard_read_bare_at[], hard_read_bare_behind[];

#endif /* _KERNEL_KPROBES_TESTS_HARD_PLACES_H */
