// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Locations: read from a command, compared, and turned into names of events.
 */
#include <linux/limits.h>
#include <linux/slab.h>
#include <linux/sprintf.h>
#include <linux/string.h>

#include "location.h"

/* The parts of a location's text. */
struct location_text {
	struct probe_span	symbol;		/* empty: an address */
	struct probe_span	suffix;		/* from '%' on */
	unsigned long		offset;
};

static unsigned int location_symbol_len(struct probe_span text)
{
	return min(probe_span_find(text, '+'), probe_span_find(text, '-'));
}

/*
 * An offset has at most 32 bits, so a negative distance that was printed as an unsigned
 * number is refused.
 */
static int location_parse_offset(struct location_text *parts, struct probe_span text)
{
	unsigned long number;

	if (!text.len)
		return 0;
	if (probe_span_ulong(probe_span_skip(text, 1), 0, &number) || number > UINT_MAX)
		return -EINVAL;
	parts->offset = text.text[0] == '-' ? -number : number;
	return 0;
}

/* ADDRESS, SYM, SYM+OFFS or SYM-OFFS, and the suffix that begins with '%'. */
static int location_split(struct location_text *parts, struct probe_span text)
{
	unsigned int end = probe_span_find(text, '%');

	*parts = (struct location_text){ .suffix = probe_span_skip(text, end) };
	text = probe_span_head(text, end);
	if (!probe_span_ulong(text, 0, &parts->offset))
		return 0;
	end = location_symbol_len(text);
	parts->symbol = probe_span_head(text, end);
	/* No module has this name, by which BTF means the image: the probe would wait forever */
	if (!end || probe_span_starts(parts->symbol, "vmlinux:"))
		return -EINVAL;
	return location_parse_offset(parts, probe_span_skip(text, end));
}

static int location_copy(struct probe_location *location, const struct location_text *parts,
			 unsigned int column, struct probe_error *err)
{
	location->offset = parts->offset;
	if (!parts->symbol.len)
		return 0;
	location->symbol = probe_span_dup(parts->symbol);
	if (!location->symbol)
		return probe_error_set(err, PROBE_ERR_NO_MEMORY, column);
	return 0;
}

/**
 * probe_location_parse() - read a command's location
 * @location:	the result; to be freed with probe_location_free() in any case
 * @cmd:	a parsed command
 * @err:	why it was refused
 *
 * Context: may sleep.
 * Return: 0 or a negative error.
 */
int probe_location_parse(struct probe_location *location, const struct probe_command *cmd,
			 struct probe_error *err)
{
	unsigned int column = cmd->location.column;
	struct location_text parts;
	int ret;

	*location = (struct probe_location){ .is_return = cmd->is_return };
	ret = location_split(&parts, cmd->location);
	if (parts.suffix.len && !probe_span_is(parts.suffix, "%return"))
		return probe_error_set(err, PROBE_ERR_BAD_ADDR_SUFFIX, parts.suffix.column);
	if (ret)
		return probe_error_set(err, PROBE_ERR_BAD_PROBE_ADDR, column);
	location->is_return |= parts.suffix.len > 0;
	if (!parts.symbol.len && !parts.offset)
		return probe_error_set(err, PROBE_ERR_BAD_PROBE_ADDR, column);
	return location_copy(location, &parts, column, err);
}

/**
 * probe_location_free() - free what a location holds
 * @location: a location, may be all zero
 *
 * Context: may sleep.
 */
void probe_location_free(struct probe_location *location)
{
	kfree(location->symbol);
	*location = (struct probe_location){};
}

/**
 * probe_location_module_len() - the length of the module's name in a location
 * @location: a location
 *
 * Context: any.
 * Return: length of MOD in MOD:SYM, 0 if the location names no module.
 */
size_t probe_location_module_len(const struct probe_location *location)
{
	const char *colon = location->symbol ? strchr(location->symbol, ':') : NULL;

	return colon ? colon - location->symbol : 0;
}

/**
 * probe_location_equal() - are two locations the same?
 * @a:	a location
 * @b:	another location
 *
 * Context: any.
 * Return: true if symbol, offset and kind of probe are the same.
 */
bool probe_location_equal(const struct probe_location *a, const struct probe_location *b)
{
	if (a->is_return != b->is_return || a->offset != b->offset)
		return false;
	if (!a->symbol || !b->symbol)
		return a->symbol == b->symbol;
	return !strcmp(a->symbol, b->symbol);
}

/**
 * probe_location_matches() - does a word name this location?
 * @location:	a location
 * @word:	LOCATION as in a definition; its number may be in any notation
 * @len:	length of @word
 *
 * Context: any.
 * Return: true if it does.
 */
bool probe_location_matches(const struct probe_location *location, const char *word,
			    size_t len)
{
	struct probe_span text = { word, len, 0 };
	struct location_text parts;

	if (location_split(&parts, text) || parts.offset != location->offset)
		return false;
	if (parts.suffix.len &&
	    (!location->is_return || !probe_span_is(parts.suffix, "%return")))
		return false;
	if (!location->symbol)
		return !parts.symbol.len;
	return probe_span_is(parts.symbol, location->symbol);
}

static int location_print_name(const struct probe_location *location, char *buf, size_t size)
{
	char letter = location->is_return ? 'r' : 'p';

	if (!location->symbol)
		return snprintf(buf, size, "%c_0x%lx", letter, location->offset);
	return snprintf(buf, size, "%c_%s_%ld", letter, location->symbol,
			location->offset);
}

/* FNV-1a, to tell long symbols with a common front apart. */
static u32 location_hash(const struct probe_location *location)
{
	u32 hash = 2166136261u ^ location->offset;
	const char *c;

	for (c = location->symbol; *c; c++)
		hash = (hash ^ (unsigned char)*c) * 16777619u;
	return hash;
}

static void location_sanitize_name(char *name)
{
	struct probe_span c = { name, 1, 0 };

	for (; *name; c.text = ++name) {
		if (!probe_span_is_identifier(c, '_') &&
		    !probe_span_is_number(c))
			*name = '_';
	}
}

/**
 * probe_location_event_name() - make up an event's name from its location
 * @location:	a location
 * @name:	PROBE_NAME_LEN bytes for the name
 *
 * The name is p_SYM_OFFS, or p_0xADDRESS, or r_... Characters that a name cannot have
 * become '_'. A hash of the whole location replaces the end of a name that is too long.
 *
 * Context: any.
 */
void probe_location_event_name(const struct probe_location *location, char *name)
{
	const int hash_len = 9;	/* '_' and 32 bits */

	if (location_print_name(location, name, PROBE_NAME_LEN) >= PROBE_NAME_LEN)
		snprintf(name + PROBE_NAME_LEN - 1 - hash_len, hash_len + 1,
			 "_%08x", location_hash(location));
	location_sanitize_name(name);
}
