/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Instructions that must be refused. None of them is ever executed. Each is in a
 * function of its own; of two instructions the second is probed.
 */
#include <linux/linkage.h>
#include <linux/objtool.h>
#include <asm/asm.h>
#include <asm/errno.h>
#include <asm/nospec-branch.h>

	.macro refused error:req, before:req, insn:vararg
	.section .rodata.str1.1, "aMS", @progbits, 1
.Ltext_\@:
	.asciz	"\before \insn"
	.text
	.balign 16
	STACK_FRAME_NON_STANDARD trap_refused_\@
trap_refused_\@:
	\before
.Lat_\@:
	ANNOTATE_NOENDBR
	\insn
	RET
	int3
	.size	trap_refused_\@, . - trap_refused_\@
	.type	trap_refused_\@, @function
	.section .data.rel.ro, "aw"
	.quad	.Lat_\@, -\error, .Ltext_\@
	.previous
	.endm

	.section .data.rel.ro, "aw"
	.balign 8
SYM_DATA_START(trap_refused)
	.text
	refused EOPNOTSUPP, nop, hlt
	refused EOPNOTSUPP, sti, hlt
	refused EOPNOTSUPP, sti, nop
	refused EOPNOTSUPP, nop, mwait
	refused EOPNOTSUPP, nop, monitor
	refused EOPNOTSUPP, nop, mov %eax, %ss
	refused EOPNOTSUPP, nop, lss (%rsi), %esp
	refused EOPNOTSUPP, nop, lretl
	refused EOPNOTSUPP, nop, lretl $8
	refused EOPNOTSUPP, nop, ljmp *(%rsi)
	refused EOPNOTSUPP, nop, lcall *(%rsi)
	refused EOPNOTSUPP, nop, iretq
	refused EOPNOTSUPP, nop, syscall
	refused EOPNOTSUPP, nop, sysretq
	refused EOPNOTSUPP, nop, swapgs
	refused EOPNOTSUPP, nop, wrmsr
	refused EOPNOTSUPP, nop, wrgsbase %rax
	refused EOPNOTSUPP, nop, mov %eax, %gs
	refused EOPNOTSUPP, nop, mov %rax, %cr3
	refused EOPNOTSUPP, nop, lidt (%rsi)
	refused EOPNOTSUPP, nop, .byte 0xc7, 0xf8, 0, 0, 0, 0
	refused EOPNOTSUPP, nop, vmlaunch
	refused EOPNOTSUPP, ANNOTATE_RETPOLINE_SAFE, jmp *%gs:(%rsi)
	refused EINVAL, nop, int $0x80
	refused EILSEQ, nop, int3
	refused EINVAL, nop, ud2

	/* An instruction that may fault and then continues elsewhere */
	.text
	.balign 16
SYM_FUNC_START_LOCAL(trap_refused_extable)
	xor	%eax, %eax
1:	ANNOTATE_NOENDBR
	mov	(%rdi), %rax
2:	RET
	_ASM_EXTABLE(1b, 2b)
SYM_FUNC_END(trap_refused_extable)
	.section .data.rel.ro, "aw"
	.quad	1b, -EOPNOTSUPP, .Lextable_text
SYM_DATA_END_LABEL(trap_refused, SYM_L_GLOBAL, trap_refused_end)
	.section .rodata.str1.1, "aMS", @progbits, 1
.Lextable_text:
	.asciz	"in the exception table"
