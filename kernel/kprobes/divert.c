// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Instruction pointers that handlers set.
 *
 * A handler may set an address inside a window. Once a branch replaces the window, or is about
 * to, the text there must not be executed: the hit goes on in the copy of the instruction.
 * Before the branch is written, a pass first lets traps go on in the copies, and then waits
 * for a tasks-RCU grace period. Tasks that were sent into the text before have left it by then.
 */
#include <linux/compiler.h>
#include <linux/kprobe-window.h>
#include <linux/kprobes.h>
#include <linux/ptrace.h>
#include "point.h"
#include "table.h"
#include "window.h"

/*
 * Find the copies of the window that begins at @addr. Return NULL if there is no window of more
 * than @offset bytes, or if its text may be executed.
 */
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
 * Return: true if they lead to copies now.
 */
bool kprobe_window_divert(struct pt_regs *regs)
{
	unsigned long ip = instruction_pointer(regs);
	unsigned int offset;
	const void *copies;

	for (offset = 1; offset < KPROBE_WINDOW_TEXT_MAX; offset++) {
		copies = divert_copies(ip - offset, offset);
		if (copies) {
			instruction_pointer_set(regs, (unsigned long)copies + offset);
			return true;
		}
	}
	return false;
}
NOKPROBE_SYMBOL(kprobe_window_divert);
