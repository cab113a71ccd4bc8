/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The common code of the detours of jumps.
 */
#include <linux/linkage.h>
#include <linux/objtool.h>
#include <asm/asm.h>
#include <asm/alternative.h>
#include <asm/cpufeatures.h>
#include <asm/frame.h>
#include <asm/nospec-branch.h>
#include <asm/segment.h>
#include <asm/smap.h>
#include <asm/unwind_hints.h>
#include "../../entry/calling.h"
#include "detour.h"

	.section .text, "ax"

/*
 *	          +168	room for a word
 *	          +160	ss
 *	          +152	sp	that of the probed code
 *	          +144	flags
 *	          +136	cs
 *	          +128	ip	the address of the point, but while handlers run
 *	          +120	orig_ax	at first the return address, which stays in %rbx
 *	 %rsp ->  +0	r15 ... di
 *
 * As after an exception, access to user memory is closed and the direction flag is clear
 * while handlers run. The detour restores the flags.
 *
 * kprobe_jump() says in %al whether the code goes on in the detour, or where the saved
 * registers say. In the latter case IRET sets ip, flags and sp at once, and no register is
 * used up.
 */
SYM_CODE_START(kprobe_detour)
	UNWIND_HINT_IRET_REGS offset=8
	ANNOTATE_NOENDBR
	ASM_CLAC
	cld
	PUSH_REGS unwind_hint=0
	UNWIND_HINT_REGS
	ENCODE_FRAME_POINTER
	movq	ORIG_RAX(%rsp), %rbx
	movq	$-1, ORIG_RAX(%rsp)
	movq	DETOUR_POINT - DETOUR_RETURN(%rbx), %rdi
	movq	%rsp, %rsi
	call	kprobe_jump
	testb	%al, %al
	jz	.Lleave
	movq	%rbx, ORIG_RAX(%rsp)
	POP_REGS
	UNWIND_HINT_IRET_REGS offset=8
	/* The detour's call was not counted for the return thunk that counts calls */
	ALTERNATIVE __stringify(RET), \
		    __stringify(ANNOTATE_UNRET_SAFE; ret; int3), \
		    X86_FEATURE_CALL_DEPTH

.Lleave:
	UNWIND_HINT_REGS
	POP_REGS
	UNWIND_HINT_IRET_REGS offset=8
	leaq	8(%rsp), %rsp			/* orig_ax */
	UNWIND_HINT_IRET_REGS
	iretq
SYM_CODE_END(kprobe_detour)
_ASM_NOKPROBE(kprobe_detour)
