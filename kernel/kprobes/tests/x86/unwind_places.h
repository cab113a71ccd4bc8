/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef _KERNEL_KPROBES_TESTS_X86_UNWIND_PLACES_H
#define _KERNEL_KPROBES_TESTS_X86_UNWIND_PLACES_H
#include <linux/types.h>

/* Returns its argument plus one, and pushes two registers meanwhile */
unsigned long unwind_function(unsigned long value);

/* Instructions of it */
extern const u8 unwind_push[], unwind_long_push[], unwind_long_pop[], unwind_pop[], unwind_ret[],
	unwind_jump[];

/* Returns its argument plus two, and has nothing on the stack when it calls unwind_window() */
unsigned long unwind_bare(unsigned long value);

/* Its first instruction is a push of one byte. It returns to unwind_bare_returned */
unsigned long unwind_window(unsigned long value);
extern const u8 unwind_bare_returned[];

#endif /* _KERNEL_KPROBES_TESTS_X86_UNWIND_PLACES_H */
