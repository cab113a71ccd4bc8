/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Places for the hard cases.
 */
#include <linux/linkage.h>
#include <asm/alternative.h>
#include <asm/asm-extable.h>
#include <asm/asm-offsets.h>
#include <asm/asm-uaccess.h>
#include <asm/assembler.h>
#include <asm/ptrace.h>
#include <asm/sysreg.h>
#include "hard_places.h"

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

	branches hard_b_cond, 0x54000000
	branches hard_bc_cond, 0x54000010

/* A return to there, and not a branch, for which there would have to be a pad */
SYM_FUNC_START(hard_branch)
	msr	nzcv, x0
	ret	x1
SYM_FUNC_END(hard_branch)

SYM_FUNC_START(hard_add)
	at	hard_add_before
	prfm	pstl1keep, [x0]
1:	ldxr	w1, [x0]
	add	w1, w1, #1
	stxr	w2, w1, [x0]
	at	hard_add_behind
	cbnz	w2, 1b
	mov	w0, w1
	ret
SYM_FUNC_END(hard_add)

SYM_FUNC_START(hard_store)
	nop
	at	hard_store_at
	str	x1, [x0]
	nop
	ret
SYM_FUNC_END(hard_store)

SYM_FUNC_START(hard_flags)
	msr	nzcv, xzr
	at	hard_flags_at
	nop
	mrs	x0, nzcv
	ret
SYM_FUNC_END(hard_flags)

SYM_FUNC_START(hard_callee)
	nop
	ret
SYM_FUNC_END(hard_callee)

SYM_FUNC_START(hard_read_user)
	stp	x29, x30, [sp, #-16]!
	mov	x29, sp
	alternative_insn nop, SET_PSTATE_PAN(0), ARM64_HAS_PAN
	uaccess_ttbr0_enable x3, x4, x5
	at	hard_read_copied
	mov	x2, x0
	at	hard_read_emulated
	bl	hard_callee
	mov	x0, #-1
1:	ldr	x0, [x2]
2:	alternative_insn nop, SET_PSTATE_PAN(1), ARM64_HAS_PAN
	uaccess_ttbr0_disable x3, x4
	ldp	x29, x30, [sp], #16
	ret
	_ASM_EXTABLE_UACCESS(1b, 2b)
SYM_FUNC_END(hard_read_user)

SYM_FUNC_START(hard_tags_unchecked)
	stp	x29, x30, [sp, #-16]!
	mov	x29, sp
	SET_PSTATE_TCO(1)
	bl	hard_callee
	mrs_s	x0, HARD_TCO
	SET_PSTATE_TCO(0)
	ldp	x29, x30, [sp], #16
	ret
SYM_FUNC_END(hard_tags_unchecked)

/* What the processor does when it takes an exception, as far as it is seen again */
SYM_FUNC_START(hard_ghost)
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
SYM_FUNC_END(hard_ghost)
