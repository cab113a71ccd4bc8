/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lookup: all that parser and compiler ask of the machine they run on.
 *
 * The kernel fills this table with kallsyms, ptrace register names, ftrace and BTF. The
 * tests in user space fill it with a made-up machine. Nothing else in this folder looks
 * outside the text it is given.
 */
#ifndef _TRACE_KPROBE_LOOKUP_H
#define _TRACE_KPROBE_LOOKUP_H

#include <linux/types.h>

#include "c_type.h"
#include "function.h"
#include "location.h"

/**
 * struct probe_lookup - the machine, as the parser sees it
 * @function: look up SYM or MOD:SYM and an offset, or (with @symbol NULL) an address, and
 *	fill in *@function. Return 0 if it is there, or if MOD is not loaded;
 *	-EADDRNOTAVAIL if several symbols have this name, with the address of the first;
 *	-ENOENT if no symbol has it.
 * @prototype: find the prototype of a function that was looked up, in @types. Return 0,
 *	with a reference to the owner of *@type; -EOPNOTSUPP if this machine knows no types,
 *	-ENODATA if only the function's module does not, -ENOENT if none is known.
 * @symbol_address: write the address of data symbol @name (never MOD:SYM) to *@address;
 *	return 0; -ENOENT if there is none now; -EADDRNOTAVAIL if there are several; -ENXIO if
 *	it is not the address of one place in memory.
 * @register_offset: return the offset of the register called @name (without '%') in
 *	struct pt_regs, or a negative error.
 * @argument: find argument word @nr, counted from 1, of a function that was just entered;
 *	return 0, or a negative error if this machine cannot tell.
 * @types: the provider of types; unused if @prototype always fails
 * @by_reference: a structure of more bytes is passed by its address
 * @return_by_reference: the address for a returned structure of more bytes is the first
 *	argument, and is returned; UINT_MAX: it is no argument, and not known afterwards
 * @last_register: offset in struct pt_regs of the last register that has a name
 * @retval_offset: offset in struct pt_regs of a function's return value
 * @argument_registers: argument words up to this number are in registers
 * @registers_in_order: a value that is aligned to two words begins in an even register,
 *	and once a value did not fit into registers, no later one is in any
 * @stack_words: highest number that $stackN and $argN take
 * @dentry_name: offset from a struct dentry to the pointer to its name
 * @file_dentry: offset from a struct file to the pointer to its dentry
 *
 * The functions run in the context of the parser's caller, which may sleep and may hold
 * event_mutex. They keep no reference to what they are given.
 */
struct probe_lookup {
	int (*function)(const struct probe_lookup *lookup, const char *symbol,
			unsigned long offset, struct probe_function *function);
	int (*prototype)(const struct probe_lookup *lookup,
			 const struct probe_function *function,
			 const struct probe_location *location, struct probe_c_type *type);
	int (*symbol_address)(const struct probe_lookup *lookup, const char *name,
			      unsigned long *address);
	int (*register_offset)(const struct probe_lookup *lookup, const char *name);
	int (*argument)(const struct probe_lookup *lookup, unsigned int nr,
			struct probe_word *word);
	const struct probe_c_types	*types;
	unsigned int			by_reference;
	unsigned int			return_by_reference;
	unsigned int			last_register;
	unsigned int			retval_offset;
	unsigned int			argument_registers;
	bool				registers_in_order;
	unsigned int			stack_words;
	unsigned int			dentry_name;
	unsigned int			file_dentry;
};

#endif /* _TRACE_KPROBE_LOOKUP_H */
