/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Passing: the words in which a function gets its parameters.
 *
 * Words are counted from 1: the argument registers in their order, then the words of the
 * stack. $argN is word N. A parameter takes no word, one, or several in a row.
 */
#ifndef _TRACE_KPROBE_PASSING_H
#define _TRACE_KPROBE_PASSING_H

#include <linux/types.h>

#include "c_type.h"
#include "lookup.h"

/**
 * struct probe_passing - what the parameters before the next one take
 * @registers:	number of argument registers that are in use
 * @stack:	number of stack words in use
 * @knows_registers: @registers is known
 * @knows_stack: @stack is known
 *
 * A prototype owns it.
 */
struct probe_passing {
	unsigned int	registers;
	unsigned int	stack;
	bool		knows_registers;
	bool		knows_stack;
};

/**
 * struct probe_words - the words of one parameter
 * @first:	number of the first one; 0 if that is not known, or if there is none
 * @nr:		how many
 */
struct probe_words {
	unsigned int	first;
	unsigned int	nr;
};

struct probe_words probe_passing_add_word(struct probe_passing *passing,
					  const struct probe_lookup *lookup);
struct probe_words probe_passing_add(struct probe_passing *passing, struct probe_c_type type,
				     const struct probe_lookup *lookup);
bool probe_passing_follows(struct probe_c_type type, const struct probe_lookup *lookup);
bool probe_passing_is_integer(struct probe_c_type type, const struct probe_lookup *lookup);
void probe_passing_lose_all(struct probe_passing *passing);
bool probe_passing_knows(const struct probe_passing *passing, unsigned int nr,
			 const struct probe_lookup *lookup);

#endif /* _TRACE_KPROBE_PASSING_H */
