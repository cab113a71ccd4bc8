/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The output of the oracle: classes, differences, growth. */
#ifndef _REPORT_H
#define _REPORT_H

#include <stdint.h>

struct tally {
	uint64_t insns;
	uint64_t bytes;
};

void report_table(const struct tally *tally, uint64_t insns, uint64_t bytes);
void report_difference(const char *what, const char *name, int want, int got,
		       uint64_t addr, const char *text);
int report_differences(void);
int report_growth(const char *path, const struct tally *tally, uint64_t insns);

#endif
