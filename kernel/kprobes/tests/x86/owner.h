/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef _KERNEL_KPROBES_TESTS_OWNER_H
#define _KERNEL_KPROBES_TESTS_OWNER_H
/*
 * An owner of functions, as live patching is: it redirects those that it has taken.
 */

#define TARGETS		4

/* The return value of every target that the owner has redirected */
#define ELSEWHERE	100

/* Functions to take; target i returns its argument and i + 1 */
extern int (*const ipmodify_targets[TARGETS])(int value);

/* A bit for each target that the owner has */
extern unsigned int owner_has;

/* Give the owner more targets: all in @which, or none and an error */
int owner_take(unsigned int which);

/* Take all targets from the owner */
void owner_drop(void);

#endif /* _KERNEL_KPROBES_TESTS_OWNER_H */
