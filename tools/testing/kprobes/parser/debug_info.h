/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Debug information made up for the tests: C types and prototypes of the machine.
 */
#ifndef _DEBUG_INFO_H
#define _DEBUG_INFO_H

#include "lookup.h"

extern const struct probe_c_types debug_info_types;
extern long debug_info_held;	/* references to owners of types not released */

int debug_info_prototype(const struct probe_lookup *lookup,
			 const struct probe_function *function,
			 const struct probe_location *location, struct probe_c_type *type);
int debug_info_type(const char *name, struct probe_c_type *type);

#endif /* _DEBUG_INFO_H */
