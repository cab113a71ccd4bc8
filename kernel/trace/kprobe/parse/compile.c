// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Compile: from an expression and its type to a program.
 */
#include <linux/slab.h>
#include <linux/string.h>

#include "compile.h"

/* The outermost dereference is no step: it reads what is stored. */
static void compile_final_read(struct fetch_program *prog,
			       const struct fetch_expr *expr)
{
	if (!expr->nr_derefs)
		return;
	prog->offset = expr->derefs[0].offset;
	prog->user = expr->derefs[0].user;
	prog->nr_steps = expr->nr_derefs - 1;
}

static enum probe_error_id
compile_number(struct fetch_program *prog,
	       const struct fetch_expr *expr,
	       const struct arg_type *type)
{
	if (expr->nr_derefs) {
		prog->final = FETCH_STORE_MEMORY;
		compile_final_read(prog, expr);
		return PROBE_ERR_NONE;
	}
	if (type->count)
		return PROBE_ERR_BAD_STRING;
	prog->final = FETCH_STORE_WORD;
	return PROBE_ERR_NONE;
}

/* \ADDR:string is the string at ADDR, as it is with @ADDR. */
static enum probe_error_id
compile_string(struct fetch_program *prog,
	       const struct fetch_expr *expr,
	       const struct arg_type *type)
{
	bool is_address = expr->source == FETCH_VALUE && !type->count;

	if (!expr->nr_derefs && !is_address)
		return PROBE_ERR_BAD_STRING;
	compile_final_read(prog, expr);
	prog->final = type->count ? FETCH_STORE_STRINGS : FETCH_STORE_STRING;
	prog->user_text = prog->user || type->value->kind == VALUE_USTRING;
	return PROBE_ERR_NONE;
}

/* Store the symbol that a word in a register or in kernel memory points to. */
static enum probe_error_id
compile_symstr(struct fetch_program *prog,
	       const struct fetch_expr *expr,
	       const struct arg_type *type)
{
	bool is_word = expr->nr_derefs ? !expr->derefs[0].user :
		       fetch_source_is_word(expr->source);

	if (!is_word)
		return PROBE_ERR_BAD_SYMSTRING;
	if (type->count)
		return PROBE_ERR_BAD_STRING;
	prog->final = FETCH_STORE_SYMSTR;
	prog->nr_steps = expr->nr_derefs;
	return PROBE_ERR_NONE;
}

static enum probe_error_id
compile_text(struct fetch_program *prog,
	     const struct fetch_expr *expr,
	     const struct arg_type *type)
{
	if (type->value->kind != VALUE_STRING || type->count)
		return PROBE_ERR_NEED_STRING_TYPE;
	prog->final = expr->source == FETCH_COMM ? FETCH_STORE_COMM :
						   FETCH_STORE_LITERAL;
	return PROBE_ERR_NONE;
}

/* Choose the final, or say why there is none. */
static enum probe_error_id
compile_final(struct fetch_program *prog,
	      const struct fetch_expr *expr,
	      const struct arg_type *type)
{
	if (fetch_expr_is_text(expr))
		return compile_text(prog, expr, type);
	switch (type->value->kind) {
	case VALUE_STRING:
	case VALUE_USTRING:
		return compile_string(prog, expr, type);
	case VALUE_SYMSTR:
		return compile_symstr(prog, expr, type);
	default:
		return compile_number(prog, expr, type);
	}
}

static int compile_copy_steps(struct fetch_program *prog, const struct fetch_expr *expr)
{
	unsigned int i;

	if (!prog->nr_steps)
		return 0;
	prog->steps = kcalloc(prog->nr_steps, sizeof(*prog->steps), GFP_KERNEL);
	if (!prog->steps)
		return -ENOMEM;
	for (i = 0; i < prog->nr_steps; i++) {
		const struct fetch_deref *deref =
			&expr->derefs[expr->nr_derefs - 1 - i];

		prog->steps[i].offset = deref->offset;
		prog->steps[i].user = deref->user;
	}
	return 0;
}

static int compile_copy_text(struct fetch_program *prog, const struct fetch_expr *expr)
{
	if (expr->source != FETCH_SYMBOL && expr->source != FETCH_TEXT)
		return 0;
	prog->text = probe_span_dup(expr->text);
	return prog->text ? 0 : -ENOMEM;
}

/**
 * fetch_program_compile() - make a program of an expression
 * @prog:	the result; to be freed with fetch_program_free() in any case
 * @expr:	the expression
 * @type:	type of the argument
 * @ctx:	what the argument is read in
 * @column:	column of the type, for a refusal
 *
 * Context: may sleep.
 * Return: 0 or a negative error.
 */
int fetch_program_compile(struct fetch_program *prog,
			  const struct fetch_expr *expr,
			  const struct arg_type *type,
			  struct fetch_context *ctx, unsigned int column)
{
	enum probe_error_id refusal;

	*prog = (struct fetch_program){
		.source = expr->source,
		.when = fetch_context_when(ctx),
		.where = expr->where,
		.value = expr->value,
		.text_max = expr->text_max,
	};
	refusal = compile_final(prog, expr, type);
	if (refusal)
		return probe_error_set(ctx->err, refusal, column);
	if (compile_copy_steps(prog, expr) || compile_copy_text(prog, expr))
		return probe_error_set(ctx->err, PROBE_ERR_NO_MEMORY, column);
	return 0;
}
