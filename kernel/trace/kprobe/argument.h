/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef _TRACE_KPROBE_ARGUMENT_H
#define _TRACE_KPROBE_ARGUMENT_H
/*
 * Where a function that was just entered finds its arguments, by the calling
 * convention: integers and pointers, one register each; the rest on the stack.
 *
 * argument_registers has offsets in struct pt_regs, in order; the first argument
 * without one is word ARGUMENT_STACK of the stack. Each there is takes 8 bytes. Of a
 * structure bigger than ARGUMENT_BY_REFERENCE its address is passed. Where to put one
 * to return that is bigger than RETVAL_BY_REFERENCE is the first argument.
 */
#include <linux/compiler_attributes.h>
#include <linux/limits.h>
#include <linux/ptrace.h>
#include <linux/stddef.h>

#if defined(CONFIG_X86_64)

static const unsigned int argument_registers[] __maybe_unused = {
	offsetof(struct pt_regs, di),
	offsetof(struct pt_regs, si),
	offsetof(struct pt_regs, dx),
	offsetof(struct pt_regs, cx),
	offsetof(struct pt_regs, r8),
	offsetof(struct pt_regs, r9),
};

#define ARGUMENT_STACK		1	/* the return address is below */
#define ARGUMENT_BY_REFERENCE	U32_MAX
#define RETVAL_BY_REFERENCE	16
#define RETVAL_REGISTER		offsetof(struct pt_regs, ax)

#elif defined(CONFIG_ARM64)

static const unsigned int argument_registers[] __maybe_unused = {
	offsetof(struct pt_regs, regs[0]),
	offsetof(struct pt_regs, regs[1]),
	offsetof(struct pt_regs, regs[2]),
	offsetof(struct pt_regs, regs[3]),
	offsetof(struct pt_regs, regs[4]),
	offsetof(struct pt_regs, regs[5]),
	offsetof(struct pt_regs, regs[6]),
	offsetof(struct pt_regs, regs[7]),
};

#define ARGUMENT_STACK		0
#define ARGUMENT_BY_REFERENCE	16
#define RETVAL_BY_REFERENCE	U32_MAX	/* in x8, which is no argument's */
#define RETVAL_REGISTER		offsetof(struct pt_regs, regs[0])

#endif

#endif /* _TRACE_KPROBE_ARGUMENT_H */
