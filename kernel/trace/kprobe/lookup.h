/* SPDX-License-Identifier: GPL-2.0 */
/*
 * All that parser and compiler ask of the machine they run on.
 *
 * The kernel fills this table with kallsyms, ptrace register names and ftrace;
 * user-space tests fill it with a machine made up.  Nothing else in command,
 * place, expr, type, program and layout looks outside the text it is given.
 */
#ifndef _TRACE_KPROBE_LOOKUP_H
#define _TRACE_KPROBE_LOOKUP_H

#include <linux/types.h>

/**
 * struct probe_arg_place - where a function keeps one of its arguments at entry
 * @on_stack:	true: in stack word @where; false: in the register at @where
 * @where:	index of the stack word, or offset in struct pt_regs
 */
struct probe_arg_place {
	bool		on_stack;
	unsigned int	where;
};

/* What a function returns, where its parameters are counted from 1 */
#define PROBE_RETVAL	0

/**
 * struct probe_parameters - what is known of how a function takes its parameters
 * @count:	how many there are; UINT_MAX: any number, or not known
 * @words:	so many of them, from the first, are passed in a word each;
 *		UINT_MAX: all, or not known
 * @returns:	it returns something, or that is not known
 */
struct probe_parameters {
	unsigned int	count;
	unsigned int	words;
	bool		returns;
};

/**
 * struct probe_lookup - the machine, as the parser sees it
 *
 * All callbacks run in the context of the parser's caller, which may sleep and
 * may hold what locks it likes; they keep no reference to what they are given.
 *
 * @symbol_check: is SYM or MOD:SYM a place to probe?  0 when it is, or when MOD
 *	is not loaded yet; -EADDRNOTAVAIL when several symbols have this name;
 *	any other error when there is none.
 * @symbol_address: the address of data symbol @name (never MOD:SYM) in
 *	*@address; -ENOENT when there is none now.
 * @function_entry: is @offset in SYM or MOD:SYM (or, with @symbol NULL, the
 *	address @offset) what the machine takes for a function's entry?  1 yes,
 *	0 no, a negative error when that cannot be told yet (module not loaded).
 * @register_offset: offset of the register called @name (without '%') in
 *	struct pt_regs, or a negative error.
 * @argument: place of argument @nr, counted from 1, of a function just entered;
 *	0, or a negative error when this machine cannot tell.
 * @parameters: what is known of the function at @offset of SYM or MOD:SYM
 * @retval_offset: offset in struct pt_regs of a function's return value
 * @stack_words: highest number that $stackN and $argN take
 * @dentry_name: offset from a struct dentry to the pointer to its name
 * @file_dentry: offset from a struct file to the pointer to its dentry
 */
struct probe_lookup {
	int (*symbol_check)(const struct probe_lookup *lookup,
			    const char *name);
	int (*symbol_address)(const struct probe_lookup *lookup,
			      const char *name, unsigned long *address);
	int (*function_entry)(const struct probe_lookup *lookup,
			      const char *symbol, unsigned long offset);
	int (*register_offset)(const struct probe_lookup *lookup,
			       const char *name);
	int (*argument)(const struct probe_lookup *lookup, unsigned int nr,
			struct probe_arg_place *place);
	struct probe_parameters (*parameters)(const struct probe_lookup *lookup,
					      const char *symbol,
					      unsigned long offset);
	unsigned int	retval_offset;
	unsigned int	stack_words;
	unsigned int	dentry_name;
	unsigned int	file_dentry;
};

#endif /* _TRACE_KPROBE_LOOKUP_H */
