// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Values with a C type: the type they are shown as, and the types they can be read as.
 */
#include <linux/limits.h>
#include <linux/string.h>

#include "variable.h"

/*
 * An enumeration as long as an int is shown with a sign, as every 6.12 kernel does. A bitfield
 * and a shorter one have a sign only if one of the values has.
 */
static const char *c_integer_type(const struct probe_c_info *info, bool is_bitfield)
{
	bool is_int = info->size == sizeof(int) && !is_bitfield;
	bool is_signed = info->is_signed || (info->kind == PROBE_C_ENUM && is_int);

	switch (info->size) {
	case 1:
		return is_signed ? "s8" : "u8";
	case 2:
		return is_signed ? "s16" : "u16";
	case 4:
		return is_signed ? "s32" : "u32";
	case 8:
		return is_signed ? "s64" : "u64";
	default:
		return PROBE_DEFAULT_TYPE;
	}
}

/* What follows a short structure in memory, or is above it in a register, is no part of it. */
static const char *c_bytes_type(const struct probe_c_info *info)
{
	switch (info->size) {
	case 1:
		return "x8";
	case 2:
		return "x16";
	case 4:
		return "x32";
	default:
		return PROBE_DEFAULT_TYPE;
	}
}

static const char *c_type_name(const struct probe_c_info *info, bool is_bitfield)
{
	switch (info->kind) {
	case PROBE_C_INT:
	case PROBE_C_ENUM:
		return c_integer_type(info, is_bitfield);
	case PROBE_C_FLOAT:
	case PROBE_C_STRUCT:
	case PROBE_C_UNION:
		return c_bytes_type(info);
	default:
		return PROBE_DEFAULT_TYPE;
	}
}

/**
 * fetch_c_value_type() - the type of an argument that is given none
 * @c:		what is known of its value
 * @types:	the provider of C types
 *
 * Integers and enumerations keep their size and sign, and short structures their size;
 * anything else is a word.
 *
 * Context: as the provider's functions.
 * Return: the type.
 */
const struct value_type *fetch_c_value_type(const struct fetch_c_value *c,
					    const struct probe_c_types *types)
{
	const char *name = PROBE_DEFAULT_TYPE;
	struct probe_c_info info;

	if (c->type.owner && !types->describe(c->type, &info))
		name = c_type_name(&info, c->bit_width);
	return value_type_find(probe_span_of(name));
}

/*
 * The bits are cut out of a container of the type's size: where that size's multiple
 * begins, as the compiler places them, or else, in a packed structure, at their first byte.
 */
static int c_value_fit_bits(struct fetch_expr *expr, struct arg_type *type,
			    const struct fetch_context *ctx, unsigned int column)
{
	unsigned int bits = type->value->size * 8;
	unsigned int width = expr->c.bit_width;
	unsigned int start = expr->c.bit_offset / bits * bits;

	if (type->count || type->bit_width || value_type_is_text(type->value))
		return fetch_context_refuse(ctx, PROBE_ERR_BAD_BITFIELD, column);
	if (expr->c.bit_offset - start + width > bits)
		start = expr->c.bit_offset / 8 * 8;
	if (expr->c.bit_offset - start + width > bits)
		return fetch_context_refuse(ctx, PROBE_ERR_BAD_BITFIELD, column);
	expr->derefs[0].offset += start / 8;
	type->bit_width = width;
	type->bit_shift = expr->c.bit_offset - start;
	/* Big endian: BTF counts from the highest bit, records from the lowest one */
	if (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)
		type->bit_shift = bits - width - type->bit_shift;
	return 0;
}

static bool c_type_is_char(const struct probe_c_types *types, struct probe_c_type type)
{
	struct probe_c_info info;

	return !types->describe(type, &info) && info.kind == PROBE_C_INT && info.size == 1;
}

static bool c_type_has_chars(const struct probe_c_types *types, struct probe_c_type type)
{
	struct probe_c_info info;

	return !types->describe(type, &info) && c_type_is_char(types, info.target);
}

/* A pointer to characters is followed; an array of them is the string itself. */
static int c_value_fit_string(struct fetch_expr *expr, struct fetch_context *ctx,
			      unsigned int column)
{
	const struct probe_c_types *types = ctx->lookup->types;
	struct probe_c_info info;

	if (types->describe(expr->c.type, &info))
		return fetch_context_refuse(ctx, PROBE_ERR_BAD_BTF_TID, column);
	if (!c_type_is_char(types, info.target))
		return fetch_context_refuse(ctx, PROBE_ERR_BAD_TYPE4STR, column);
	if (info.kind == PROBE_C_ARRAY && expr->c.in_memory) {
		/* A longer one fills the record; an array without a size ends with a NUL */
		expr->text_max = info.count < SHRT_MAX ? info.count + !!info.count : 0;
		return 0;
	}
	if (info.kind != PROBE_C_POINTER)
		return fetch_context_refuse(ctx, PROBE_ERR_BAD_TYPE4STR, column);
	if (expr->nr_derefs >= PROBE_MAX_DEREFS)
		return fetch_context_refuse(ctx, PROBE_ERR_TOO_MANY_OPS, column);
	memmove(&expr->derefs[1], &expr->derefs[0], expr->nr_derefs * sizeof(expr->derefs[0]));
	expr->derefs[0] = (struct fetch_deref){ .column = column };
	expr->nr_derefs++;
	return 0;
}

/* One pointer to characters can be the first of several; or there is an array of them. */
static int c_value_fit_strings(const struct fetch_expr *expr, struct fetch_context *ctx,
			       unsigned int column)
{
	const struct probe_c_types *types = ctx->lookup->types;
	struct probe_c_info info;

	if (types->describe(expr->c.type, &info))
		return fetch_context_refuse(ctx, PROBE_ERR_BAD_BTF_TID, column);
	if (info.kind == PROBE_C_POINTER && c_type_is_char(types, info.target))
		return 0;
	if (info.kind == PROBE_C_ARRAY && c_type_has_chars(types, info.target))
		return 0;
	return fetch_context_refuse(ctx, PROBE_ERR_BAD_TYPE4STR, column);
}

/**
 * fetch_c_value_fit() - make an expression read its value as a type
 * @expr:	an expression whose value has a C type
 * @type:	the type of the argument; gets the bits of a bitfield
 * @ctx:	what the argument is read in
 * @column:	column of the expression, for a refusal
 *
 * Context: may sleep.
 * Return: 0 or a negative error.
 */
int fetch_c_value_fit(struct fetch_expr *expr, struct arg_type *type,
		      struct fetch_context *ctx, unsigned int column)
{
	bool is_string = type->value->kind == VALUE_STRING ||
			 type->value->kind == VALUE_USTRING;

	if (!expr->c.type.owner)
		return 0;
	if (expr->c.bit_width)
		return c_value_fit_bits(expr, type, ctx, column);
	if (!is_string)
		return 0;
	return type->count ? c_value_fit_strings(expr, ctx, column) :
			     c_value_fit_string(expr, ctx, column);
}
