/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <linux/linkage.h>

	.text

/* The return address is that of the site */
SYM_FUNC_START(direct_trampoline)
	incl	direct_calls(%rip)
	RET
SYM_FUNC_END(direct_trampoline)
