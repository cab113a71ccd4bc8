/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The probed code of the window test, in assembly: the compiler cannot change it, and it has
 * no ftrace site.
 */
#include <linux/linkage.h>
#include <linux/objtool.h>
#include <asm/asm.h>
#include <asm/ibt.h>
#include <asm/nospec-branch.h>

	.text

/* Two instructions of three bytes each */
SYM_FUNC_START(window_place)
	ANNOTATE_NOENDBR
	mov	%edi, %eax
	jmp	window_place_body
SYM_FUNC_END(window_place)

/* No symbol may be inside of a window */
SYM_FUNC_START(window_place_body)
	nop
.Lfirst:
	ANNOTATE_NOENDBR
	add	$1, %eax
.Lsecond:
	ANNOTATE_NOENDBR
	add	$2, %eax
.Lafter:
	ANNOTATE_NOENDBR
	add	$4, %eax
	inc	%eax
.Lthree:
	ANNOTATE_NOENDBR
	inc	%eax
	nop
	dec	%eax
.Lreturn:
	ANNOTATE_NOENDBR
	xchg	%ax, %ax
	dec	%eax
	ANNOTATE_UNRET_SAFE
	ret
	int3
SYM_FUNC_END(window_place_body)

/* The same, but there is a way around the first instruction */
SYM_FUNC_START(window_place_target)
	ANNOTATE_NOENDBR
	mov	%edi, %eax
	test	%edi, %edi
	js	1f
.Ltarget:
	ANNOTATE_NOENDBR
	add	$1, %eax
1:	add	$2, %eax
	nop
	RET
SYM_FUNC_END(window_place_target)

SYM_FUNC_START(window_place_indirect)
	ANNOTATE_NOENDBR
	mov	%edi, %eax
	lea	1f(%rip), %rdx
	test	%eax, %eax
	jz	1f
	ANNOTATE_RETPOLINE_SAFE
	jmp	*%rdx
1:	ENDBR
.Lindirect:
	ANNOTATE_NOENDBR
	add	$1, %eax
	add	$2, %eax
	nop
	RET
SYM_FUNC_END(window_place_indirect)

/* An instruction that is not copied is one of those that a jump would replace */
SYM_FUNC_START(window_place_short)
	ANNOTATE_NOENDBR
	mov	%edi, %eax
.Lshort:
	ANNOTATE_NOENDBR
	add	$3, %eax
	RET
SYM_FUNC_END(window_place_short)

/* The second instruction has an entry in the exception table */
SYM_FUNC_START(window_place_reserved)
	ANNOTATE_NOENDBR
	mov	%edi, %eax
.Lreserved:
	ANNOTATE_NOENDBR
	add	$1, %eax
1:	add	$2, %eax
	nop
2:	RET
	_ASM_EXTABLE(1b, 2b)
SYM_FUNC_END(window_place_reserved)

/* Each slow instruction takes as long as there are bytes; both can be interrupted */
SYM_FUNC_START(window_place_slow)
	ANNOTATE_NOENDBR
	mov	%rsi, %rcx
	mov	%rdi, %rsi
.Lslow:
	ANNOTATE_NOENDBR
	rep lodsb
	mov	%rdx, %rcx
	nop
.Lbefore_slow:
	ANNOTATE_NOENDBR
	mov	%rdx, %rcx
.Linside_slow:
	ANNOTATE_NOENDBR
	rep lodsb
	mov	%rsi, %rax
	RET
SYM_FUNC_END(window_place_slow)

	.section .rodata

.macro WINDOW_ADDRESS name, at
SYM_DATA(\name, .quad \at)
.endm

WINDOW_ADDRESS window_first, .Lfirst
WINDOW_ADDRESS window_second, .Lsecond
WINDOW_ADDRESS window_after, .Lafter
WINDOW_ADDRESS window_three, .Lthree
WINDOW_ADDRESS window_return, .Lreturn
WINDOW_ADDRESS window_target, .Ltarget
WINDOW_ADDRESS window_indirect, .Lindirect
WINDOW_ADDRESS window_short, .Lshort
WINDOW_ADDRESS window_reserved, .Lreserved
WINDOW_ADDRESS window_slow, .Lslow
WINDOW_ADDRESS window_before_slow, .Lbefore_slow
WINDOW_ADDRESS window_inside_slow, .Linside_slow
