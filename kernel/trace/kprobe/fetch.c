// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Running fetch programs: the general case, and texts.
 *
 * fetch.h has the shapes that are common enough to be inlined.
 */
#include <linux/kallsyms.h>
#include <linux/kprobes.h>
#include <linux/log2.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <asm/tlb.h>
#include <asm/tlbflush.h>

#include "fetch.h"

static bool read_user(void *dst, unsigned long addr, unsigned int len)
{
	return !copy_from_user_nofault(dst, (const void __user *)addr, len);
}
NOKPROBE_SYMBOL(read_user);

static bool read_kernel(void *dst, unsigned long addr, unsigned int len)
{
	unsigned long word;

	if (len > sizeof(word) || !is_power_of_2(len))
		return !copy_from_kernel_nofault(dst, (void *)addr, len);
	if (!copy_from_kernel_nofault_allowed((void *)addr, len) ||
	    !fetch_read(&word, addr, len))
		return false;
	fetch_put(dst, word, len);
	return true;
}
NOKPROBE_SYMBOL(read_kernel);

/**
 * fetch_memory() - read memory
 * @dst: where to
 * @addr: where from
 * @len: how many bytes
 * @user: from user space; an address below TASK_SIZE is read there in any case
 *
 * Context: any; pages that are not there are not brought in.
 * Return: false if not all of it could be read.
 */
bool fetch_memory(void *dst, unsigned long addr, unsigned int len, bool user)
{
	if (user || addr < TASK_SIZE)
		return read_user(dst, addr, len);
	return read_kernel(dst, addr, len);
}
NOKPROBE_SYMBOL(fetch_memory);

static bool run_source(const struct fetch_program *program, struct pt_regs *regs,
		       unsigned long *word)
{
	switch (program->source) {
	case FETCH_REGISTER:
		*word = fetch_register(regs, program->where);
		return true;
	case FETCH_STACK:
		return fetch_stack_word(regs, program->where, word);
	case FETCH_STACK_ADDRESS:
		*word = kernel_stack_pointer(regs);
		return true;
	case FETCH_SYMBOL:
		/* Pairs with fetch_program_resolve(): modules come and go */
		*word = READ_ONCE(program->value);
		return *word != 0;
	default:
		*word = program->value;
		return true;
	}
}
NOKPROBE_SYMBOL(run_source);

static bool run_step(const struct fetch_step *step, unsigned long *word)
{
	unsigned long addr = *word + step->offset;

	if (step->user)
		return read_user(word, addr, sizeof(*word));
	return fetch_word(word, addr);
}
NOKPROBE_SYMBOL(run_step);

/* Everything in front of the final: the word it starts from */
static bool run_front(const struct fetch_program *program, struct pt_regs *regs,
		      unsigned long *word)
{
	unsigned int i;

	if (!run_source(program, regs, word))
		return false;
	for (i = 0; i < program->nr_steps; i++)
		if (!run_step(&program->steps[i], word))
			return false;
	return true;
}
NOKPROBE_SYMBOL(run_front);

static u64 get_container(const void *slot, unsigned int size)
{
	switch (size) {
	case 8:
		return get_unaligned((const u64 *)slot);
	case 4:
		return get_unaligned((const u32 *)slot);
	case 2:
		return get_unaligned((const u16 *)slot);
	default:
		return *(const u8 *)slot;
	}
}
NOKPROBE_SYMBOL(get_container);

/* Done in a register: a store wider than the field would hit its neighbour */
static void cut_bitfield(const struct arg_type *type, void *slot)
{
	unsigned int size = type->value->size;
	u64 bits = get_container(slot, size) >> type->bit_shift;

	if (type->bit_width < 64)
		bits &= (1ULL << type->bit_width) - 1;
	fetch_put(slot, bits, size);
}
NOKPROBE_SYMBOL(cut_bitfield);

static bool run_final(const struct fetch_arg *arg, unsigned long word, void *slot)
{
	const struct fetch_program *program = &arg->program;

	if (program->final == FETCH_STORE_MEMORY)
		return fetch_memory(slot, word + program->offset, arg->size, program->user);
	fetch_put(slot, word, arg->type.value->size);
	return true;
}
NOKPROBE_SYMBOL(run_final);

/**
 * fetch_any() - store the value of an argument that is not text, whatever shape
 * @arg: the argument
 * @regs: the registers at the hit
 * @slot: its field in the record; untouched or half written after a fault
 *
 * Return: false if it could not be read.
 */
bool fetch_any(const struct fetch_arg *arg, struct pt_regs *regs, void *slot)
{
	unsigned long word;
	unsigned int i;

	if (!run_front(&arg->program, regs, &word) || !run_final(arg, word, slot))
		return false;
	if (arg->type.bit_width)
		for (i = 0; i < max_t(unsigned int, arg->type.count, 1); i++)
			cut_bitfield(&arg->type, slot + i * arg->type.value->size);
	return true;
}
NOKPROBE_SYMBOL(fetch_any);

/*
 * Bytes the text at hand may take. The ones still to come keep a share each, so
 * that a long one does not push them out; where not even that is there, all are
 * served alike.
 */
static unsigned int text_room(const struct text_area *area)
{
	unsigned int room = area->end - area->pos;
	unsigned int later = (area->left - 1) * FETCH_TEXT_SHARE;

	return room > later + FETCH_TEXT_SHARE ? room - later : room / area->left;
}
NOKPROBE_SYMBOL(text_room);

/*
 * The data_loc of a text: how long, and where from the start of the record. One
 * that could not be read has no length, and stands at a NUL all the same: the
 * filters take a length of 0 for "up to the NUL".
 */
static bool end_text(struct text_area *area, void *slot, long len)
{
	bool ok = len > 0;

	if (!ok) {
		area->record[area->pos] = '\0';
		len = 0;
	}
	put_unaligned((u32)len << 16 | area->pos, (u32 *)slot);
	area->pos += ok ? len : 1;
	area->left--;
	return ok;
}
NOKPROBE_SYMBOL(end_text);

static long copy_user_text(char *dst, unsigned long addr, unsigned int room)
{
	long len;

	if (!nmi_uaccess_okay())
		return -EFAULT;
	len = strncpy_from_user_nofault(dst, (const void __user *)addr, room);
	return len ? len : 1;	/* nothing but the NUL is counted as 0 there */
}
NOKPROBE_SYMBOL(copy_user_text);

static bool put_text_at(struct text_area *area, void *slot, unsigned long addr, bool user)
{
	char *dst = area->record + area->pos;
	unsigned int room = text_room(area);

	if (user || addr < TASK_SIZE)
		return end_text(area, slot, copy_user_text(dst, addr, room));
	return end_text(area, slot, strncpy_from_kernel_nofault(dst, (void *)addr, room));
}
NOKPROBE_SYMBOL(put_text_at);

/* @text is the kernel's own, and ends */
static bool put_text(struct text_area *area, void *slot, const char *text)
{
	unsigned int len = strnlen(text, text_room(area) - 1);
	char *dst = area->record + area->pos;

	memcpy(dst, text, len);
	dst[len] = '\0';
	return end_text(area, slot, len + 1);
}
NOKPROBE_SYMBOL(put_text);

static bool put_symbol(struct text_area *area, void *slot, unsigned long addr)
{
	sprint_symbol(area->symbol, addr);
	return put_text(area, slot, area->symbol);
}
NOKPROBE_SYMBOL(put_symbol);

/* The texts an array of pointers points to; each has its own data_loc */
static bool put_texts(const struct fetch_arg *arg, struct text_area *area, void *slot,
		      unsigned long addr)
{
	const struct fetch_program *program = &arg->program;
	bool ok = true;
	unsigned long text;
	unsigned int i;

	for (i = 0; i < arg->type.count; i++, slot += sizeof(u32), addr += sizeof(long))
		if (fetch_memory(&text, addr, sizeof(text), program->user))
			ok &= put_text_at(area, slot, text, program->user_text);
		else
			ok = end_text(area, slot, -EFAULT);
	return ok;
}
NOKPROBE_SYMBOL(put_texts);

/* Nothing could be read: every text of the argument is one that has no length */
static bool put_no_texts(const struct fetch_arg *arg, struct text_area *area, void *slot)
{
	unsigned int i;

	for (i = 0; i < max_t(unsigned int, arg->type.count, 1); i++)
		end_text(area, slot + i * sizeof(u32), -EFAULT);
	return false;
}
NOKPROBE_SYMBOL(put_no_texts);

static bool put_read_text(const struct fetch_arg *arg, struct pt_regs *regs, void *slot,
			  struct text_area *area)
{
	const struct fetch_program *program = &arg->program;
	unsigned long word;

	if (!run_front(program, regs, &word))
		return put_no_texts(arg, area, slot);
	switch (program->final) {
	case FETCH_STORE_STRINGS:
		return put_texts(arg, area, slot, word + program->offset);
	case FETCH_STORE_SYMSTR:
		return put_symbol(area, slot, word);
	default:
		return put_text_at(area, slot, word + program->offset,
				   program->user || program->user_text);
	}
}
NOKPROBE_SYMBOL(put_read_text);

/**
 * fetch_text() - store the text, or the array of texts, of one argument
 * @arg: the argument
 * @regs: the registers at the hit
 * @slot: its field in the record: a data_loc or several, always written
 * @area: the texts of the record
 *
 * A text that does not fit is cut.
 *
 * Return: false if any of it could not be read.
 */
bool fetch_text(const struct fetch_arg *arg, struct pt_regs *regs, void *slot,
		struct text_area *area)
{
	switch (arg->program.final) {
	case FETCH_STORE_COMM:
		return put_text(area, slot, current->comm);
	case FETCH_STORE_LITERAL:
		return put_text(area, slot, arg->program.text);
	default:
		return put_read_text(arg, regs, slot, area);
	}
}
NOKPROBE_SYMBOL(fetch_text);
