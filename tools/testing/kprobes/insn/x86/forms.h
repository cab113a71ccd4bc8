/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The instruction forms, assembled; see forms.S for the modes. */
#ifndef _FORMS_H
#define _FORMS_H

#include <stdint.h>

struct form {
	const uint8_t *start;
	const uint8_t *end;
	const char *text;
	char mode;
	char class;
};

extern const struct form forms_start[], forms_end[];

#endif
