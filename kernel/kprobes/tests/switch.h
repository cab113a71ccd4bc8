/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef _KERNEL_KPROBES_TESTS_SWITCH_H
#define _KERNEL_KPROBES_TESTS_SWITCH_H
/*
 * Switches that are files: writes to them as user space would. A case that turns one
 * begins with make_switch_text().
 */
#include <linux/types.h>

struct kunit;

/* The switch of all probes */
#define SWITCH		"/sys/kernel/debug/kprobes/enabled"

int make_switch_text(struct kunit *test);
int switch_turn(const char *what, bool on);

#endif /* _KERNEL_KPROBES_TESTS_SWITCH_H */
