/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Program: how one argument is fetched when the probe is hit.
 *
 * A program is a straight line.  It gets a word from somewhere (the source),
 * replaces it by the word it points to, offset added, as often as there are
 * steps, and ends in one of a few ways (the final) that store the value:
 *
 *	+8(-16(%di)):u32	source REG di; step -16; final MEMORY +8, 4 bytes
 *	%di:u32			source REG di; final WORD
 *	+0(@sym):string		source SYMBOL sym; step 0; final TEXT +0
 *
 * What is constant is resolved here, so that a hit does arithmetic and reads.
 */
#ifndef _TRACE_KPROBE_PROGRAM_H
#define _TRACE_KPROBE_PROGRAM_H

#include <linux/types.h>

#include "command.h"
#include "lookup.h"
#include "type.h"

#define PROBE_MAX_DEREFS	14	/* memory reads in one program */
#define PROBE_MAX_ARG_NAME	32	/* characters in NAME */
#define PROBE_MAX_ARG_TEXT	63	/* characters in EXPR:TYPE */

/**
 * enum fetch_source - where a program's first word comes from
 * @FETCH_REGISTER:	the register at offset @where of struct pt_regs; also
 *			$retval, and $argN where it is passed in one
 * @FETCH_STACK:	word @where of the kernel stack; also $argN beyond
 * @FETCH_STACK_ADDRESS: the stack pointer ($stack)
 * @FETCH_VALUE:	@value itself
 * @FETCH_SYMBOL:	@value, the address of symbol @text; a fault while it is 0,
 *			that is, while the symbol's module is not loaded
 * @FETCH_COMM:		no word: the final is FETCH_STORE_COMM
 * @FETCH_TEXT:		no word: the final is FETCH_STORE_LITERAL
 */
enum fetch_source {
	FETCH_REGISTER,
	FETCH_STACK,
	FETCH_STACK_ADDRESS,
	FETCH_VALUE,
	FETCH_SYMBOL,
	FETCH_COMM,
	FETCH_TEXT,
};

/**
 * enum fetch_final - how a program ends
 * @FETCH_STORE_WORD:	store the low bytes of the word
 * @FETCH_STORE_MEMORY:	store count (or one) values read at word + offset
 * @FETCH_STORE_STRING:	store the string at word + offset
 * @FETCH_STORE_STRINGS: store count strings; the pointers to them are an array
 *			of words at word + offset
 * @FETCH_STORE_SYMSTR:	store as text the symbol the word is the address of
 * @FETCH_STORE_COMM:	store the name of the current task
 * @FETCH_STORE_LITERAL: store program @text
 */
enum fetch_final {
	FETCH_STORE_WORD,
	FETCH_STORE_MEMORY,
	FETCH_STORE_STRING,
	FETCH_STORE_STRINGS,
	FETCH_STORE_SYMSTR,
	FETCH_STORE_COMM,
	FETCH_STORE_LITERAL,
};

/**
 * enum fetch_shape - programs common enough to be run by a line of their own
 * @FETCH_SHAPE_OTHER:		none of them: run source, steps, final
 * @FETCH_SHAPE_REGISTER:	FETCH_REGISTER, no step, FETCH_STORE_WORD
 * @FETCH_SHAPE_STACK:		FETCH_STACK, no step, FETCH_STORE_WORD
 * @FETCH_SHAPE_REGISTER_WORD:	FETCH_REGISTER, no step, FETCH_STORE_MEMORY of
 *				one kernel value
 * @FETCH_SHAPE_COMM:		FETCH_COMM
 *
 * None of them has a bitfield.
 */
enum fetch_shape {
	FETCH_SHAPE_OTHER,
	FETCH_SHAPE_REGISTER,
	FETCH_SHAPE_STACK,
	FETCH_SHAPE_REGISTER_WORD,
	FETCH_SHAPE_COMM,
};

/**
 * struct fetch_step - one inner dereference: word = *(word + offset)
 * @offset:	added before the read
 * @user:	the word is read from user memory
 */
struct fetch_step {
	long	offset;
	bool	user;
};

/**
 * struct fetch_program - how one argument is fetched
 * @shape:	which shape this is; enum fetch_shape
 * @source:	where the first word comes from; enum fetch_source
 * @final:	how it ends; enum fetch_final
 * @nr_steps:	number of @steps
 * @user:	the final reads values, or the pointers of an array of strings,
 *		or its string, from user memory
 * @user_text:	the final's strings are in user memory
 * @where:	see enum fetch_source
 * @value:	see enum fetch_source; only fetch_program_resolve() changes it
 * @offset:	the final's offset
 * @text:	name of the symbol, or the literal string; owned
 * @steps:	inner dereferences in the order they are made; owned
 *
 * Element size, count and bitfield are those of the argument's type.  Immutable
 * once compiled, but for @value of FETCH_SYMBOL: written with WRITE_ONCE() by
 * fetch_program_resolve(), read with READ_ONCE() when hit.
 */
struct fetch_program {
	u8			shape;
	u8			source;
	u8			final;
	u8			nr_steps;
	bool			user;
	bool			user_text;
	unsigned int		where;
	unsigned long		value;
	long			offset;
	char			*text;
	struct fetch_step	*steps;
};

/**
 * struct fetch_parameter - the parameter of its function that an argument reads
 * @is_read:	it reads one
 * @nr:		its number, from 1, or PROBE_RETVAL
 * @column:	column of $argN or $retval in the line
 */
struct fetch_parameter {
	bool			is_read;
	unsigned int		nr;
	unsigned int		column;
};

/**
 * struct fetch_arg - one argument of a probe
 * @name:	NAME, given or made up; owned
 * @text:	EXPR[:TYPE] as it was written; owned
 * @type:	type of its value
 * @program:	how it is fetched
 * @column:	column of the argument in the line that defined it
 * @offset:	of its field, from the first byte after the record's head
 * @size:	bytes of its field: value size times count
 * @parameter:	the $argN or $retval in it
 * @can_fault:	its program reads memory
 */
struct fetch_arg {
	char			*name;
	char			*text;
	struct arg_type		type;
	struct fetch_program	program;
	unsigned int		column;
	unsigned int		offset;
	unsigned int		size;
	struct fetch_parameter	parameter;
	bool			can_fault;
};

/**
 * struct fetch_args - the arguments of a probe and the layout of their fields
 * @nr:		number of arguments
 * @nr_text:	number of data_loc words in the record: the strings of an array
 *		count one by one; 0: the record's size is fixed
 * @size:	bytes of all fields, and of the fault word if there is one
 * @fault_offset: offset of the fault word (u64, field __probe_fault) from the
 *		first byte after the head; it is the last field.  0 when
 *		no argument can fault
 * @can_fault:	some argument can fault
 * @arg:	the arguments, in the order they were written
 */
struct fetch_args {
	unsigned int		nr;
	unsigned int		nr_text;
	unsigned int		size;
	unsigned int		fault_offset;
	bool			can_fault;
	struct fetch_arg	arg[] __counted_by(nr);
};

struct fetch_context;
struct fetch_expr;
struct probe_place;

/* program.c */
int fetch_program_compile(struct fetch_program *prog,
			  const struct fetch_expr *expr,
			  const struct arg_type *type,
			  const struct fetch_context *ctx, unsigned int column);
void fetch_program_free(struct fetch_program *prog);
bool fetch_program_can_fault(const struct fetch_program *prog);
int fetch_program_resolve(struct fetch_program *prog,
			  const struct probe_lookup *lookup);

/* args.c */
struct fetch_args *fetch_args_parse(const struct probe_command *cmd,
				    const struct probe_place *place,
				    const struct probe_lookup *lookup,
				    struct probe_error *err);
void fetch_args_free(struct fetch_args *args);
int fetch_args_check(const struct fetch_args *args,
		     const struct probe_place *place,
		     const struct probe_lookup *lookup,
		     struct probe_error *err);
int fetch_args_resolve(struct fetch_args *args,
		       const struct probe_lookup *lookup,
		       struct probe_error *err);

/* compare.c */
int fetch_args_differ(const struct fetch_args *a, const struct fetch_args *b);
bool fetch_args_equal(const struct fetch_args *a, const struct fetch_args *b);
bool fetch_arg_matches(const struct fetch_arg *arg, const char *word,
		       size_t len);

/* layout.c */
#define PROBE_MAX_RECORD	3072	/* bytes of all fields of an event */
#define PROBE_FAULT_FIELD	"__probe_fault"

int fetch_args_layout(struct fetch_args *args, struct probe_error *err);

#endif /* _TRACE_KPROBE_PROGRAM_H */
