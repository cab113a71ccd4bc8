/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The probed code of the stress, in assembly: the compiler cannot change it. Each shape of
 * code is there several times.
 */
#include <linux/linkage.h>
#include <asm/assembler.h>

	.text

/* Adds 1 to the result, which is in w8 */
SYM_FUNC_START_LOCAL(stress_inner)
	add	w8, w8, #1
	ret
SYM_FUNC_END(stress_inner)

/* A place that the table names */
.macro at number, place
.Lplace_\number\()_\place:
.endm

/* A row of struct stress_function */
.macro row number, letter, plus, minus, negative, jumping, skip
	.pushsection .data.rel.ro, "aw"
	.quad	stress_place_\number
	.quad	.Lplace_\number\()_0, .Lplace_\number\()_1, .Lplace_\number\()_2
	.byte	\negative, 0, \jumping
	.ascii	"\letter"
	.long	\plus, \minus, \skip
	.popsection
.endm

.macro begin number
SYM_FUNC_START_LOCAL(stress_place_\number)
	stp	x29, x30, [sp, #-16]!
	mov	x29, sp
	mov	w8, w0
.endm

.macro end number
	ldp	x29, x30, [sp], #16
	mov	w0, w8
	ret
SYM_FUNC_END(stress_place_\number)
.endm

/* Instructions that are copied. With a post-handler the same code keeps a trap */
.macro copied number, letter, jump
begin \number
at \number, 0
	add	w8, w8, #1
at \number, 1
	add	w8, w8, #2
at \number, 2
	add	w8, w8, #4
end \number
row \number, \letter, 7, 7, 0, \jump, 1
.endm

/* Instructions that are emulated */
.macro relative number
begin \number
at \number, 0
	adr	x9, 1f
at \number, 1
	adr	x10, 2f
1:	sub	x9, x10, x9
at \number, 2
	add	w8, w8, w9
	nop
2:
end \number
row \number, b, 12, 12, 0, 1, -1
.endm

.macro literal number
begin \number
at \number, 0
	ldr	w9, 1f
at \number, 1
	b	2f
1:	.word	5
2:	add	w8, w8, w9
at \number, 2
	add	w8, w8, #2
end \number
row \number, c, 7, 7, 0, 1, -1
.endm

/* Code that is not always executed */
.macro conditional number
begin \number
	tbz	w0, #31, 1f
at \number, 0
	add	w8, w8, #1
at \number, 1
	add	w8, w8, #2
at \number, 2
	add	w8, w8, #4
1:	add	w8, w8, #16
end \number
row \number, d, 16, 23, 7, 1, 1
.endm

/* Branches that are not always taken */
.macro branches number
begin \number
at \number, 0
	tbz	w0, #31, 1f
at \number, 1
	add	w8, w8, #1
1:	cmp	w0, #0
at \number, 2
	b.lt	2f
	add	w8, w8, #4
2:	add	w8, w8, #2
end \number
row \number, e, 6, 3, 2, 1, -1
.endm

.macro called number
begin \number
at \number, 0
	bl	stress_inner
at \number, 1
	cbnz	x29, 1f
	brk	#1
1:
at \number, 2
	add	w8, w8, #6
end \number
row \number, h, 7, 7, 0, 1, 1
.endm

	.pushsection .data.rel.ro, "aw"
	.balign	8
SYM_START(stress_asm_functions, SYM_L_GLOBAL, SYM_A_NONE)
	.popsection

.altmacro
.macro copies first
copied %(\first), a, 1
relative %(\first + 1)
literal %(\first + 2)
conditional %(\first + 3)
branches %(\first + 4)
copied %(\first + 5), f, 0
copied %(\first + 6), g, 1
called %(\first + 7)
.endm

copies 0
copies 8
copies 16
copies 24
copies 32
copies 40
