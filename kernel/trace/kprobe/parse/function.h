/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Function: what one look-up tells of the function a probe is in.
 *
 * The symbol of a location is looked up once for a definition, and the core gets the
 * address that was found. Parameters and return value are in prototype.h: they are asked
 * for only if an argument reads one.
 */
#ifndef _TRACE_KPROBE_FUNCTION_H
#define _TRACE_KPROBE_FUNCTION_H

#include <linux/types.h>

/**
 * struct probe_word - where a function finds a word of its arguments when it is entered
 * @on_stack:	true: in stack word @where; false: in the register at @where
 * @where:	index of the stack word, or offset in struct pt_regs
 */
struct probe_word {
	bool		on_stack;
	unsigned int	where;
};

static inline bool probe_word_equal(const struct probe_word *a, const struct probe_word *b)
{
	return a->on_stack == b->on_stack && a->where == b->where;
}

/**
 * struct probe_function - the function a probe is in
 * @address:	of the probe; 0 as long as its module is not loaded
 * @is_entry:	the probe is at the function's entry; assumed of offset 0 in a module that
 *		is not loaded
 * @is_pending:	its module is not loaded
 * @is_notrace:	the function has no ftrace site, and needs one
 * @is_outside:	no function is at the address
 *
 * The definition, and later the probe, own a function. The address is valid as long as
 * event_mutex is held, or until event_module.c clears it. [E]
 */
struct probe_function {
	unsigned long	address;
	bool		is_entry;
	bool		is_pending;
	bool		is_notrace;
	bool		is_outside;
};

#endif /* _TRACE_KPROBE_FUNCTION_H */
