// SPDX-License-Identifier: GPL-2.0
/*
 * Compile an expression and its type to a program.
 */
#include <linux/slab.h>
#include <linux/string.h>

#include "expr.h"
#include "program.h"

/* What the value of an expression is before any dereference of it. */
static bool is_text_source(const struct fetch_expr *expr)
{
	return expr->source == FETCH_COMM || expr->source == FETCH_TEXT;
}

/* The outermost dereference is not a step: it reads what is stored. */
static void set_final_read(struct fetch_program *prog,
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
		set_final_read(prog, expr);
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
	set_final_read(prog, expr);
	prog->final = type->count ? FETCH_STORE_STRINGS : FETCH_STORE_STRING;
	prog->user_text = prog->user || type->value->kind == VALUE_USTRING;
	return PROBE_ERR_NONE;
}

/* The name of what a word in a register or in kernel memory points to */
static enum probe_error_id
compile_symstr(struct fetch_program *prog,
	       const struct fetch_expr *expr,
	       const struct arg_type *type)
{
	bool is_word = expr->nr_derefs ? !expr->derefs[0].user :
		       expr->source == FETCH_REGISTER ||
		       expr->source == FETCH_STACK;

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

/* How the program ends, or why it cannot. */
static enum probe_error_id
compile_final(struct fetch_program *prog,
	      const struct fetch_expr *expr,
	      const struct arg_type *type)
{
	if (is_text_source(expr))
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

static int copy_steps(struct fetch_program *prog, const struct fetch_expr *expr)
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

static int copy_text(struct fetch_program *prog, const struct fetch_expr *expr)
{
	if (expr->source != FETCH_SYMBOL && expr->source != FETCH_TEXT)
		return 0;
	prog->text = probe_span_dup(expr->text);
	return prog->text ? 0 : -ENOMEM;
}

static enum fetch_shape find_shape(const struct fetch_program *prog,
				   const struct arg_type *type)
{
	bool is_register = prog->source == FETCH_REGISTER;

	if (prog->source == FETCH_COMM)
		return FETCH_SHAPE_COMM;
	if (prog->nr_steps || type->count || type->bit_width)
		return FETCH_SHAPE_OTHER;
	if (is_register && prog->final == FETCH_STORE_WORD)
		return FETCH_SHAPE_REGISTER;
	if (is_register && prog->final == FETCH_STORE_MEMORY && !prog->user)
		return FETCH_SHAPE_REGISTER_WORD;
	if (prog->source == FETCH_STACK && prog->final == FETCH_STORE_WORD)
		return FETCH_SHAPE_STACK;
	return FETCH_SHAPE_OTHER;
}

/**
 * fetch_program_compile - make a program of an expression
 * @prog:	the result; to be freed with fetch_program_free() in any case
 * @expr:	the expression
 * @type:	type of the argument
 * @ctx:	what it was read in
 * @column:	of the type, for a refusal
 *
 * Context: may sleep.
 * Return: 0 or a negative error.
 */
int fetch_program_compile(struct fetch_program *prog,
			  const struct fetch_expr *expr,
			  const struct arg_type *type,
			  const struct fetch_context *ctx, unsigned int column)
{
	enum probe_error_id refusal;

	*prog = (struct fetch_program){
		.source = expr->source,
		.where = expr->where,
		.value = expr->value,
	};
	refusal = compile_final(prog, expr, type);
	if (refusal)
		return probe_error_set(ctx->err, refusal, column);
	if (copy_steps(prog, expr) || copy_text(prog, expr))
		return probe_error_set(ctx->err, PROBE_ERR_NO_MEMORY, column);
	prog->shape = find_shape(prog, type);
	return 0;
}

/**
 * fetch_program_free - free what a program holds
 * @prog: a program, or one of zeros
 *
 * Context: may sleep.
 */
void fetch_program_free(struct fetch_program *prog)
{
	kfree(prog->steps);
	kfree(prog->text);
}

/**
 * fetch_program_can_fault - does a program read what may not be there?
 * @prog: a compiled program
 *
 * Context: any.
 * Return: true when it may fail to fetch its value.
 */
bool fetch_program_can_fault(const struct fetch_program *prog)
{
	return prog->nr_steps || prog->source == FETCH_STACK ||
	       prog->final == FETCH_STORE_MEMORY ||
	       prog->final == FETCH_STORE_STRING ||
	       prog->final == FETCH_STORE_STRINGS;
}

/**
 * fetch_program_resolve - look up the symbol a program reads
 * @prog:	a compiled program; it may be running
 * @lookup:	the machine
 *
 * A symbol that is not there leaves a program that faults.
 *
 * Context: may sleep.
 * Return: 0, also for a program without a symbol; the look-up's error.
 */
int fetch_program_resolve(struct fetch_program *prog,
			  const struct probe_lookup *lookup)
{
	unsigned long address = 0;
	int ret;

	if (prog->source != FETCH_SYMBOL)
		return 0;
	ret = lookup->symbol_address(lookup, prog->text, &address);
	/* Pairs with READ_ONCE() where the program is run. */
	WRITE_ONCE(prog->value, ret ? 0 : address);
	return ret;
}
