/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Landing pads and branches to them, in assembly: the compiler cannot change them.
 */
#include <linux/cfi_types.h>
#include <linux/linkage.h>

	.arch	armv8.5-a+pauth

	.text

SYM_TYPED_FUNC_START(landing_bti)
	add	w0, w0, #1
	ret
SYM_FUNC_END(landing_bti)

/* Not SYM_TYPED_FUNC_START(), which would put a BTI C before the PACIASP */
SYM_TYPED_START(landing_pac, SYM_L_GLOBAL, SYM_A_ALIGN)
	paciasp
	stp	x29, x30, [sp, #-16]!
	mov	x29, sp
	add	w0, w0, #1
	ldp	x29, x30, [sp], #16
	autiasp
	ret
SYM_FUNC_END(landing_pac)

SYM_TYPED_START(landing_retaa, SYM_L_GLOBAL, SYM_A_ALIGN)
	paciasp
	stp	x29, x30, [sp, #-16]!
	mov	x29, sp
	add	w0, w0, #1
	ldp	x29, x30, [sp], #16
SYM_INNER_LABEL(landing_retaa_ret, SYM_L_GLOBAL)
	retaa
SYM_FUNC_END(landing_retaa)

/* A branch through x16 or x17 may go to a pad for calls; through others it may not. */
SYM_TYPED_FUNC_START(landing_tail)
	adr	x16, landing_bti
SYM_INNER_LABEL(landing_tail_br, SYM_L_GLOBAL)
	br	x16
SYM_FUNC_END(landing_tail)

SYM_TYPED_FUNC_START(landing_jump)
	adr	x1, landing_jump_pad
SYM_INNER_LABEL(landing_jump_br, SYM_L_GLOBAL)
	br	x1
	brk	#1
SYM_INNER_LABEL(landing_jump_pad, SYM_L_GLOBAL)
	bti	j
	add	w0, w0, #1
	ret
SYM_FUNC_END(landing_jump)
