/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef _KERNEL_KPROBES_TESTS_RETURN_PLACES_H
#define _KERNEL_KPROBES_TESTS_RETURN_PLACES_H
/*
 * The probed code of the test of redirected returns, which is in return_places.S.
 */
#include <linux/types.h>

int return_place(void);
int return_probed(void);
extern const u8 return_elsewhere[];

#endif /* _KERNEL_KPROBES_TESTS_RETURN_PLACES_H */
