// SPDX-License-Identifier: GPL-2.0
/*
 * Where a probe is put.
 */
#include <linux/limits.h>
#include <linux/slab.h>
#include <linux/sprintf.h>
#include <linux/string.h>

#include "place.h"

/* The parts of a place's text. */
struct place_text {
	struct probe_span	symbol;		/* empty: an address */
	struct probe_span	suffix;		/* from '%' on */
	unsigned long		offset;
};

static unsigned int symbol_len(struct probe_span text)
{
	return min(probe_span_find(text, '+'), probe_span_find(text, '-'));
}

/*
 * A symbol's offset is bounded to 32 bits, so that a negative distance printed
 * as an unsigned number is not taken for one.
 */
static int parse_offset(struct place_text *parts, struct probe_span text)
{
	if (!text.len)
		return 0;
	if (text.text[0] != '+')
		return -EINVAL;
	if (probe_span_ulong(probe_span_skip(text, 1), 0, &parts->offset))
		return -EINVAL;
	return parts->offset > UINT_MAX ? -EINVAL : 0;
}

/* ADDRESS, SYM or SYM+OFFS, and what follows its '%'. */
static int split_place(struct place_text *parts, struct probe_span text)
{
	unsigned int end = probe_span_find(text, '%');

	*parts = (struct place_text){ .suffix = probe_span_skip(text, end) };
	text = probe_span_head(text, end);
	if (!probe_span_ulong(text, 0, &parts->offset))
		return 0;
	end = symbol_len(text);
	parts->symbol = probe_span_head(text, end);
	if (!end)
		return -EINVAL;
	return parse_offset(parts, probe_span_skip(text, end));
}

static int check_symbol(const struct probe_place *place,
			const struct probe_lookup *lookup,
			unsigned int column, struct probe_error *err)
{
	int ret;

	if (!place->symbol)
		return 0;
	ret = lookup->symbol_check(lookup, place->symbol);
	if (ret == -EADDRNOTAVAIL)
		return probe_error_set(err, PROBE_ERR_NON_UNIQ_SYMBOL, column);
	if (ret)
		return probe_error_set(err, PROBE_ERR_BAD_PROBE_ADDR, column);
	return 0;
}

/*
 * Of a function that is not loaded yet only offset 0 is known to be an entry;
 * whether a return probe elsewhere in it will do is seen when it comes.
 */
static int check_entry(struct probe_place *place,
		       const struct probe_lookup *lookup,
		       unsigned int column, struct probe_error *err)
{
	int entry = lookup->function_entry(lookup, place->symbol,
					   place->offset);

	place->is_pending = entry < 0;
	if (place->is_return && !entry)
		return probe_error_set(err, PROBE_ERR_BAD_RETPROBE, column);
	if (place->symbol)
		place->is_entry = entry > 0 || (entry < 0 && !place->offset);
	return 0;
}

static int copy_place(struct probe_place *place, const struct place_text *parts,
		      unsigned int column, struct probe_error *err)
{
	place->offset = parts->offset;
	if (!parts->symbol.len)
		return 0;
	place->symbol = probe_span_dup(parts->symbol);
	if (!place->symbol)
		return probe_error_set(err, PROBE_ERR_NO_MEMORY, column);
	return 0;
}

/**
 * probe_place_parse - read a command's place
 * @place:	the result; to be freed with probe_place_free() in any case
 * @cmd:	a parsed command
 * @lookup:	the machine
 * @err:	why it was refused
 *
 * Context: may sleep.
 * Return: 0 or a negative error.
 */
int probe_place_parse(struct probe_place *place,
		      const struct probe_command *cmd,
		      const struct probe_lookup *lookup,
		      struct probe_error *err)
{
	unsigned int column = cmd->place.column;
	struct place_text parts;
	int ret;

	*place = (struct probe_place){ .is_return = cmd->is_return };
	ret = split_place(&parts, cmd->place);
	if (parts.suffix.len && !probe_span_is(parts.suffix, "%return"))
		return probe_error_set(err, PROBE_ERR_BAD_ADDR_SUFFIX,
				       parts.suffix.column);
	if (ret)
		return probe_error_set(err, PROBE_ERR_BAD_PROBE_ADDR, column);
	place->is_return |= parts.suffix.len > 0;
	ret = copy_place(place, &parts, column, err);
	if (ret)
		return ret;
	ret = check_symbol(place, lookup, column, err);
	if (ret)
		return ret;
	return check_entry(place, lookup, column, err);
}

/**
 * probe_place_free - free what a place holds
 * @place: a place, or one of zeros
 *
 * Context: may sleep.
 */
void probe_place_free(struct probe_place *place)
{
	kfree(place->symbol);
	*place = (struct probe_place){};
}

/**
 * probe_place_module_len - the module's part of a place's symbol
 * @place: a place
 *
 * Context: any.
 * Return: length of MOD in MOD:SYM, 0 when no module is named.
 */
size_t probe_place_module_len(const struct probe_place *place)
{
	const char *colon = place->symbol ? strchr(place->symbol, ':') : NULL;

	return colon ? colon - place->symbol : 0;
}

/**
 * probe_place_equal - do two probes stand in the same place?
 * @a:	a place
 * @b:	another one
 *
 * Context: any.
 * Return: true when symbol, offset, and entry or return are the same.
 */
bool probe_place_equal(const struct probe_place *a, const struct probe_place *b)
{
	if (a->is_return != b->is_return || a->offset != b->offset)
		return false;
	if (!a->symbol || !b->symbol)
		return a->symbol == b->symbol;
	return !strcmp(a->symbol, b->symbol);
}

/**
 * probe_place_matches - does a word name this place?
 * @place:	a place
 * @word:	PLACE as in a definition; any notation of its number will do
 * @len:	length of @word
 *
 * Context: any.
 * Return: true when it does.
 */
bool probe_place_matches(const struct probe_place *place, const char *word,
			 size_t len)
{
	struct probe_span text = { word, len, 0 };
	struct place_text parts;

	if (split_place(&parts, text) || parts.offset != place->offset)
		return false;
	if (parts.suffix.len &&
	    (!place->is_return || !probe_span_is(parts.suffix, "%return")))
		return false;
	if (!place->symbol)
		return !parts.symbol.len;
	return probe_span_is(parts.symbol, place->symbol);
}

static int print_name(const struct probe_place *place, char *buf, size_t size)
{
	char letter = place->is_return ? 'r' : 'p';

	if (!place->symbol)
		return snprintf(buf, size, "%c_0x%lx", letter, place->offset);
	return snprintf(buf, size, "%c_%s_%lu", letter, place->symbol,
			place->offset);
}

/* FNV-1a: tells long symbols with a common front apart. */
static u32 hash_place(const struct probe_place *place)
{
	u32 hash = 2166136261u ^ place->offset;
	const char *c;

	for (c = place->symbol; *c; c++)
		hash = (hash ^ (unsigned char)*c) * 16777619u;
	return hash;
}

static void sanitize_name(char *name)
{
	struct probe_span c = { name, 1, 0 };

	for (; *name; c.text = ++name) {
		if (!probe_span_is_identifier(c, '_') &&
		    !probe_span_is_number(c))
			*name = '_';
	}
}

/**
 * probe_place_event_name - make up an event's name from its place
 * @place:	a place
 * @name:	PROBE_NAME_LEN bytes for the name
 *
 * p_SYM_OFFS, or p_0xADDRESS, or r_...; characters a name cannot have become
 * '_'.  Where it is too long its end gives way to a hash of the whole.
 *
 * Context: any.
 */
void probe_place_event_name(const struct probe_place *place, char *name)
{
	const int hash_len = 9;	/* '_' and 32 bits */

	if (print_name(place, name, PROBE_NAME_LEN) >= PROBE_NAME_LEN)
		snprintf(name + PROBE_NAME_LEN - 1 - hash_len, hash_len + 1,
			 "_%08x", hash_place(place));
	sanitize_name(name);
}
