/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef _TRACE_KPROBE_FETCH_H
#define _TRACE_KPROBE_FETCH_H
/*
 * Running fetch programs: from registers and memory to the bytes of a record.
 *
 * Nothing here can fail but by a fault, and a fault is an answer: the caller
 * marks it. Nothing sleeps, allocates or takes a lock; any context will do.
 */
#include <linux/build_bug.h>
#include <linux/ptrace.h>
#include <linux/uaccess.h>
#include <linux/unaligned.h>

#include "program.h"
#include "registers.h"

/**
 * struct text_area - where the texts of one record go
 * @record: the first byte of the record: what a data_loc counts from
 * @pos: the first free byte, as an offset from @record
 * @end: the offset behind the last byte that may be used
 * @left: how many texts, the one at hand included, are still to come
 * @symbol: room for KSYM_SYMBOL_LEN bytes that are not part of the record
 */
struct text_area {
	char		*record;
	unsigned int	pos;
	unsigned int	end;
	unsigned int	left;
	char		*symbol;
};

/* Bytes kept for each text that is still to come: see text_room() */
#define FETCH_TEXT_SHARE	64

bool fetch_memory(void *dst, unsigned long addr, unsigned int len, bool user);
bool fetch_any(const struct fetch_arg *arg, struct pt_regs *regs, void *slot);
bool fetch_text(const struct fetch_arg *arg, struct pt_regs *regs, void *slot,
		struct text_area *area);

static __always_inline unsigned long fetch_register(struct pt_regs *regs, unsigned int where)
{
	return *(unsigned long *)((char *)regs + where);
}

/**
 * fetch_put() - store the low bytes of a word
 * @slot: where
 * @word: what
 * @size: how many bytes: 1, 2, 4 or 8
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
 * fetch_read() - read a kernel value the processor can load in one go
 * @word: gets it, zeroes in front
 * @addr: where it is; copy_from_kernel_nofault_allowed() allows it
 * @size: how many bytes: 1, 2, 4 or 8
 *
 * Return: false if there is nothing at @addr.
 */
static __always_inline bool fetch_read(unsigned long *word, unsigned long addr,
				       unsigned int size)
{
	union { u64 u64; u32 u32; u16 u16; u8 u8; } value = {};

	pagefault_disable();
	switch (size) {
	case 8:
		__get_kernel_nofault(&value.u64, (void *)addr, u64, fault);
		break;
	case 4:
		__get_kernel_nofault(&value.u32, (void *)addr, u32, fault);
		break;
	case 2:
		__get_kernel_nofault(&value.u16, (void *)addr, u16, fault);
		break;
	default:
		__get_kernel_nofault(&value.u8, (void *)addr, u8, fault);
	}
	pagefault_enable();
	*word = value.u64;
	return true;
fault:
	pagefault_enable();
	return false;
}

/**
 * fetch_word() - read the word an address of the kernel points to
 * @word: gets it
 * @addr: the address; one of user space is read there
 *
 * Return: false if there is nothing at @addr.
 */
static __always_inline bool fetch_word(unsigned long *word, unsigned long addr)
{
	if (unlikely(addr < TASK_SIZE))
		return fetch_memory(word, addr, sizeof(*word), true);
	if (unlikely(!copy_from_kernel_nofault_allowed((void *)addr, sizeof(*word))))
		return false;
	return fetch_read(word, addr, sizeof(*word));
}

/**
 * fetch_stack_word() - read a word of the stack that was in use when the probe
 *	was hit
 * @regs: the registers then
 * @nr: which word, counted from the stack pointer up
 * @word: gets it
 *
 * Return: false if that is beyond the stack.
 */
static __always_inline bool fetch_stack_word(struct pt_regs *regs, unsigned int nr,
					     unsigned long *word)
{
	unsigned long addr = kernel_stack_pointer(regs) + nr * sizeof(long);

	if (unlikely(!regs_within_kernel_stack(regs, addr)))
		return false;
	return fetch_read(word, addr, sizeof(*word));
}

/**
 * fetch_value() - store the value of one argument that is not text
 * @arg: the argument
 * @regs: the registers at the hit
 * @slot: its field in the record; untouched or half written after a fault
 *
 * The common shapes are here, to be inlined into the loop over the arguments.
 *
 * Return: false if it could not be read.
 */
static __always_inline bool fetch_value(const struct fetch_arg *arg, struct pt_regs *regs,
					void *slot)
{
	unsigned long word;

	switch (arg->program.shape) {
	case FETCH_SHAPE_REGISTER:
		word = fetch_register(regs, arg->program.where);
		break;
	case FETCH_SHAPE_STACK:
		if (unlikely(!fetch_stack_word(regs, arg->program.where, &word)))
			return false;
		break;
	case FETCH_SHAPE_REGISTER_WORD:
		word = fetch_register(regs, arg->program.where) + arg->program.offset;
		return fetch_memory(slot, word, arg->size, false);
	default:
		return fetch_any(arg, regs, slot);
	}
	fetch_put(slot, word, arg->size);
	return true;
}

#endif /* _TRACE_KPROBE_FETCH_H */
