// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Layout: where the fields of a record lie.
 *
 * Fields follow each other without a gap. If a field can hold a value that could not be
 * read, the fault word follows the last field, at the next multiple of its size. The
 * head before the fields is a multiple of that size as well, so the word is aligned in
 * the record.
 */
#include <linux/align.h>
#include <linux/math.h>
#include <linux/minmax.h>
#include <linux/slab.h>
#include <linux/thread_info.h>

#include "args.h"

static bool layout_needs_fault(const struct fetch_args *args)
{
	unsigned int i;

	for (i = 0; i < args->nr; i++) {
		if (args->arg[i].can_fault)
			return true;
	}
	return false;
}

/* A record whose only texts are names of tasks has a fixed size, if they have room. */
static unsigned int layout_text_bytes(const struct fetch_args *args)
{
	unsigned int i, nr = 0;

	for (i = 0; i < args->nr; i++)
		nr += args->arg[i].program.final == FETCH_STORE_COMM;
	if (nr != args->nr_text || args->size + nr * PROBE_COMM_TEXT > PROBE_MAX_RECORD)
		return 0;
	return nr * PROBE_COMM_TEXT;
}

static struct fetch_move layout_make_move(const struct fetch_args *args, unsigned int nr)
{
	const struct fetch_arg *arg = &args->arg[nr];
	struct fetch_move move;

	move = fetch_move_make(&arg->program, &arg->type, arg->size, arg->offset);
	move.arg = nr;
	if (move.kind == FETCH_MOVE_TEXT && args->text_bytes)
		move.kind = FETCH_MOVE_COMM;
	return move;
}

/*
 * Padding lies before the fault word if there is one, else at the end of the record. The
 * names of the task follow the fields.
 */
static void layout_record(struct fetch_args *args)
{
	unsigned int padded, text = args->size;
	struct fetch_move *move;

	args->record_size = ALIGN(args->head + args->size + args->text_bytes, sizeof(u32));
	padded = args->fault_at ? args->head + args->fault_at : args->record_size;
	args->clear = padded - sizeof(u64);
	if (args->fault_at && fetch_args_are_words(args))
		args->clear = padded;
	for (move = args->comms; move < args->rest; move++, text += PROBE_COMM_TEXT) {
		move->where = args->head + text;
		move->offset = text;
	}
}

/* The moves before @nr are in order */
static void layout_put_move(struct fetch_args *args, struct fetch_move move, unsigned int nr)
{
	for (; nr && args->moves[nr - 1].kind > move.kind; nr--)
		args->moves[nr] = args->moves[nr - 1];
	args->moves[nr] = move;
}

/* Return: the first of the moves, which are in order, that is of this kind or of a later one */
static struct fetch_move *layout_find_move(const struct fetch_args *args,
					   enum fetch_move_kind kind)
{
	struct fetch_move *move = args->moves;

	while (move < args->moves + args->nr && move->kind < kind)
		move++;
	return move;
}

/* Hits copy two words at a time. Return: where the next word goes */
static struct fetch_word *layout_put_words(struct fetch_word *word, const struct fetch_move *move,
					   const struct fetch_move *end)
{
	bool is_odd = (end - move) % 2;

	for (; move < end; move++, word++) {
		word->where = move->where;
		word->to = move->to;
	}
	if (is_odd) {
		*word = word[-1];
		word++;
	}
	return word;
}

static int layout_make_words(struct fetch_args *args)
{
	const struct fetch_move *registers = layout_find_move(args, FETCH_MOVE_REGISTER), *move;
	unsigned int nr = round_up(registers - args->moves, 2) +
			  round_up(args->comms - registers, 2);

	args->words = kcalloc(nr, sizeof(*args->words), GFP_KERNEL);
	if (!args->words)
		return -ENOMEM;
	args->stack_end = layout_put_words(args->words, args->moves, registers);
	args->words_end = layout_put_words(args->stack_end, registers, args->comms);
	args->stack_limit = THREAD_SIZE;
	for (move = args->moves; move < registers; move++)
		args->stack_limit = min(args->stack_limit,
					THREAD_SIZE - sizeof(long) - move->where);
	return 0;
}

static int layout_make_moves(struct fetch_args *args)
{
	unsigned int i;

	args->moves = kcalloc(args->nr, sizeof(*args->moves), GFP_KERNEL);
	if (!args->moves)
		return -ENOMEM;
	for (i = 0; i < args->nr; i++)
		layout_put_move(args, layout_make_move(args, i), i);
	args->comms = layout_find_move(args, FETCH_MOVE_COMM);
	args->rest = layout_find_move(args, FETCH_MOVE_COMM + 1);
	args->end = layout_find_move(args, FETCH_MOVE_TEXT);
	return layout_make_words(args);
}

/**
 * fetch_args_layout() - give every argument its field in the record
 * @args:	compiled arguments
 * @err:	the first argument that exceeds the size of a record, or no memory
 *
 * Context: may sleep.
 * Return: 0 or a negative error.
 */
int fetch_args_layout(struct fetch_args *args, struct probe_error *err)
{
	unsigned int i, elements;

	for (i = 0; i < args->nr; i++) {
		struct fetch_arg *arg = &args->arg[i];

		elements = max(arg->type.count, 1);
		arg->offset = args->size;
		args->size += arg->size;
		if (args->size > PROBE_MAX_RECORD)
			return probe_error_set(err, PROBE_ERR_EVENT_TOO_BIG,
					       arg->body_column);
		if (value_type_is_text(arg->type.value))
			args->nr_text += elements;
	}
	if (layout_needs_fault(args)) {
		args->fault_offset = ALIGN(args->size, sizeof(u64));
		args->fault_at = args->fault_offset;
		args->size = args->fault_offset + sizeof(u64);
	}
	args->text_bytes = layout_text_bytes(args);
	fetch_args_layout_kept(args);
	if (layout_make_moves(args))
		return probe_error_set(err, PROBE_ERR_NO_MEMORY, args->arg[0].column);
	layout_record(args);
	return 0;
}

/**
 * fetch_args_add_fault() - lay out records with a fault word, as other probes need it
 * @args:	laid out arguments, whose fields are those of an event with a fault word; no
 *		hit may run them yet
 *
 * Context: any.
 */
void fetch_args_add_fault(struct fetch_args *args)
{
	if (args->fault_at)
		return;
	args->fault_at = ALIGN(args->size, sizeof(u64));
	args->size = args->fault_at + sizeof(u64);
	layout_record(args);
}
