/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The probed code of the trap test, in assembly: the compiler cannot change it, and
 * it has no ftrace site.
 */
#include <linux/linkage.h>
#include <linux/objtool.h>
#include <asm/frame.h>

	.text

SYM_FUNC_START(trap_place)
	ANNOTATE_NOENDBR
	FRAME_BEGIN
	lea	1(%rdi), %eax
SYM_INNER_LABEL(trap_place_copied, SYM_L_GLOBAL)
	ANNOTATE_NOENDBR
	add	$1, %eax
SYM_INNER_LABEL(trap_place_inside, SYM_L_GLOBAL)
	ANNOTATE_NOENDBR
	nop
SYM_INNER_LABEL(trap_place_emulated, SYM_L_GLOBAL)
	ANNOTATE_NOENDBR
	jmp	1f
	int3
1:
SYM_INNER_LABEL(trap_place_jumped_to, SYM_L_GLOBAL)
	ANNOTATE_NOENDBR
	add	$1, %eax
	FRAME_END
SYM_INNER_LABEL(trap_place_faulting, SYM_L_GLOBAL)
	ANNOTATE_NOENDBR
	RET
SYM_FUNC_END(trap_place)

SYM_FUNC_START(trap_place_inner)
	lea	1(%rdi), %eax
SYM_INNER_LABEL(trap_place_inner_copied, SYM_L_GLOBAL)
	ANNOTATE_NOENDBR
	add	$2, %eax
	RET
SYM_FUNC_END(trap_place_inner)

SYM_FUNC_START(trap_place_loop)
SYM_INNER_LABEL(trap_place_loop_body, SYM_L_GLOBAL)
	ANNOTATE_NOENDBR
	lea	-1(%rdi), %rdi
	test	%rdi, %rdi
	jnz	trap_place_loop_body
	RET
SYM_FUNC_END(trap_place_loop)
