/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Macros for assembly that saves a pt_regs at the stack pointer, as an exception would,
 * calls handlers, and restores it: the return trampoline, and the detours of jumps.
 *
 * Manual: "Process state, PSTATE" and "Exception entry" in chapter D1 of DDI 0487.
 */
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
 * PSTATE as an exception would have saved it, in x1; x2 is used. NZCV and DAIF are read, and
 * PAN, DIT and TCO where the processor has them. The mode is that of the kernel, which is in
 * EL2 only with VHE. SSBS is left out: a processor may have the field without an instruction
 * that reads it. BTYPE, IL and SS are zero after a return and after a direct branch.
 */
	.macro	or_field field, capability
alternative_if_not \capability
	b	.Labsent\@
alternative_else
	mrs_s	x2, \field
alternative_endif
	orr	x1, x1, x2
.Labsent\@:
	.endm

#ifdef CONFIG_ARM64_SW_TTBR0_PAN
	.macro	or_pan
alternative_if_not ARM64_HAS_PAN
	b	.Lread_table
alternative_else
	mrs_s	x2, SYS_PSTATE_PAN
alternative_endif
.Lor_pan:
	orr	x1, x1, x2
	.endm

	/* Without PAN another table closes user memory; the PAN bit then stands for that */
	.macro	or_pan_rest
.Lread_table:
	mrs	x2, ttbr0_el1
	tst	x2, #TTBR_ASID_MASK
	cset	x2, eq
	lsl	x2, x2, #PAN_SHIFT
	b	.Lor_pan
	.endm
#else
	.macro	or_pan
	or_field SYS_PSTATE_PAN, ARM64_HAS_PAN
	.endm

	.macro	or_pan_rest
	.endm
#endif

	/* TCO is cleared as well, as an exception would */
	.macro	read_pstate
	mrs	x1, nzcv
	mrs	x2, daif
	orr	x1, x1, x2
alternative_if_not ARM64_HAS_VIRT_HOST_EXTN
	add	x1, x1, #PSR_MODE_EL1h
alternative_else
	add	x1, x1, #PSR_MODE_EL2h
alternative_endif
	or_pan
	or_field FIELD_DIT, ARM64_HAS_DIT
alternative_if_not ARM64_MTE
	b	.Ltco\@
alternative_else
	mrs_s	x2, FIELD_TCO
alternative_endif
	orr	x1, x1, x2
	SET_PSTATE_TCO(0)
.Ltco\@:
	.endm

	/*
	 * Save x28 and x29, and make a frame record of x29 and the pc, at which x29 then points.
	 * The sooner, the fewer are the addresses at which a trace lacks a function.
	 */
	.macro	save_record pc
	stp	x28, x29, [sp, #S_X28]
	stp	x29, \pc, [sp, #S_STACKFRAME]
	add	x29, sp, #S_STACKFRAME
	.endm

	/*
	 * Save all but the general registers, and set the state that handlers run in, both as an
	 * exception would: the pc and PSTATE. The fields that only the code of exception entry
	 * reads are not written. x1 and x2 are used. or_pan_rest must follow, out of the way.
	 */
	.macro	save_state pc
	read_pstate
	stp	\pc, x1, [sp, #S_PC]
	stp	xzr, xzr, [sp, #S_PSTATE + 8]
#ifdef CONFIG_ARM64_PSEUDO_NMI
alternative_if ARM64_HAS_GIC_PRIO_MASKING
	mrs_s	x2, SYS_ICC_PMR_EL1
	str	x2, [sp, #S_PMR_SAVE]
alternative_else_nop_endif
#endif
	/* If user memory is closed, the table stays: it need not be the empty one */
	tbnz	x1, #PAN_SHIFT, .Lclosed\@
	alternative_insn nop, SET_PSTATE_PAN(1), ARM64_HAS_PAN
#ifdef CONFIG_ARM64_SW_TTBR0_PAN
	uaccess_ttbr0_disable x1, x2
#endif
.Lclosed\@:
	.endm

	/* Restore the state of the probed code from x0. Handlers found user memory closed */
	.macro	restore_pstate
	msr	nzcv, x0
	tbnz	x0, #PAN_SHIFT, .Lclosed\@
	alternative_insn nop, SET_PSTATE_PAN(0), ARM64_HAS_PAN
#ifdef CONFIG_ARM64_SW_TTBR0_PAN
	uaccess_ttbr0_enable x1, x2, x3
#endif
.Lclosed\@:
alternative_if ARM64_MTE
	msr_s	FIELD_TCO, x0
alternative_else_nop_endif
	.endm

	.macro	for_pairs op
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
	.endm

	.macro	restore_pairs
	for_pairs ldp
	ldp	x2, x3, [sp, #S_X2]
	ldp	x0, x1, [sp, #S_X0]
	ldp	x28, x29, [sp, #S_X28]
	.endm
