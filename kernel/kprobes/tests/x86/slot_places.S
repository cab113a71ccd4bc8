/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The probed code of the slot test.
 */
#include <linux/linkage.h>
#include <linux/objtool.h>
#include <asm/frame.h>
#include "../slot.h"

	.text

	.macro at name:req
SYM_INNER_LABEL(\name, SYM_L_GLOBAL)
	ANNOTATE_NOENDBR
	.endm

/* The probed instruction and the nops have five bytes, enough for a jump. */
SYM_FUNC_START(slot_fill)
	FRAME_BEGIN
	mov	%esi, %eax
	mov	%rdx, %rcx
	at	slot_fill_at
	rep stosb
	nop
	nop
	nop
	at	slot_fill_behind
	FRAME_END
	RET
SYM_FUNC_END(slot_fill)

	.macro other number:req
SYM_FUNC_START_LOCAL_NOALIGN(slot_other_\number)
	mov	$1, %eax
	RET
	.balign	SLOT_OTHERS_SIZE, 0xcc
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
