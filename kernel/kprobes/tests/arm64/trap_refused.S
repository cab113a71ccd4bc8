/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Instructions that must be refused. None of them is ever executed. Each is in a
 * function of its own, between two other instructions.
 */
#include <linux/linkage.h>
#include <asm/asm-extable.h>
#include <asm/errno.h>

	.arch	armv8.5-a+pauth

	.macro	refused error:req, insn:req, before=nop, behind=nop
	.section .rodata.str1.1, "aMS", @progbits, 1
.Ltext_\@:
	.asciz	"\before, \insn, \behind"
	.text
	.balign	16
trap_refused_\@:
	\before
.Lat_\@:
	\insn
	\behind
	ret
	.size	trap_refused_\@, . - trap_refused_\@
	.type	trap_refused_\@, @function
	.section .data.rel.ro, "aw"
	.quad	.Lat_\@, -\error, .Ltext_\@
	.previous
	.endm

	.section .data.rel.ro, "aw"
	.balign	8
SYM_DATA_START(trap_refused)
	.text
	refused	EINVAL, "svc #0"
	refused	EINVAL, "hvc #0"
	refused	EINVAL, "smc #0"
	refused	EINVAL, "brk #5"
	refused	EINVAL, "hlt #5"
	refused	EINVAL, ".inst 0"
	refused	EOPNOTSUPP, "eret"
	refused	EOPNOTSUPP, "drps"
	refused	EOPNOTSUPP, "wfi"
	refused	EOPNOTSUPP, "msr ttbr0_el1, x0"
	refused	EOPNOTSUPP, "msr sctlr_el1, x0"
	refused	EOPNOTSUPP, "msr vbar_el1, x0"
	refused	EOPNOTSUPP, "msr sp_el0, x0"
	refused	EOPNOTSUPP, "msr tpidr_el1, x0"
	refused	EOPNOTSUPP, "msr elr_el1, x0"
	refused	EOPNOTSUPP, "msr spsr_el1, x0"
	refused	EOPNOTSUPP, "msr spsel, #0"
	refused	EOPNOTSUPP, "mrs x0, esr_el1"
	refused	EOPNOTSUPP, "mrs x0, far_el1"
	refused	EOPNOTSUPP, "mrs x0, elr_el1"
	refused	EOPNOTSUPP, "mrs x0, spsr_el1"
	refused	EOPNOTSUPP, "blraa x1, x2"
	refused	EOPNOTSUPP, "blraaz x1"
	refused	EOPNOTSUPP, "hint #127"
	refused	EOPNOTSUPP, "ldxr x0, [x1]", nop, "stxr w2, x3, [x1]"
	refused	EOPNOTSUPP, "ldaxp x0, x4, [x1]", nop, "stlxp w2, x3, x4, [x1]"
	refused	EOPNOTSUPP, "stxr w2, x3, [x1]", "ldxr x0, [x1]"
	refused	EOPNOTSUPP, "add x0, x0, #1", "ldxr x0, [x1]", "stxr w2, x0, [x1]"
	refused	EOPNOTSUPP, "cbz x0, . + 8", "ldaxr x0, [x1]", "stlxr w2, x0, [x1]"
	/* movprfx z0, z1; movprfx z0.b, p0/z, z1.b */
	refused	EOPNOTSUPP, ".inst 0x0420bc20"
	refused	EOPNOTSUPP, ".inst 0x04102020"
	/* movprfx z0, z1; add z0.s, p0/m, z0.s, z2.s. And pacm; paciasp */
	refused	EOPNOTSUPP, ".inst 0x04800040", ".inst 0x0420bc20"
	refused	EOPNOTSUPP, "paciasp", ".inst 0xd50324ff"
	/* cpyfp, cpyfm, cpyfe, setp */
	refused	EOPNOTSUPP, ".inst 0x19010440"
	refused	EOPNOTSUPP, ".inst 0x19410440"
	refused	EOPNOTSUPP, ".inst 0x19810440"
	refused	EOPNOTSUPP, ".inst 0x19c10440"

	/* An instruction that may fault and then continues elsewhere */
	.text
	.balign	16
SYM_FUNC_START_LOCAL(trap_refused_extable)
	mov	x1, xzr
1:	ldtr	x0, [x0]
2:	ret
	_ASM_EXTABLE_UACCESS(1b, 2b)
SYM_FUNC_END(trap_refused_extable)
	.section .data.rel.ro, "aw"
	.quad	1b, -EOPNOTSUPP, .Lextable_text
SYM_DATA_END_LABEL(trap_refused, SYM_L_GLOBAL, trap_refused_end)
	.section .rodata.str1.1, "aMS", @progbits, 1
.Lextable_text:
	.asciz	"in the exception table"
