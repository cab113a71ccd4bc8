/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The common code of the detours of jumps.
 */
#include <linux/linkage.h>
#include <asm/asm-offsets.h>
#include <asm/assembler.h>
#include <asm/sysreg.h>
#include "detour.h"
#include "save_regs.S"

/* SCTLR_ELx.DSSBS, and the bit number of PSR_SSBS_BIT */
#define DSSBS_SHIFT	44
#define SSBS_SHIFT	12

	/*
	 * SPSR from x1, which an ERET takes PSTATE from. The bit that stands for an emulated
	 * PAN is not one of the processor. SSBS was not read: the kernel keeps it equal to the
	 * value that exceptions give it. x2 is used.
	 */
	.macro	write_spsr
#ifdef CONFIG_ARM64_SW_TTBR0_PAN
alternative_if_not ARM64_HAS_PAN
	bic	x1, x1, #1 << PAN_SHIFT
alternative_else_nop_endif
#endif
	mrs	x2, sctlr_el1
	ubfx	x2, x2, #DSSBS_SHIFT, #1
	orr	x1, x1, x2, lsl #SSBS_SHIFT
	msr	spsr_el1, x1
	.endm

	.text

/*
 *	sp + PT_REGS_SIZE	sp of the probed code
 *	     S_STACKFRAME	x29, pc: a frame record. Unwinders find the probed
 *				instruction as the address from which a call was made
 *	     S_LR		x30, which the detour has saved
 *	     S_PC, S_PSTATE	pc is the address of the point
 *	sp + S_X0		x0 ... x29, sp
 *	x30			in the detour; it stays in x19
 *
 * kprobe_jump() says in w0 whether the code goes on in the detour, or where the saved
 * registers say. In the latter case ERET sets pc and PSTATE at once, and no register is
 * used up. Until then nothing may interrupt, which would overwrite ELR and SPSR.
 *
 * Probed code may be about to wait for an event (wfe): a handler may have used up the event
 * that ends the wait, or the monitor that would cause it. The code must look again first.
 */
SYM_CODE_START(kprobe_detour)
	stp	x0, x1, [sp, #S_X0]
.Lx0_x1_saved:
	stp	x2, x3, [sp, #S_X2]
	ldr	x0, [x30, #DETOUR_POINT - DETOUR_RETURN]
	ldr	x3, [x0]			/* kprobe_point::addr */
	save_record pc=x3
	for_pairs stp
	add	x1, sp, #PT_REGS_SIZE
	str	x1, [sp, #S_SP]
	mov	x19, x30
	save_state pc=x3
	mov	x1, sp
	bl	kprobe_jump
	tbz	w0, #0, .Lleave
	sevl					/* As an exception return would */
	ldr	x0, [sp, #S_PSTATE]
	restore_pstate
	mov	x30, x19
	restore_pairs
	ret

.Lleave:
	msr	daifset, #0xf
	ldr	x0, [sp, #S_PSTATE]
	restore_pstate
	ldp	x0, x1, [sp, #S_PC]
	msr	elr_el1, x0
	write_spsr
	ldr	x30, [sp, #S_LR]
	restore_pairs
	add	sp, sp, #PT_REGS_SIZE
	eret
	sb
	or_pan_rest
SYM_CODE_END(kprobe_detour)
NOKPROBE(kprobe_detour)

	/* From the veneer of a detour, which has saved x0 and x1 */
SYM_CODE_START(kprobe_detour_far)
	bti	j
	b	.Lx0_x1_saved
SYM_CODE_END(kprobe_detour_far)
NOKPROBE(kprobe_detour_far)
