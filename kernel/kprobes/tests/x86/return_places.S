/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The probed code of the test of redirected returns. The result is 2, or 1 if the probed function
 * returns to return_elsewhere.
 */
#include <linux/linkage.h>
#include <linux/objtool.h>
#include <asm/frame.h>

	.text

SYM_FUNC_START(return_place)
	FRAME_BEGIN
	call	return_probed
	add	$1, %eax
SYM_INNER_LABEL(return_elsewhere, SYM_L_GLOBAL)
	ANNOTATE_NOENDBR
	add	$1, %eax
	FRAME_END
	RET
SYM_FUNC_END(return_place)

SYM_FUNC_START(return_probed)
	xor	%eax, %eax
	RET
SYM_FUNC_END(return_probed)
