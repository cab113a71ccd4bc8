/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The probed code of the test of redirected returns. The result is 2, or 1 if the probed function
 * returns to return_elsewhere.
 */
#include <linux/linkage.h>

	.text

SYM_FUNC_START(return_place)
	stp	x29, x30, [sp, #-16]!
	mov	x29, sp
	bl	return_probed
	add	w0, w0, #1
SYM_INNER_LABEL(return_elsewhere, SYM_L_GLOBAL)
	add	w0, w0, #1
	ldp	x29, x30, [sp], #16
	ret
SYM_FUNC_END(return_place)

SYM_FUNC_START(return_probed)
	mov	w0, #0
	ret
SYM_FUNC_END(return_probed)
