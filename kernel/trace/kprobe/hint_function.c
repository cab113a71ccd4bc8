// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Hints about the function that a line probes: its entry, and its parameters.
 *
 * The offset of a location can lead into another function than SYM.
 */
#include <linux/cleanup.h>
#include <linux/err.h>
#include <linux/kallsyms.h>
#include <linux/kernel.h>
#include <linux/minmax.h>
#include <linux/module.h>
#include <linux/preempt.h>
#include <linux/seq_buf.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "hint_function.h"
#include "lookup.h"
#include "parse/prototype.h"
#include "probe.h"

/* The second word of a line */
static struct probe_span hint_location(struct probe_span line)
{
	unsigned int end = probe_span_find(line, ' ');

	line = probe_span_skip(line, min(end + 1, line.len));
	return probe_span_head(line, probe_span_find(line, ' '));
}

/**
 * probe_hint_symbol() - the symbol that a word begins with
 * @word: the word
 * @stop: characters, before one of which the symbol ends
 *
 * Context: any.
 * Return: the symbol, perhaps empty.
 */
struct probe_span probe_hint_symbol(struct probe_span word, const char *stop)
{
	unsigned int end = 0;

	while (end < word.len && !strchr(stop, word.text[end]))
		end++;
	return probe_span_head(word, end);
}

/**
 * probe_hint_function() - [MOD:]SYM of a location, without its offset or suffix
 * @word: the location; MOD may be spelled as its file is
 *
 * Context: any.
 * Return: the symbol, perhaps empty.
 */
struct probe_span probe_hint_function(struct probe_span word)
{
	unsigned int colon = probe_span_find(word, ':');
	unsigned int start = colon < word.len ? colon + 1 : 0;

	return probe_span_head(word, start +
			       probe_hint_symbol(probe_span_skip(word, start), "+-%").len);
}

/**
 * probe_hint_is_function() - can a line name a symbol as a function?
 * @name: its name, without a module's
 * @address: its address
 *
 * Context: any.
 * Return: false for data, and for what the build puts in front of functions.
 */
bool probe_hint_is_function(const char *name, unsigned long address)
{
	return !strstarts(name, "__pfx_") && !strstarts(name, "__cfi_") &&
	       (core_kernel_text(address) || is_module_text_address(address));
}

/* [MOD:]SYM of the function at an address, as kallsyms has it */
static char *hint_symbol_at(unsigned long address)
{
	char *name __free(kfree) = kmalloc(KSYM_NAME_LEN, GFP_KERNEL);
	char module[MODULE_NAME_LEN] = "";
	const char *symbol = NULL;
	char *owner;

	if (!name)
		return NULL;
	/* The module may go meanwhile */
	scoped_guard(preempt) {
		symbol = kallsyms_lookup(address, NULL, NULL, &owner, name);
		if (symbol && owner)
			strscpy(module, owner);
	}
	if (!symbol || !probe_hint_is_function(symbol, address))
		return NULL;
	return kasprintf(GFP_KERNEL, "%s%s%s", module, *module ? ":" : "", symbol);
}

static bool hint_is_in_symbol(const struct probe_location *location, unsigned long address)
{
	unsigned long size;

	return !location->offset ||
	       (kallsyms_lookup_size_offset(address - location->offset, &size, NULL) &&
		location->offset < size);
}

static const char *hint_bare_name(const char *symbol)
{
	const char *colon = strchr(symbol, ':');

	return colon ? colon + 1 : symbol;
}

/* The function of a location; SYM itself if its module is not loaded */
static char *hint_locate(const struct probe_location *location)
{
	struct probe_function function;

	if (!location->symbol)
		return NULL;
	guard(mutex)(&event_mutex);
	if (kprobe_event_lookup.function(&kprobe_event_lookup, location->symbol,
					 location->offset, &function))
		return NULL;
	if (function.is_outside)
		return NULL;
	if (!function.is_pending && !hint_is_in_symbol(location, function.address))
		return hint_symbol_at(function.address);
	if (!function.is_pending && !probe_hint_is_function(hint_bare_name(location->symbol),
							    function.address))
		return NULL;
	return kstrdup(location->symbol, GFP_KERNEL);
}

/**
 * probe_hint_entry() - the function that a line probes, for a probe that must be at its entry
 * @line: the line, its words separated by one space
 * @word: unused
 *
 * A part that the compiler has moved away is not a function.
 *
 * Context: may sleep; takes event_mutex.
 * Return: [MOD:]SYM, to be freed with kfree(); or NULL if it is not known.
 */
char *probe_hint_entry(struct probe_span line, struct probe_span word)
{
	const struct probe_command cmd = { .location = hint_location(line) };
	struct probe_location location;
	struct probe_error unused = {};
	char *name = NULL, *part;

	if (!probe_location_parse(&location, &cmd, &unused))
		name = hint_locate(&location);
	probe_location_free(&location);
	part = name ? strstr(name, ".cold") : NULL;
	if (part)
		*part = '\0';
	return name;
}

/* Room for what is told of parameters; dots stand for those that are left out */
#define HINT_PARAMETERS	256

/* The next item of a list, separated from those before. An item that does not fit is left out. */
static __printf(3, 4) bool hint_put(struct seq_buf *text, const char *sep, const char *fmt, ...)
{
	unsigned int used = seq_buf_used(text);
	va_list args;
	int ret = used ? seq_buf_puts(text, sep) : 0;

	va_start(args, fmt);
	ret = ret ?: seq_buf_vprintf(text, fmt, args);
	va_end(args);
	if (!ret)
		return true;
	text->buffer[used] = 0;
	text->len = used;
	return false;
}

static bool hint_put_name(struct seq_buf *text, const struct probe_parameter *parameter)
{
	return !parameter->name || hint_put(text, ", ", "%s", parameter->name);
}

/* ARGs for the words of a parameter, if they are known: the first has its name, if it has one */
static bool hint_put_words(struct seq_buf *text, const struct probe_parameter *parameter)
{
	unsigned int word = parameter->words.first, end = word + parameter->words.nr;
	const char *name = parameter->name;
	bool fits = word;

	for (; fits && word < end; word++, name = NULL)
		fits = hint_put(text, " ", "%s%s$arg%u", name ?: "", name ? "=" : "", word);
	return fits;
}

static struct probe_prototype *hint_prototype(char *symbol)
{
	struct probe_location location = { .symbol = symbol };
	struct probe_function function;

	guard(mutex)(&event_mutex);
	if (kprobe_event_lookup.function(&kprobe_event_lookup, symbol, 0, &function))
		return NULL;
	return probe_prototype_get(&function, &location, &kprobe_event_lookup);
}

/* A list of the parameters of the probed function, each written by @put */
static char *hint_put_all(struct probe_span line,
			  bool (*put)(struct seq_buf *list, const struct probe_parameter *one))
{
	char *symbol = probe_hint_entry(line, line);
	char *text = kzalloc(HINT_PARAMETERS + sizeof(" ..."), GFP_KERNEL);
	struct probe_prototype *prototype = symbol && text ? hint_prototype(symbol) : NULL;
	struct seq_buf list;
	unsigned int i = 0;

	if (!IS_ERR_OR_NULL(prototype)) {
		seq_buf_init(&list, text, HINT_PARAMETERS);
		while (i < prototype->nr && put(&list, &prototype->parameter[i]))
			i++;
		if (*text && i < prototype->nr)
			strcat(text, " ...");
		probe_prototype_free(prototype);
	}
	kfree(symbol);
	if (text && *text)
		return text;
	kfree(text);
	return NULL;
}

/**
 * probe_hint_parameters() - the parameters of the function, for a name that is none of them
 * @line: the line, its words separated by one space
 * @word: unused
 *
 * Context: may sleep; takes event_mutex.
 * Return: the names, to be freed with kfree(); or NULL if they are not known.
 */
char *probe_hint_parameters(struct probe_span line, struct probe_span word)
{
	return hint_put_all(line, hint_put_name);
}

/**
 * probe_hint_words() - the words of all parameters, if one needs several, or is not known
 * @line: the line, its words separated by one space
 * @word: unused
 *
 * Context: may sleep; takes event_mutex.
 * Return: ARGs, to be freed with kfree(); or NULL if they are not known.
 */
char *probe_hint_words(struct probe_span line, struct probe_span word)
{
	return hint_put_all(line, hint_put_words);
}
