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

/**
 * struct probe_parameter - a parameter of a function
 * @name:	its name; NULL if it has none
 * @type:	its type
 * @in_word:	one word holds all of it, or its address
 * @by_reference: the word is its address
 * @word:	the word; valid if @in_word
 */
struct probe_parameter {
	const char		*name;
	struct probe_c_type	type;
	bool			in_word;
	bool			by_reference;
	struct probe_word	word;
};

/**
 * struct probe_prototype - the parameters of a function, and what it returns
 * @types:	the provider of its types; NULL if nothing is known of the function
 * @unknown:	why nothing is known of it, or PROBE_ERR_NONE
 * @owner:	the owner of its types, held until the prototype is freed
 * @returned:	type of what it returns
 * @returns:	it returns something, or that is not known
 * @is_variadic: it takes further arguments, in any number, or its parameters are not known
 * @all_words:	each parameter is in one word, so further arguments are words as well
 * @nr:		number of @parameter
 * @parameter:	the parameters, in order
 */
struct probe_prototype {
	const struct probe_c_types	*types;
	enum probe_error_id		unknown;
	const void			*owner;
	struct probe_c_type		returned;
	bool				returns;
	bool				is_variadic;
	bool				all_words;
	unsigned int			nr;
	struct probe_parameter		parameter[] __counted_by(nr);
};

struct probe_prototype *probe_prototype_get(const struct probe_function *function,
					    const struct probe_location *location,
					    const struct probe_lookup *lookup);
void probe_prototype_free(struct probe_prototype *prototype);

#endif /* _TRACE_KPROBE_PROTOTYPE_H */
