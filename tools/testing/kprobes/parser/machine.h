/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A fictitious machine for the tests: x86_64's registers, a few symbols.
 */
#ifndef _MACHINE_H
#define _MACHINE_H

#include "lookup.h"

extern const struct probe_lookup machine;

#endif /* _MACHINE_H */
