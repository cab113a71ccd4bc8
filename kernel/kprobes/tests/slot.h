/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef _KERNEL_KPROBES_TESTS_SLOT_H
#define _KERNEL_KPROBES_TESTS_SLOT_H
/*
 * Properties of each architecture's slot_places.S. For C and assembly.
 *
 *	SLOT_FILLED		bytes that slot_fill() is told to fill
 *	SLOT_FILL_HITS		how often that executes the probed instruction
 *	SLOT_LONG		bytes of which most are filled without a probe, in more time
 *				than the scheduler takes from a hog
 */
#ifdef CONFIG_ARM64
#define SLOT_FILLED		16384
#define SLOT_FILL_HITS		SLOT_FILLED
#else
#define SLOT_FILLED		(16 << 20)
#define SLOT_FILL_HITS		1
#endif
#define SLOT_LONG		(16 << 20)

/* Functions that return 1: their number, and the size of one in bytes */
#define SLOT_OTHERS		64
#define SLOT_OTHERS_SIZE	16

#ifndef __ASSEMBLY__
#include <linux/linkage.h>
#include <linux/types.h>

/*
 * Fills memory, either by one instruction that takes long or by one that is executed
 * for each byte. This instruction is probed.
 */
asmlinkage void slot_fill(void *to, u8 byte, unsigned long num);

extern const u8 slot_fill_at[], slot_fill_behind[];

/* Address of the first of the other functions */
extern const u8 slot_others[];

#endif /* __ASSEMBLY__ */
#endif /* _KERNEL_KPROBES_TESTS_SLOT_H */
