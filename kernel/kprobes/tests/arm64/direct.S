/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <linux/linkage.h>
#include <asm/assembler.h>

	.text

/* x9 is the return address of the function, x30 that of the site. x10 to x15 are free. */
SYM_FUNC_START(direct_trampoline)
	adr_l	x11, direct_calls
	ldr	w12, [x11]
	add	w12, w12, #1
	str	w12, [x11]
	mov	x10, x30
	mov	x30, x9
	ret	x10
SYM_FUNC_END(direct_trampoline)
