/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The probed code of the hard cases.
 */
#include <linux/cfi_types.h>
#include <linux/linkage.h>
#include <linux/objtool.h>
#include <asm/asm.h>
#include <asm/nospec-branch.h>
#include <asm/segment.h>
#include <asm/smap.h>

	.text

	.macro at name:req
SYM_INNER_LABEL(\name, SYM_L_GLOBAL)
	ANNOTATE_NOENDBR
	.endm

SYM_TYPED_FUNC_START(hazard_loop)
	mov	%rdi, %rcx
	xor	%eax, %eax
1:	inc	%rax
	at	hazard_loop_at
	loop	1b
	RET
SYM_FUNC_END(hazard_loop)

SYM_TYPED_FUNC_START(hazard_loop_short)
	mov	%rdi, %rcx
	xor	%eax, %eax
1:	inc	%rax
	at	hazard_loop_short_at
	addr32 loop	1b
	/* The upper half of rcx is part of the result. */
	add	%rcx, %rax
	RET
SYM_FUNC_END(hazard_loop_short)

SYM_FUNC_START_LOCAL(hazard_callee)
	mov	$42, %eax
	RET
SYM_FUNC_END(hazard_callee)

/*
 * A return that is one byte too early finds 0xff, the last byte of the call's
 * distance, and continues with inc %eax, clc, nop. A correct return continues with
 * instructions that change nothing.
 */
SYM_FUNC_START(hazard_cs_call)
	at	hazard_cs_call_at
	.byte	0x2e
	call	hazard_callee
	.byte	0xc0, 0xf8, 0x40	/* sar $0x40, %al: by nothing */
	nop
	RET
SYM_FUNC_END(hazard_cs_call)

	STACK_FRAME_NON_STANDARD hazard_ret_callee
SYM_FUNC_START_LOCAL(hazard_ret_callee)
	nop
	at	hazard_ret_at
	ANNOTATE_UNRET_SAFE
	ret	$16
	int3
SYM_FUNC_END(hazard_ret_callee)

	STACK_FRAME_NON_STANDARD hazard_ret
SYM_FUNC_START(hazard_ret)
	push	%rbx
	mov	%rsp, %rbx
	push	$0
	push	$0
	call	hazard_ret_callee
	mov	%rbx, %rax
	sub	%rsp, %rax
	mov	%rbx, %rsp
	pop	%rbx
	RET
SYM_FUNC_END(hazard_ret)

SYM_FUNC_START(hazard_read)
	xor	%eax, %eax
	at	hazard_read_at
1:	mov	(%rdi), %rax
2:	RET
	_ASM_EXTABLE(1b, 2b)
SYM_FUNC_END(hazard_read)

SYM_FUNC_START(hazard_read_user)
	xor	%eax, %eax
	ASM_STAC
	at	hazard_read_user_at
1:	mov	(%rdi), %rax
2:	ASM_CLAC
	RET
	_ASM_EXTABLE_UA(1b, 2b)
SYM_FUNC_END(hazard_read_user)

/* In rcx, rsi, rdi: what a memcpy() of this kind has, and leaves there */
SYM_FUNC_START(hazard_copy_user)
	mov	%rcx, %r8
	mov	%rdx, %rcx
	ASM_STAC
	at	hazard_copy_user_at
	rep movsb
	ASM_CLAC
	mov	%rcx, (%r8)
	mov	%rsi, 8(%r8)
	mov	%rdi, 16(%r8)
	RET
SYM_FUNC_END(hazard_copy_user)

SYM_FUNC_START(hazard_read_bare)
	xor	%eax, %eax
	at	hazard_read_bare_at
	mov	(%rdi), %rax
	at	hazard_read_bare_behind
	RET
SYM_FUNC_END(hazard_read_bare)

	STACK_FRAME_NON_STANDARD hazard_open_callee
SYM_FUNC_START(hazard_open_callee)
	ASM_STAC
	std
	RET
SYM_FUNC_END(hazard_open_callee)

	STACK_FRAME_NON_STANDARD hazard_open
SYM_FUNC_START(hazard_open)
	call	hazard_open_callee
	pushfq
	pop	%rax
	cld
	ASM_CLAC
	RET
SYM_FUNC_END(hazard_open)

	STACK_FRAME_NON_STANDARD hazard_ghost
SYM_FUNC_START(hazard_ghost)
	xor	%eax, %eax
	clc
	pushfq
	pop	%rsi
	mov	%rsp, %rcx
	cli
	push	$__KERNEL_DS
	push	%rcx
	push	%rsi
	push	$__KERNEL_CS
	lea	1f(%rip), %rdx
	push	%rdx
	ANNOTATE_RETPOLINE_SAFE
	jmp	*%rdi
	int3
	/* One byte long, like an int3 */
	stc
1:	ANNOTATE_NOENDBR
	setc	%al
	RET
SYM_FUNC_END(hazard_ghost)

	STACK_FRAME_NON_STANDARD hazard_waits
SYM_FUNC_START_LOCAL(hazard_waits)
	nop
	at	hazard_hlt_at
	hlt
	sti
	at	hazard_sti_hlt_at
	hlt
	at	hazard_mwait_at
	mwait
	RET
SYM_FUNC_END(hazard_waits)

/*
 * The last function of the module; the alternatives come before it. The symbol reaches to the
 * end of the page, which is filled with zeroes. Two zeroes are an instruction. The function
 * begins at an odd address, so the last instruction begins in the last byte of the page. The
 * next page is not mapped.
 */
	.section .text.last, "ax"
	.balign	2
	int3
SYM_FUNC_START_NOALIGN(hazard_last)
	at	hazard_last_at
	mov	$42, %eax
	RET
SYM_FUNC_END(hazard_last)
