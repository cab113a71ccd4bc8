/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * C type: a type of the probed kernel, as its debug information describes it.
 *
 * A type is opaque to the parser. A table of functions, the provider, describes it: BTF in
 * the kernel, a made-up program in the tests. Typedefs and qualifiers are no types here;
 * the provider looks through them.
 */
#ifndef _TRACE_KPROBE_C_TYPE_H
#define _TRACE_KPROBE_C_TYPE_H

#include <linux/types.h>

#include "span.h"

/* Anonymous structures and unions inside one another that are searched for a member. */
#define PROBE_C_MAX_DEPTH	8

/**
 * struct probe_c_type - a C type
 * @owner:	the set of types it is in, such as those of a module; NULL: no type
 * @id:		its number in that set
 *
 * Only the provider looks into it. It is valid while its owner is held, see
 * struct probe_c_types.
 */
struct probe_c_type {
	const void	*owner;
	u32		id;
};

/**
 * enum probe_c_kind - kinds of C types
 * @PROBE_C_UNKNOWN:	the debug information does not say
 * @PROBE_C_VOID:	no value
 * @PROBE_C_INT:	integer, boolean or character
 * @PROBE_C_ENUM:	enumeration
 * @PROBE_C_FLOAT:	floating point
 * @PROBE_C_POINTER:	pointer
 * @PROBE_C_ARRAY:	array
 * @PROBE_C_STRUCT:	structure
 * @PROBE_C_UNION:	union
 * @PROBE_C_FUNCTION:	function: its members are its parameters
 */
enum probe_c_kind {
	PROBE_C_UNKNOWN,
	PROBE_C_VOID,
	PROBE_C_INT,
	PROBE_C_ENUM,
	PROBE_C_FLOAT,
	PROBE_C_POINTER,
	PROBE_C_ARRAY,
	PROBE_C_STRUCT,
	PROBE_C_UNION,
	PROBE_C_FUNCTION,
};

/**
 * struct probe_c_info - what is known of a C type
 * @kind:	its kind
 * @is_signed:	an integer with a sign
 * @is_variadic: a function that takes any number of further arguments
 * @size:	bytes of a value
 * @count:	number of members, of parameters, or of elements
 * @name:	its name or tag; NULL if it has none
 * @target:	what a pointer points to, an array consists of, or a function returns
 */
struct probe_c_info {
	enum probe_c_kind	kind;
	bool			is_signed;
	bool			is_variadic;
	unsigned int		size;
	unsigned int		count;
	const char		*name;
	struct probe_c_type	target;
};

/* Has the type members? */
static inline bool probe_c_is_aggregate(const struct probe_c_info *info)
{
	return info->kind == PROBE_C_STRUCT || info->kind == PROBE_C_UNION;
}

/**
 * struct probe_c_member - a member of a structure or union, or a parameter
 * @name:	its name; NULL if it has none
 * @type:	its type
 * @bit_offset:	of a member: from the start of the structure
 * @bit_width:	width of a bitfield; 0 for other members
 */
struct probe_c_member {
	const char		*name;
	struct probe_c_type	type;
	unsigned int		bit_offset;
	unsigned int		bit_width;
};

/**
 * struct probe_c_types - a provider of C types
 * @describe:	fill in what is known of a type; 0 or a negative error
 * @member:	fill in member @nr, counted from 0 and less than probe_c_info.count; 0 or
 *		a negative error
 * @release:	end the use of the types of an owner
 *
 * Strings in the answers are valid as long as the owner is held.
 */
struct probe_c_types {
	int (*describe)(struct probe_c_type type, struct probe_c_info *info);
	int (*member)(struct probe_c_type type, unsigned int nr, struct probe_c_member *member);
	void (*release)(const void *owner);
};

int probe_c_member_find(const struct probe_c_types *types, struct probe_c_type type,
			struct probe_span name, struct probe_c_member *found);

#endif /* _TRACE_KPROBE_C_TYPE_H */
