/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The probed code of the jump test, in assembly: the compiler cannot change it, and it has
 * no ftrace site.
 */
#include <linux/linkage.h>
#include <linux/objtool.h>
#include <asm/frame.h>
#include <asm/smap.h>

	.text

SYM_FUNC_START(jump_place)
	FRAME_BEGIN
	mov	%edi, %eax
SYM_INNER_LABEL(jump_place_copied, SYM_L_GLOBAL)
	ANNOTATE_NOENDBR
	.byte	0x05, 1, 0, 0, 0	/* add $1, %eax */
SYM_INNER_LABEL(jump_place_call, SYM_L_GLOBAL)
	ANNOTATE_NOENDBR
	call	jump_place_inner
SYM_INNER_LABEL(jump_place_branch, SYM_L_GLOBAL)
	ANNOTATE_NOENDBR
	jmp.d32	1f
	int3
1:
SYM_INNER_LABEL(jump_place_branched_to, SYM_L_GLOBAL)
	ANNOTATE_NOENDBR
	add	$1, %eax
SYM_INNER_LABEL(jump_place_short, SYM_L_GLOBAL)
	ANNOTATE_NOENDBR
	nop
	FRAME_END
	RET
SYM_FUNC_END(jump_place)

SYM_FUNC_START(jump_place_inner)
	add	$1, %eax
	RET
SYM_FUNC_END(jump_place_inner)

SYM_FUNC_START(jump_place_state)
	pushfq
	ASM_STAC
	std
	xorl	%eax, %eax
	stc
SYM_INNER_LABEL(jump_place_stated, SYM_L_GLOBAL)
	ANNOTATE_NOENDBR
	movl	$1, %ecx
	pushfq
	popq	%rax
	cld
	ASM_CLAC
	popfq
	RET
SYM_FUNC_END(jump_place_state)
