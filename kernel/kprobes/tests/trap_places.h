/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef _KERNEL_KPROBES_TESTS_TRAP_PLACES_H
#define _KERNEL_KPROBES_TESTS_TRAP_PLACES_H
#include <linux/linkage.h>
#include <linux/types.h>

/* trap_places.S: returns @value + 3; has an instruction for each way to resume. */
asmlinkage int trap_place(int value);

/* A second function; it is called by handlers of probes in trap_place(). */
asmlinkage int trap_place_inner(int value);

/* Calls trap_place_loop_body() @count times; neither has an ftrace site. */
asmlinkage void trap_place_loop(unsigned long count);

/* Addresses of instructions in trap_place() */
extern const u8 trap_place_copied[], trap_place_emulated[], trap_place_faulting[];
extern const u8 trap_place_inside[], trap_place_jumped_to[];
extern const u8 trap_place_inner_copied[], trap_place_loop_body[];

/**
 * struct trap_refused - an instruction that must be refused
 * @addr: its address
 * @error: the error of register_kprobe()
 * @text: its source text
 */
struct trap_refused {
	const u8	*addr;
	long		error;
	const char	*text;
};

extern const struct trap_refused trap_refused[], trap_refused_end[];

#endif /* _KERNEL_KPROBES_TESTS_TRAP_PLACES_H */
