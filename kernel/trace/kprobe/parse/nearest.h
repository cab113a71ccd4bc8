/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Nearest: the known names that a mistyped name may have meant.
 */
#ifndef _TRACE_KPROBE_NEAREST_H
#define _TRACE_KPROBE_NEAREST_H

#include <linux/types.h>

#include "span.h"

#define PROBE_NEAREST_MAX	4	/* names in the answer */
#define PROBE_NEAREST_NAME	112	/* bytes for MOD:SYM; longer names are left out */
#define PROBE_NEAREST_WORD	64	/* characters of a name that can be compared */
#define PROBE_NEAREST_FAR	64	/* the rank of names that are not like it at all */

/**
 * struct probe_nearest - the names that were found to be nearest to a word
 * @word:	the word
 * @limit:	the highest rank that counts as near
 * @nr:		number of names
 * @rank:	of each name, lowest first
 * @name:	the names
 * @positions:	for each character, a bit for each position where @word has it
 *
 * The caller owns it. It is too big for the stack.
 */
struct probe_nearest {
	struct probe_span	word;
	unsigned int		limit;
	unsigned int		nr;
	unsigned int		rank[PROBE_NEAREST_MAX];
	char			name[PROBE_NEAREST_MAX][PROBE_NEAREST_NAME];
	u64			positions[256];
};

void probe_nearest_begin(struct probe_nearest *nearest, struct probe_span word);
unsigned int probe_nearest_rank(const struct probe_nearest *nearest, const char *name);
void probe_nearest_add(struct probe_nearest *nearest, const char *module, const char *name,
		       unsigned int rank);
char *probe_nearest_list(const struct probe_nearest *nearest);

#endif /* _TRACE_KPROBE_NEAREST_H */
