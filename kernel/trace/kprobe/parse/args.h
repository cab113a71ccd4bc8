/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Args: the arguments of a probe, NAME=EXPR:TYPE, compiled and laid out.
 */
#ifndef _TRACE_KPROBE_ARGS_H
#define _TRACE_KPROBE_ARGS_H

#include <linux/compiler_attributes.h>
#include <linux/types.h>

#include "arg_text.h"
#include "command.h"
#include "expr.h"
#include "move.h"
#include "program.h"
#include "type.h"

#define PROBE_MAX_ARG_NAME	32	/* characters in NAME */
#define PROBE_MAX_ARG_TEXT	63	/* characters in EXPR:TYPE */
#define PROBE_MAX_RECORD	3072	/* bytes of all fields of an event */
#define PROBE_MAX_KEPT		2048	/* bytes of all values kept from the entry */
#define PROBE_KEPT_TEXT		256	/* bytes kept of a text, with its NUL */
#define PROBE_ENTRY_HEAD	16	/* bytes of a record before its fields */
#define PROBE_RETURN_HEAD	24	/* the same, of a return probe */
#define PROBE_COMM_TEXT		16	/* bytes of the name of a task, with its NUL */
#define PROBE_FAULT_FIELD	"__probe_fault"

/**
 * struct fetch_arg - one argument of a probe
 * @name:	NAME, given or made up; owned
 * @text:	EXPR[:TYPE] as it was written; owned
 * @type:	type of its value
 * @program:	how it is fetched
 * @keeper:	what reads its value when the function is entered, for @program to find; NULL
 *		if nothing does; owned
 * @column:	column of the argument in the line that defined it
 * @body_column: column of EXPR
 * @offset:	of its field, from the first byte after the record's head
 * @size:	bytes of its field: value size times count
 * @is_variable: it depends on the function: on its prototype, or where in it the probe is
 * @is_typed:	the C type of its variable was known when it was compiled
 * @is_spelled:	it is spelled as in 2009: a parameter of this name would be read instead
 * @can_fault:	its program may fail to fetch the value
 */
struct fetch_arg {
	char			*name;
	char			*text;
	struct arg_type		type;
	struct fetch_program	program;
	struct fetch_program	*keeper;
	unsigned int		column;
	unsigned int		body_column;
	unsigned int		offset;
	unsigned int		size;
	bool			is_variable;
	bool			is_typed;
	bool			is_spelled;
	bool			can_fault;
};

/**
 * struct fetch_args - the arguments of a probe and the layout of their fields
 * @nr:		number of arguments
 * @head:	bytes of the record before its fields, a multiple of 8
 * @nr_text:	number of data_loc words in the record: the strings of an array
 *		count one by one
 * @record_size: bytes of a record, its head included, a multiple of 4; without texts, unless
 *		they are names of tasks
 * @clear:	offset in the record of 8 bytes that have all padding, and are cleared before
 *		anything else is stored; the fault word, if all fields are words
 * @text_bytes:	bytes of the texts, if all are names of tasks and take PROBE_COMM_TEXT each;
 *		else 0
 * @size:	bytes of all fields, the fault word included if there is one
 * @fault_offset: offset of the fault word (u64, field __probe_fault) from the first byte
 *		after the head, a multiple of 8; 0 if no argument can fault
 * @fault_at:	the same, but not 0 either if only other probes of the event need the word
 * @moves:	a move an argument, see move.h; owned. The words of the stack are the first, those
 *		of registers follow
 * @comms:	in @moves, the first that stores the name of the task
 * @rest:	in @moves, the first of all others that store something
 * @end:	in @moves, the first of those that store nothing
 * @words:	the moves that are words, those of the stack first; of each the number is even, as
 *		the last one is there twice if need be; owned
 * @stack_end:	in @words, the first that is of a register
 * @words_end:	the end of @words
 * @stack_limit: bytes from the lowest address of a task's stack to the highest stack pointer
 *		with which all words of the stack are on it
 * @nr_kept:	number of @kept
 * @kept:	words that a return probe keeps when the function is entered; owned
 * @kept_values: bytes of the values that it keeps after the words, see keep.c
 * @arg:	the arguments, in the order they were written
 */
struct fetch_args {
	unsigned int		nr;
	unsigned int		head;
	unsigned int		nr_text;
	unsigned int		size;
	unsigned int		fault_offset;
	unsigned int		fault_at;
	unsigned int		text_bytes;
	unsigned int		record_size;
	unsigned int		clear;
	unsigned int		nr_kept;
	unsigned int		kept_values;
	struct probe_word	*kept;
	struct fetch_move	*moves;
	struct fetch_move	*comms;
	struct fetch_move	*rest;
	struct fetch_move	*end;
	struct fetch_word	*words;
	struct fetch_word	*stack_end;
	struct fetch_word	*words_end;
	unsigned long		stack_limit;
	struct fetch_arg	arg[] __counted_by(nr);
};

/**
 * fetch_arg_reader() - the program that reads what an argument says
 * @arg: a compiled argument
 *
 * Context: any.
 * Return: the program.
 */
static inline struct fetch_program *fetch_arg_reader(struct fetch_arg *arg)
{
	return arg->keeper ?: &arg->program;
}

/**
 * fetch_args_vary() - does the size of a record depend on what is fetched?
 * @args: compiled arguments
 *
 * Context: any.
 * Return: true if there are texts, and not only names of tasks.
 */
static inline bool fetch_args_vary(const struct fetch_args *args)
{
	return args->nr_text && !args->text_bytes;
}

/**
 * fetch_args_are_words() - are all values whole words of the stack or of registers?
 * @args: laid out arguments
 *
 * Context: any.
 * Return: true if so: no field is shorter, and there is no padding.
 */
static inline bool fetch_args_are_words(const struct fetch_args *args)
{
	return args->comms == args->moves + args->nr;
}

/* args.c */
struct fetch_args *fetch_args_none(bool is_return);
struct fetch_args *fetch_args_parse(const struct probe_command *cmd,
				    struct fetch_context *ctx);
void fetch_args_free(struct fetch_args *args);
int fetch_arg_compile(struct fetch_arg *arg, struct fetch_expr *expr, struct arg_text *text,
		      struct fetch_context *ctx);
int fetch_args_resolve(struct fetch_args *args, const struct probe_lookup *lookup,
		       struct probe_error *err);
void fetch_args_forget(struct fetch_args *args,
		       bool (*is_freed)(unsigned long address, const void *data),
		       const void *data);

/* keep.c */
int fetch_arg_keep(struct fetch_args *args, struct fetch_arg *arg, struct fetch_context *ctx);
void fetch_args_layout_kept(struct fetch_args *args);

/* recheck.c */
int fetch_args_recheck(const struct fetch_args *args, struct fetch_context *ctx);

/* compare.c */
int fetch_args_differ(const struct fetch_args *a, const struct fetch_args *b);
bool fetch_args_equal(const struct fetch_args *a, const struct fetch_args *b);
bool fetch_arg_matches(const struct fetch_arg *arg, const char *word, size_t len);

/* layout.c */
int fetch_args_layout(struct fetch_args *args, struct probe_error *err);
void fetch_args_add_fault(struct fetch_args *args);

#endif /* _TRACE_KPROBE_ARGS_H */
