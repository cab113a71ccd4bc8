/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Forms of instructions, and their runner. Each form is a function of its own with
 * two ends: the code after it, and form_far for forms that branch.
 */
#include <linux/linkage.h>
#include <linux/objtool.h>
#include <asm/nospec-branch.h>
#include "form_state.h"

	.section .bss
	.balign 64
SYM_DATA_START(form_state)
	.skip	FORM_DATA + FORM_WORDS * 8
SYM_DATA_END(form_state)
SYM_DATA_LOCAL(form_sp, .skip 8)
SYM_DATA(form_first_sp, .skip 8)
SYM_DATA_LOCAL(form_scratch, .skip 8)

	.text

/*
 * form_run(addr): saves the callee-saved registers, makes a stack of form_state's
 * words, loads flags and registers and jumps to @addr. Memory below the words is
 * free, for the frames of interrupts.
 */
	STACK_FRAME_NON_STANDARD form_run
SYM_FUNC_START(form_run)
	push	%rbp
	push	%rbx
	push	%r12
	push	%r13
	push	%r14
	push	%r15
	pushfq
	mov	%rsp, form_sp(%rip)
	lea	-(FORM_WORDS * 8 + 192)(%rsp), %rax
	mov	%rax, form_scratch(%rip)
	mov	%rdi, %rdx
	and	$-64, %rsp
	sub	$(FORM_WORDS * 8), %rsp
	cld
	lea	form_state + FORM_STACK(%rip), %rsi
	mov	%rsp, %rdi
	mov	$FORM_WORDS, %ecx
	rep movsq
	add	$(FORM_BELOW * 8), %rsp
	mov	%rsp, form_first_sp(%rip)
	/* the flags for popfq, and the target of the jump, lie below the words */
	push	form_state + FORM_FLAGS(%rip)
	popfq
	push	%rdx
	lea	8(%rsp), %rsp
	mov	form_state + 0 * 8(%rip), %rax
	mov	form_state + 1 * 8(%rip), %rcx
	mov	form_state + 2 * 8(%rip), %rdx
	mov	form_state + 3 * 8(%rip), %rbx
	mov	form_state + 5 * 8(%rip), %rbp
	mov	form_state + 6 * 8(%rip), %rsi
	mov	form_state + 7 * 8(%rip), %rdi
	mov	form_state + 8 * 8(%rip), %r8
	mov	form_state + 9 * 8(%rip), %r9
	mov	form_state + 10 * 8(%rip), %r10
	mov	form_state + 11 * 8(%rip), %r11
	mov	form_state + 12 * 8(%rip), %r12
	mov	form_state + 13 * 8(%rip), %r13
	mov	form_state + 14 * 8(%rip), %r14
	mov	form_state + 15 * 8(%rip), %r15
	ANNOTATE_RETPOLINE_SAFE
	jmp	*-8(%rsp)

SYM_INNER_LABEL(form_far, SYM_L_GLOBAL)
	ENDBR
	movq	$2, form_state + FORM_END(%rip)
	jmp	form_end
form_near:
	movq	$1, form_state + FORM_END(%rip)
	/* No flag changes before pushfq. */
form_end:
	mov	%rax, form_state + 0 * 8(%rip)
	mov	%rcx, form_state + 1 * 8(%rip)
	mov	%rdx, form_state + 2 * 8(%rip)
	mov	%rbx, form_state + 3 * 8(%rip)
	mov	%rsp, form_state + 4 * 8(%rip)
	mov	%rbp, form_state + 5 * 8(%rip)
	mov	%rsi, form_state + 6 * 8(%rip)
	mov	%rdi, form_state + 7 * 8(%rip)
	mov	%r8, form_state + 8 * 8(%rip)
	mov	%r9, form_state + 9 * 8(%rip)
	mov	%r10, form_state + 10 * 8(%rip)
	mov	%r11, form_state + 11 * 8(%rip)
	mov	%r12, form_state + 12 * 8(%rip)
	mov	%r13, form_state + 13 * 8(%rip)
	mov	%r14, form_state + 14 * 8(%rip)
	mov	%r15, form_state + 15 * 8(%rip)
	/* Far below anything that the form may have left on the stack */
	mov	form_scratch(%rip), %rsp
	pushfq
	popq	form_state + FORM_FLAGS(%rip)
	cli
	cld
	mov	form_sp(%rip), %rsi
	and	$-64, %rsi
	sub	$(FORM_WORDS * 8), %rsi
	lea	form_state + FORM_STACK(%rip), %rdi
	mov	$FORM_WORDS, %ecx
	rep movsq
	mov	form_sp(%rip), %rsp
	popfq
	pop	%r15
	pop	%r14
	pop	%r13
	pop	%r12
	pop	%rbx
	pop	%rbp
	RET
SYM_FUNC_END(form_run)

	.macro form_of class:req, mode:req, insn:req, indirect=0
	.text
	/* Aligned with padding: kCFI writes zeros before functions without pointers to them. */
	SYM_F_ALIGN
	STACK_FRAME_NON_STANDARD form_\@
form_\@:
	ENDBR
.Lform_\@:
	ANNOTATE_NOENDBR
	.if \indirect
	ANNOTATE_RETPOLINE_SAFE
	.endif
	\insn
	jmp	form_near
	.type	form_\@, @function
	.size	form_\@, . - form_\@
	.section .rodata.str1.1, "aMS", @progbits, 1
.Lform_text_\@:
	.asciz	"\insn"
	.section .data.rel.ro, "aw"
	.quad	.Lform_\@, .Lform_text_\@
	.ascii	"\mode\class"
	.balign	8
	.text
	.endm

	.macro form class:req, mode:req, insn:vararg
	form_of	\class, \mode, "\insn"
	.endm

	/* branches that objtool would require to go through a thunk */
	.macro indirect mode:req, insn:vararg
	form_of	e, \mode, "\insn", 1
	.endm

	/* a direct branch to the far end, 32 bits: prefixes, then the opcode */
	.macro branch mode:req, bytes:vararg
	form_of	e, \mode, ".byte \bytes; .long form_far - . - 4"
	.endm

	/* encoded by hand: the assembler may choose the 8-bit form */
	.macro jump32 target:req
	.byte	0xe9
	.long	\target - . - 4
	.endm

	/* the same in 8 bits: over a jump */
	.macro short mode:req, bytes:vararg
	form_of	e, \mode, ".byte \bytes, 5; jump32 form_near; jump32 form_far"
	.endm

	.section .data.rel.ro, "aw"
	.balign	8
SYM_DATA_START(forms_start)

	/* calls: the return address they push is among the compared words */
	branch r, 0xe8
	branch r, 0x2e, 0xe8
	branch r, 0x3e, 0xe8
	branch r, 0x48, 0xe8
	branch r, 0x2e, 0x48, 0xe8
	branch r, 0x2e, 0x2e, 0x3e, 0xe8
	.irp reg, rax, rcx, rdx, rbx, rbp, rsi, rdi, r8, r9, r10, r11, r12, r13, r14, r15
	indirect b, call *%\reg
	indirect b, cs call *%\reg
	indirect b, jmp *%\reg
	.endr
	indirect c, call *(%rsi)
	indirect c, call *16(%rdi)
	indirect c, call *-0x40(%rbp)
	indirect c, call *8(%r12,%rbx,8)
	indirect c, call *(%r13,%r9,4)
	indirect c, call *(%rsp)
	indirect c, call *8(%rsp)
	indirect c, call *(%rsp,%rbx,8)
	indirect c, call *form_state + FORM_DATA(%rip)
	indirect c, jmp *(%rsi)
	indirect c, jmp *8(%rsp)
	indirect c, jmp *-8(%r12,%rbx,8)
	indirect c, jmp *form_state + FORM_DATA(%rip)

	/* jumps */
	branch r, 0xe9
	branch r, 0x2e, 0xe9
	short r, 0xeb
	.irp cc, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
	short r, 0x70 + \cc
	short r, 0x3e, 0x70 + \cc
	branch r, 0x0f, 0x80 + \cc
	branch r, 0x2e, 0x0f, 0x80 + \cc
	.endr
	.irp op, 0xe0, 0xe1, 0xe2, 0xe3
	short n, \op
	short n, 0x67, \op
	.endr

	/* returns, flags, stack pointer */
	indirect c, ret
	indirect c, repz ret
	indirect c, ret $0
	indirect c, ret $8
	indirect c, ret $0x28
	form e, r, pushfq
	form e, r, pushfw
	form e, f, popfq
	form e, f, popfw
	form e, r, cli
	form e, r, sti
	form e, r, push %rsp
	form e, m, pop %rsp

	/* copied: arithmetic, moves, strings, the stack, RIP-relative operands */
	.irp op, add, or, adc, sbb, and, sub, xor, cmp, test, mov, xchg
	form c, r, \op %rax, %rbx
	form c, r, \op %r8d, %r15d
	form c, m, \op %rax, (%rsi)
	form c, m, \op %r10, 8(%r12,%rbx,8)
	form c, m, \op %al, -8(%rbp)
	form c, m, \op %rdx, form_state + FORM_DATA + 16(%rip)
	.endr
	.irp op, add, or, adc, sbb, and, sub, xor, xchg
	form c, m, lock \op %rdx, 8(%rdi)
	.endr
	.irp op, add, cmp, mov
	form c, m, \op form_state + FORM_DATA + 8(%rip), %r11
	form c, m, \op\()l $0x12345678, form_state + FORM_DATA + 24(%rip)
	form c, m, \op\()q $-5, 16(%rsp)
	.endr
	.irp op, inc, dec, neg, not
	form c, r, \op %rax
	form c, m, \op\()l (%r8)
	form c, m, lock \op\()q 8(%rsi)
	form c, m, lock \op\()q form_state + FORM_DATA + 8(%rip)
	.endr
	form c, r, lea 0x10(%rax,%rbx,4), %rcx
	form c, r, lea form_state(%rip), %rcx
	form c, r, lea -8(%rsp), %rdx
	form c, r, movabs $0x123456789abcdef0, %r9
	form c, r, push %rax
	form c, r, push %r12
	form c, r, push $-3
	form c, m, push 8(%rsi)
	form c, m, push form_state + FORM_DATA(%rip)
	form c, r, pop %rax
	form c, r, pop %r13
	form c, m, pop (%rdi)
	form c, r, add $8, %rsp
	form c, r, enter $0, $0
	form c, m, mov %rsp, (%rsi)
	form c, r, mov %rsp, %rax
	form c, r, shl $3, %rax
	form c, r, sar %cl, %rdx
	form c, r, rol %cl, %r9d
	form c, r, shld $5, %rax, %rbx
	form c, r, imul %rax, %rbx
	form c, r, imul $100, %r8, %r9
	form c, r, mul %rbx
	form c, r, bswap %rax
	form c, r, bsf %rax, %rbx
	form c, r, bts $5, %rax
	form c, m, lock btsq $7, (%rsi)
	form c, r, popcnt %rax, %rcx
	form c, r, cmovz %rax, %rbx
	form c, r, cmovnl %r8, %r9
	form c, r, setb %al
	form c, r, movzbl %al, %ebx
	form c, r, movslq %eax, %rbx
	form c, r, cqto
	form c, r, cltq
	form c, r, lahf
	form c, r, sahf
	form c, r, clc
	form c, r, stc
	form c, r, cmc
	form c, r, cld
	form c, r, std
	form c, r, nop
	form c, r, nopl 0(%rax,%rax,1)
	form c, r, pause
	form c, r, lfence
	form c, m, prefetcht0 (%rsi)
	form c, m, clflush (%rsi)
	form c, m, movsb
	form c, m, movsq
	form c, m, stosl
	form c, m, lodsq
	form c, m, cmpsb
	form c, m, scasq
	form c, m, rep movsb
	form c, m, rep stosq
	form c, m, repne scasb
	form c, m, lock cmpxchg %rbx, (%rsi)
	form c, m, lock xadd %rdx, (%rdi)
	form c, m, lock cmpxchg16b (%rdi)
	form c, r, mov %cs, %eax
	form c, r, str %ax
	form c, r, mov %cr0, %rax
	.section .data.rel.ro, "aw"
SYM_DATA_END_LABEL(forms_start, SYM_L_GLOBAL, forms_end)
