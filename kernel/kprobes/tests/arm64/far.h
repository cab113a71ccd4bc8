/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef _KERNEL_KPROBES_TESTS_ARM64_FAR_H
#define _KERNEL_KPROBES_TESTS_ARM64_FAR_H
/*
 * The probed code of the trap test, in a module that is loaded while there is no room
 * near the kernel.
 */
#include <linux/types.h>

/**
 * struct far_places - the probed code; see trap_places.h
 * @place: trap_place()
 * @inner: trap_place_inner()
 * @copied: an instruction of @place that is copied
 * @emulated: one that is emulated
 * @inside: the instruction of @place after @copied
 * @inner_copied: an instruction of @inner
 */
struct far_places {
	int		(*place)(int value);
	int		(*inner)(int value);
	const u8	*copied;
	const u8	*emulated;
	const u8	*inside;
	const u8	*inner_copied;
};

#define FAR_MODULE	"kprobes_far_places"

extern const struct far_places kprobes_far_places;

/* An instruction of the test itself, which is near the kernel */
extern const u8 near_insn[];

/* Many others */
extern const u8 many_places[];

#endif /* _KERNEL_KPROBES_TESTS_ARM64_FAR_H */
