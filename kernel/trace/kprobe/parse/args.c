// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Arguments of a probe, read from words of the form NAME=EXPR:TYPE.
 */
#include <linux/array_size.h>
#include <linux/err.h>
#include <linux/minmax.h>
#include <linux/overflow.h>
#include <linux/slab.h>
#include <linux/sprintf.h>
#include <linux/string.h>

#include "args.h"
#include "compile.h"
#include "expr_parse.h"
#include "variable.h"

/* Names of fields that records have already. */
static const char * const args_reserved_names[] = {
	"common_type",
	"common_flags",
	"common_preempt_count",
	"common_pid",
	"common_tgid",
	"__probe_ip",
	"__probe_func",
	"__probe_ret_ip",
	PROBE_FAULT_FIELD,
};

static bool args_use_name(const struct fetch_args *args, const char *name)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(args_reserved_names); i++) {
		if (!strcmp(name, args_reserved_names[i]))
			return true;
	}
	for (i = 0; i < args->nr; i++) {
		if (args->arg[i].name && !strcmp(name, args->arg[i].name))
			return true;
	}
	return false;
}

static int arg_check_name(const struct arg_text *text, struct probe_error *err)
{
	if (!text->has_name)
		return 0;
	if (!text->name.len)
		return probe_error_set(err, PROBE_ERR_NO_ARG_NAME,
				       text->word.column);
	if (text->name.len > PROBE_MAX_ARG_NAME)
		return probe_error_set(err, PROBE_ERR_ARG_NAME_TOO_LONG,
				       text->word.column);
	if (!probe_span_is_identifier(text->name, '_'))
		return probe_error_set(err, PROBE_ERR_BAD_ARG_NAME,
				       text->word.column);
	return 0;
}

/* Argument number i, counted from 0, is called "arg" i + 1 if it has no name. */
static int args_set_name(struct fetch_args *args, unsigned int i,
			 const struct arg_text *text, struct probe_error *err)
{
	unsigned int column = text->word.column;
	int ret = arg_check_name(text, err);
	char *name;

	if (ret)
		return ret;
	name = text->has_name ? probe_span_dup(text->name) :
				kasprintf(GFP_KERNEL, "arg%u", i + 1);
	if (!name)
		return probe_error_set(err, PROBE_ERR_NO_MEMORY, column);
	ret = args_use_name(args, name) ?
		probe_error_set(err, PROBE_ERR_USED_ARG_NAME, column) : 0;
	args->arg[i].name = name;
	return ret;
}

static int arg_check_body(const struct arg_text *text, struct fetch_context *ctx)
{
	if (!text->body.len)
		return fetch_context_refuse(ctx, PROBE_ERR_NO_ARG_BODY, text->body.column);
	if (text->body.len > PROBE_MAX_ARG_TEXT)
		return fetch_context_refuse(ctx, PROBE_ERR_ARG_TOO_LONG, text->body.column);
	return 0;
}

/* EXPR[:TYPE], as kprobe_events lists it */
static char *arg_make_text(const struct arg_text *text)
{
	return kasprintf(GFP_KERNEL, "%.*s%s%.*s", (int)text->expr.len, text->expr.text,
			 text->has_type ? ":" : "", (int)text->type.len, text->type.text);
}

/*
 * %pd is the name of a dentry, %pD that of a file: a string two or three pointers away, at
 * offsets that the user need not know.
 */
static int arg_wrap_dentry(struct fetch_expr *expr, struct fetch_context *ctx,
			   struct arg_text *text)
{
	bool is_file = probe_span_is(text->type, "%pD");
	struct fetch_deref string = { .column = text->expr.column };
	struct fetch_deref name = { .column = text->expr.column,
				    .offset = ctx->lookup->dentry_name };
	struct fetch_deref dentry = { .column = text->expr.column,
				      .offset = ctx->lookup->file_dentry };

	if (!is_file && !probe_span_is(text->type, "%pd"))
		return 0;
	text->type.text = "string";
	text->type.len = strlen(text->type.text);
	return fetch_expr_deref(expr, ctx, &string) ?:
	       fetch_expr_deref(expr, ctx, &name) ?:
	       (is_file ? fetch_expr_deref(expr, ctx, &dentry) : 0);
}

static const struct value_type *arg_default_type(const struct fetch_expr *expr,
						 const struct fetch_context *ctx)
{
	if (fetch_expr_is_text(expr))
		return value_type_find(probe_span_of("string"));
	if (expr->source == FETCH_CALLER && !expr->nr_derefs)
		return value_type_find(probe_span_of("symbol"));
	return fetch_c_value_type(&expr->c, ctx->lookup->types);
}

static int arg_parse_type(struct arg_type *type, const struct fetch_expr *expr,
			  const struct arg_text *text, const struct fetch_context *ctx)
{
	if (text->has_type)
		return arg_type_parse(type, text->type, ctx->err);
	*type = (struct arg_type){ .value = arg_default_type(expr, ctx) };
	return 0;
}

/* ^EXPR is read when the function is entered, also for its return. */
static int arg_parse_keep(struct arg_text *text, struct fetch_context *ctx)
{
	ctx->at_entry = probe_span_starts(text->expr, "^");
	if (!ctx->at_entry)
		return 0;
	if (!ctx->location->is_return)
		return fetch_context_refuse(ctx, PROBE_ERR_KEEP_ON_PROBE, text->expr.column);
	text->expr = probe_span_skip(text->expr, 1);
	return 0;
}

/**
 * fetch_arg_compile() - compile one argument
 * @arg:	gets type and program, to be freed with fetch_program_free() in any case
 * @expr:	gets the expression; all zero
 * @text:	the argument; a type that stands for something else is replaced
 * @ctx:	what it is read in
 *
 * The word that a program with a source of FETCH_ENTRY reads is not chosen yet. A program
 * of the entry has not been given a place for its value yet.
 *
 * Context: may sleep.
 * Return: 0 or a negative error.
 */
int fetch_arg_compile(struct fetch_arg *arg, struct fetch_expr *expr, struct arg_text *text,
		      struct fetch_context *ctx)
{
	int ret;

	ret = arg_parse_keep(text, ctx) ?: arg_wrap_dentry(expr, ctx, text);
	if (!ret)
		ret = fetch_expr_parse(expr, ctx, text->expr);
	if (!ret)
		ret = arg_parse_type(&arg->type, expr, text, ctx);
	if (!ret)
		ret = fetch_c_value_fit(expr, &arg->type, ctx, text->expr.column);
	if (ret)
		return ret;
	ret = fetch_program_compile(&arg->program, expr, &arg->type, ctx, text->type.column);
	arg->size = arg->type.value->size * max(arg->type.count, 1);
	arg->can_fault = fetch_program_can_fault(&arg->program);
	arg->is_variable = expr->is_variable;
	arg->is_typed = expr->is_typed;
	arg->is_spelled = expr->is_spelled;
	return ret;
}

/* Arguments that read the same word share what is kept of it. */
static void args_keep_word(struct fetch_args *args, struct fetch_program *program,
			   const struct probe_word *word)
{
	unsigned int i = 0;

	while (i < args->nr_kept && !probe_word_equal(&args->kept[i], word))
		i++;
	program->where = i;
	args->kept[i] = *word;
	args->nr_kept = max(args->nr_kept, i + 1);
}

static int args_compile(struct fetch_args *args, unsigned int i, struct arg_text *text,
			struct fetch_context *ctx)
{
	struct fetch_arg *arg = &args->arg[i];
	struct fetch_expr expr = {};
	int ret = fetch_arg_compile(arg, &expr, text, ctx);

	if (!ret && fetch_source_is_entry(arg->program.source))
		args_keep_word(args, &arg->program, &expr.entry);
	return ret || !ctx->at_entry ? ret : fetch_arg_keep(args, arg, ctx);
}

static int args_parse_text(struct fetch_args *args, unsigned int i, struct arg_text *text,
			   struct fetch_context *ctx)
{
	struct fetch_arg *arg = &args->arg[i];
	int ret;

	arg->column = text->word.column;
	arg->body_column = text->body.column;
	ret = args_set_name(args, i, text, ctx->err);
	if (ret)
		return ret;
	ret = arg_check_body(text, ctx);
	if (ret)
		return ret;
	arg->text = arg_make_text(text);
	if (!arg->text)
		return fetch_context_refuse(ctx, PROBE_ERR_NO_MEMORY, text->word.column);
	return args_compile(args, i, text, ctx);
}

/* Each argument of a return probe may read another word of the entry. */
static int args_alloc_kept(struct fetch_args *args, const struct fetch_context *ctx)
{
	if (fetch_context_when(ctx) != FETCH_AT_RETURN)
		return 0;
	args->kept = kcalloc(args->nr, sizeof(*args->kept), GFP_KERNEL);
	return args->kept ? 0 : fetch_context_refuse(ctx, PROBE_ERR_NO_MEMORY, 0);
}

static int args_parse_texts(struct fetch_args *args, struct arg_texts *texts,
			    struct fetch_context *ctx)
{
	unsigned int i;
	int ret = args_alloc_kept(args, ctx);

	for (i = 0; i < texts->nr && !ret; i++)
		ret = args_parse_text(args, i, &texts->text[i], ctx);
	return ret ?: fetch_args_layout(args, ctx->err);
}

static struct fetch_args *args_make(struct arg_texts *texts, struct fetch_context *ctx,
				    unsigned int column)
{
	struct fetch_args *args;
	int ret;

	args = kzalloc(struct_size(args, arg, texts->nr), GFP_KERNEL);
	if (!args)
		return ERR_PTR(fetch_context_refuse(ctx, PROBE_ERR_NO_MEMORY, column));
	args->nr = texts->nr;
	args->head = ctx->location->is_return ? PROBE_RETURN_HEAD : PROBE_ENTRY_HEAD;
	ret = args_parse_texts(args, texts, ctx);
	if (!ret)
		return args;
	fetch_args_free(args);
	return ERR_PTR(ret);
}

/**
 * fetch_args_none() - the arguments of a probe that has none
 * @is_return:	is it a return probe
 *
 * All such probes share them: there can be very many, and nothing in them changes.
 *
 * Context: any.
 * Return: the arguments; fetch_args_free() leaves them alone.
 */
struct fetch_args *fetch_args_none(bool is_return)
{
	/* As fetch_args_layout() would leave them */
	static struct fetch_args at_entry = {
		.head		= PROBE_ENTRY_HEAD,
		.record_size	= PROBE_ENTRY_HEAD,
		.clear		= PROBE_ENTRY_HEAD - sizeof(u64),
	}, at_return = {
		.head		= PROBE_RETURN_HEAD,
		.record_size	= PROBE_RETURN_HEAD,
		.clear		= PROBE_RETURN_HEAD - sizeof(u64),
	};

	return is_return ? &at_return : &at_entry;
}

/**
 * fetch_args_parse() - read and compile the arguments of a command
 * @cmd:	a parsed command
 * @ctx:	what they are read in
 *
 * fetch_args_resolve() looks up the symbols they read, later.
 *
 * Context: may sleep.
 * Return: the arguments, to be freed with fetch_args_free(), or an error pointer.
 */
struct fetch_args *fetch_args_parse(const struct probe_command *cmd,
				    struct fetch_context *ctx)
{
	struct arg_texts *texts = arg_texts_get(cmd, ctx);
	struct fetch_args *args;

	if (IS_ERR(texts))
		return ERR_CAST(texts);
	args = texts->nr ? args_make(texts, ctx, cmd->location.column) :
			   fetch_args_none(ctx->location->is_return);
	kfree(texts);
	return args;
}

/**
 * fetch_args_free() - free arguments
 * @args: arguments, or NULL
 *
 * Context: may sleep; no hit may run them any more.
 */
void fetch_args_free(struct fetch_args *args)
{
	unsigned int i;

	if (!args || !args->nr)
		return;
	for (i = 0; i < args->nr; i++) {
		kfree(args->arg[i].name);
		kfree(args->arg[i].text);
		fetch_program_free(&args->arg[i].program);
		if (args->arg[i].keeper)
			fetch_program_free(args->arg[i].keeper);
		kfree(args->arg[i].keeper);
	}
	kfree(args->moves);
	kfree(args->words);
	kfree(args->kept);
	kfree(args);
}

/*
 * Say that the look-up of an argument's symbol failed with @why. The first @ of the text is the
 * symbol's. A bitfield has one at the end.
 */
static int args_refuse_symbol(const struct fetch_arg *arg, int why, struct probe_error *err)
{
	unsigned int column = arg->body_column + strcspn(arg->text, "@");

	switch (why) {
	case -EADDRNOTAVAIL:
		return probe_error_set(err, PROBE_ERR_NON_UNIQ_SYMBOL, column);
	case -ENXIO:
		return probe_error_set(err, PROBE_ERR_NOT_MEMORY, column);
	default:
		probe_error_set(err, PROBE_ERR_BAD_MEM_ADDR, column);
		return why;
	}
}

/**
 * fetch_args_resolve() - look up the symbols that arguments read
 * @args:	arguments; hits may run them
 * @lookup:	the machine
 * @err:	the first argument whose symbol is not there, not unique, or not of memory
 *
 * Callers call this when the arguments are defined, and again when a module was loaded or
 * goes. An argument faults while its symbol is not there, or not unique.
 *
 * Context: may sleep.
 * Return: 0, or the error of the first argument whose symbol is not unique, or not of memory,
 * else of the first whose symbol is not there; all of them are looked up in any case.
 */
int fetch_args_resolve(struct fetch_args *args, const struct probe_lookup *lookup,
		       struct probe_error *err)
{
	int ret, first = 0;
	unsigned int i;

	for (i = 0; i < args->nr; i++) {
		struct fetch_arg *arg = &args->arg[i];

		ret = fetch_program_resolve(fetch_arg_reader(arg), lookup);
		/* A symbol that is missing may come: one that is wrong goes first */
		if (!ret || first == -EINVAL || (first && ret == -ENOENT))
			continue;
		first = args_refuse_symbol(arg, ret, err);
	}
	return first;
}

/**
 * fetch_args_forget() - forget symbols whose memory is freed
 * @args:	arguments; hits may run them
 * @is_freed:	is an address, 0 included, in the memory that is freed?
 * @data:	passed to @is_freed
 *
 * An argument faults until its symbol is resolved again.
 *
 * Context: any; callers serialize with fetch_args_resolve().
 */
void fetch_args_forget(struct fetch_args *args,
		       bool (*is_freed)(unsigned long address, const void *data),
		       const void *data)
{
	struct fetch_program *program;
	unsigned int i;

	for (i = 0; i < args->nr; i++) {
		program = fetch_arg_reader(&args->arg[i]);
		if (program->source == FETCH_SYMBOL && is_freed(program->value, data))
			WRITE_ONCE(program->value, 0);
	}
}
