/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The probed code of the trap test, in assembly: the compiler cannot change it, and
 * it has no ftrace site. The result is in w8, and the argument stays in x0 until the
 * end.
 */
#include <linux/linkage.h>

	.text

SYM_FUNC_START(trap_place)
	add	w8, w0, #1
	stp	x29, x30, [sp, #-16]!
	mov	x29, sp
SYM_INNER_LABEL(trap_place_copied, SYM_L_GLOBAL)
	add	w8, w8, #1
SYM_INNER_LABEL(trap_place_inside, SYM_L_GLOBAL)
	nop
SYM_INNER_LABEL(trap_place_emulated, SYM_L_GLOBAL)
	b	1f
	brk	#1
1:
SYM_INNER_LABEL(trap_place_jumped_to, SYM_L_GLOBAL)
	add	w8, w8, #1
	ldp	x29, x30, [sp], #16
	mov	w1, w0
	mov	w0, w8
SYM_INNER_LABEL(trap_place_faulting, SYM_L_GLOBAL)
	ret
SYM_FUNC_END(trap_place)

SYM_FUNC_START(trap_place_inner)
	add	w8, w0, #1
SYM_INNER_LABEL(trap_place_inner_copied, SYM_L_GLOBAL)
	add	w0, w8, #2
	ret
SYM_FUNC_END(trap_place_inner)

SYM_FUNC_START(trap_place_loop)
SYM_INNER_LABEL(trap_place_loop_body, SYM_L_GLOBAL)
	sub	x0, x0, #1
	cbnz	x0, trap_place_loop_body
	ret
SYM_FUNC_END(trap_place_loop)
