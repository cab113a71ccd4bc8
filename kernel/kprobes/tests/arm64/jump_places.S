/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The probed code of the jump test, in assembly: the compiler cannot change it, and it has
 * no ftrace site. The result of jump_place() is in w8 until the end.
 */
#include <linux/linkage.h>
#include <asm/alternative.h>
#include <asm/assembler.h>
#include <asm/sysreg.h>

	.text

SYM_FUNC_START(jump_place)
	stp	x29, x30, [sp, #-16]!
	mov	x29, sp
	mov	w8, w0
SYM_INNER_LABEL(jump_place_copied, SYM_L_GLOBAL)
	add	w8, w8, #1
SYM_INNER_LABEL(jump_place_call, SYM_L_GLOBAL)
	bl	jump_place_inner
SYM_INNER_LABEL(jump_place_branch, SYM_L_GLOBAL)
	b	1f
	brk	#1
1:
SYM_INNER_LABEL(jump_place_branched_to, SYM_L_GLOBAL)
	add	w8, w8, #1
	ldp	x29, x30, [sp], #16
	mov	w0, w8
SYM_INNER_LABEL(jump_place_short, SYM_L_GLOBAL)
	ret
SYM_FUNC_END(jump_place)

SYM_FUNC_START(jump_place_inner)
	add	w8, w8, #1
	ret
SYM_FUNC_END(jump_place_inner)

	.macro	or_pan
alternative_if ARM64_HAS_PAN
	mrs_s	x2, SYS_PSTATE_PAN
	orr	x0, x0, x2
alternative_else_nop_endif
	.endm

SYM_FUNC_START(jump_place_state)
	alternative_insn nop, SET_PSTATE_PAN(0), ARM64_HAS_PAN
	mov	x2, #0xa0000000			/* N and C */
	msr	nzcv, x2
SYM_INNER_LABEL(jump_place_stated, SYM_L_GLOBAL)
	mov	x1, #1
	mrs	x0, nzcv
	or_pan
	alternative_insn nop, SET_PSTATE_PAN(1), ARM64_HAS_PAN
	ret
SYM_FUNC_END(jump_place_state)
