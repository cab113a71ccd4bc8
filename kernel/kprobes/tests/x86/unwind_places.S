/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The probed code of the unwind test: a push and a pop of one byte, and both of two; a window
 * that begins with such a push, and a caller that pushes nothing.
 */
#include <linux/linkage.h>
#include <linux/objtool.h>

	.text

	.macro at name:req
SYM_INNER_LABEL(\name, SYM_L_GLOBAL)
	ANNOTATE_NOENDBR
	.endm

SYM_FUNC_START(unwind_function)
	at	unwind_push
	push	%rbx
	at	unwind_long_push
	push	%r12
	mov	%rdi, %rbx
	at	unwind_jump
	mov	$1, %eax		/* as long as a jmp */
	add	%rbx, %rax
	at	unwind_long_pop
	pop	%r12
	at	unwind_pop
	pop	%rbx
	at	unwind_ret
	RET
SYM_FUNC_END(unwind_function)

SYM_FUNC_START(unwind_window)
	push	%rbx
	mov	%rdi, %rbx
	mov	$1, %eax
	add	%rbx, %rax
	pop	%rbx
	RET
SYM_FUNC_END(unwind_window)

SYM_FUNC_START(unwind_bare)
	call	unwind_window
	at	unwind_bare_returned
	add	$1, %rax
	RET
SYM_FUNC_END(unwind_bare)
