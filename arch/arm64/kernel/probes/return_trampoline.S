/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The trampoline to which a function with a return probe returns.
 */
#include <linux/linkage.h>
#include <asm/asm-offsets.h>
#include <asm/assembler.h>
#include "save_regs.S"

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
	stp	x2, x3, [sp, #S_X2]
	adr	x3, __kretprobe_trampoline
	save_record pc=x3
	stp	x0, x1, [sp, #S_X0]
	for_pairs stp
	add	x0, sp, #PT_REGS_SIZE
	stp	x30, x0, [sp, #S_LR]
	save_state pc=x3
	mov	x0, sp
	bl	kretprobe_returned
	ldr	x0, [sp, #S_PSTATE]
	restore_pstate
	ldr	x30, [sp, #S_LR]
	restore_pairs
	add	sp, sp, #PT_REGS_SIZE
	ret
	or_pan_rest
SYM_CODE_END(__kretprobe_trampoline)
NOKPROBE(__kretprobe_trampoline)
