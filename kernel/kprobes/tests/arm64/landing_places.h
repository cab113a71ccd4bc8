/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef _KERNEL_KPROBES_TESTS_ARM64_LANDING_PLACES_H
#define _KERNEL_KPROBES_TESTS_ARM64_LANDING_PLACES_H
#include <linux/linkage.h>
#include <linux/types.h>

/*
 * landing_places.S: each function returns @value + 1. They begin with BTI C or PACIASP.
 * The last one returns with RETAA, which some processors do not have.
 */
asmlinkage int landing_bti(int value);
asmlinkage int landing_pac(int value);
asmlinkage int landing_retaa(int value);

/* The same, by a BR to landing_bti(), and by a BR to their own BTI J */
asmlinkage int landing_tail(int value);
asmlinkage int landing_jump(int value);

/* Addresses of instructions in them: two BRs, a BTI J, a RETAA */
extern const u8 landing_tail_br[], landing_jump_br[], landing_jump_pad[];
extern const u8 landing_retaa_ret[];

#endif /* _KERNEL_KPROBES_TESTS_ARM64_LANDING_PLACES_H */
