/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef _X86_KPROBES_DETOUR_H
#define _X86_KPROBES_DETOUR_H
/*
 * The detour of a point, as jump.c writes it and detour.S finds it. Its pushes are the
 * upper part of a pt_regs; the return address of its call lies where orig_ax belongs.
 * Between the pt_regs and the stack of the probed code there is room for the word that an
 * emulated call pushes.
 *
 *	+0	lea	-8(%rsp), %rsp
 *	+5	push	$__KERNEL_DS
 *	+7	push	%rsp
 *	+8	pushf
 *	+9	addq	$16, 8(%rsp)		the saved sp is that of the probed code
 *	+15	push	$__KERNEL_CS
 *	+17	push	$ip			the address of the point
 *	+22	call	kprobe_detour
 *	+27	lea	16(%rsp), %rsp		drops ip and cs
 *	+32	popf
 *	+33	lea	24(%rsp), %rsp		drops sp, ss and the room
 *	+38	jmp	the slot of the insn
 *	+43	address of the point
 */
#define DETOUR_IP	18
#define DETOUR_CALL	22
#define DETOUR_RETURN	27
#define DETOUR_JMP	38
#define DETOUR_POINT	43
#define DETOUR_SIZE	51

#ifndef __ASSEMBLY__
asmlinkage void kprobe_detour(void);
#endif

#endif /* _X86_KPROBES_DETOUR_H */
