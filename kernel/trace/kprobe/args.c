// SPDX-License-Identifier: GPL-2.0
/*
 * The arguments of a probe: NAME=EXPR:TYPE.
 */
#include <linux/array_size.h>
#include <linux/overflow.h>
#include <linux/slab.h>
#include <linux/sprintf.h>
#include <linux/string.h>

#include "expr.h"
#include "program.h"

/* Fields that every record has already. */
static const char * const reserved_names[] = {
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

/* The pieces of one argument's word. */
struct arg_text {
	struct probe_span	word;
	struct probe_span	name;
	struct probe_span	body;		/* EXPR[:TYPE] */
	struct probe_span	expr;
	struct probe_span	type;		/* empty: none, or after expr */
	bool			has_name;
	bool			has_type;
};

/*
 * A literal string may hold '=' and ':'; of what is not literal the first '='
 * ends the name and the first ':' begins the type.
 */
static struct arg_text split_arg(struct probe_span word)
{
	struct arg_text text = { .word = word, .body = word };
	unsigned int equals = probe_span_find(word, '=');
	unsigned int quote = 0;

	if (equals < probe_span_find(word, '"')) {
		text.has_name = true;
		text.name = probe_span_head(word, equals);
		text.body = probe_span_skip(word, equals + 1);
	}
	if (probe_span_starts(text.body, "\\\"")) {
		quote = probe_span_find_last(text.body, '"');
		quote = quote > 1 ? quote : text.body.len;
	}
	text.type = probe_span_skip(text.body, quote);
	text.type = probe_span_skip(text.type, probe_span_find(text.type, ':'));
	text.expr = probe_span_head(text.body, text.body.len - text.type.len);
	text.has_type = text.type.len > 0;
	if (text.has_type)
		text.type = probe_span_skip(text.type, 1);
	return text;
}

static bool name_is_used(const struct fetch_args *args, const char *name)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(reserved_names); i++) {
		if (!strcmp(name, reserved_names[i]))
			return true;
	}
	for (i = 0; i < args->nr; i++) {
		if (args->arg[i].name && !strcmp(name, args->arg[i].name))
			return true;
	}
	return false;
}

static int check_name(const struct arg_text *text, struct probe_error *err)
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

/* Argument number i, counted from 0, is "arg" i + 1 if it has no name. */
static int name_arg(struct fetch_args *args, unsigned int i,
		    const struct arg_text *text, struct probe_error *err)
{
	unsigned int column = text->word.column;
	int ret = check_name(text, err);
	char *name;

	if (ret)
		return ret;
	name = text->has_name ? probe_span_dup(text->name) :
				kasprintf(GFP_KERNEL, "arg%u", i + 1);
	if (!name)
		return probe_error_set(err, PROBE_ERR_NO_MEMORY, column);
	ret = name_is_used(args, name) ?
		probe_error_set(err, PROBE_ERR_USED_ARG_NAME, column) : 0;
	args->arg[i].name = name;
	return ret;
}

static int check_body(const struct arg_text *text,
		      const struct fetch_context *ctx)
{
	bool is_inside = !ctx->place->is_entry || ctx->place->is_return;

	if (!text->body.len)
		return probe_error_set(ctx->err, PROBE_ERR_NO_ARG_BODY,
				       text->body.column);
	if (text->body.len > PROBE_MAX_ARG_TEXT)
		return probe_error_set(ctx->err, PROBE_ERR_ARG_TOO_LONG,
				       text->body.column);
	if (!probe_span_is(text->word, "$arg*"))
		return 0;
	return probe_error_set(ctx->err, is_inside ? PROBE_ERR_NOFENTRY_ARGS :
						     PROBE_ERR_NOSUP_BTFARG,
			       text->word.column);
}

/*
 * %pd and %pD are the name of a dentry, of a file: the string behind two or
 * three pointers, for which the argument need not be told the offsets.
 */
static int wrap_dentry(struct fetch_expr *expr, const struct fetch_context *ctx,
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

static int parse_type(struct arg_type *type, const struct fetch_expr *expr,
		      const struct arg_text *text,
		      const struct fetch_context *ctx)
{
	bool is_text = expr->source == FETCH_COMM || expr->source == FETCH_TEXT;
	const char *name = is_text ? "string" : PROBE_DEFAULT_TYPE;

	if (text->has_type)
		return arg_type_parse(type, text->type, ctx->err);
	return arg_type_parse(type, probe_span_of(name), ctx->err);
}

static int compile_arg(struct fetch_arg *arg, struct arg_text *text,
		       const struct fetch_context *ctx)
{
	struct fetch_expr expr = {};
	int ret;

	ret = wrap_dentry(&expr, ctx, text);
	if (ret)
		return ret;
	ret = fetch_expr_parse(&expr, ctx, text->expr);
	if (ret)
		return ret;
	ret = parse_type(&arg->type, &expr, text, ctx);
	if (ret)
		return ret;
	ret = fetch_program_compile(&arg->program, &expr, &arg->type, ctx,
				    text->type.column);
	arg->can_fault = fetch_program_can_fault(&arg->program);
	arg->parameter = expr.parameter;
	return ret;
}

static int parse_arg(struct fetch_args *args, unsigned int i,
		     struct probe_span word, const struct fetch_context *ctx)
{
	struct fetch_arg *arg = &args->arg[i];
	struct arg_text text = split_arg(word);
	int ret;

	arg->column = word.column;
	ret = name_arg(args, i, &text, ctx->err);
	if (ret)
		return ret;
	ret = check_body(&text, ctx);
	if (ret)
		return ret;
	arg->text = probe_span_dup(text.body);
	if (!arg->text)
		return probe_error_set(ctx->err, PROBE_ERR_NO_MEMORY,
				       word.column);
	return compile_arg(arg, &text, ctx);
}

static int parse_args(struct fetch_args *args, const struct probe_command *cmd,
		      const struct fetch_context *ctx)
{
	unsigned int i;
	int ret;

	for (i = 0; i < cmd->nr_args; i++) {
		ret = parse_arg(args, i, cmd->args[i], ctx);
		if (ret)
			return ret;
	}
	return fetch_args_layout(args, ctx->err);
}

static bool reads_parameters(const struct fetch_args *args)
{
	unsigned int i;

	for (i = 0; i < args->nr; i++) {
		if (args->arg[i].parameter.is_read)
			return true;
	}
	return false;
}

static int check_parameter(const struct fetch_parameter *parameter,
			   const struct probe_parameters *known,
			   struct probe_error *err)
{
	enum probe_error_id id = PROBE_ERR_NONE;

	if (!parameter->is_read)
		return 0;
	if (parameter->nr == PROBE_RETVAL && !known->returns)
		id = PROBE_ERR_NO_RETVAL;
	else if (parameter->nr > known->count)
		id = PROBE_ERR_NO_BTFARG;
	else if (parameter->nr > known->words)
		id = PROBE_ERR_ARG_NOT_WORD;
	return id ? probe_error_set(err, id, parameter->column) : 0;
}

/**
 * fetch_args_check - does the function have the parameters that arguments read
 * @args:	arguments
 * @place:	of their probe
 * @lookup:	the machine
 * @err:	the first one that is not there, or not in a word of its own
 *
 * To be called when they are defined and when the module of @place has come: it
 * may be another function then.
 *
 * Context: may sleep.
 * Return: 0 or a negative error.
 */
int fetch_args_check(const struct fetch_args *args,
		     const struct probe_place *place,
		     const struct probe_lookup *lookup,
		     struct probe_error *err)
{
	struct probe_parameters known;
	unsigned int i;
	int ret = 0;

	if (!place->symbol || !reads_parameters(args))
		return 0;
	known = lookup->parameters(lookup, place->symbol, place->offset);
	for (i = 0; i < args->nr && !ret; i++)
		ret = check_parameter(&args->arg[i].parameter, &known, err);
	return ret;
}

/**
 * fetch_args_parse - read and compile the arguments of a command
 * @cmd:	a parsed command
 * @place:	its place
 * @lookup:	the machine
 * @err:	why they were refused
 *
 * Symbols they read are not looked up yet: fetch_args_resolve() does.
 *
 * Context: may sleep.
 * Return: the arguments, to be freed with fetch_args_free(), or an ERR_PTR.
 */
struct fetch_args *fetch_args_parse(const struct probe_command *cmd,
				    const struct probe_place *place,
				    const struct probe_lookup *lookup,
				    struct probe_error *err)
{
	struct fetch_context ctx = { place, lookup, err };
	struct fetch_args *args;
	int ret;

	args = kzalloc(struct_size(args, arg, cmd->nr_args), GFP_KERNEL);
	if (!args)
		return ERR_PTR(probe_error_set(err, PROBE_ERR_NO_MEMORY,
					       cmd->place.column));
	args->nr = cmd->nr_args;
	ret = parse_args(args, cmd, &ctx);
	if (!ret)
		ret = fetch_args_check(args, place, lookup, err);
	if (!ret)
		return args;
	fetch_args_free(args);
	return ERR_PTR(ret);
}

/**
 * fetch_args_free - free arguments
 * @args: arguments, or NULL
 *
 * Context: may sleep; nothing may run them any more.
 */
void fetch_args_free(struct fetch_args *args)
{
	unsigned int i;

	if (!args)
		return;
	for (i = 0; i < args->nr; i++) {
		kfree(args->arg[i].name);
		kfree(args->arg[i].text);
		fetch_program_free(&args->arg[i].program);
	}
	kfree(args);
}

/**
 * fetch_args_resolve - look up the symbols that arguments read
 * @args:	arguments; they may be running
 * @lookup:	the machine
 * @err:	the first argument whose symbol is not there
 *
 * To be called when they are defined and when a module has come or gone.  A
 * symbol that is not there leaves an argument that is a fault.
 *
 * Context: may sleep.
 * Return: 0 or a negative error; all of them are looked up in any case.
 */
int fetch_args_resolve(struct fetch_args *args,
		       const struct probe_lookup *lookup,
		       struct probe_error *err)
{
	int ret, first = 0;
	unsigned int i;

	for (i = 0; i < args->nr; i++) {
		struct fetch_arg *arg = &args->arg[i];

		ret = fetch_program_resolve(&arg->program, lookup);
		if (!ret || first)
			continue;
		probe_error_set(err, PROBE_ERR_BAD_MEM_ADDR, arg->column);
		first = ret;
	}
	return first;
}
