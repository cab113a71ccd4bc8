// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The names of the symbols of all modules, as a filter: a name whose bit is not set is the
 * name of none.
 *
 * A kernel with many modules has more symbols in them than in its image, and no order to
 * search them by. A definition has to know that no module has a second symbol of its name,
 * and hardly any module does.
 */
#include <linux/bitmap.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/string.h>
#include <linux/stringhash.h>

#include "../trace.h"
#include "module_names.h"

/* Bits for a name, as a power of two: few other names share one */
#define NAME_SHARE	4

/* [E] NULL if the names are not known */
static unsigned long *module_names;

/* [E] The number of bits is a power of two */
static unsigned int module_names_bits;

static unsigned int module_names_bit(const char *name)
{
	return full_name_hash(NULL, name, strlen(name)) & (module_names_bits - 1);
}

static int module_names_count(void *data, const char *name, unsigned long address)
{
	unsigned int *num = data;

	++*num;
	return 0;
}

static int module_names_note(void *unused, const char *name, unsigned long address)
{
	__set_bit(module_names_bit(name), module_names);
	return 0;
}

static void module_names_make(void)
{
	unsigned int num = 1;

	module_kallsyms_on_each_symbol(NULL, module_names_count, &num);
	module_names_bits = roundup_pow_of_two(num) << NAME_SHARE;
	module_names = kvcalloc(BITS_TO_LONGS(module_names_bits), sizeof(long), GFP_KERNEL);
	if (module_names)
		module_kallsyms_on_each_symbol(NULL, module_names_note, NULL);
}

/**
 * module_names_may_have() - may a module have a symbol of a name?
 * @name: the name
 *
 * Context: event_mutex held.
 * Return: false if none has, but for a module that is coming and was not announced yet.
 */
bool module_names_may_have(const char *name)
{
	lockdep_assert_held(&event_mutex);
	if (!module_names)
		module_names_make();
	return !module_names || test_bit(module_names_bit(name), module_names);
}

/**
 * module_names_forget() - note that a module has come
 *
 * Context: event_mutex held.
 */
void module_names_forget(void)
{
	lockdep_assert_held(&event_mutex);
	kvfree(module_names);
	module_names = NULL;
}
