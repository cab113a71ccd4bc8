/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The probed code of the slot test.
 */
#include <linux/linkage.h>
#include "../slot.h"

	.text

	.macro at name:req
SYM_INNER_LABEL(\name, SYM_L_GLOBAL)
	.endm

/* Has a frame of its own, so that traces find the caller. */
SYM_FUNC_START(slot_fill)
	stp	x29, x30, [sp, #-16]!
	mov	x29, sp
1:
	at	slot_fill_at
	strb	w1, [x0], #1
	subs	x2, x2, #1
	b.ne	1b
	at	slot_fill_behind
	ldp	x29, x30, [sp], #16
	ret
SYM_FUNC_END(slot_fill)

	.macro other number:req
SYM_FUNC_START_LOCAL(slot_other_\number)
	mov	w0, #1
	ret
	.balign	SLOT_OTHERS_SIZE
SYM_FUNC_END(slot_other_\number)
	.endm

	.balign	SLOT_OTHERS_SIZE
	at	slot_others
	.altmacro
	.set	number, 0
	.rept	SLOT_OTHERS
	other	%number
	.set	number, number + 1
	.endr
	.noaltmacro
