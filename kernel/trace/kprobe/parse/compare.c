// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Arguments of probes, compared with each other and with words.
 */
#include <linux/minmax.h>
#include <linux/string.h>

#include "args.h"

/**
 * fetch_args_differ() - find the first difference between fields of two probes
 * @a:	arguments
 * @b:	arguments of the other probe
 *
 * Probes whose fields have the same names and types can share an event.
 *
 * Context: any.
 * Return: 0 if all are the same, else the number, counted from 1, of the first argument
 *	that is different or that only one of them has.
 */
int fetch_args_differ(const struct fetch_args *a, const struct fetch_args *b)
{
	unsigned int i, nr = min(a->nr, b->nr);

	for (i = 0; i < nr; i++) {
		if (strcmp(a->arg[i].name, b->arg[i].name) ||
		    !arg_type_equal(&a->arg[i].type, &b->arg[i].type))
			return i + 1;
	}
	return a->nr == b->nr ? 0 : nr + 1;
}

/**
 * fetch_args_equal() - were the arguments of two probes written alike?
 * @a:	arguments
 * @b:	arguments of the other probe
 *
 * Context: any.
 * Return: true if they were.
 */
bool fetch_args_equal(const struct fetch_args *a, const struct fetch_args *b)
{
	unsigned int i;

	if (a->nr != b->nr)
		return false;
	for (i = 0; i < a->nr; i++) {
		if (strcmp(a->arg[i].name, b->arg[i].name) ||
		    strcmp(a->arg[i].text, b->arg[i].text))
			return false;
	}
	return true;
}

/**
 * fetch_arg_matches() - does a word name this argument?
 * @arg:	an argument
 * @word:	NAME=EXPR[:TYPE], as kprobe_events lists it
 * @len:	length of @word
 *
 * Context: any.
 * Return: true if it does.
 */
bool fetch_arg_matches(const struct fetch_arg *arg, const char *word, size_t len)
{
	size_t name = strlen(arg->name), text = strlen(arg->text);

	return len == name + 1 + text && !memcmp(word, arg->name, name) &&
	       word[name] == '=' && !memcmp(word + name + 1, arg->text, text);
}
