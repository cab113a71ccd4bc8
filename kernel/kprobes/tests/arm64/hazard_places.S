/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The probed code of the hard cases.
 */
#include <linux/linkage.h>
#include <asm/alternative.h>
#include <asm/asm-extable.h>
#include <asm/asm-offsets.h>
#include <asm/asm-uaccess.h>
#include <asm/assembler.h>
#include <asm/ptrace.h>
#include <asm/sysreg.h>
#include "hazard_places.h"

	.text

	.macro at name:req
SYM_INNER_LABEL(\name, SYM_L_GLOBAL)
	.endm

	.macro branches name:req, word:req
SYM_FUNC_START_LOCAL(\name\()_function)
	at	\name
	.irp	cond, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
	.inst	\word | 3 << 5 | \cond
	mov	w0, #0
	ret
	mov	w0, #1
	ret
	.endr
SYM_FUNC_END(\name\()_function)
	.endm

	branches hazard_b_cond, 0x54000000
	branches hazard_bc_cond, 0x54000010

/* Uses a return, because a branch would need a landing pad there. */
SYM_FUNC_START(hazard_branch)
	msr	nzcv, x0
	ret	x1
SYM_FUNC_END(hazard_branch)

SYM_FUNC_START(hazard_add)
	at	hazard_add_before
	prfm	pstl1keep, [x0]
1:	ldxr	w1, [x0]
	add	w1, w1, #1
	stxr	w2, w1, [x0]
	at	hazard_add_behind
	cbnz	w2, 1b
	mov	w0, w1
	ret
SYM_FUNC_END(hazard_add)

SYM_FUNC_START(hazard_store)
	nop
	at	hazard_store_at
	str	x1, [x0]
	nop
	ret
SYM_FUNC_END(hazard_store)

SYM_FUNC_START(hazard_flags)
	msr	nzcv, xzr
	at	hazard_flags_at
	nop
	mrs	x0, nzcv
	ret
SYM_FUNC_END(hazard_flags)

SYM_FUNC_START(hazard_callee)
	nop
	ret
SYM_FUNC_END(hazard_callee)

SYM_FUNC_START(hazard_read_user)
	stp	x29, x30, [sp, #-16]!
	mov	x29, sp
	alternative_insn nop, SET_PSTATE_PAN(0), ARM64_HAS_PAN
	uaccess_ttbr0_enable x3, x4, x5
	at	hazard_read_copied
	mov	x2, x0
	at	hazard_read_emulated
	bl	hazard_callee
	mov	x0, #-1
1:	ldr	x0, [x2]
2:	alternative_insn nop, SET_PSTATE_PAN(1), ARM64_HAS_PAN
	uaccess_ttbr0_disable x3, x4
	ldp	x29, x30, [sp], #16
	ret
	_ASM_EXTABLE_UACCESS(1b, 2b)
SYM_FUNC_END(hazard_read_user)

SYM_FUNC_START(hazard_tags_unchecked)
	stp	x29, x30, [sp, #-16]!
	mov	x29, sp
	SET_PSTATE_TCO(1)
	bl	hazard_callee
	mrs_s	x0, HAZARD_TCO
	SET_PSTATE_TCO(0)
	ldp	x29, x30, [sp], #16
	ret
SYM_FUNC_END(hazard_tags_unchecked)

	/* NZCV, DAIF and the fields that the processor has, in x\to; x4 is used */
	.macro	get_state to:req
	mrs	x\to, nzcv
	mrs	x4, daif
	orr	x\to, x\to, x4
alternative_if ARM64_HAS_PAN
	mrs_s	x4, SYS_PSTATE_PAN
	orr	x\to, x\to, x4
alternative_else_nop_endif
alternative_if ARM64_HAS_DIT
	mrs_s	x4, HAZARD_DIT
	orr	x\to, x\to, x4
alternative_else_nop_endif
alternative_if ARM64_MTE
	mrs_s	x4, HAZARD_TCO
	orr	x\to, x\to, x4
alternative_else_nop_endif
	.endm

SYM_FUNC_START(hazard_state)
	mov	x9, x30
	mrs	x10, daif
	msr	daifset, #0xf
	mov	x5, #0xa0000000
	msr	nzcv, x5
	msr	elr_el1, x1
	msr	spsr_el1, x2
alternative_if ARM64_MTE
	SET_PSTATE_TCO(1)
alternative_else_nop_endif
	get_state 6
	at	hazard_state_copied
	mov	x5, x1
	at	hazard_state_adr
	adr	x11, hazard_state
	at	hazard_state_bl
	bl	1f
	mov	x6, #-1
	at	hazard_state_b
1:	b	2f
	mov	x6, #-1
	at	hazard_state_ldr
2:	ldr	w14, 3f
	at	hazard_state_not_taken
	cbz	x30, hazard_state
	get_state 7
	mrs	x12, elr_el1
	mrs	x13, spsr_el1
alternative_if ARM64_MTE
	SET_PSTATE_TCO(0)
alternative_else_nop_endif
	msr	daif, x10
	stp	x6, x7, [x0]
	stp	x12, x13, [x0, #16]
	stp	x5, x11, [x0, #32]
	stp	x30, x14, [x0, #48]
	ret	x9
3:	.long	HAZARD_LITERAL
SYM_FUNC_END(hazard_state)

/* Does what the processor does for an exception, as far as it is visible later. */
SYM_FUNC_START(hazard_ghost)
	mrs	x2, nzcv
	mrs	x3, daif
	orr	x2, x2, x3
alternative_if ARM64_HAS_PAN
	mrs_s	x3, SYS_PSTATE_PAN
	orr	x2, x2, x3
alternative_else_nop_endif
	mrs	x3, CurrentEL
	orr	x2, x2, x3
	orr	x2, x2, #1		/* with a stack of its own */
	adr	x3, 1f
	msr	daifset, #0xf
	msr	spsr_el1, x2
	msr	elr_el1, x3
	msr	esr_el1, x1
	mov	x1, x0
	mov	w0, #0
	isb
	ret	x1
1:	mov	w0, #1
	ret
SYM_FUNC_END(hazard_ghost)
