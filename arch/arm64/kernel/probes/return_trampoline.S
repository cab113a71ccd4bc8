/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The trampoline to which a function with a return probe returns.
 */
#include <linux/linkage.h>
#include <asm/alternative.h>
#include <asm/asm-offsets.h>
#include <asm/asm-uaccess.h>
#include <asm/assembler.h>
#include <asm/sysreg.h>

/* Fields of PSTATE that only some processors have; asm/sysreg.h defines PAN */
#define FIELD_DIT	sys_reg(3, 3, 4, 2, 5)
#define FIELD_TCO	sys_reg(3, 3, 4, 2, 7)

/* The bit number of PSR_PAN_BIT */
#define PAN_SHIFT	22

/*
 * PSTATE as an exception would have saved it. All readable fields are read: NZCV,
 * DAIF, CurrentEL, SPSel, and PAN, DIT and TCO where the processor has them. SSBS is
 * left out: a processor may have the field without an instruction that reads it.
 * BTYPE, IL and SS are zero after a return.
 */
	.macro	or_pstate field
	mrs_s	x2, \field
	orr	x1, x1, x2
	.endm

	/* Without PAN another table closes user memory; the PAN bit then stands for that */
	.macro	or_emulated_pan
#ifdef CONFIG_ARM64_SW_TTBR0_PAN
alternative_if_not ARM64_HAS_PAN
	mrs	x2, ttbr0_el1
	tst	x2, #TTBR_ASID_MASK
	cset	x2, eq
	orr	x1, x1, x2, lsl #PAN_SHIFT
alternative_else_nop_endif
#endif
	.endm

	.macro	read_pstate
	mrs	x1, nzcv
	mrs	x2, daif
	orr	x1, x1, x2
	mrs	x2, CurrentEL
	orr	x1, x1, x2
	mrs	x2, SPSel
	orr	x1, x1, x2
alternative_if ARM64_HAS_PAN
	or_pstate SYS_PSTATE_PAN
alternative_else_nop_endif
	or_emulated_pan
alternative_if ARM64_HAS_DIT
	or_pstate FIELD_DIT
alternative_else_nop_endif
alternative_if ARM64_MTE
	or_pstate FIELD_TCO
alternative_else_nop_endif
	.endm

	/* Set the state that handlers run in, as an exception would */
	.macro	set_pstate
	alternative_insn nop, SET_PSTATE_PAN(1), ARM64_HAS_PAN
#ifdef CONFIG_ARM64_SW_TTBR0_PAN
	/* If user memory is closed, the table stays: it need not be the empty one */
	ldr	x1, [sp, #S_PSTATE]
	tbnz	x1, #PAN_SHIFT, 1f
	uaccess_ttbr0_disable x1, x2
1:
#endif
	alternative_insn nop, SET_PSTATE_TCO(0), ARM64_MTE
	.endm

	/* Restore the state of the return from x0 */
	.macro	restore_pstate
	msr	nzcv, x0
alternative_if ARM64_HAS_PAN
	msr_s	SYS_PSTATE_PAN, x0
alternative_else_nop_endif
#ifdef CONFIG_ARM64_SW_TTBR0_PAN
	tbnz	x0, #PAN_SHIFT, 1f
	uaccess_ttbr0_enable x1, x2, x3
1:
#endif
alternative_if ARM64_MTE
	msr_s	FIELD_TCO, x0
alternative_else_nop_endif
	.endm

	.macro	for_pairs op
	\op	x2, x3, [sp, #S_X2]
	\op	x4, x5, [sp, #S_X4]
	\op	x6, x7, [sp, #S_X6]
	\op	x8, x9, [sp, #S_X8]
	\op	x10, x11, [sp, #S_X10]
	\op	x12, x13, [sp, #S_X12]
	\op	x14, x15, [sp, #S_X14]
	\op	x16, x17, [sp, #S_X16]
	\op	x18, x19, [sp, #S_X18]
	\op	x20, x21, [sp, #S_X20]
	\op	x22, x23, [sp, #S_X22]
	\op	x24, x25, [sp, #S_X24]
	\op	x26, x27, [sp, #S_X26]
	\op	x28, x29, [sp, #S_X28]
	.endm

	.text

/*
 *	sp + PT_REGS_SIZE	sp of the return
 *	     S_STACKFRAME	x29, our own address: a frame record
 *	     S_PC, S_PSTATE	pc set to the caller by kretprobe_returned()
 *	sp + S_X0		x0 ... x30, sp
 *
 * The frame record holds our own address until kretprobe_returned() replaces it by the
 * true one. Until then the unwinder finds the true address by our address and x29.
 *
 * An exception would have closed access to user memory and enabled tag checks. A
 * function may return with access open or checks off; handlers must not run so.
 */
SYM_CODE_START(__kretprobe_trampoline)
	sub	sp, sp, #PT_REGS_SIZE
	stp	x0, x1, [sp, #S_X0]
	for_pairs stp
	add	x0, sp, #PT_REGS_SIZE
	stp	x30, x0, [sp, #S_LR]
	adr	x0, __kretprobe_trampoline
	read_pstate
	stp	x0, x1, [sp, #S_PC]
	stp	xzr, xzr, [sp, #S_PSTATE + 8]
	stp	xzr, xzr, [sp, #S_SDEI_TTBR1]
#ifdef CONFIG_ARM64_PSEUDO_NMI
alternative_if ARM64_HAS_GIC_PRIO_MASKING
	mrs_s	x1, SYS_ICC_PMR_EL1
	str	x1, [sp, #S_PMR_SAVE]
alternative_else_nop_endif
#endif
	stp	x29, x0, [sp, #S_STACKFRAME]
	stp	xzr, xzr, [sp, #S_STACKFRAME + 16]
	add	x29, sp, #S_STACKFRAME
	set_pstate
	mov	x0, sp
	bl	kretprobe_returned
	ldr	x0, [sp, #S_PSTATE]
	restore_pstate
	ldr	x30, [sp, #S_LR]
	for_pairs ldp
	ldp	x0, x1, [sp, #S_X0]
	add	sp, sp, #PT_REGS_SIZE
	ret
SYM_CODE_END(__kretprobe_trampoline)
NOKPROBE(__kretprobe_trampoline)
