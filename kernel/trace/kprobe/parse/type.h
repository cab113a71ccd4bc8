/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Types of fetched values: the part of an argument after its colon.
 */
#ifndef _TRACE_KPROBE_TYPE_H
#define _TRACE_KPROBE_TYPE_H

#include <linux/types.h>

#include "command.h"

#define PROBE_MAX_ARRAY		64	/* elements in TYPE[N] */
#define PROBE_DEFAULT_TYPE	"x64"	/* of an argument without :TYPE */

/**
 * enum value_kind - how a value is fetched, stored and shown
 * @VALUE_UNSIGNED:	number, shown in decimal
 * @VALUE_SIGNED:	number, shown in decimal with its sign
 * @VALUE_HEX:		number, shown as 0x...
 * @VALUE_CHAR:		one byte, shown as 'c'
 * @VALUE_SYMBOL:	address, shown as a symbol when the record is read
 * @VALUE_STRING:	text in kernel memory; the record has a data_loc
 * @VALUE_USTRING:	text in user memory; the record has a data_loc
 * @VALUE_SYMSTR:	address, turned to text when the probe is hit; data_loc
 */
enum value_kind {
	VALUE_UNSIGNED,
	VALUE_SIGNED,
	VALUE_HEX,
	VALUE_CHAR,
	VALUE_SYMBOL,
	VALUE_STRING,
	VALUE_USTRING,
	VALUE_SYMSTR,
};

/**
 * struct value_type - one row of the table of types
 * @name:	as written in a definition
 * @field:	type of the field in the event's format file; "FIELD[N]" for an
 *		array of numbers
 * @print:	one conversion in the event's "print fmt", and text around it
 * @kind:	how it is fetched and shown
 * @size:	bytes in the record; those of the data_loc for text
 * @is_signed:	the format file's "signed"
 */
struct value_type {
	const char	*name;
	const char	*field;
	const char	*print;
	enum value_kind	kind;
	u8		size;
	bool		is_signed;
};

/**
 * struct arg_type - the type of one argument
 * @value:	type of the value, or of each element
 * @count:	number of elements, 0 if it is not an array
 * @bit_width:	bits of a bitfield, 0 if it is not a bitfield
 * @bit_shift:	lowest bit of the bitfield, counted from the least significant
 *
 * @value of a bitfield is the unsigned type of its container.
 */
struct arg_type {
	const struct value_type	*value;
	u8			count;
	u8			bit_width;
	u8			bit_shift;
};

/**
 * value_type_is_text() - does the record hold a data_loc for this type?
 * @type: row of the table
 *
 * Return: true for string, ustring, symstr.
 */
static inline bool value_type_is_text(const struct value_type *type)
{
	return type->kind >= VALUE_STRING;
}

const struct value_type *value_type_find(struct probe_span name);
int arg_type_parse(struct arg_type *type, struct probe_span text,
		   struct probe_error *err);
bool arg_type_equal(const struct arg_type *a, const struct arg_type *b);

#endif /* _TRACE_KPROBE_TYPE_H */
