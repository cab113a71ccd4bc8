/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Moves: the common programs, in the form in which a hit runs them.
 *
 * An argument has one move. Those of a probe lie side by side, so that a hit reads few cache
 * lines, and each says all that its value needs. A program that no move can express is run
 * as it is. Moves of one kind follow each other, in the order of enum fetch_move_kind. The
 * first kinds, whole words of the stack and of the registers, are words (struct fetch_word)
 * as well.
 */
#ifndef _TRACE_KPROBE_MOVE_H
#define _TRACE_KPROBE_MOVE_H

#include <linux/types.h>

struct arg_type;
struct fetch_program;
struct fetch_step;

/**
 * enum fetch_move_kind - what a move does
 * @FETCH_MOVE_STACK:	store the word of the kernel stack at @where bytes from its top
 * @FETCH_MOVE_REGISTER:	store the register at offset @where of struct pt_regs
 * @FETCH_MOVE_COMM:	store the name of the task at @where in the record, which is @offset
 *			after its head, and its data_loc; only in records of fixed size
 * @FETCH_MOVE_MEMORY:	store the kernel value that the steps from a register lead to
 * @FETCH_MOVE_STACK_MEMORY: the same, from the stack pointer
 * @FETCH_MOVE_LOW:	store the low bytes of a register
 * @FETCH_MOVE_PROGRAM:	run the program of the argument
 * @FETCH_MOVE_TEXT:	nothing: the argument is text, in a record of any size
 */
enum fetch_move_kind {
	FETCH_MOVE_STACK,
	FETCH_MOVE_REGISTER,
	FETCH_MOVE_COMM,
	FETCH_MOVE_MEMORY,
	FETCH_MOVE_STACK_MEMORY,
	FETCH_MOVE_LOW,
	FETCH_MOVE_PROGRAM,
	FETCH_MOVE_TEXT,
};

/**
 * struct fetch_move - how a hit fetches one argument
 * @kind:	enum fetch_move_kind
 * @size:	bytes to store: 1, 2, 4 or 8, unless @kind is FETCH_MOVE_COMM, _PROGRAM or _TEXT
 * @nr_steps:	number of @steps
 * @arg:	number of the argument
 * @to:		offset of the field from the first byte after the record's head
 * @where:	see enum fetch_move_kind
 * @offset:	added to the last address
 * @steps:	those of the program; all read kernel memory
 *
 * All members are [I].
 */
struct fetch_move {
	u8			kind;
	u8			size;
	u8			nr_steps;
	u8			arg;
	u16			to;
	unsigned int		where;
	long			offset;
	const struct fetch_step	*steps;
};

/**
 * struct fetch_word - a move of a whole word from the stack or a register
 * @where:	as in its move
 * @to:		as in its move
 *
 * All members are [I].
 */
struct fetch_word {
	u16	where;
	u16	to;
};

struct fetch_move fetch_move_make(const struct fetch_program *prog, const struct arg_type *type,
				  unsigned int size, unsigned int to);

#endif /* _TRACE_KPROBE_MOVE_H */
