/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Random machine states, and their comparison. */
#ifndef _IMAGE_H
#define _IMAGE_H

#include "harness.h"

/**
 * struct image - the state that an instruction can change
 * @run: registers
 * @data: memory of its operands
 * @stack: memory of its stack
 */
struct image {
	struct run run;
	uint8_t data[DATA_SIZE];
	uint8_t stack[STACK_SIZE];
};

uint64_t image_random(void);
void image_init(void);
void image_fill(struct image *image, char mode, unsigned int round);
void image_put(const struct image *image);
void image_get(struct image *image);
const char *image_compare(const struct image *want, const struct image *got,
			  bool with_xstate);

#endif
