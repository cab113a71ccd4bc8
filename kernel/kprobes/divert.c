// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Where to go on after a handler has set the instruction pointer.
 *
 * Nobody may go on inside of a window that a branch has replaced, or is going to: the copy
 * of the instruction is executed instead. The pass that makes the branch has first let traps
 * go on in the copies, and has then waited for tasks that were inside, which includes those
 * that were sent there before.
 */
#include <linux/compiler.h>
#include <linux/kprobe-window.h>
#include <linux/kprobes.h>
#include <linux/ptrace.h>
#include "point.h"
#include "table.h"
#include "window.h"

/* The copies of the window at an address, if it is not to be entered behind @offset bytes */
static const void *divert_copies(unsigned long addr, unsigned int offset)
{
	const struct kprobe_point *point = kprobe_point_find(addr);
	const struct kprobe_wide *wide = point ? READ_ONCE(point->wide) : NULL;

	if (!wide || offset >= wide->window.length)
		return NULL;
	if (!READ_ONCE(wide->branch) && READ_ONCE(point->insn->resume) != wide->code)
		return NULL;
	return wide->code;
}
NOKPROBE_SYMBOL(divert_copies);

/**
 * kprobe_window_divert() - a handler has set the instruction pointer
 * @regs: registers of the hit; changed if they lead to the inside of a window
 *
 * The window may be that of the hit, if the handler has skipped an instruction, or that of
 * any other point.
 *
 * Context: a hit, preemption off; calls nothing that may be probed.
 */
void kprobe_window_divert(struct pt_regs *regs)
{
	unsigned long ip = instruction_pointer(regs);
	unsigned int offset;
	const void *copies;

	for (offset = 1; offset < KPROBE_WINDOW_TEXT_MAX; offset++) {
		copies = divert_copies(ip - offset, offset);
		if (copies) {
			instruction_pointer_set(regs, (unsigned long)copies + offset);
			return;
		}
	}
}
NOKPROBE_SYMBOL(kprobe_window_divert);
