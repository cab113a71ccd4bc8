/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef _ARM64_PROBES_DETOUR_H
#define _ARM64_PROBES_DETOUR_H
/*
 * The detour of a point, as jump.c writes it and detour.S finds it. Each lies in one cell
 * of a slot.
 *
 *	+0	sub	sp, sp, #PT_REGS_SIZE
 *	+4	str	x30, [sp, #S_LR]
 *	+8	bl	kprobe_detour
 *	+12	ldr	x30, [sp, #S_LR]
 *	+16	add	sp, sp, #PT_REGS_SIZE
 *	+20	b	the slot of the insn, or where the code goes on after an emulated one;
 *			the detour itself if that is not known, or out of reach
 *	+24	address of the point
 *
 * If the common code is out of reach, a veneer follows, to which the call goes instead:
 *
 *	+32	str	x0, [sp, #S_X0]
 *	+36	str	x1, [sp, #S_X1]
 *	+40	ldr	x0, +48
 *	+44	br	x0
 *	+48	address of kprobe_detour_far
 */
#define DETOUR_RETURN	12
#define DETOUR_POINT	24
#define DETOUR_SIZE	32
#define DETOUR_CALLEE	48
#define DETOUR_FAR_SIZE	56

#ifndef __ASSEMBLY__
asmlinkage void kprobe_detour(void);
asmlinkage void kprobe_detour_far(void);
#endif

#endif /* _ARM64_PROBES_DETOUR_H */
