// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The words in which a function gets its parameters (psABI x86-64, 3.2.3; AAPCS64, 6.8.2).
 *
 * Integers and pointers take a word. An aggregate of at most two words goes in registers,
 * or as a whole on the stack if too few are left. A larger one goes on the stack, unless
 * the machine passes its address.
 *
 * Debug information does not tell all: where a value is packed, aligned by an attribute, or
 * has parts that are no integers, nothing is known from there on.
 */
#include <linux/align.h>
#include <linux/errno.h>
#include <linux/minmax.h>

#include "passing.h"

/* Values of more words are passed in memory. */
#define MAX_IN_REGISTERS	2

/**
 * struct value_level - a structure or union that is being walked through
 * @type:	the type
 * @bit_offset:	where it begins in the outermost one
 * @count:	number of its members
 * @next:	number of the next member to look at
 */
struct value_level {
	struct probe_c_type	type;
	unsigned int		bit_offset;
	unsigned int		count;
	unsigned int		next;
};

/**
 * struct value_walk - a walk through all parts of a value
 * @types:	the provider
 * @depth:	number of @levels in use
 * @levels:	the aggregates on the way, the outermost first
 * @align:	alignment of the parts seen, in bytes
 * @end:	bit after the last part seen
 * @is_packed:	a part is not aligned
 */
struct value_walk {
	const struct probe_c_types	*types;
	unsigned int			depth;
	struct value_level		levels[PROBE_C_MAX_DEPTH];
	unsigned int			align;
	unsigned int			end;
	bool				is_packed;
};

static bool value_is_integer(const struct probe_c_info *info)
{
	bool has_kind = info->kind == PROBE_C_INT || info->kind == PROBE_C_ENUM ||
			info->kind == PROBE_C_POINTER;
	bool has_size = info->size && info->size <= 2 * sizeof(long) &&
			!(info->size & (info->size - 1));

	return has_kind && has_size;
}

static int value_walk_enter(struct value_walk *walk, struct probe_c_type type,
			    unsigned int bit_offset, const struct probe_c_info *info)
{
	if (walk->depth == PROBE_C_MAX_DEPTH)
		return -EOPNOTSUPP;
	walk->levels[walk->depth++] = (struct value_level){ type, bit_offset, info->count, 0 };
	return 0;
}

/* All elements of an array are aligned as the first one is. */
static int value_find_element(const struct probe_c_types *types, struct probe_c_type *type,
			      struct probe_c_info *info)
{
	int ret = 0;

	while (!ret && info->kind == PROBE_C_ARRAY) {
		*type = info->target;
		ret = types->describe(*type, info);
	}
	return ret;
}

static int value_walk_part(struct value_walk *walk, struct probe_c_type type,
			   unsigned int bit_offset, unsigned int bit_width)
{
	struct probe_c_info info;
	int ret = walk->types->describe(type, &info);

	if (ret)
		return ret;
	walk->end = max(walk->end, bit_offset + (bit_width ?: info.size * 8));
	ret = value_find_element(walk->types, &type, &info);
	if (ret)
		return ret;
	if (probe_c_is_aggregate(&info))
		return value_walk_enter(walk, type, bit_offset, &info);
	if (!value_is_integer(&info))
		return -EOPNOTSUPP;
	walk->is_packed |= !bit_width && bit_offset % (info.size * 8);
	walk->align = max(walk->align, info.size);
	return 0;
}

static int value_walk_all(struct value_walk *walk, struct probe_c_type type)
{
	int ret = value_walk_part(walk, type, 0, 0);

	/* An aggregate ends where its parts do: what is beyond is padding. */
	if (walk->depth)
		walk->end = 0;
	while (!ret && walk->depth) {
		struct value_level *level = &walk->levels[walk->depth - 1];
		struct probe_c_member member;

		if (level->next == level->count) {
			walk->depth--;
			continue;
		}
		ret = walk->types->member(level->type, level->next++, &member);
		if (!ret)
			ret = value_walk_part(walk, member.type,
					      level->bit_offset + member.bit_offset,
					      member.bit_width);
	}
	return ret;
}

/* Return: alignment in bytes; 0 if the value's place does not follow from its parts. */
static unsigned int value_alignment(struct probe_c_type type, const struct probe_c_types *types)
{
	struct value_walk walk = { .types = types, .align = 1 };
	struct probe_c_info info;

	if (types->describe(type, &info) || value_walk_all(&walk, type) || walk.is_packed)
		return 0;
	/* More than the parts need: an attribute aligns the value, or a part of it. */
	return info.size > ALIGN(walk.end, walk.align * 8) / 8 ? 0 : walk.align;
}

/* A value of two words' alignment begins in an even word, of the stack at least. */
static unsigned int passing_align(unsigned int word, unsigned int align)
{
	return align > sizeof(long) ? ALIGN(word, 2) : word;
}

static bool passing_take_registers(struct probe_passing *passing, struct probe_words *words,
				   unsigned int align, const struct probe_lookup *lookup)
{
	unsigned int first = passing->registers;

	if (lookup->registers_in_order)
		first = passing_align(first, align);
	if (words->nr <= MAX_IN_REGISTERS &&
	    first + words->nr <= lookup->argument_registers) {
		words->first = first + 1;
		passing->registers = first + words->nr;
		return true;
	}
	if (lookup->registers_in_order)
		passing->registers = lookup->argument_registers;
	return false;
}

static void passing_take_stack(struct probe_passing *passing, struct probe_words *words,
			       unsigned int align, const struct probe_lookup *lookup)
{
	unsigned int first = passing_align(passing->stack, align);

	passing->stack = first + words->nr;
	if (passing->knows_stack)
		words->first = lookup->argument_registers + first + 1;
}

/* Where it is not known whether registers are left, the stack is not known either. */
static struct probe_words passing_add_words(struct probe_passing *passing, unsigned int nr,
					    unsigned int align,
					    const struct probe_lookup *lookup)
{
	struct probe_words words = { .nr = nr };

	if (!nr)
		return words;
	if (nr <= MAX_IN_REGISTERS && !passing->knows_registers) {
		passing->knows_stack = false;
		return words;
	}
	if (!passing_take_registers(passing, &words, align, lookup))
		passing_take_stack(passing, &words, align, lookup);
	return words;
}

/* A large value of unknown alignment is on the stack: registers stay known. */
static struct probe_words passing_lose(struct probe_passing *passing, unsigned int nr)
{
	passing->knows_stack = false;
	if (nr <= MAX_IN_REGISTERS)
		passing->knows_registers = false;
	return (struct probe_words){ .nr = nr };
}

/**
 * probe_passing_add_word() - pass a word
 * @passing:	the words so far; gets this one
 * @lookup:	the machine
 *
 * Context: any.
 * Return: the word.
 */
struct probe_words probe_passing_add_word(struct probe_passing *passing,
					  const struct probe_lookup *lookup)
{
	return passing_add_words(passing, 1, sizeof(long), lookup);
}

/**
 * probe_passing_add() - pass a parameter by value
 * @passing:	the words so far; gets those of the parameter
 * @type:	its C type; a type that nothing is known of is taken for a word, as most are
 * @lookup:	the machine
 *
 * Context: as the functions of struct probe_c_types.
 * Return: the words.
 */
struct probe_words probe_passing_add(struct probe_passing *passing, struct probe_c_type type,
				     const struct probe_lookup *lookup)
{
	const unsigned int word = sizeof(long);
	struct probe_c_info info;
	unsigned int nr, align;

	if (lookup->types->describe(type, &info) || info.kind == PROBE_C_UNKNOWN)
		return probe_passing_add_word(passing, lookup);
	nr = (info.size + word - 1) / word;
	align = value_alignment(type, lookup->types);
	return align ? passing_add_words(passing, nr, align, lookup) : passing_lose(passing, nr);
}

/**
 * probe_passing_follows() - does the place of a value follow from its C type?
 * @type:	the type
 * @lookup:	the machine
 *
 * Context: as the functions of struct probe_c_types.
 * Return: true if all of its parts are integers, each aligned as such.
 */
bool probe_passing_follows(struct probe_c_type type, const struct probe_lookup *lookup)
{
	return value_alignment(type, lookup->types);
}

/**
 * probe_passing_is_integer() - has a value no parts that go into registers of their own?
 * @type:	its C type
 * @lookup:	the machine
 *
 * Context: as the functions of struct probe_c_types.
 * Return: true if all of its parts are integers, wherever they are.
 */
bool probe_passing_is_integer(struct probe_c_type type, const struct probe_lookup *lookup)
{
	struct value_walk walk = { .types = lookup->types };

	return !value_walk_all(&walk, type);
}

/**
 * probe_passing_lose_all() - note that the place of no further parameter is known
 * @passing:	the words so far
 *
 * Context: any.
 */
void probe_passing_lose_all(struct probe_passing *passing)
{
	passing->knows_registers = false;
	passing->knows_stack = false;
}

/**
 * probe_passing_knows() - is it known which parameters a word is not part of?
 * @passing:	the words of all parameters
 * @nr:		number of the word
 * @lookup:	the machine
 *
 * Context: any.
 * Return: true if so.
 */
bool probe_passing_knows(const struct probe_passing *passing, unsigned int nr,
			 const struct probe_lookup *lookup)
{
	return nr <= lookup->argument_registers ? passing->knows_registers :
						  passing->knows_stack;
}
