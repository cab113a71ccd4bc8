// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Nearest names: ranked by the number of characters to insert, delete or replace.
 *
 * All symbols of the kernel are ranked when a symbol is refused as unknown. A column of
 * the table of distances is therefore kept in the bits of two words (Myers 1999): a name
 * costs a dozen instructions a character.
 */
#include <linux/minmax.h>
#include <linux/slab.h>
#include <linux/sprintf.h>
#include <linux/string.h>

#include "nearest.h"

/**
 * probe_nearest_begin() - begin a search
 * @nearest:	the search
 * @word:	the word that is no name; it must outlive the search
 *
 * Context: any.
 */
void probe_nearest_begin(struct probe_nearest *nearest, struct probe_span word)
{
	unsigned int i;

	memset(nearest, 0, sizeof(*nearest));
	nearest->word = word;
	nearest->limit = min(1 + word.len / 8, 3u);
	if (word.len > PROBE_NEAREST_WORD)
		return;
	for (i = 0; i < word.len; i++)
		nearest->positions[(unsigned char)word.text[i]] |= 1ULL << i;
}

/*
 * Bit i of @up (@down) says that the distance of the word's first i + 1 characters is by
 * one higher (lower) than that of its first i; both are distances to the part of the name
 * that has been read.
 */
static unsigned int nearest_distance(const struct probe_nearest *nearest, const char *name,
				     unsigned int len)
{
	u64 up = ~0ULL, down = 0, equal, diagonal, across_up, across_down;
	u64 last = 1ULL << (nearest->word.len - 1);
	unsigned int distance = nearest->word.len;

	for (; len; len--, name++) {
		equal = nearest->positions[(unsigned char)*name];
		diagonal = (((equal & up) + up) ^ up) | equal;
		equal |= down;
		across_up = down | ~(diagonal | up);
		across_down = up & diagonal;
		distance += !!(across_up & last);
		distance -= !!(across_down & last);
		across_up = across_up << 1 | 1;
		up = across_down << 1 | ~(equal | across_up);
		down = across_up & equal;
	}
	return distance;
}

/* __x64_sys_read for sys_read */
static bool nearest_is_tail(struct probe_span word, const char *name, unsigned int len)
{
	const char *tail = name + len - word.len;

	return len > word.len && word.len > 4 && tail[-1] == '_' &&
	       !memcmp(tail, word.text, word.len);
}

/**
 * probe_nearest_rank() - how near is a name
 * @nearest:	the search
 * @name:	the name
 *
 * The part of a name that the compiler has added, after a dot, does not count. A word of
 * two characters would be near to too many names.
 *
 * Context: any.
 * Return: 0 for the word itself, up to @nearest->limit for near names, more for others.
 */
unsigned int probe_nearest_rank(const struct probe_nearest *nearest, const char *name)
{
	unsigned int len = strchrnul(name, '.') - name, size = nearest->word.len;

	if (size < 3 || size > PROBE_NEAREST_WORD)
		return PROBE_NEAREST_FAR;
	if (nearest_is_tail(nearest->word, name, len))
		return 1;
	if (len > size + nearest->limit || size > len + nearest->limit)
		return PROBE_NEAREST_FAR;
	return nearest_distance(nearest, name, len);
}

static bool nearest_has(const struct probe_nearest *nearest, const char *name)
{
	unsigned int i;

	for (i = 0; i < nearest->nr; i++)
		if (!strcmp(nearest->name[i], name))
			return true;
	return false;
}

/**
 * probe_nearest_add() - remember a name, if no better ones are known
 * @nearest:	the search
 * @module:	the module of the name, or NULL
 * @name:	the name
 * @rank:	its rank
 *
 * Context: any.
 */
void probe_nearest_add(struct probe_nearest *nearest, const char *module, const char *name,
		       unsigned int rank)
{
	unsigned int i = min(nearest->nr, PROBE_NEAREST_MAX - 1u);
	char full[PROBE_NEAREST_NAME];

	if (snprintf(full, sizeof(full), "%s%s%s", module ?: "", module ? ":" : "",
		     name) >= sizeof(full) || nearest_has(nearest, full))
		return;
	if (nearest->nr == PROBE_NEAREST_MAX && nearest->rank[i] <= rank)
		return;
	for (; i && nearest->rank[i - 1] > rank; i--) {
		nearest->rank[i] = nearest->rank[i - 1];
		memcpy(nearest->name[i], nearest->name[i - 1], sizeof(full));
	}
	nearest->rank[i] = rank;
	memcpy(nearest->name[i], full, sizeof(full));
	nearest->nr += nearest->nr < PROBE_NEAREST_MAX;
}

/**
 * probe_nearest_list() - the names that were found
 * @nearest: the search
 *
 * Context: may sleep.
 * Return: their names, the nearest first, to be freed with kfree(); or NULL if there are
 * none, or if there is no memory.
 */
char *probe_nearest_list(const struct probe_nearest *nearest)
{
	const unsigned int size = PROBE_NEAREST_MAX * (PROBE_NEAREST_NAME + 2);
	char *text = nearest->nr ? kmalloc(size, GFP_KERNEL) : NULL;
	unsigned int i, len = 0;

	if (!text)
		return NULL;
	for (i = 0; i < nearest->nr; i++)
		len += snprintf(text + len, size - len, "%s%s", i ? ", " : "",
				nearest->name[i]);
	return text;
}
