/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The forms that the differential test runs: class (c copied, e emulated), mode, text.
 *
 * The mode determines the contents of registers and memory:
 *
 *	r	random values everywhere
 *	m	rsi, rdi, rbp, r8, r12, r13 point to data; rbx, r9 and rcx are small
 *	b	every register holds an address to branch to
 *	c	like m, and memory is full of addresses to branch to
 *	f	the top of the stack holds flags that user space may set
 *	n	rcx holds a count near an edge
 *	u	like m, but the pointers point to unreadable memory
 *
 * The displacement of a direct branch is replaced by random ones.
 */
	.macro form class:req, mode:req, text:vararg
	.pushsection .rodata.code, "a"
10:	\text
11:	.popsection
	.pushsection .rodata.text, "aMS", @progbits, 1
12:	.asciz "\text"
	.popsection
	.pushsection .data.rel.ro.forms, "aw"
	.balign 8
	.quad 10b, 11b, 12b
	.ascii "\mode\class"
	.balign 8
	.popsection
	.endm

	.section .data.rel.ro.forms, "aw"
	.balign 8
	.globl forms_start
forms_start:
	.previous

	/* calls */
	form e, c, .byte 0xe8, 0, 1, 0, 0
	form e, c, .byte 0x2e, 0xe8, 0, 1, 0, 0
	form e, c, .byte 0x3e, 0xe8, 0, 1, 0, 0
	form e, c, .byte 0x48, 0xe8, 0, 1, 0, 0
	form e, c, .byte 0x2e, 0x48, 0xe8, 0, 1, 0, 0
	form e, c, .byte 0x67, 0xe8, 0, 1, 0, 0
	form e, c, .byte 0xf2, 0xe8, 0, 1, 0, 0
	form e, c, .byte 0x66, 0x48, 0xe8, 0, 1, 0, 0
	form e, c, .byte 0x2e, 0x2e, 0x3e, 0xe8, 0, 1, 0, 0
	.irp reg, rax, rcx, rdx, rbx, rsp, rbp, rsi, rdi, r8, r9, r10, r11, r12, r13, r14, r15
	form e, b, call *%\reg
	form e, b, cs call *%\reg
	form e, b, rex.W call *%\reg
	form e, b, notrack call *%\reg
	form e, b, jmp *%\reg
	form e, b, rex.W jmp *%\reg
	form e, b, notrack jmp *%\reg
	.endr
	form e, c, call *(%rsi)
	form e, c, call *16(%rdi)
	form e, c, call *-0x40(%rbp)
	form e, c, call *(%rbp)
	form e, c, call *(%r12)
	form e, c, call *(%r13)
	form e, c, call *0x123(%r13)
	form e, c, call *(%rsi,%rbx,8)
	form e, c, call *0x80(%r12,%r9,4)
	form e, c, call *(%r13,%rbx,2)
	form e, c, call *-8(%rsp)
	form e, c, call *(%rsp)
	form e, c, call *8(%rsp)
	form e, c, call *0x10(%rsp,%rbx,8)
	form e, c, call *0x20020100
	form e, c, call *0x20020000(,%rbx,8)
	form e, c, call *0x20020000(,%r9,1)
	form e, c, call *0x1fc00(%rip)
	form e, c, call *(%esi)
	form e, c, call *8(%r8d,%ebx,4)
	form e, c, notrack call *(%rdi)
	form e, c, cs call *0x1fc00(%rip)
	form e, c, rex.W call *(%r8)
	form e, u, call *(%rsi)
	form e, u, call *8(%r12,%rbx,8)
	form e, u, jmp *(%rdi)

	/* jumps */
	form e, c, jmp *(%rsi)
	form e, c, jmp *16(%rdi)
	form e, c, jmp *-0x40(%rbp)
	form e, c, jmp *(%r12,%rbx,8)
	form e, c, jmp *(%rsp)
	form e, c, jmp *0x1fc00(%rip)
	form e, c, jmp *0x20020000(,%rbx,8)
	form e, c, jmp *(%edi)
	form e, c, rex.W jmp *8(%r13)
	form e, c, notrack jmp *(%r8)
	form e, r, .byte 0xeb, 0x10
	form e, r, .byte 0x3e, 0xeb, 0x10
	form e, r, .byte 0xe9, 0, 1, 0, 0
	form e, r, .byte 0x2e, 0xe9, 0, 1, 0, 0
	form e, r, .byte 0x48, 0xe9, 0, 1, 0, 0
	form e, r, .byte 0xf2, 0xe9, 0, 1, 0, 0
	.irp cc, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
	form e, r, .byte 0x70 + \cc, 0x10
	form e, r, .byte 0x3e, 0x70 + \cc, 0x10
	form e, r, .byte 0x0f, 0x80 + \cc, 0, 1, 0, 0
	form e, r, .byte 0x2e, 0x0f, 0x80 + \cc, 0, 1, 0, 0
	.endr
	.irp op, 0xe0, 0xe1, 0xe2, 0xe3
	form e, n, .byte \op, 0x10
	form e, n, .byte 0x67, \op, 0x10
	form e, n, .byte 0x48, \op, 0x10
	form e, n, .byte 0x2e, \op, 0x10
	.endr

	/* returns, flags, stack pointer */
	form e, c, ret
	form e, c, repz ret
	form e, c, rex.W ret
	form e, c, ret $0
	form e, c, ret $8
	form e, c, ret $0x7ff8
	form e, c, ret $0xffff
	form e, r, pushf
	form e, r, pushfw
	form e, r, rex.W pushf
	form e, f, popf
	form e, f, popfw
	form e, f, rex.W popf
	form e, r, push %rsp
	form e, r, rex.W push %rsp
	form e, r, .byte 0xff, 0xf4
	form e, c, pop %rsp
	form e, c, .byte 0x8f, 0xc4

	/* the stack, copied */
	.irp reg, rax, rcx, rdx, rbx, rbp, rsi, rdi, r8, r9, r12, r15
	form c, r, push %\reg
	form c, r, pop %\reg
	.endr
	form c, r, pushw %ax
	form c, r, pushw %sp
	form c, r, popw %cx
	form c, r, push $0x12345678
	form c, r, push $-5
	form c, m, pushq (%rsi)
	form c, m, pushq 8(%rsp)
	form c, m, pushq 0x1fc00(%rip)
	form c, m, popq (%rdi)
	form c, m, popq 8(%rsp)
	form c, m, popq 0x1fc00(%rip)
	form c, r, enter $16, $0
	form c, m, enter $32, $3
	form c, m, leave
	form c, r, sub $0x40, %rsp
	form c, r, add $8, %rsp
	form c, r, and $-16, %rsp
	form c, r, lea -0x20(%rsp), %rsp
	form c, r, mov %rsp, %rbp
	form c, m, mov %rbp, %rsp
	form c, r, xchg %rax, %rsp
	form c, r, push %fs
	form c, r, push %gs

	/* arithmetic */
	.irp op, add, or, adc, sbb, and, sub, xor, cmp
	form c, r, \op %rax, %rbx
	form c, r, \op %r9d, %ecx
	form c, r, \op %ah, %dl
	form c, r, \op $0x12345678, %rax
	form c, r, \op $-3, %r10w
	form c, r, \op $0x1234, %r10w
	form c, m, \op %rdx, (%rsi)
	form c, m, \op 8(%rdi,%rbx,8), %r14
	form c, m, \op %al, 0x1fc00(%rip)
	form c, m, \op 0x1fc00(%rip), %r11
	form c, m, \op\()l $0x12345678, 0x1fc00(%rip)
	form c, m, \op\()b $0x12, 0x1fc00(%rip)
	form c, m, \op\()q $-2, 0x10(%r12)
	.endr
	.irp op, inc, dec, neg, not
	form c, r, \op %rdx
	form c, r, \op %r8b
	form c, m, \op\()l (%rdi)
	form c, m, \op\()q 0x1fc00(%rip)
	form c, m, lock \op\()w (%r8)
	.endr
	.irp op, rol, ror, rcl, rcr, shl, shr, sar
	form c, r, \op %rax
	form c, r, \op $5, %ecx
	form c, r, \op %cl, %r13
	form c, m, \op\()l $3, 0x1fc00(%rip)
	form c, m, \op\()q %cl, (%rsi)
	.endr
	form c, r, test %rax, %rdx
	form c, r, test $0x10, %al
	form c, m, testb $0x40, 0x1fc00(%rip)
	form c, m, testl $0x40404040, 0x1fc00(%rip)
	form c, r, mul %rdx
	form c, r, imul %r8, %rax
	form c, r, imul $0x123, %r8d, %eax
	form c, m, imul $0x12345678, 0x1fc00(%rip), %rax
	form c, m, imul $3, 0x1fc00(%rip), %r9d
	form c, m, div %rcx
	form c, m, idivl (%rsi)
	form c, r, cqto
	form c, r, cltd
	form c, r, cwtl
	form c, r, cltq
	form c, r, bswap %r9
	form c, r, xchg %rax, %r9
	form c, m, xchg %rax, 0x1fc00(%rip)
	form c, m, xadd %rdx, (%rdi)
	form c, m, lock xadd %edx, 0x1fc00(%rip)
	form c, m, lock cmpxchg %rdx, (%rsi)
	form c, m, lock cmpxchg8b (%rsi)
	form c, m, lock cmpxchg16b (%rdi)
	form c, m, cmpxchg16b (%r12)
	form c, r, bt %rax, %rdx
	form c, r, bts $7, %r8
	form c, m, lock btsq $9, 0x1fc00(%rip)
	form c, m, btrl $3, (%rdi)
	form c, r, bsf %rax, %rcx
	form c, r, bsr %r8d, %ecx
	form c, r, popcnt %rax, %rcx
	form c, r, lzcnt %rax, %rcx
	form c, r, tzcnt %ax, %cx
	form c, m, popcnt 0x1fc00(%rip), %rdx
	form c, r, shld $4, %rax, %rdx
	form c, m, shrd %cl, %rax, (%rsi)
	form c, m, shld $4, %eax, 0x1fc00(%rip)
	form c, r, adcx %rax, %rcx
	form c, r, adox %r8, %rcx
	form c, r, crc32 %rax, %rcx
	form c, m, crc32b 0x1fc00(%rip), %ecx
	form c, m, movbe (%rsi), %rax
	form c, m, movbe %ecx, 0x1fc00(%rip)
	form c, r, andn %rax, %rcx, %rdx
	form c, r, bextr %rax, %rcx, %rdx
	form c, r, blsr %rax, %rcx
	form c, r, pdep %rax, %rcx, %rdx
	form c, m, pext 0x1fc00(%rip), %rcx, %rdx
	form c, r, rorx $7, %rax, %rcx
	form c, m, rorx $7, 0x1fc00(%rip), %rcx
	form c, r, shlx %rax, %rcx, %rdx
	form c, r, mulx %rax, %rcx, %rsi

	/* moves */
	form c, r, mov %rax, %r15
	form c, r, mov %bl, %ah
	form c, r, mov $0x1122334455667788, %r9
	form c, r, mov $0x11223344, %esi
	form c, r, mov $-1, %rax
	form c, r, mov $7, %cl
	form c, m, mov (%rsi), %rax
	form c, m, mov %rax, 0x18(%rdi,%rbx,4)
	form c, m, mov 0x1fc00(%rip), %rax
	form c, m, mov 0x1fc00(%rip), %r9b
	form c, m, mov %r13, 0x1fc00(%rip)
	form c, m, movq $0x12345678, 0x1fc00(%rip)
	form c, m, movw $0x1234, 0x1fc00(%rip)
	form c, m, movb $0x12, 0x1fc00(%rip)
	form c, m, movabs 0x20020100, %rax
	form c, m, movabs %al, 0x20020100
	form c, m, addr32 mov 0x20020100, %eax
	form c, m, mov (%esi), %rax
	form c, m, mov %fs:0x28, %rax
	form c, m, mov %fs:(%rbx), %rax
	form c, m, mov %gs:0x10, %rax
	form c, m, addl $1, %gs:0x1fc00(%rip)
	form c, r, lea 0x1fc00(%rip), %rax
	form c, r, lea 0x1234567(%rip), %r8
	form c, r, lea -0x1234567(%rip), %ecx
	form c, r, lea 8(%rsp,%rax,4), %rdx
	form c, r, lea (%eax,%ecx,2), %rdx
	form c, m, movzbl 0x1fc00(%rip), %eax
	form c, m, movzwl (%rsi), %r9d
	form c, m, movsbq 0x1fc00(%rip), %rax
	form c, m, movslq 0x1fc00(%rip), %r8
	form c, m, movnti %rax, 0x1fc00(%rip)
	.irp cc, o, b, e, be, s, p, l, le, no, ae, ne, a, ns, np, ge, g
	form c, r, cmov\cc %rax, %rdx
	form c, r, set\cc %r8b
	form c, m, set\cc 0x1fc00(%rip)
	form c, m, cmov\cc 0x1fc00(%rip), %r11
	.endr

	/* strings; a repeated one may pass the end of its page and fault */
	form c, m, movsb
	form c, m, movsq
	form c, m, stosl
	form c, m, lodsw
	form c, m, cmpsb
	form c, m, scasq
	form c, m, rep movsb
	form c, m, rep movsq
	form c, m, rep stosq
	form c, m, repe cmpsb
	form c, m, repne scasb
	form c, u, rep movsb
	form c, m, xlat

	/* flags, no-ops, hints, fences */
	form c, r, clc
	form c, r, stc
	form c, r, cmc
	form c, r, cld
	form c, r, std
	form c, r, lahf
	form c, r, sahf
	form c, r, nop
	form c, r, pause
	form c, m, nopl (%rax)
	form c, m, nopw 0x12345678(%rax,%rax,1)
	form c, m, cs nopw 0x1fc00(%rip)
	form c, m, .byte 0x66, 0x66, 0x2e, 0x0f, 0x1f, 0x84, 0, 0, 0, 0, 0
	form c, m, prefetcht0 0x1fc00(%rip)
	form c, m, prefetchw (%rsi)
	form c, m, clflush 0x1fc00(%rip)
	form c, r, lfence
	form c, r, mfence
	form c, r, sfence
	form c, r, cpuid
	form c, r, rdpid %rax
	form c, r, rdfsbase %rax
	form c, r, fwait
	form c, r, verw %ax
	form c, m, verw 0x1fc00(%rip)

	/* floating point and vectors, every prefix scheme, RIP-relative too */
	form c, m, fldl 0x1fc00(%rip)
	form c, m, fildl (%rsi)
	form c, r, fninit
	form c, r, faddp
	form c, m, fstpt 0x1fc00(%rip)
	form c, m, fxsave 0x1fc00(%rip)
	form c, m, ldmxcsr (%rsi)
	form c, m, stmxcsr 0x1fc00(%rip)
	form c, r, emms
	form c, m, movq 0x1fc00(%rip), %mm1
	form c, r, paddd %mm1, %mm2
	form c, m, movups 0x1fc00(%rip), %xmm3
	form c, m, movaps %xmm4, (%rdi)
	form c, m, movdqu %xmm9, 0x1fc00(%rip)
	form c, r, paddq %xmm1, %xmm2
	form c, r, pshufb %xmm1, %xmm2
	form c, m, palignr $3, (%rsi), %xmm2
	form c, m, pcmpestri $3, 0x1fc00(%rip), %xmm2
	form c, m, insertps $3, 0x1fc00(%rip), %xmm2
	form c, r, cvtsi2sd %rax, %xmm5
	form c, m, cvttsd2si 0x1fc00(%rip), %rcx
	form c, r, aesenc %xmm1, %xmm2
	form c, m, sha256msg1 (%rsi), %xmm2
	form c, r, pclmulqdq $1, %xmm1, %xmm2
	form c, m, vmovdqu 0x1fc00(%rip), %ymm3
	form c, m, vmovdqu %ymm8, 0x1fc00(%rip)
	form c, m, vpaddd 0x1fc00(%rip), %ymm1, %ymm2
	form c, m, vpalignr $5, 0x1fc00(%rip), %ymm1, %ymm2
	form c, m, vpshufd $5, 0x1fc00(%rip), %xmm2
	form c, r, vzeroupper
	form c, r, vfmadd231pd %ymm1, %ymm2, %ymm3
	form c, m, vmovdqu64 0x1fc00(%rip), %zmm20
	form c, m, vmovdqu32 %zmm21, 0x40(%rsi)
	form c, m, vpternlogd $0x96, 0x1fc00(%rip), %zmm1, %zmm2
	form c, r, vpaddq %zmm1, %zmm2, %zmm3{%k1}
	form c, m, vpbroadcastq 0x1fc00(%rip), %zmm9
	form c, r, kmovq %rax, %k1
	form c, m, kmovw 0x1fc00(%rip), %k2
	form c, m, xsavec (%rdi)

	/* not allowed here: must fault in the slot as in its place */
	form c, m, mov %cr0, %rax
	form c, m, mov %db7, %rax
	form c, r, rdmsr
	form c, r, in (%dx), %al
	form c, r, out %eax, $0x80
	form c, m, invlpg (%rsi)
	form c, r, wbinvd
	form c, r, clac
	form c, m, insb
	form c, m, invpcid (%rsi), %rax
	form c, u, mov (%rsi), %rax
	form c, u, mov %rax, 8(%rdi)
	form c, u, pushq (%r12)
	form c, u, addl $1, (%r13)
	form c, r, .byte 0x8d, 0xc0
	form c, r, .byte 0xf0, 0x01, 0xc0

	.section .data.rel.ro.forms, "aw"
	.globl forms_end
forms_end:
	.previous
	.section .note.GNU-stack, "", @progbits
