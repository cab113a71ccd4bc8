/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef _ARCH_X86_KERNEL_SAVE_REGS_H
#define _ARCH_X86_KERNEL_SAVE_REGS_H
/*
 * Strings for inline assembly that push and pop the lower part of a pt_regs.
 *
 * The caller has pushed ss, sp and flags. SAVE_REGS_STRING pushes the members of
 * struct pt_regs below them. C code fills in ip, cs and orig_ax, on 32 bits also
 * gs. RESTORE_REGS_STRING leaves the stack pointer at flags.
 */
#include <linux/stringify.h>
#include <asm/asm.h>
#include <asm/frame.h>

#define PUSH_STRING(reg)	"	push %" __stringify(reg) "\n"
#define POP_STRING(reg)		"	pop %" __stringify(reg) "\n"

#ifdef CONFIG_X86_64

#define SAVE_REGS_STRING						\
	"	lea -24(%rsp), %rsp\n"					\
	PUSH_STRING(rdi) PUSH_STRING(rsi) PUSH_STRING(rdx)		\
	PUSH_STRING(rcx) PUSH_STRING(rax)				\
	PUSH_STRING(r8) PUSH_STRING(r9) PUSH_STRING(r10) PUSH_STRING(r11) \
	PUSH_STRING(rbx) PUSH_STRING(rbp)				\
	PUSH_STRING(r12) PUSH_STRING(r13) PUSH_STRING(r14) PUSH_STRING(r15) \
	ENCODE_FRAME_POINTER

#define RESTORE_REGS_STRING						\
	POP_STRING(r15) POP_STRING(r14) POP_STRING(r13) POP_STRING(r12)	\
	POP_STRING(rbp) POP_STRING(rbx)					\
	POP_STRING(r11) POP_STRING(r10) POP_STRING(r9) POP_STRING(r8)	\
	POP_STRING(rax) POP_STRING(rcx) POP_STRING(rdx)			\
	POP_STRING(rsi) POP_STRING(rdi)					\
	"	lea 24(%rsp), %rsp\n"

#else

#define SAVE_REGS_STRING						\
	"	lea -16(%esp), %esp\n"					\
	PUSH_STRING(fs) PUSH_STRING(es) PUSH_STRING(ds)			\
	PUSH_STRING(eax) PUSH_STRING(ebp) PUSH_STRING(edi)		\
	PUSH_STRING(esi) PUSH_STRING(edx) PUSH_STRING(ecx) PUSH_STRING(ebx) \
	ENCODE_FRAME_POINTER

/* A return changes no segment register: ds, es, fs and gs are skipped. */
#define RESTORE_REGS_STRING						\
	POP_STRING(ebx) POP_STRING(ecx) POP_STRING(edx) POP_STRING(esi)	\
	POP_STRING(edi) POP_STRING(ebp) POP_STRING(eax)			\
	"	lea 28(%esp), %esp\n"

#endif

#endif /* _ARCH_X86_KERNEL_SAVE_REGS_H */
