// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The table of types, and parsing of TYPE, bW@O/C and TYPE[N].
 *
 * To add a fetch type, add a line to the table; a number has 1, 2, 4 or 8 bytes. A number
 * that is shown in a new way also gets a kind in type.h, before VALUE_STRING, and a case in
 * fields.c. A new kind of text gets a kind after VALUE_STRING, a final in program.h, and a
 * case in compile.c and in fetch.c: compile.c takes a kind that it does not know for a number.
 * ../print_fmt.c says which conversions libtraceevent understands.
 */
#include <linux/array_size.h>
#include <linux/build_bug.h>
#include <linux/string.h>

#include "type.h"

/* The field of a text holds its offset and length; the text is at the record's end. */
#define DATA_LOC	"__data_loc char[]"
#define QUOTED		"\\\"%s\\\""

static const struct value_type value_types[] = {
	{ "u8", "u8", "%u", VALUE_UNSIGNED, 1, false },
	{ "u16", "u16", "%u", VALUE_UNSIGNED, 2, false },
	{ "u32", "u32", "%u", VALUE_UNSIGNED, 4, false },
	{ "u64", "u64", "%Lu", VALUE_UNSIGNED, 8, false },
	{ "s8", "s8", "%hhd", VALUE_SIGNED, 1, true },
	{ "s16", "s16", "%hd", VALUE_SIGNED, 2, true },
	{ "s32", "s32", "%d", VALUE_SIGNED, 4, true },
	{ "s64", "s64", "%Ld", VALUE_SIGNED, 8, true },
	{ "x8", "u8", "0x%x", VALUE_HEX, 1, false },
	{ "x16", "u16", "0x%x", VALUE_HEX, 2, false },
	{ "x32", "u32", "0x%x", VALUE_HEX, 4, false },
	{ "x64", "u64", "0x%Lx", VALUE_HEX, 8, false },
	{ "char", "u8", "'%s'", VALUE_CHAR, 1, false },
	{ "symbol", "u64", "%pS", VALUE_SYMBOL, 8, false },
	{ "string", DATA_LOC, QUOTED, VALUE_STRING, 4, true },
	{ "ustring", DATA_LOC, QUOTED, VALUE_USTRING, 4, true },
	{ "symstr", DATA_LOC, QUOTED, VALUE_SYMSTR, 4, true },
};

/**
 * value_type_find() - find a type by its name
 * @name: a name
 *
 * Context: any.
 * Return: its row of the table, or NULL.
 */
const struct value_type *value_type_find(struct probe_span name)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(value_types); i++) {
		if (probe_span_is(name, value_types[i].name))
			return &value_types[i];
	}
	return NULL;
}

/* Find the type of a bitfield's container, C of bW@O/C. */
static const struct value_type *value_type_find_container(struct probe_span bits)
{
	unsigned long number;
	unsigned int i;

	if (probe_span_ulong(bits, 0, &number))
		return NULL;
	for (i = 0; i < ARRAY_SIZE(value_types); i++) {
		const struct value_type *type = &value_types[i];

		if (type->kind == VALUE_UNSIGNED && type->size * 8ul == number)
			return type;
	}
	return NULL;
}

/* Parse W@O of bW@O/C. */
static bool arg_type_parse_bits(struct arg_type *type, struct probe_span text)
{
	unsigned int at = probe_span_find(text, '@');
	unsigned long bits = type->value->size * 8ul, width, shift;

	if (at == text.len ||
	    probe_span_ulong(probe_span_head(text, at), 0, &width) ||
	    probe_span_ulong(probe_span_skip(text, at + 1), 0, &shift))
		return false;
	if (!width || width > bits || shift > bits - width)
		return false;
	type->bit_width = width;
	type->bit_shift = shift;
	return true;
}

static int arg_type_parse_bitfield(struct arg_type *type, struct probe_span text,
				   struct probe_error *err)
{
	unsigned int slash = probe_span_find(text, '/');
	struct probe_span width = probe_span_skip(text, 1);

	if (slash < text.len)
		type->value = value_type_find_container(probe_span_skip(text, slash + 1));
	if (!type->value)
		return probe_error_set(err, PROBE_ERR_BAD_TYPE, text.column);
	if (!arg_type_parse_bits(type, probe_span_head(width, slash - 1)))
		return probe_error_set(err, PROBE_ERR_BAD_BITFIELD,
				       text.column);
	return 0;
}

static int arg_type_parse_value(struct arg_type *type, struct probe_span text,
				struct probe_error *err)
{
	type->value = value_type_find(text);
	if (type->value)
		return 0;
	if (probe_span_starts(text, "b"))
		return arg_type_parse_bitfield(type, text, err);
	return probe_error_set(err, PROBE_ERR_BAD_TYPE, text.column);
}

/* Parse N] of TYPE[N]. */
static int arg_type_parse_count(struct arg_type *type, struct probe_span text,
				struct probe_error *err)
{
	unsigned int close = probe_span_find(text, ']');
	long number;

	if (close == text.len)
		return probe_error_set(err, PROBE_ERR_ARRAY_NO_CLOSE,
				       probe_span_end(text));
	if (close + 1 < text.len)
		return probe_error_set(err, PROBE_ERR_BAD_ARRAY_SUFFIX,
				       text.column + close + 1);
	if (probe_span_long(probe_span_head(text, close), &number) || number <= 0)
		return probe_error_set(err, PROBE_ERR_BAD_ARRAY_NUM,
				       text.column);
	if (number > PROBE_MAX_ARRAY)
		return probe_error_set(err, PROBE_ERR_ARRAY_TOO_BIG,
				       text.column);
	type->count = number;
	return 0;
}

/**
 * arg_type_parse() - parse the type of an argument
 * @type:	the result
 * @text:	TYPE, bW@O/C, or one of them with [N]
 * @err:	the reason of a refusal
 *
 * Context: any.
 * Return: 0 or a negative error.
 */
int arg_type_parse(struct arg_type *type, struct probe_span text,
		   struct probe_error *err)
{
	unsigned int open = probe_span_find(text, '[');
	int ret;

	*type = (struct arg_type){};
	if (open < text.len) {
		ret = arg_type_parse_count(type, probe_span_skip(text, open + 1), err);
		if (ret)
			return ret;
	}
	return arg_type_parse_value(type, probe_span_head(text, open), err);
}

/**
 * arg_type_equal() - are two types the same?
 * @a:	a type
 * @b:	another one
 *
 * Two bitfields are the same type even if they are other bits of their container.
 *
 * Context: any.
 * Return: true if values of both are stored and shown alike.
 */
bool arg_type_equal(const struct arg_type *a, const struct arg_type *b)
{
	return a->value == b->value && a->count == b->count;
}
