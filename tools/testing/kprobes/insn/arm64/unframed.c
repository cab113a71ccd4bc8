// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Where functions have no frame record, as the backend sees it.
 *
 *	unframed <WORDS
 *
 * A line of input is a function: its words, in hexadecimal. The line of output has a digit for
 * each, 1 if there is no record.
 */
#include <inttypes.h>

#include "insn.h"

#define MAX_WORDS	262144

bool test_has_bti = true;
unsigned long test_user_end, test_fault_at;

static __le32 words[MAX_WORDS];

static size_t read_function(char *line)
{
	size_t num = 0;
	char *word;

	for (word = strtok(line, " \n"); word && num < MAX_WORDS; word = strtok(NULL, " \n"))
		words[num++] = strtoul(word, NULL, 16);
	return num;
}

int main(void)
{
	static char line[9 * MAX_WORDS + 2];
	size_t num, at;

	while (fgets(line, sizeof(line), stdin)) {
		num = read_function(line);
		for (at = 0; at < num; at++)
			putchar('0' + probe_insn_unframed(words, num, at));
		putchar('\n');
	}
	return 0;
}
