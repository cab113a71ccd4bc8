// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Keeping what a return probe reads when the function is entered.
 *
 * The data of a call begins with the words, one struct fetch_kept each. The values of
 * arguments that are read at the entry follow, one struct fetch_kept_value each.
 */
#include <linux/kprobes.h>
#include <linux/minmax.h>
#include <linux/sched.h>
#include <linux/string.h>

#include "fetch_keep.h"

/* No string begins here: reading it is a fault. */
#define NO_STRING	(-1UL)

/**
 * fetch_kept_size() - the size of what is kept for a call
 * @args: arguments of a return probe
 *
 * Context: any.
 * Return: its bytes; 0 if nothing is kept.
 */
unsigned int fetch_kept_size(const struct fetch_args *args)
{
	static_assert(PROBE_MAX_ARGS * sizeof(struct fetch_kept) + PROBE_MAX_KEPT <=
		      KRETPROBE_MAX_DATA_SIZE);

	return args->nr_kept * sizeof(struct fetch_kept) + args->kept_values;
}

/**
 * fetch_keep_words() - keep the words of a call that its return will show
 * @args: arguments of a return probe
 * @frame: the frame of the function's entry
 * @data: the data of the call
 *
 * Context: any.
 */
void fetch_keep_words(const struct fetch_args *args, struct fetch_frame frame, void *data)
{
	struct fetch_kept *kept = data;
	unsigned int i;

	for (i = 0; i < args->nr_kept; i++, kept++) {
		kept->is_valid = true;
		if (args->kept[i].on_stack)
			kept->is_valid = fetch_stack_word(frame, args->kept[i].where,
							  &kept->word);
		else
			kept->word = fetch_register(frame, args->kept[i].where);
	}
}
NOKPROBE_SYMBOL(fetch_keep_words);

/* The pointers of the array are kept as pointers to the kept strings, which follow them. */
static bool fetch_keep_strings(const struct fetch_arg *arg, unsigned long addr, char *bytes)
{
	const struct fetch_program *program = arg->keeper;
	char *text = bytes + arg->type.count * sizeof(long);
	unsigned long *pointer = (unsigned long *)bytes;
	unsigned int i;

	for (i = 0; i < arg->type.count; i++, pointer++, text += PROBE_KEPT_TEXT) {
		if (!fetch_memory(pointer, addr + i * sizeof(long), sizeof(long), program->user) ||
		    fetch_string(text, *pointer, PROBE_KEPT_TEXT, 0, program->user_text) <= 0)
			*pointer = NO_STRING;
		else
			*pointer = (unsigned long)text;
	}
	return true;
}
NOKPROBE_SYMBOL(fetch_keep_strings);

static bool fetch_keep_final(const struct fetch_arg *arg, unsigned long word, char *bytes)
{
	const struct fetch_program *program = arg->keeper;
	unsigned long addr = word + program->offset;

	switch (program->final) {
	case FETCH_STORE_COMM:
		memcpy(bytes, current->comm, TASK_COMM_LEN);
		return true;
	case FETCH_STORE_MEMORY:
		return fetch_memory(bytes, addr, arg->size, program->user);
	case FETCH_STORE_STRING:
		return fetch_string(bytes, addr, PROBE_KEPT_TEXT, program->text_max,
				    program->user_text) > 0;
	case FETCH_STORE_STRINGS:
		return fetch_keep_strings(arg, addr, bytes);
	case FETCH_STORE_SYMSTR:
		fetch_put(bytes, word, sizeof(word));
		return true;
	default:
		fetch_put(bytes, word, arg->type.value->size);
		return true;
	}
}
NOKPROBE_SYMBOL(fetch_keep_final);

static bool fetch_keep_value(const struct fetch_arg *arg, struct fetch_frame frame,
			     char *bytes)
{
	unsigned long word;

	return fetch_run_front(arg->keeper, frame, &word) && fetch_keep_final(arg, word, bytes);
}
NOKPROBE_SYMBOL(fetch_keep_value);

/**
 * fetch_keep_values() - keep words and values of a call that its return will show
 * @args: arguments of a return probe
 * @frame: the frame of the function's entry
 * @data: the data of the call
 *
 * Context: any.
 */
void fetch_keep_values(const struct fetch_args *args, struct fetch_frame frame,
		       void *data)
{
	const struct fetch_arg *arg = args->arg;
	unsigned int i;

	fetch_keep_words(args, frame, data);
	for (i = 0; i < args->nr; i++, arg++) {
		struct fetch_kept_value *kept = data + arg->program.where;

		if (arg->keeper)
			kept->is_valid = fetch_keep_value(arg, frame, kept->bytes);
	}
}
NOKPROBE_SYMBOL(fetch_keep_values);
