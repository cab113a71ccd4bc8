// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Fetching all values of a record: the moves of its arguments in a row.
 */
#include <linux/kprobes.h>
#include <linux/sched/task_stack.h>
#include <linux/string.h>

#include "fetch.h"
#include "fields.h"

/* Is all that the moves read of the stack on the stack of the task? Then it is mapped. */
static __always_inline bool values_are_on_stack(const struct fetch_args *args,
						struct fetch_frame frame)
{
	unsigned long top = kernel_stack_pointer(frame.regs);

	return args->stack_bytes <= THREAD_SIZE &&
	       top - (unsigned long)task_stack_page(current) <= THREAD_SIZE - args->stack_bytes;
}

/* Moves a word of the registers or of the stack. Return: false if it is neither. */
static __always_inline bool fetch_at_hand(const struct fetch_move *move,
					  struct fetch_frame frame, void *slot)
{
	unsigned long top = kernel_stack_pointer(frame.regs), word;

	if (move->kind == FETCH_MOVE_STACK)
		word = READ_ONCE(*(unsigned long *)(top + move->where));
	else if (move->kind == FETCH_MOVE_REGISTER)
		word = fetch_register(frame, move->where);
	else
		return false;
	put_unaligned(word, (unsigned long *)slot);
	return true;
}

/* Follow a chain of pointers in the kernel, and store what is at its end */
static __always_inline bool fetch_chain(const struct fetch_move *move, unsigned long word,
					void *slot)
{
	const struct fetch_step *step = move->steps, *end = step + move->nr_steps;

	for (; step < end; step++)
		if (unlikely(!fetch_word(&word, word + step->offset)))
			return false;
	word += move->offset;
	if (unlikely(move->size != sizeof(word)))
		return fetch_memory(slot, word, move->size, false);
	if (unlikely(!fetch_word(&word, word)))
		return false;
	put_unaligned(word, (unsigned long *)slot);
	return true;
}

static __always_inline bool fetch_elsewhere(const struct fetch_args *args,
					    const struct fetch_move *move,
					    struct fetch_frame frame, void *slot)
{
	unsigned long word;

	switch (move->kind) {
	case FETCH_MOVE_STACK_MEMORY:
		word = kernel_stack_pointer(frame.regs);
		break;
	case FETCH_MOVE_MEMORY:
		word = fetch_register(frame, move->where);
		break;
	case FETCH_MOVE_LOW:
		fetch_put(slot, fetch_register(frame, move->where), move->size);
		return true;
	case FETCH_MOVE_TEXT:
		return true;
	default:
		return fetch_any(&args->arg[move - args->moves], frame, slot);
	}
	return fetch_chain(move, word, slot);
}

static noinline u64 fetch_fault(const struct fetch_args *args, unsigned int nr, void *fields)
{
	const struct fetch_arg *arg = &args->arg[nr];

	memset(fields + arg->offset, 0, arg->size);
	return event_field_bit(nr);
}
NOKPROBE_SYMBOL(fetch_fault);

/* The same as fetch_values(), where the moves read more than the task's own stack */
static noinline u64 fetch_values_apart(const struct fetch_args *args, struct fetch_frame frame,
				       void *fields)
{
	u64 faults = 0;
	unsigned int i;

	for (i = 0; i < args->nr; i++) {
		if (args->moves[i].kind != FETCH_MOVE_TEXT &&
		    !fetch_any(&args->arg[i], frame, fields + args->moves[i].to))
			faults |= fetch_fault(args, i, fields);
	}
	return faults;
}
NOKPROBE_SYMBOL(fetch_values_apart);

/* The values from argument @nr on */
static noinline u64 fetch_values_from(const struct fetch_args *args, unsigned int nr,
				      struct fetch_frame frame, void *fields)
{
	u64 faults = 0;

	for (; nr < args->nr; nr++) {
		const struct fetch_move *move = &args->moves[nr];
		void *slot = fields + move->to;

		if (!fetch_at_hand(move, frame, slot) &&
		    unlikely(!fetch_elsewhere(args, move, frame, slot)))
			faults |= fetch_fault(args, nr, fields);
	}
	return faults;
}
NOKPROBE_SYMBOL(fetch_values_from);

/**
 * fetch_values() - store the values of all arguments that are not text
 * @args: the arguments
 * @frame: the frame of the hit
 * @fields: the record, from the first byte after its head
 *
 * The first loop calls nothing, so few registers have to be saved.
 *
 * Context: any.
 * Return: the bits of the fault word; the fields of these arguments are cleared.
 */
u64 fetch_values(const struct fetch_args *args, struct fetch_frame frame, void *fields)
{
	unsigned int i;

	if (unlikely(args->stack_bytes && !values_are_on_stack(args, frame)))
		return fetch_values_apart(args, frame, fields);
	for (i = 0; i < args->nr; i++) {
		const struct fetch_move *move = &args->moves[i];

		if (!fetch_at_hand(move, frame, fields + move->to))
			return fetch_values_from(args, i, frame, fields);
	}
	return 0;
}
NOKPROBE_SYMBOL(fetch_values);
