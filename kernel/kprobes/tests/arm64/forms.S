/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Forms of instructions, and their runner. Each form has two ends: the code after it,
 * and form_far for forms that branch. The code before it loads the last registers.
 */
#include <linux/linkage.h>
#include <asm/assembler.h>
#include "form_state.h"

	.arch	armv8.5-a+fp+simd+lse+crc+pauth

	.section .bss
	.balign	64
SYM_DATA_START(form_state)
	.skip	FORM_DATA + FORM_WORDS * 8
SYM_DATA_END(form_state)

	.macro	for_pairs op, base
	\op	x0, x1, [\base, #0 * 8]
	\op	x2, x3, [\base, #2 * 8]
	\op	x4, x5, [\base, #4 * 8]
	\op	x6, x7, [\base, #6 * 8]
	\op	x8, x9, [\base, #8 * 8]
	\op	x10, x11, [\base, #10 * 8]
	\op	x12, x13, [\base, #12 * 8]
	\op	x14, x15, [\base, #14 * 8]
	\op	x19, x20, [\base, #19 * 8]
	\op	x21, x22, [\base, #21 * 8]
	\op	x23, x24, [\base, #23 * 8]
	\op	x25, x26, [\base, #25 * 8]
	\op	x27, x28, [\base, #27 * 8]
	\op	x29, x30, [\base, #29 * 8]
	.endm

	/* copies all words of the stack to or from the state at x16; changes x9 to x11 */
	.macro	copy_words from, to
	mov	x9, #0
.Lcopy_\@:
	ldr	x11, [\from, x9]
	str	x11, [\to, x9]
	add	x9, x9, #8
	cmp	x9, #FORM_WORDS * 8
	b.ne	.Lcopy_\@
	.endm

	.text

/*
 * form_run(begin): saves the callee-saved registers, makes a stack of form_state's
 * words, loads flags and registers and jumps to @begin. Memory below the words is
 * free, for the frames of exceptions.
 *
 *	form_sp ->	x19 ... x30, DAIF
 *			words
 *	sp ->		FORM_BELOW words after their beginning
 */
SYM_FUNC_START(form_run)
	stp	x29, x30, [sp, #-112]!
	mov	x29, sp
	stp	x19, x20, [sp, #16]
	stp	x21, x22, [sp, #32]
	stp	x23, x24, [sp, #48]
	stp	x25, x26, [sp, #64]
	stp	x27, x28, [sp, #80]
	mrs	x1, daif
	str	x1, [sp, #96]
	mov	x1, sp
	adr_l	x2, form_sp
	str	x1, [x2]
	adr_l	x16, form_state
	sub	sp, sp, #FORM_WORDS * 8
	mov	x10, sp
	add	x12, x16, #FORM_STACK
	copy_words x12, x10
	add	sp, sp, #FORM_BELOW * 8
	mov	x17, x0
	ldr	q0, [x16, #FORM_VECTOR]
	ldr	x0, [x16, #FORM_FLAGS]
	msr	nzcv, x0
	for_pairs ldp, x16
	/* the code before the form loads x16 and x17 */
	br	x17

/* The far end, the near end, and their common part; flags are saved before they change */
SYM_INNER_LABEL(form_far, SYM_L_GLOBAL)
	hint	#38			/* bti jc */
	stp	x16, x17, [sp, #-32]!
	mov	x17, #2
	b	form_end
form_near:
	stp	x16, x17, [sp, #-32]!
	mov	x17, #1
form_end:
	adr_l	x16, form_state
	str	x17, [x16, #FORM_END]
	mrs	x17, nzcv
	str	x17, [x16, #FORM_FLAGS]
	mrs	x17, daif
	str	x17, [x16, #FORM_DAIF]
	for_pairs stp, x16
	ldp	x9, x10, [sp], #32
	stp	x9, x10, [x16, #16 * 8]
	str	q0, [x16, #FORM_VECTOR]
	adr_l	x9, form_sp
	ldr	x29, [x9]
	sub	x10, x29, #(FORM_WORDS - FORM_BELOW) * 8
	mov	x9, sp
	sub	x9, x9, x10
	str	x9, [x16, #FORM_SP]
	sub	x10, x29, #FORM_WORDS * 8
	add	x12, x16, #FORM_STACK
	copy_words x10, x12
	mov	sp, x29
	ldr	x1, [sp, #96]
	msr	daif, x1
	ldp	x19, x20, [sp, #16]
	ldp	x21, x22, [sp, #32]
	ldp	x23, x24, [sp, #48]
	ldp	x25, x26, [sp, #64]
	ldp	x27, x28, [sp, #80]
	ldp	x29, x30, [sp], #112
	ret
SYM_FUNC_END(form_run)

	.section .bss
SYM_DATA_LOCAL(form_sp, .skip 8)

	/* constants for loads of literals, in text like those of the compiler */
	.text
	.balign	16
SYM_FUNC_START_LOCAL(form_literals)
	.quad	0x8123456789abcdef
	.quad	0x76543210fedcba98
SYM_FUNC_END(form_literals)

	.macro	form class:req, mode:req, insn:req, before=
	.text
	.balign	16
form_\@:
	hint	#38			/* bti jc */
	adr_l	x16, form_state
	ldp	x16, x17, [x16, #16 * 8]
	\before
.Lform_\@:
	\insn
	b	form_near
	.type	form_\@, @function
	.size	form_\@, . - form_\@
	.section .rodata.str1.1, "aMS", @progbits, 1
.Lform_text_\@:
	.asciz	"\before \insn"
	.section .data.rel.ro, "aw"
	.quad	.Lform_\@, .Lform_text_\@
	.ascii	"\mode\class"
	.balign	8
	.text
	.endm

	.section .data.rel.ro, "aw"
	.balign	8
SYM_DATA_START(forms_start)
	.text

	/* emulated: addresses */
	.irp	reg, x0, x18, x29, x30, xzr
	.ifnc	\reg, x18
	form	e, r, "adr \reg, form_far"
	form	e, r, "adr \reg, . + 0xffffc"
	form	e, r, "adr \reg, . - 0x100000"
	form	e, r, "adrp \reg, form_state"
	form	e, r, "adrp \reg, . + 0xfffff000"
	form	e, r, "adrp \reg, . - 0x100000000"
	.endif
	.endr

	/* branches */
	form	e, r, "b form_far"
	form	e, r, "bl form_far"
	.irp	cond, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
	form	e, r, ".inst 0x54000040 | \cond; b form_near; b form_far"
	.endr
	.irp	reg, 0, 5, 16, 17, 30
	form	e, n, "cbz x\reg, form_far"
	form	e, n, "cbz w\reg, form_far"
	form	e, n, "cbnz x\reg, form_far"
	form	e, n, "cbnz w\reg, form_far"
	.endr
	form	e, r, "cbz xzr, form_far"
	form	e, r, "cbnz wzr, form_far"
	.irp	bit, 0, 1, 31, 32, 33, 63
	form	e, r, "tbz x4, #\bit, form_far"
	form	e, r, "tbnz x30, #\bit, form_far"
	form	e, r, "tbnz xzr, #\bit, form_far"
	.endr
	.irp	reg, 0, 1, 9, 15, 16, 17, 29, 30
	form	e, b, "br x\reg"
	form	e, b, "blr x\reg"
	form	e, b, "ret x\reg"
	.endr

	/* loads of literals */
	.irp	reg, 0, 16, 30
	form	e, r, "ldr x\reg, form_literals"
	form	e, r, "ldr w\reg, form_literals"
	form	e, r, "ldr w\reg, form_literals + 4"
	form	e, r, "ldrsw x\reg, form_literals"
	form	e, r, "ldrsw x\reg, form_literals + 4"
	.endr
	form	e, r, "ldr xzr, form_literals"
	form	e, r, "prfm pldl1keep, form_literals"
	form	c, r, "ldr q0, form_literals"
	form	c, r, "ldr d0, form_literals + 8"
	form	c, r, "ldr s0, form_literals + 4"

	/* branches to signed pointers, whose target only the processor can compute */
	form	c, b, "retaa", "paciasp"
	form	c, b, "retab", "pacibsp"
	form	c, b, "braaz x5", "paciza x5"
	form	c, b, "braa x5, x6", "pacia x5, x6"

	/* arithmetic, logic */
	.irp	op, add, adds, sub, subs
	form	c, r, "\op x0, x1, x2"
	form	c, r, "\op w3, w4, w5, lsl #3"
	form	c, r, "\op x6, x7, w8, sxtw #2"
	form	c, r, "\op x9, x10, #0x123"
	form	c, r, "\op w11, w12, #0xfff, lsl #12"
	.endr
	.irp	op, and, ands, orr, eor, bic, orn
	form	c, r, "\op x0, x1, x2"
	form	c, r, "\op w3, w4, w5, ror #7"
	.endr
	.irp	op, adc, adcs, sbc, sbcs, lslv, lsrv, asrv, rorv, udiv, sdiv, smulh, umulh, mul
	form	c, r, "\op x0, x1, x2"
	.endr
	form	c, r, "and x0, x1, #0xff00ff00ff00ff"
	form	c, r, "movz x0, #0x1234, lsl #32"
	form	c, r, "movn x15, #0x1234, lsl #16"
	form	c, r, "movk x29, #0x1234, lsl #48"
	form	c, r, "mov x16, x17"
	form	c, r, "mov x9, x30"
	form	c, r, "mvn x30, x29"
	form	c, r, "madd x0, x1, x2, x3"
	form	c, r, "umaddl x0, w1, w2, x3"
	form	c, r, "ubfx x0, x1, #5, #17"
	form	c, r, "sbfiz x0, x1, #5, #17"
	form	c, r, "bfi x0, x1, #20, #20"
	form	c, r, "extr x0, x1, x2, #13"
	form	c, r, "clz x0, x1"
	form	c, r, "rbit x0, x1"
	form	c, r, "rev x0, x1"
	form	c, r, "crc32x w0, w1, x2"
	form	c, r, "csel x0, x1, x2, lt"
	form	c, r, "csinc x0, x1, x2, hi"
	form	c, r, "cset w0, eq"
	form	c, r, "ccmp x0, x1, #5, ne"
	form	c, r, "ccmn w0, #3, #9, cs"
	form	c, r, "tst x0, #0xf0f0f0f0f0f0f0f0"
	form	c, r, "cmp x0, x1"
	form	c, r, "cmn w2, #77"

	/* memory */
	form	c, m, "ldr x0, [x1]"
	form	c, m, "ldr w0, [x1, #8]"
	form	c, m, "ldr x0, [x1, x2, lsl #3]"
	form	c, m, "ldr x0, [x1, w2, sxtw #3]"
	form	c, m, "ldr x0, [x1], #8"
	form	c, m, "ldr x0, [x1, #-16]!"
	form	c, m, "ldur x0, [x1, #-7]"
	form	c, m, "ldrb w0, [x3, #1]"
	form	c, m, "ldrsb x0, [x3, #2]"
	form	c, m, "ldrh w0, [x3, #2]"
	form	c, m, "ldrsh x0, [x3, #2]"
	form	c, m, "ldrsw x0, [x3, #4]"
	form	c, m, "ldp x4, x5, [x20]"
	form	c, m, "ldpsw x4, x5, [x20, #8]"
	form	c, m, "ldp x4, x5, [x20], #16"
	form	c, m, "ldr q0, [x1, #16]"
	form	c, m, "str x0, [x1]"
	form	c, m, "str w0, [x1, #4]!"
	form	c, m, "strb w0, [x3, x2]"
	form	c, m, "strh w0, [x3], #2"
	form	c, m, "stp x4, x5, [x20, #-16]!"
	form	c, m, "stp xzr, x5, [x20]"
	form	c, m, "str q0, [x1]"
	form	c, r, "stp x29, x30, [sp, #-16]!"
	form	c, r, "ldp x29, x30, [sp], #32"
	form	c, r, "str x0, [sp, #8]"
	form	c, r, "ldr x0, [sp, #16]"
	form	c, r, "add sp, sp, #48"
	form	c, r, "mov x0, x29"
	form	c, m, "ldar x0, [x1]"
	form	c, m, "ldapr x0, [x1]"
	form	c, m, "stlr x0, [x1]"
	form	c, m, "ldadd x4, x5, [x1]"
	form	c, m, "ldaddal w4, w5, [x1]"
	form	c, m, "swpal x4, x5, [x3]"
	form	c, m, "ldset x4, x5, [x3]"
	form	c, m, "ldclrl x4, x5, [x3]"
	form	c, m, "cas x4, x5, [x20]"
	form	c, m, "casp x4, x5, x6, x7, [x20]"
	form	c, m, "prfm pldl1keep, [x1]"

	/* hints, barriers, PSTATE, system registers */
	form	c, r, "nop"
	form	c, r, "yield"
	form	c, r, "csdb"
	form	c, r, "esb"
	form	c, r, "paciasp"
	form	c, r, "autiasp", "paciasp"
	form	c, r, "paciaz"
	form	c, r, "pacia x0, x1"
	form	c, r, "pacga x0, x1, x2"
	form	c, r, "xpaci x0"
	form	c, r, "xpaclri"
	form	c, r, "hint #34"
	form	c, r, "hint #38"
	form	c, r, "dmb ish"
	form	c, r, "dsb sy"
	form	c, r, "isb"
	form	c, r, "sb"
	form	c, r, "clrex"
	form	c, r, "mrs x0, nzcv"
	form	c, r, "msr nzcv, x0"
	form	c, r, "mrs x0, daif"
	form	c, r, "msr daifset, #4"
	form	c, r, "msr daifclr, #4"
	form	c, r, "mrs x0, CurrentEL"
	form	c, r, "mrs x0, tpidr_el1"
	form	c, r, "mrs x0, sp_el0"
	form	c, r, "mrs x0, sctlr_el1"
	form	c, r, "mrs x0, midr_el1"
	form	c, r, "cfinv"
	form	c, r, "rmif x0, #5, #15"
	form	c, r, "setf8 w0"
	form	c, m, "dc cvac, x1"
	.section .data.rel.ro, "aw"
SYM_DATA_END_LABEL(forms_start, SYM_L_GLOBAL, forms_end)
