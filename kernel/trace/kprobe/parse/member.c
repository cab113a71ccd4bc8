// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Members: ->NAME and .NAME after a variable, each an offset or a dereference.
 *
 * A dot adds the member's offset to an address, an arrow reads a pointer first:
 *
 *	file->f_path.dentry->d_inode	*(*(file + f_path + dentry) + d_inode)
 */
#include <linux/array_size.h>
#include <linux/build_bug.h>
#include <linux/string.h>

#include "variable.h"

/**
 * struct member_walk - the way from a variable to a member
 * @type:	C type of what was reached
 * @in_memory:	it is at an address, and not read yet
 * @member:	the member reached last
 * @deref:	reads what was reached; of a bitfield, the structure it is in
 * @nr:		number of @derefs
 * @derefs:	what was read on the way, the innermost first
 */
struct member_walk {
	struct probe_c_type	type;
	bool			in_memory;
	struct probe_c_member	member;
	struct fetch_deref	deref;
	unsigned int		nr;
	struct fetch_deref	derefs[FETCH_MAX_DEREFS];
};

static enum probe_error_id member_refusal(int error)
{
	switch (error) {
	case -ENOENT:
		return PROBE_ERR_NO_BTF_FIELD;
	case -EOPNOTSUPP:
		return PROBE_ERR_NO_PTR_STRCT;
	default:
		return PROBE_ERR_BAD_BTF_TID;
	}
}

/* What was reached is read: it is a pointer, and an arrow follows. */
static int member_walk_read(struct member_walk *walk, const struct fetch_context *ctx)
{
	if (!walk->in_memory)
		return 0;
	if (walk->nr == ARRAY_SIZE(walk->derefs))
		return fetch_context_refuse(ctx, PROBE_ERR_TOO_MANY_OPS, walk->deref.column);
	walk->derefs[walk->nr++] = walk->deref;
	walk->in_memory = false;
	return 0;
}

static int member_walk_follow(struct member_walk *walk, const struct fetch_context *ctx,
			      unsigned int column)
{
	const struct probe_c_types *types = ctx->lookup->types;
	struct probe_c_info info;
	int ret;

	/* A part of a parameter, or an argument beyond the parameters */
	if (!walk->type.owner)
		return fetch_context_refuse(ctx, PROBE_ERR_NO_PTR_STRCT, column);
	ret = types->describe(walk->type, &info);
	if (ret)
		return fetch_context_refuse(ctx, PROBE_ERR_BAD_BTF_TID, column);
	if (info.kind != PROBE_C_POINTER)
		return fetch_context_refuse(ctx, PROBE_ERR_NO_PTR_STRCT, column);
	ret = member_walk_read(walk, ctx);
	if (ret)
		return ret;
	walk->type = info.target;
	walk->in_memory = true;
	walk->deref = (struct fetch_deref){ .column = column };
	walk->member = (struct probe_c_member){};
	return 0;
}

static int member_walk_enter(struct member_walk *walk, const struct fetch_context *ctx,
			     struct probe_span name)
{
	int ret = probe_c_member_find(ctx->lookup->types, walk->type, name, &walk->member);

	if (ret)
		return fetch_context_refuse(ctx, member_refusal(ret), name.column);
	walk->type = walk->member.type;
	if (!walk->member.bit_width)
		walk->deref.offset += walk->member.bit_offset / 8;
	return 0;
}

/* Take one operator and the member after it off @text. */
static int member_walk_step(struct member_walk *walk, const struct fetch_context *ctx,
			    struct probe_span *text)
{
	bool is_arrow = probe_span_starts(*text, "->");
	struct probe_span rest = probe_span_skip(*text, is_arrow ? 2 : 1);
	struct probe_span name;
	unsigned int end;
	int ret = 0;

	if (!is_arrow && probe_span_starts(*text, "-"))
		return fetch_context_refuse(ctx, PROBE_ERR_BAD_HYPHEN, text->column);
	if (is_arrow)
		ret = member_walk_follow(walk, ctx, rest.column);
	else if (!walk->in_memory)
		return fetch_context_refuse(ctx, PROBE_ERR_NOSUP_DAT_ARG, rest.column);
	if (ret)
		return ret;
	end = fetch_variable_name_end(rest);
	name = probe_span_head(rest, end);
	*text = probe_span_skip(rest, end);
	return member_walk_enter(walk, ctx, name);
}

/* The expression's dereferences are the outermost first. */
static int member_walk_end(const struct member_walk *walk, struct fetch_expr *expr,
			   struct fetch_context *ctx)
{
	unsigned int i = walk->nr;
	int ret;

	expr->c = (struct fetch_c_value){
		.type = walk->type,
		.bit_offset = walk->member.bit_offset,
		.bit_width = walk->member.bit_width,
		.in_memory = true,
	};
	ret = fetch_expr_deref(expr, ctx, &walk->deref);
	while (!ret && i--)
		ret = fetch_expr_deref(expr, ctx, &walk->derefs[i]);
	return ret;
}

/**
 * fetch_member_parse() - read the members after a variable
 * @expr:	the expression whose source is the variable, and that has its type
 * @ctx:	what the expression is read in
 * @text:	the members, from the first operator on
 *
 * Context: may sleep.
 * Return: 0 or a negative error.
 */
int fetch_member_parse(struct fetch_expr *expr, struct fetch_context *ctx,
		       struct probe_span text)
{
	struct member_walk walk = { .type = expr->c.type };
	int ret = 0;

	while (text.len && !ret)
		ret = member_walk_step(&walk, ctx, &text);
	return ret ?: member_walk_end(&walk, expr, ctx);
}
