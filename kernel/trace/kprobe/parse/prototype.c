// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Parameters of a function, and the words they are passed in; passing.c has the rules.
 */
#include <linux/err.h>
#include <linux/limits.h>
#include <linux/overflow.h>
#include <linux/slab.h>

#include "prototype.h"

/* Bytes of the largest aggregate that is returned in registers */
#define RETURNED_IN_REGISTERS	(2 * sizeof(long))

static bool aggregate_is_beyond(const struct probe_c_info *info, unsigned int size)
{
	return probe_c_is_aggregate(info) && info->size > size;
}

static int parameter_init(struct probe_prototype *prototype, unsigned int nr,
			  struct probe_c_type function, const struct probe_lookup *lookup)
{
	struct probe_parameter *parameter = &prototype->parameter[nr];
	struct probe_c_member member;
	struct probe_c_info info;
	int ret;

	ret = prototype->types->member(function, nr, &member);
	if (ret)
		return ret;
	if (prototype->types->describe(member.type, &info))
		info = (struct probe_c_info){};
	parameter->name = member.name;
	parameter->type = member.type;
	parameter->by_reference = aggregate_is_beyond(&info, lookup->by_reference);
	if (parameter->by_reference)
		parameter->words = probe_passing_add_word(&prototype->passing, lookup);
	else
		parameter->words = probe_passing_add(&prototype->passing, member.type, lookup);
	return 0;
}

static bool returns_by_argument(const struct probe_lookup *lookup)
{
	return lookup->return_by_reference != UINT_MAX;
}

/* A small structure: one that is packed may be in memory where others have an address */
static bool returned_in_registers(struct probe_c_type type, const struct probe_lookup *lookup)
{
	return returns_by_argument(lookup) ? probe_passing_follows(type, lookup) :
					     probe_passing_is_integer(type, lookup);
}

static enum probe_error_id returned_refusal(struct probe_c_type type,
					    const struct probe_c_info *info,
					    const struct probe_lookup *lookup)
{
	bool is_read = true;

	if (info->kind == PROBE_C_VOID)
		return PROBE_ERR_NO_RETVAL;
	if (info->kind == PROBE_C_FLOAT)
		is_read = false;
	else if (aggregate_is_beyond(info, RETURNED_IN_REGISTERS))
		is_read = aggregate_is_beyond(info, lookup->return_by_reference);
	else if (probe_c_is_aggregate(info))
		is_read = info->size && returned_in_registers(type, lookup);
	return is_read ? PROBE_ERR_NONE : PROBE_ERR_RETVAL_NOT_WORD;
}

/*
 * The address of a structure to return can be a hidden first argument: that of a big one, or
 * of one that is packed.
 */
static void prototype_init_returned(struct probe_prototype *prototype, struct probe_c_type type,
				    const struct probe_lookup *lookup)
{
	struct probe_c_info info;

	prototype->returned = type;
	if (lookup->types->describe(type, &info))
		return;
	prototype->no_retval = returned_refusal(type, &info, lookup);
	if (aggregate_is_beyond(&info, lookup->return_by_reference))
		prototype->hidden = probe_passing_add_word(&prototype->passing, lookup);
	else if (probe_c_is_aggregate(&info) && returns_by_argument(lookup) &&
		 !probe_passing_follows(type, lookup))
		probe_passing_lose_all(&prototype->passing);
}

static int prototype_init(struct probe_prototype *prototype, struct probe_c_type function,
			  const struct probe_c_info *info, const struct probe_lookup *lookup)
{
	unsigned int i;
	int ret = 0;

	prototype->owner = function.owner;
	prototype->is_variadic = info->is_variadic;
	prototype_init_returned(prototype, info->target, lookup);
	for (i = 0; i < info->count && !ret; i++)
		ret = parameter_init(prototype, i, function, lookup);
	return ret;
}

static struct probe_prototype *prototype_alloc(unsigned int nr)
{
	struct probe_prototype *prototype;

	prototype = kzalloc(struct_size(prototype, parameter, nr), GFP_KERNEL);
	if (!prototype)
		return NULL;
	prototype->nr = nr;
	prototype->passing.knows_registers = true;
	prototype->passing.knows_stack = true;
	return prototype;
}

static enum probe_error_id prototype_refusal(int error)
{
	switch (error) {
	case -EOPNOTSUPP:
		return PROBE_ERR_NOSUP_BTFARG;
	case -ENODATA:
		return PROBE_ERR_NO_MODULE_BTF;
	default:
		return PROBE_ERR_NO_BTF_ENTRY;
	}
}

/* Nothing is known: each argument may be there, in a word of its own. */
static struct probe_prototype *prototype_unknown(int error)
{
	struct probe_prototype *prototype = prototype_alloc(0);

	if (!prototype)
		return ERR_PTR(-ENOMEM);
	prototype->unknown = prototype_refusal(error);
	prototype->is_variadic = true;
	return prototype;
}

static struct probe_prototype *prototype_make(struct probe_c_type function,
					      const struct probe_lookup *lookup)
{
	struct probe_prototype *prototype;
	struct probe_c_info info;
	int ret;

	ret = lookup->types->describe(function, &info);
	if (!ret && info.kind != PROBE_C_FUNCTION)
		ret = -EINVAL;
	prototype = ret ? NULL : prototype_alloc(info.count);
	if (!prototype) {
		lookup->types->release(function.owner);
		return ret ? prototype_unknown(ret) : ERR_PTR(-ENOMEM);
	}
	prototype->types = lookup->types;
	ret = prototype_init(prototype, function, &info, lookup);
	if (!ret)
		return prototype;
	probe_prototype_free(prototype);
	return prototype_unknown(ret);
}

/**
 * probe_prototype_get() - ask for the parameters of a function
 * @function:	the function
 * @location:	the location it was found by
 * @lookup:	the machine
 *
 * A function that nothing is known of may have any parameters. An address is not looked
 * up: nothing says that it is a function's entry.
 *
 * Context: may sleep.
 * Return: the prototype, to be freed with probe_prototype_free(), or -ENOMEM as an error
 *	pointer.
 */
struct probe_prototype *probe_prototype_get(const struct probe_function *function,
					    const struct probe_location *location,
					    const struct probe_lookup *lookup)
{
	struct probe_c_type type;
	int ret = -ENOENT;

	if (location->symbol)
		ret = lookup->prototype(lookup, function, location, &type);
	return ret ? prototype_unknown(ret) : prototype_make(type, lookup);
}

/**
 * probe_prototype_parameter() - which parameter is a word of the arguments part of?
 * @prototype:	the prototype
 * @nr:		number of the word
 *
 * Context: any.
 * Return: the parameter; NULL if it is part of none whose words are known.
 */
const struct probe_parameter *
probe_prototype_parameter(const struct probe_prototype *prototype, unsigned int nr)
{
	const struct probe_parameter *parameter = prototype->parameter;
	unsigned int i;

	for (i = 0; i < prototype->nr; i++, parameter++) {
		if (parameter->words.first && nr >= parameter->words.first &&
		    nr - parameter->words.first < parameter->words.nr)
			return parameter;
	}
	return NULL;
}

/**
 * probe_prototype_free() - free a prototype
 * @prototype: a prototype, or NULL
 *
 * Context: may sleep.
 */
void probe_prototype_free(struct probe_prototype *prototype)
{
	if (prototype && prototype->types)
		prototype->types->release(prototype->owner);
	kfree(prototype);
}
