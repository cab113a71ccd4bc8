// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Fetching all values of a record: first the words of the stack and of the registers, then the
 * rest.
 */
#include <linux/kprobes.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <asm/word-at-a-time.h>

#include "fetch.h"
#include "fields.h"

/* Load the kernel value at the end of a chain, and store it. Return: as fetch_chain() */
static __always_inline bool fetch_chain_end(const struct fetch_move *move, unsigned long addr,
					    void *slot)
{
	unsigned long word;

	if (unlikely(!arch_kprobe_is_kernel(addr)))
		return false;
	if (likely(move->size == sizeof(u64))) {
		if (unlikely(!fetch_load(&word, addr, sizeof(u64))))
			return false;
		put_unaligned((u64)word, (u64 *)slot);
		return true;
	}
	if (unlikely(!fetch_load(&word, addr, move->size)))
		return false;
	fetch_put(slot, word, move->size);
	return true;
}

/*
 * Follow a chain of pointers in the kernel, and store what is at its end. Return: false if
 * part of it is not surely the kernel's, or not mapped: the program of the argument decides.
 */
static __always_inline bool fetch_chain(const struct fetch_move *move, unsigned long word,
					void *slot)
{
	const struct fetch_step *step = move->steps;
	unsigned int left;

	for (left = move->nr_steps; left; left--, step++) {
		word += step->offset;
		if (unlikely(!arch_kprobe_is_kernel(word)) ||
		    unlikely(!fetch_load(&word, word, sizeof(word))))
			return false;
	}
	return fetch_chain_end(move, word + move->offset, slot);
}

/* What is searched for the NUL is what is stored, even if the name changes. */
static __always_inline unsigned long fetch_comm_word(char *dst, unsigned int at)
{
	unsigned long word = get_unaligned((unsigned long *)(current->comm + at));

	OPTIMIZER_HIDE_VAR(word);
	put_unaligned(word, (unsigned long *)(dst + at));
	return word;
}

/* Return: bytes up to the NUL in a word, with it; 0 if there is none */
static __always_inline unsigned int fetch_comm_end(unsigned long word)
{
	const struct word_at_a_time constants = WORD_AT_A_TIME_CONSTANTS;
	unsigned long mask;

	if (!has_zero(word, &mask, &constants))
		return 0;
	return find_zero(create_zero_mask(prep_zero_mask(word, mask, &constants))) + 1;
}

/* Every byte is written. Return: the length of the name, with its NUL */
static __always_inline unsigned int fetch_comm_text(char *dst)
{
	unsigned int len = fetch_comm_end(fetch_comm_word(dst, 0));

	if (len) {
		memset(dst + sizeof(long), 0, TASK_COMM_LEN - sizeof(long));
		return len;
	}
	len = fetch_comm_end(fetch_comm_word(dst, sizeof(long)));
	if (likely(len))
		return sizeof(long) + len;
	dst[TASK_COMM_LEN - 1] = '\0';
	return TASK_COMM_LEN;
}

static __always_inline void fetch_comm(const struct fetch_move *move, void *fields)
{
	unsigned int len = fetch_comm_text(fields + move->offset);

	static_assert(TASK_COMM_LEN == 2 * sizeof(long) && TASK_COMM_LEN == PROBE_COMM_TEXT);
	put_unaligned(len << 16 | move->where, (u32 *)(fields + move->to));
}

/*
 * Fetch without a call. Return: false if the move is one of those that need the program of
 * the argument, or found an address that only the program can judge.
 */
static __always_inline bool fetch_move(const struct fetch_move *move, struct pt_regs *regs,
				       void *fields)
{
	const struct fetch_frame frame = { .regs = regs };
	void *slot = fields + move->to;

	switch (move->kind) {
	case FETCH_MOVE_MEMORY:
		return fetch_chain(move, fetch_register(frame, move->where), slot);
	case FETCH_MOVE_STACK_MEMORY:
		return fetch_chain(move, kernel_stack_pointer(regs), slot);
	case FETCH_MOVE_LOW:
		fetch_put(slot, fetch_register(frame, move->where), move->size);
		return true;
	default:
		return false;
	}
}

/**
 * fetch_moves() - fetch without a call
 * @move: the first move
 * @end: the end of the moves, of which there is one at least; none is the name of a task
 * @regs: see struct fetch_frame
 * @fields: the record, from the first byte after its head
 *
 * Context: any.
 * Return: @end, or the first move that fetch_values_any() must do.
 */
const struct fetch_move *fetch_moves(const struct fetch_move *move, const struct fetch_move *end,
				     struct pt_regs *regs, void *fields)
{
	pagefault_disable();
	do {
		if (unlikely(!fetch_move(move, regs, fields)))
			break;
	} while (++move != end);
	pagefault_enable();
	return move;
}
NOKPROBE_SYMBOL(fetch_moves);

/**
 * fetch_comms() - store names of the task
 * @move: the first move
 * @end: the end of the moves, of which there is one at least
 * @fields: the record, from the first byte after its head
 *
 * Context: any.
 */
void fetch_comms(const struct fetch_move *move, const struct fetch_move *end, void *fields)
{
	do {
		fetch_comm(move, fields);
	} while (++move != end);
}
NOKPROBE_SYMBOL(fetch_comms);

static noinline u64 fetch_fault(const struct fetch_args *args, unsigned int nr, void *fields)
{
	const struct fetch_arg *arg = &args->arg[nr];

	memset(fields + arg->offset, 0, arg->size);
	return event_field_bit(nr);
}
NOKPROBE_SYMBOL(fetch_fault);

/**
 * fetch_values_any() - store values by any means
 * @args: the arguments
 * @regs: see struct fetch_frame
 * @kept: see struct fetch_frame
 * @fields: the record, from the first byte after its head
 * @move: the first value to store; it may be a word, if that is not on the stack of the task
 *
 * This and the functions below do not take a struct fetch_frame: gcc would align the stack
 * for it.
 *
 * Context: any.
 * Return: the bits of the fault word; the fields of these arguments are cleared.
 */
u64 fetch_values_any(const struct fetch_args *args, struct pt_regs *regs,
		     const struct fetch_kept *kept, void *fields, const struct fetch_move *move)
{
	const struct fetch_frame frame = { .regs = regs, .kept = kept };
	u64 faults = 0;

	for (; move < args->end; move++) {
		if (move->kind == FETCH_MOVE_COMM)
			fetch_comm(move, fields);
		else if (fetch_moves(move, move + 1, regs, fields) == move &&
			 !fetch_any(&args->arg[move->arg], frame, fields + move->to))
			faults |= fetch_fault(args, move->arg, fields);
	}
	return faults;
}
NOKPROBE_SYMBOL(fetch_values_any);

/* The values that are no words. Apart, so that the words save no registers for it */
static noinline u64 fetch_values_others(const struct fetch_args *args, struct pt_regs *regs,
					const struct fetch_kept *kept, void *fields)
{
	const struct fetch_move *left = fetch_others_inline(args, regs, fields);

	return likely(left == args->end) ? 0 : fetch_values_any(args, regs, kept, fields, left);
}
NOKPROBE_SYMBOL(fetch_values_others);

/**
 * fetch_values() - store the values of all arguments, except for texts of any size
 * @args: the arguments
 * @regs: see struct fetch_frame
 * @kept: see struct fetch_frame
 * @fields: the record, from the first byte after its head
 *
 * Context: any.
 * Return: the bits of the fault word; the fields of these arguments are cleared.
 */
u64 fetch_values(const struct fetch_args *args, struct pt_regs *regs,
		 const struct fetch_kept *kept, void *fields)
{
	if (unlikely(!fetch_words(args, regs, fields)))
		return fetch_values_any(args, regs, kept, fields, args->moves);
	return args->comms != args->end ? fetch_values_others(args, regs, kept, fields) : 0;
}
NOKPROBE_SYMBOL(fetch_values);
