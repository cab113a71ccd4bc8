/* SPDX-License-Identifier: GPL-2.0 */
/* Random machine states, and what is compared of them. */
#ifndef _IMAGE_H
#define _IMAGE_H

#include "harness.h"

/**
 * struct image - all an instruction may change
 * @run: registers
 * @data: memory its operands lie in
 * @stack: memory its stack lies in
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
