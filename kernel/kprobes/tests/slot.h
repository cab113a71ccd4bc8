/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef _KERNEL_KPROBES_TESTS_SLOT_H
#define _KERNEL_KPROBES_TESTS_SLOT_H
/*
 * What each architecture has for the slot test, in slot_places.S. For C and assembly.
 *
 *	SLOT_FILLED		bytes that slot_fill() is given to fill
 *	SLOT_FILL_HITS		how often that executes the probed instruction
 */
#ifdef CONFIG_ARM64
#define SLOT_FILLED		2048
#define SLOT_FILL_HITS		SLOT_FILLED
#else
#define SLOT_FILLED		(16 << 20)
#define SLOT_FILL_HITS		1
#endif

/* Functions that return 1: how many there are, and bytes of one */
#define SLOT_OTHERS		64
#define SLOT_OTHERS_SIZE	16

#ifndef __ASSEMBLY__
#include <linux/linkage.h>
#include <linux/types.h>

/*
 * Fills memory: by one instruction, that lasts, or by one that is executed for
 * each byte. That is where the probe is.
 */
asmlinkage void slot_fill(void *to, u8 byte, unsigned long num);

extern const u8 slot_fill_at[], slot_fill_behind[];

/* Where the first of the others is */
extern const u8 slot_others[];

#endif /* __ASSEMBLY__ */
#endif /* _KERNEL_KPROBES_TESTS_SLOT_H */
