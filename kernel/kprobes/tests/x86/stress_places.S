/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The probed code of the stress, in assembly: the compiler cannot change it. No symbol may be
 * inside of a window, so addresses are in a table. Each shape of code is there several times.
 */
#include <linux/linkage.h>
#include <linux/objtool.h>
#include <asm/frame.h>

/* Bytes that slow instructions read: most of the time threads are there */
#define SLOW_SIZE	1500
#define SLOWEST_SIZE	20000

	.text

/* The result of a called function */
SYM_FUNC_START_LOCAL(stress_inner)
	add	$1, %eax
	RET
SYM_FUNC_END(stress_inner)

/* A place that the table names */
.macro at number, place
.Lplace_\number\()_\place:
	ANNOTATE_NOENDBR
.endm

/* A row of struct stress_function */
.macro row number, letter, plus, minus, negative, within, jumping, skip
	.pushsection .data.rel.ro, "aw"
	.quad	stress_place_\number
	.quad	.Lplace_\number\()_0, .Lplace_\number\()_1, .Lplace_\number\()_2
	.byte	\negative, \within, \jumping
	.ascii	"\letter"
	.long	\plus, \minus, \skip
	.popsection
.endm

.macro begin number
SYM_FUNC_START_LOCAL(stress_place_\number)
.endm

.macro end number
	nop
	nop
	nop
	RET
SYM_FUNC_END(stress_place_\number)
.endm

/* An instruction of five bytes, which a jump replaces at once */
.macro whole number
begin \number
	mov	%edi, %eax
at \number, 0
	.byte	0x05, 1, 0, 0, 0	/* add $1, %eax */
at \number, 1
	add	$2, %eax
at \number, 2
	add	$4, %eax
end \number
row \number, a, 7, 7, 0, 0, 1, 1
.endm

/* A window of two instructions. With a post-handler the same code keeps a trap */
.macro two number, letter, jump
begin \number
	mov	%edi, %eax
	nop
at \number, 0
	add	$1, %eax
at \number, 1
	add	$2, %eax
at \number, 2
	add	$4, %eax
end \number
row \number, \letter, 7, 7, 0, 2, \jump, 1
.endm

/* A window of three */
.macro three number
begin \number
	mov	%edi, %eax
	nop
at \number, 0
	inc	%eax
at \number, 1
	inc	%eax
at \number, 2
	inc	%eax
	add	$4, %eax
end \number
row \number, c, 7, 7, 0, 6, 1, 1
.endm

/* A window in code that is not always executed */
.macro conditional number
begin \number
	mov	%edi, %eax
	test	%edi, %edi
	jns	1f
at \number, 0
	add	$1, %eax
at \number, 1
	add	$2, %eax
at \number, 2
	add	$4, %eax
	nop
	nop
	nop
1:	add	$16, %eax
end \number
row \number, d, 16, 23, 7, 2, 1, 1
.endm

/* A branch lands on the second instruction: the trap stays */
.macro target number
begin \number
	mov	%edi, %eax
	test	%edi, %edi
	jns	1f
at \number, 0
	add	$1, %eax
1:
at \number, 1
	add	$2, %eax
at \number, 2
	add	$4, %eax
end \number
row \number, e, 6, 7, 1, 0, 0, 1
.endm

/* The second instruction of the window can be interrupted, and takes long */
.macro slow number, size
begin \number
	lea	stress_bytes(%rip), %rsi
at \number, 2
	mov	$\size, %ecx
at \number, 0
	xchg	%ax, %ax
at \number, 1
	rep lodsb
	nop
	lea	7(%rdi), %eax
end \number
row \number, g, 7, 7, 0, 2, 1, 0
.endm

/* A call, which a jump replaces at once, and a short branch, which keeps the trap */
.macro called number
begin \number
	FRAME_BEGIN
	mov	%edi, %eax
at \number, 0
	call	stress_inner
at \number, 1
	jmp	1f
	int3
1:
at \number, 2
	add	$6, %eax
	FRAME_END
end \number
row \number, h, 7, 7, 0, 0, 1, 1
.endm

	.pushsection .data.rel.ro, "aw"
	.balign	8
SYM_START(stress_asm_functions, SYM_L_GLOBAL, SYM_A_NONE)
	.popsection

.altmacro
.macro copies first, size=SLOW_SIZE
whole %(\first)
two %(\first + 1), b, 1
three %(\first + 2)
conditional %(\first + 3)
target %(\first + 4)
two %(\first + 5), f, 0
slow %(\first + 6), \size
called %(\first + 7)
.endm

copies 0, SLOWEST_SIZE
copies 8, SLOWEST_SIZE
copies 16
copies 24
copies 32
copies 40

	.section .rodata
SYM_DATA_LOCAL(stress_bytes, .fill SLOWEST_SIZE, 1, 0x5a)
