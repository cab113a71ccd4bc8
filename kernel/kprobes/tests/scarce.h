/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef _KERNEL_KPROBES_TESTS_SCARCE_H
#define _KERNEL_KPROBES_TESTS_SCARCE_H
/*
 * Memory that is not to be had for a while, whichever task asks for it. Workers make most
 * jumps, but a static stub of KUnit acts only in the task of the test.
 */
#include <kunit/test.h>
#include <linux/kprobe-slot.h>
#include <linux/kprobes.h>

/* Seconds in which there are some tries, and in which one that succeeds is over */
#define SCARCE_TRIES	5
#define SCARCE_END	60

void scarce_begin(struct kunit *test, enum kprobe_slot_kind kind, const void *near);
unsigned int scarce_end(void);
bool scarce_becomes_jump(const struct kprobe *p, unsigned int seconds);

#endif /* _KERNEL_KPROBES_TESTS_SCARCE_H */
