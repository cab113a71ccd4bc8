// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Running the programs of arguments: values and texts.
 */
#include <linux/kallsyms.h>
#include <linux/kprobes.h>
#include <linux/minmax.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <asm/word-at-a-time.h>

#include "fetch.h"

/* At a return the registers are those of the caller, and the instance has its address. */
static bool fetch_caller(const struct fetch_program *program,
			 struct fetch_frame frame, unsigned long *word)
{
	if (program->when == FETCH_AT_RETURN)
		*word = get_kretprobe_retaddr(container_of((void *)frame.kept,
							   struct kretprobe_instance, data));
	else
		*word = kretprobe_caller(frame.regs);
	return *word;
}
NOKPROBE_SYMBOL(fetch_caller);

/* The value that fetch_keep_values() left */
static bool fetch_kept_address(const struct fetch_program *program,
			       struct fetch_frame frame, unsigned long *word)
{
	const struct fetch_kept_value *kept = (void *)frame.kept + program->where;

	*word = (unsigned long)kept->bytes;
	return kept->is_valid;
}
NOKPROBE_SYMBOL(fetch_kept_address);

/* Not inline: other sources need not save registers for the calls of these. */
static noinline bool fetch_run_rare_source(const struct fetch_program *program,
					   struct fetch_frame frame, unsigned long *word)
{
	if (program->source == FETCH_CALLER)
		return fetch_caller(program, frame, word);
	return fetch_kept_address(program, frame, word);
}
NOKPROBE_SYMBOL(fetch_run_rare_source);

static __always_inline bool fetch_run_source(const struct fetch_program *program,
					     struct fetch_frame frame,
					     unsigned long *word)
{
	switch (program->source) {
	case FETCH_REGISTER:
		*word = fetch_register(frame, program->where);
		return true;
	case FETCH_STACK:
		return fetch_stack_word(frame, program->where, word);
	case FETCH_ENTRY:
	case FETCH_ENTRY_STACK:
		*word = frame.kept[program->where].word;
		return frame.kept[program->where].is_valid;
	case FETCH_STACK_ADDRESS:
		*word = kernel_stack_pointer(frame.regs);
		return true;
	case FETCH_SYMBOL:
		/* Pairs with fetch_program_resolve(); 0 while the module is not loaded. */
		*word = READ_ONCE(program->value);
		return *word != 0;
	default:
		if (unlikely(program->source > FETCH_TEXT))
			return fetch_run_rare_source(program, frame, word);
		*word = program->value;
		return true;
	}
}

static __always_inline bool fetch_run_step(const struct fetch_step *step, unsigned long *word)
{
	unsigned long addr = *word + step->offset;

	if (step->user)
		return fetch_user_memory(word, addr, sizeof(*word));
	return fetch_word(word, addr);
}

static __always_inline bool fetch_run_inline(const struct fetch_program *program,
					     struct fetch_frame frame,
					     unsigned long *word)
{
	unsigned int i;

	if (!fetch_run_source(program, frame, word))
		return false;
	for (i = 0; i < program->nr_steps; i++)
		if (!fetch_run_step(&program->steps[i], word))
			return false;
	return true;
}

/**
 * fetch_run_front() - run the source and the steps of a program
 * @program: the program
 * @frame: the frame of the hit
 * @word: gets what the final starts from
 *
 * Context: any.
 * Return: false if something could not be read.
 */
bool fetch_run_front(const struct fetch_program *program, struct fetch_frame frame,
		     unsigned long *word)
{
	return fetch_run_inline(program, frame, word);
}
NOKPROBE_SYMBOL(fetch_run_front);

static u64 fetch_container(const void *slot, unsigned int size)
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
NOKPROBE_SYMBOL(fetch_container);

/*
 * Shift in a register: a store wider than the field would overwrite its neighbour. Shifted
 * to the top and back, the bits of a signed type keep their sign.
 */
static void fetch_cut_bitfield(const struct arg_type *type, void *slot)
{
	unsigned int size = type->value->size, unused = 64 - type->bit_width;
	u64 bits = fetch_container(slot, size) << (unused - type->bit_shift);

	if (type->value->kind == VALUE_SIGNED)
		bits = (s64)bits >> unused;
	else
		bits >>= unused;
	fetch_put(slot, bits, size);
}
NOKPROBE_SYMBOL(fetch_cut_bitfield);

static noinline void fetch_cut_bitfields(const struct fetch_arg *arg, void *slot)
{
	unsigned int i;

	for (i = 0; i < max_t(unsigned int, arg->type.count, 1); i++)
		fetch_cut_bitfield(&arg->type, slot + i * arg->type.value->size);
}
NOKPROBE_SYMBOL(fetch_cut_bitfields);

static noinline void fetch_unsign_symbols(const struct fetch_arg *arg, u64 *slot)
{
	unsigned int i;

	for (i = 0; i < max_t(unsigned int, arg->type.count, 1); i++)
		put_unaligned((u64)arch_kprobe_unsigned(get_unaligned(slot + i)), slot + i);
}
NOKPROBE_SYMBOL(fetch_unsign_symbols);

static __always_inline bool fetch_run_final(const struct fetch_arg *arg, unsigned long word,
					    void *slot)
{
	const struct fetch_program *program = &arg->program;

	if (program->final == FETCH_STORE_MEMORY)
		return fetch_memory(slot, word + program->offset, arg->size, program->user);
	fetch_put(slot, word, arg->type.value->size);
	return true;
}

/**
 * fetch_any() - store the value of an argument that is not text, by its program
 * @arg: the argument
 * @frame: the frame of the hit
 * @slot: its field in the record; untouched or partly written after a fault
 *
 * Context: any.
 * Return: false if the value could not be read.
 */
bool fetch_any(const struct fetch_arg *arg, struct fetch_frame frame, void *slot)
{
	unsigned long word;

	if (!fetch_run_inline(&arg->program, frame, &word) ||
	    !fetch_run_final(arg, word, slot))
		return false;
	if (unlikely(arg->type.bit_width))
		fetch_cut_bitfields(arg, slot);
	else if (ARCH_KPROBE_SIGNS_CODE && arg->type.value->kind == VALUE_SYMBOL)
		fetch_unsign_symbols(arg, slot);
	return true;
}
NOKPROBE_SYMBOL(fetch_any);

/*
 * The number of bytes the current text may take. Each text still to come keeps a share,
 * so a long text does not push it out. If the shares do not fit, the rest of the area is
 * divided evenly.
 */
static unsigned int text_room(const struct text_area *area)
{
	unsigned int room = area->end - area->pos;
	unsigned int later = (area->left - 1) * FETCH_TEXT_SHARE;

	return room > later + FETCH_TEXT_SHARE ? room - later : room / area->left;
}
NOKPROBE_SYMBOL(text_room);

/*
 * Write the data_loc of a text: its length, and its offset in the record. A text that
 * could not be read has length 0 and points at a NUL, because filters take a length of 0
 * for "up to the NUL".
 */
static bool text_end(struct text_area *area, void *slot, long len)
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
NOKPROBE_SYMBOL(text_end);

/* @max: see fetch_program::text_max */
static bool text_put_at(struct text_area *area, void *slot, unsigned long addr, bool user,
			unsigned int max)
{
	char *dst = area->record + area->pos;

	return text_end(area, slot, fetch_string(dst, addr, text_room(area), max, user));
}
NOKPROBE_SYMBOL(text_put_at);

/* @text is a string of the kernel's own: it can be read, and ends. */
static bool text_put(struct text_area *area, void *slot, const char *text)
{
	unsigned int len = strnlen(text, text_room(area) - 1);
	char *dst = area->record + area->pos;

	memcpy(dst, text, len);
	dst[len] = '\0';
	return text_end(area, slot, len + 1);
}
NOKPROBE_SYMBOL(text_put);

/* The same for the name of a task, by words; it has at most 15 letters */
static bool text_put_comm(struct text_area *area, void *slot, const char *comm)
{
	const struct word_at_a_time constants = WORD_AT_A_TIME_CONSTANTS;
	char *dst = area->record + area->pos;
	unsigned long word, mask;
	unsigned int at;

	if (text_room(area) < TASK_COMM_LEN)
		return text_put(area, slot, comm);
	for (at = 0; at < TASK_COMM_LEN; at += sizeof(word)) {
		word = get_unaligned((const unsigned long *)(comm + at));
		/* What is searched is what is stored, even if the name changes */
		OPTIMIZER_HIDE_VAR(word);
		put_unaligned(word, (unsigned long *)(dst + at));
		if (!has_zero(word, &mask, &constants))
			continue;
		mask = create_zero_mask(prep_zero_mask(word, mask, &constants));
		return text_end(area, slot, at + find_zero(mask) + 1);
	}
	dst[TASK_COMM_LEN - 1] = '\0';
	return text_end(area, slot, TASK_COMM_LEN);
}
NOKPROBE_SYMBOL(text_put_comm);

static bool text_put_symbol(struct text_area *area, void *slot, unsigned long addr)
{
	sprint_symbol(area->symbol, arch_kprobe_unsigned(addr));
	return text_put(area, slot, area->symbol);
}
NOKPROBE_SYMBOL(text_put_symbol);

/* Store the texts an array of pointers points to; each has its own data_loc. */
static bool text_put_array(const struct fetch_arg *arg, struct text_area *area, void *slot,
			   unsigned long addr)
{
	const struct fetch_program *program = &arg->program;
	bool ok = true;
	unsigned long text;
	unsigned int i;

	for (i = 0; i < arg->type.count; i++, slot += sizeof(u32), addr += sizeof(long))
		if (fetch_memory(&text, addr, sizeof(text), program->user))
			ok &= text_put_at(area, slot, text, program->user_text, 0);
		else
			ok = text_end(area, slot, -EFAULT);
	return ok;
}
NOKPROBE_SYMBOL(text_put_array);

/* Store a fault for every text of an argument. */
static bool text_put_faults(const struct fetch_arg *arg, struct text_area *area, void *slot)
{
	unsigned int i;

	for (i = 0; i < max_t(unsigned int, arg->type.count, 1); i++)
		text_end(area, slot + i * sizeof(u32), -EFAULT);
	return false;
}
NOKPROBE_SYMBOL(text_put_faults);

static bool text_put_read(const struct fetch_arg *arg, struct fetch_frame frame, void *slot,
			  struct text_area *area)
{
	const struct fetch_program *program = &arg->program;
	unsigned long word;

	if (!fetch_run_front(program, frame, &word))
		return text_put_faults(arg, area, slot);
	switch (program->final) {
	case FETCH_STORE_STRINGS:
		return text_put_array(arg, area, slot, word + program->offset);
	case FETCH_STORE_SYMSTR:
		return text_put_symbol(area, slot, word);
	default:
		return text_put_at(area, slot, word + program->offset, program->user_text,
				   program->text_max);
	}
}
NOKPROBE_SYMBOL(text_put_read);

/**
 * fetch_text() - store the text, or the array of texts, of one argument
 * @arg: the argument
 * @frame: the frame of the hit
 * @slot: its field in the record: one or more data_locs, always written
 * @area: the texts of the record
 *
 * A text that does not fit is cut.
 *
 * Context: any.
 * Return: false if any of the texts could not be read.
 */
bool fetch_text(const struct fetch_arg *arg, struct fetch_frame frame, void *slot,
		struct text_area *area)
{
	switch (arg->program.final) {
	case FETCH_STORE_COMM:
		return text_put_comm(area, slot, current->comm);
	case FETCH_STORE_LITERAL:
		return text_put(area, slot, arg->program.text);
	default:
		return text_put_read(arg, frame, slot, area);
	}
}
NOKPROBE_SYMBOL(fetch_text);
