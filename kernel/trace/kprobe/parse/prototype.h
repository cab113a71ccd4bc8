/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prototype: the parameters of a function, and what it returns.
 *
 * The provider of C types describes them; the calling convention says where they are.
 */
#ifndef _TRACE_KPROBE_PROTOTYPE_H
#define _TRACE_KPROBE_PROTOTYPE_H

#include <linux/compiler_attributes.h>
#include <linux/types.h>

#include "c_type.h"
#include "error.h"
#include "function.h"
#include "location.h"
#include "lookup.h"
#include "passing.h"

/**
 * struct probe_parameter - a parameter of a function
 * @name:	its name; NULL if it has none
 * @type:	its type
 * @words:	the words it is passed in
 * @by_reference: the word is its address
 */
struct probe_parameter {
	const char		*name;
	struct probe_c_type	type;
	struct probe_words	words;
	bool			by_reference;
};

/**
 * probe_parameter_in_word() - is a parameter in one word that is known?
 * @parameter: the parameter
 *
 * Context: any.
 * Return: true if that word holds all of it, or its address.
 */
static inline bool probe_parameter_in_word(const struct probe_parameter *parameter)
{
	return parameter->words.first && parameter->words.nr == 1;
}

/**
 * struct probe_prototype - the parameters of a function, and what it returns
 * @types:	the provider of its types; NULL if nothing is known of the function
 * @unknown:	why nothing is known of it, or PROBE_ERR_NONE
 * @owner:	the owner of its types, held until the prototype is freed
 * @returned:	type of what it returns
 * @no_retval:	why what it returns cannot be read, or PROBE_ERR_NONE
 * @is_variadic: it takes further arguments, in any number, or its parameters are not known
 * @hidden:	the word of the address for what it returns, if that is an argument
 * @passing:	the words of all parameters; what further arguments take comes after them
 * @nr:		number of @parameter
 * @parameter:	the parameters, in order
 */
struct probe_prototype {
	const struct probe_c_types	*types;
	enum probe_error_id		unknown;
	const void			*owner;
	struct probe_c_type		returned;
	enum probe_error_id		no_retval;
	bool				is_variadic;
	struct probe_words		hidden;
	struct probe_passing		passing;
	unsigned int			nr;
	struct probe_parameter		parameter[] __counted_by(nr);
};

struct probe_prototype *probe_prototype_get(const struct probe_function *function,
					    const struct probe_location *location,
					    const struct probe_lookup *lookup);
const struct probe_parameter *
probe_prototype_parameter(const struct probe_prototype *prototype, unsigned int nr);
void probe_prototype_free(struct probe_prototype *prototype);

#endif /* _TRACE_KPROBE_PROTOTYPE_H */
