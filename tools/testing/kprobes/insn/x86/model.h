/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Checks of the model tests. */
#ifndef _MODEL_H
#define _MODEL_H

#include <stdio.h>

struct model {
	unsigned long checks, failed;
};

extern struct model model;

/* Each failure is printed with its line; after a few, they are only counted. */
#define check(condition, what)						\
do {									\
	model.checks++;							\
	if (!(condition) && ++model.failed < 20)			\
		printf("# %s:%d: %s\n", __FILE__, __LINE__, what);	\
} while (0)

/* kinds.c */
void test_kinds(void);
void test_neighbours(void);

/* boundaries.c */
void test_boundaries(void);

#endif
