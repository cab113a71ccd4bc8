// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Moves: which programs are common.
 */
#include <linux/kprobe-arch.h>
#include <linux/log2.h>

#include "move.h"
#include "program.h"
#include "type.h"

/* Offsets from the stack pointer that are taken for words of the stack; no stack is smaller */
#define MOVE_STACK_MAX	4096

static bool move_reads_user(const struct fetch_program *prog)
{
	unsigned int i;

	for (i = 0; i < prog->nr_steps; i++) {
		if (prog->steps[i].user)
			return true;
	}
	return prog->user;
}

static enum fetch_move_kind move_kind_of_word(const struct fetch_program *prog,
					      unsigned int size)
{
	bool is_whole = size == sizeof(long);

	if (prog->source == FETCH_REGISTER)
		return is_whole ? FETCH_MOVE_REGISTER : FETCH_MOVE_LOW;
	if (prog->source == FETCH_STACK && is_whole && prog->where < MOVE_STACK_MAX / sizeof(long))
		return FETCH_MOVE_STACK;
	return FETCH_MOVE_PROGRAM;
}

/* A whole word at its place within a page of the stack pointer is a word of the stack. */
static bool move_reads_stack(const struct fetch_program *prog, unsigned int size)
{
	return prog->source == FETCH_STACK_ADDRESS && !prog->nr_steps && size == sizeof(long) &&
	       prog->offset % (long)sizeof(long) == 0 && prog->offset >= 0 &&
	       prog->offset < MOVE_STACK_MAX;
}

static enum fetch_move_kind move_kind_of_memory(const struct fetch_program *prog,
						unsigned int size)
{
	if (move_reads_user(prog))
		return FETCH_MOVE_PROGRAM;
	if (prog->source == FETCH_REGISTER)
		return FETCH_MOVE_MEMORY;
	if (prog->source != FETCH_STACK_ADDRESS)
		return FETCH_MOVE_PROGRAM;
	return move_reads_stack(prog, size) ? FETCH_MOVE_STACK : FETCH_MOVE_STACK_MEMORY;
}

static enum fetch_move_kind move_kind(const struct fetch_program *prog,
				      const struct arg_type *type, unsigned int size)
{
	if (value_type_is_text(type->value))
		return FETCH_MOVE_TEXT;
	/* The program takes a signature off, which no reader of the record can do */
	if (ARCH_KPROBE_SIGNS_CODE && type->value->kind == VALUE_SYMBOL)
		return FETCH_MOVE_PROGRAM;
	/* A small array is copied like a value of its size */
	if (type->bit_width || size > sizeof(u64) || !is_power_of_2(size))
		return FETCH_MOVE_PROGRAM;
	if (prog->final == FETCH_STORE_MEMORY)
		return move_kind_of_memory(prog, size);
	if (prog->final == FETCH_STORE_WORD && !prog->nr_steps && !type->count)
		return move_kind_of_word(prog, size);
	return FETCH_MOVE_PROGRAM;
}

/**
 * fetch_move_make() - make the move of an argument
 * @prog:	its program, which must live as long as the move
 * @type:	its type
 * @size:	bytes of its field
 * @to:		offset of its field
 *
 * Context: any.
 * Return: the move.
 */
struct fetch_move fetch_move_make(const struct fetch_program *prog, const struct arg_type *type,
				  unsigned int size, unsigned int to)
{
	struct fetch_move move = {
		.kind = move_kind(prog, type, size),
		.size = size,
		.to = to,
		.where = prog->where,
		.offset = prog->offset,
		.steps = prog->steps,
		.nr_steps = prog->nr_steps,
	};

	if (move.kind == FETCH_MOVE_STACK)
		move.where = prog->source == FETCH_STACK ? prog->where * sizeof(long) :
							   prog->offset;
	return move;
}
