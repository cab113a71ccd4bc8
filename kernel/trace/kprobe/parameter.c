// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What BTF knows of how a function's parameters are passed.
 *
 * $argN counts words. That finds the Nth parameter as long as this one and all
 * before it are passed in a word each, as integers and pointers are. A structure
 * can take two registers, or a piece of the stack and no register, and what comes
 * behind it is elsewhere then (psABI x86-64, 3.2.3; AAPCS64, 6.8.2). Structures of
 * floating point, or with members that are not aligned, are not looked into.
 */
#include <linux/btf.h>
#include <linux/err.h>
#include <linux/string.h>

#include "../trace_btf.h"
#include "argument.h"
#include "parameter.h"

/* Names are looked for in the kernel first: a module may have a function of that name */
static bool is_btf_of(const struct btf *btf, const char *function)
{
	const char *colon = strchr(function, ':');
	const char *module;

	if (!colon)
		return true;
	module = btf_get_name(btf);
	return btf_is_module(btf) && strlen(module) == colon - function &&
	       !strncmp(module, function, colon - function);
}

static bool is_struct_beyond(const struct btf *btf, u32 id, u32 size)
{
	const struct btf_type *type = btf_type_skip_modifiers(btf, id, NULL);

	return type && btf_type_is_struct(type) && type->size > size;
}

static bool is_word(const struct btf *btf, u32 id)
{
	const struct btf_type *type = btf_type_skip_modifiers(btf, id, NULL);
	u32 size;

	if (!type || IS_ERR(btf_resolve_size(btf, type, &size)))
		return true;
	if (BTF_INFO_KIND(type->info) == BTF_KIND_FLOAT)
		return false;
	if (is_struct_beyond(btf, id, ARGUMENT_BY_REFERENCE))
		return true;
	return size && size <= sizeof(long);
}

/* How many parameters there are, how many words before one that is not */
static void count_parameters(const struct btf *btf, const struct btf_type *function,
			     struct probe_parameters *known)
{
	const struct btf_param *parameters;
	s32 i, count;

	parameters = btf_get_func_param(function, &count);
	for (i = 0; i < count && parameters[i].type; i++)
		if (known->words > i && !is_word(btf, parameters[i].type))
			known->words = i;
	/* Behind ... are words, as many as it takes */
	if (i == count)
		known->count = count;
	if (is_struct_beyond(btf, function->type, RETVAL_BY_REFERENCE))
		known->words = 0;
}

/**
 * probe_parameters_find() - find what BTF knows of a function
 * @function:	SYM or MOD:SYM
 * @known:	filled in as far as it does
 *
 * Context: may sleep.
 */
void probe_parameters_find(const char *function, struct probe_parameters *known)
{
	const char *colon = strchr(function, ':');
	const struct btf_type *type;
	struct btf *btf;

	type = btf_find_func_proto(colon ? colon + 1 : function, &btf);
	if (!type)
		return;
	if (is_btf_of(btf, function)) {
		known->returns = type->type;
		count_parameters(btf, type, known);
	}
	btf_put(btf);
}
