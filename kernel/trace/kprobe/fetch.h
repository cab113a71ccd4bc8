/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef _TRACE_KPROBE_FETCH_H
#define _TRACE_KPROBE_FETCH_H
/*
 * Fetch: running the programs of arguments, from a frame and memory to a record.
 *
 * A program fails only by a fault. The caller marks the fault in the record. Nothing here
 * sleeps, allocates or takes a lock, so programs run in any context, NMI included.
 */
#include <linux/build_bug.h>
#include <linux/kprobe-arch.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/sched/task_stack.h>
#include <linux/uaccess.h>
#include <linux/unaligned.h>

#include "parse/args.h"

/**
 * struct fetch_frame - what a program reads, besides memory
 * @regs: the registers of the hit
 * @kept: what was kept when the function was entered, in kretprobe_instance::data: words,
 *	then values; valid for hits of return probes only
 *
 * Functions take it by value, in registers.
 */
struct fetch_frame {
	struct pt_regs			*regs;
	const struct fetch_kept		*kept;
};

/**
 * struct text_area - where the texts of one record go
 * @record: the first byte of the record; a data_loc counts from here
 * @pos: offset of the first free byte from @record
 * @end: offset of the first byte from @record that is not part of the area
 * @left: number of texts still to come, the current one included
 * @symbol: KSYM_SYMBOL_LEN bytes of scratch memory outside the record
 */
struct text_area {
	char		*record;
	unsigned int	pos;
	unsigned int	end;
	unsigned int	left;
	char		*symbol;
};

/* Bytes kept for each text that is still to come: see text_room(). */
#define FETCH_TEXT_SHARE	64

bool fetch_user_memory(void *dst, unsigned long addr, unsigned int len);
bool fetch_memory(void *dst, unsigned long addr, unsigned int len, bool user);
bool fetch_run_front(const struct fetch_program *program, struct fetch_frame frame,
		     unsigned long *word);
long fetch_string(char *dst, unsigned long addr, unsigned int room, unsigned int max, bool user);
bool fetch_any(const struct fetch_arg *arg, struct fetch_frame frame, void *slot);
u64 fetch_values(const struct fetch_args *args, struct pt_regs *regs,
		 const struct fetch_kept *kept, void *fields);
u64 fetch_values_any(const struct fetch_args *args, struct pt_regs *regs,
		     const struct fetch_kept *kept, void *fields, const struct fetch_move *move);
void fetch_comms(const struct fetch_move *move, const struct fetch_move *end, void *fields);
const struct fetch_move *fetch_moves(const struct fetch_move *move, const struct fetch_move *end,
				     struct pt_regs *regs, void *fields);
bool fetch_text(const struct fetch_arg *arg, struct fetch_frame frame, void *slot,
		struct text_area *area);

static __always_inline unsigned long fetch_register(struct fetch_frame frame,
						    unsigned int where)
{
	return *(unsigned long *)((char *)frame.regs + where);
}

/**
 * fetch_put() - store the low bytes of a word
 * @slot: where to store them, at any alignment
 * @word: the word
 * @size: number of bytes: 1, 2, 4 or 8
 *
 * Context: any.
 */
static __always_inline void fetch_put(void *slot, unsigned long word, unsigned int size)
{
	switch (size) {
	case 8:
		put_unaligned((u64)word, (u64 *)slot);
		break;
	case 4:
		put_unaligned((u32)word, (u32 *)slot);
		break;
	case 2:
		put_unaligned((u16)word, (u16 *)slot);
		break;
	default:
		*(u8 *)slot = word;
	}
}

/**
 * fetch_load() - load a kernel value
 * @word: gets the value, zero-extended
 * @addr: its address; the caller has asked arch_kprobe_is_kernel(), or
 *	copy_from_kernel_nofault_allowed()
 * @size: its size in bytes: 1, 2, 4 or 8
 *
 * Context: page faults disabled.
 * Return: false if @addr is not mapped.
 */
static __always_inline bool fetch_load(unsigned long *word, unsigned long addr,
				       unsigned int size)
{
	union { u64 u64; u32 u32; u16 u16; u8 u8; } value;

	switch (size) {
	case 8:
		__get_kernel_nofault(&value.u64, (void *)addr, u64, fault);
		*word = value.u64;
		return true;
	case 4:
		__get_kernel_nofault(&value.u32, (void *)addr, u32, fault);
		*word = value.u32;
		return true;
	case 2:
		__get_kernel_nofault(&value.u16, (void *)addr, u16, fault);
		*word = value.u16;
		return true;
	default:
		__get_kernel_nofault(&value.u8, (void *)addr, u8, fault);
		*word = value.u8;
		return true;
	}
fault:
	return false;
}

/**
 * fetch_read() - read a kernel value with one load
 * @word: as for fetch_load()
 * @addr: as for fetch_load()
 * @size: as for fetch_load()
 *
 * Context: any.
 * Return: false if @addr is not mapped.
 */
static __always_inline bool fetch_read(unsigned long *word, unsigned long addr,
				       unsigned int size)
{
	bool ok;

	pagefault_disable();
	ok = fetch_load(word, addr, size);
	pagefault_enable();
	return ok;
}

/**
 * fetch_word() - read a word of memory
 * @word: gets the word
 * @addr: its address; a pointer of user space is read there
 *
 * Context: any.
 * Return: false if @addr is not mapped.
 */
static __always_inline bool fetch_word(unsigned long *word, unsigned long addr)
{
	if (unlikely(!arch_kprobe_is_kernel(addr)))
		return fetch_memory(word, addr, sizeof(*word), false);
	return fetch_read(word, addr, sizeof(*word));
}

/**
 * fetch_stack_word() - read a word of the stack in use when the probe was hit
 * @frame: the frame of the hit
 * @nr: number of the word, counted from the stack pointer up
 * @word: gets the word
 *
 * Context: any.
 * Return: false if the word is beyond the end of the stack.
 */
static __always_inline bool fetch_stack_word(struct fetch_frame frame, unsigned int nr,
					     unsigned long *word)
{
	unsigned long addr = kernel_stack_pointer(frame.regs) + nr * sizeof(long);

	if (unlikely(!arch_kprobe_on_stack(frame.regs, addr)))
		return false;
	return fetch_read(word, addr, sizeof(*word));
}

static __always_inline void fetch_copy_word(const struct fetch_word *word, const void *from,
					    void *fields)
{
	put_unaligned(*(const unsigned long *)(from + word->where),
		      (unsigned long *)(fields + word->to));
}

/* Two at a time: their number is even */
static __always_inline void fetch_copy_words(const struct fetch_word *word,
					     const struct fetch_word *end, const void *from,
					     void *fields)
{
	for (; word != end; word += 2) {
		fetch_copy_word(word, from, fields);
		fetch_copy_word(word + 1, from, fields);
	}
}

/* Is all that the words read of the stack on the stack of the task? Then it is mapped. */
static __always_inline bool fetch_words_are_on_stack(const struct fetch_args *args,
						     unsigned long top)
{
	return top - (unsigned long)task_stack_page(current) <= args->stack_limit;
}

/**
 * fetch_words() - store the values that are words of the stack or of registers
 * @args: the arguments
 * @regs: see struct fetch_frame
 * @fields: the record, from the first byte after its head
 *
 * It calls nothing, so no registers have to be saved for it.
 *
 * Context: any.
 * Return: false if words of the stack are not on the stack of the task: nothing was stored.
 */
static __always_inline bool fetch_words(const struct fetch_args *args, struct pt_regs *regs,
					void *fields)
{
	const struct fetch_word *word = args->words, *stack_end = args->stack_end;
	unsigned long top;

	if (word != stack_end) {
		top = kernel_stack_pointer(regs);
		if (unlikely(!fetch_words_are_on_stack(args, top)))
			return false;
		fetch_copy_words(word, stack_end, (void *)top, fields);
	}
	fetch_copy_words(stack_end, args->words_end, regs, fields);
	return true;
}

/* The values that are no words. Return: as fetch_values_inline() */
static __always_inline const struct fetch_move *
fetch_others_inline(const struct fetch_args *args, struct pt_regs *regs, void *fields)
{
	if (args->comms != args->rest)
		fetch_comms(args->comms, args->rest, fields);
	if (args->rest == args->end)
		return args->end;
	return fetch_moves(args->rest, args->end, regs, fields);
}

/**
 * fetch_values_inline() - fetch_values(), as far as few values take no call
 * @args: the arguments
 * @regs: see struct fetch_frame
 * @fields: the record, from the first byte after its head
 *
 * Context: any.
 * Return: the end of the moves, or the first move that fetch_values_any() must do.
 */
static __always_inline const struct fetch_move *
fetch_values_inline(const struct fetch_args *args, struct pt_regs *regs, void *fields)
{
	if (unlikely(!fetch_words(args, regs, fields)))
		return args->moves;
	return fetch_others_inline(args, regs, fields);
}

#endif /* _TRACE_KPROBE_FETCH_H */
