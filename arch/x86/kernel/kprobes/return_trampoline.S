/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The trampoline to which a function with a return probe returns.
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

	.section .text, "ax"

/*
 *	frame ->  +168	return address; the function's ret has just popped it
 *	          +160	ss
 *	          +152	sp	set to frame + 8 by kretprobe_returned()
 *	          +144	flags
 *	          +136	cs
 *	          +128	ip	set to the caller by kretprobe_returned()
 *	          +120	orig_ax	-1
 *	 %rsp ->  +0	r15 ... di
 *
 * The frame holds our own address until kretprobe_returned() replaces it by the true
 * one. Until then the unwinder finds the true address by our address and the frame's.
 *
 * As after an exception, access to user memory is closed and the direction flag is
 * clear while handlers run. popf restores the flags of the return.
 */
SYM_CODE_START(__kretprobe_trampoline)
	UNWIND_HINT_UNDEFINED
	ANNOTATE_NOENDBR
	pushq	$__kretprobe_trampoline
	UNWIND_HINT_FUNC
	pushq	$__KERNEL_DS
	pushq	%rsp
	pushfq
	ASM_CLAC
	cld
	pushq	$__KERNEL_CS
	pushq	$__kretprobe_trampoline
	pushq	$-1
	PUSH_REGS unwind_hint=0
	ENCODE_FRAME_POINTER
	movq	%rsp, %rdi
	call	kretprobe_returned
	POP_REGS
	leaq	3*8(%rsp), %rsp		/* orig_ax, ip, cs; flags stay as they are */
	popfq
	leaq	2*8(%rsp), %rsp		/* sp, ss */
	/* One call has had two returns: one more call keeps the RSB balanced */
	ANNOTATE_INTRA_FUNCTION_CALL
	call	.Lrebalance
	int3
.Lrebalance:
	leaq	8(%rsp), %rsp
	ALTERNATIVE __stringify(RET), \
		    __stringify(ANNOTATE_UNRET_SAFE; ret; int3), \
		    X86_FEATURE_CALL_DEPTH
SYM_CODE_END(__kretprobe_trampoline)
_ASM_NOKPROBE(__kretprobe_trampoline)
