/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef _KERNEL_KPROBES_INSN_H
#define _KERNEL_KPROBES_INSN_H
/*
 * The instruction at a place, and the ways to go on from it after a trap.
 */
#include <linux/compiler.h>
#include <linux/kprobe-arch.h>
#include <linux/ptrace.h>

struct kprobe_place;

/* insn.c */
struct kprobe_insn *kprobe_insn_make(struct kprobe_place *place);
void kprobe_insn_free(struct kprobe_insn *insn);
int kprobe_insn_arm(const struct kprobe_insn *insn);
void kprobe_insn_disarm(const struct kprobe_insn *insn);
const char *kprobe_insn_form(const struct kprobe_insn *insn);

/**
 * kprobe_insn_text() - the text of the instruction
 * @insn: the insn
 *
 * Return: the original bytes, kprobe_insn::length of them.
 */
static inline const u8 *kprobe_insn_text(const struct kprobe_insn *insn)
{
	return insn->text;
}

/**
 * kprobe_insn_resume() - go on as if there were no trap
 * @insn: the insn
 * @regs: registers of the trap; changed
 *
 * Context: any; calls nothing that may be probed.
 * Return: false if emulation has failed and the copy in the slot is to fault.
 */
static __always_inline bool kprobe_insn_resume(const struct kprobe_insn *insn,
					       struct pt_regs *regs)
{
	if (insn->emulated && likely(!probe_insn_emulate(&insn->decoded, insn->addr, regs)))
		return true;
	instruction_pointer_set(regs, (unsigned long)READ_ONCE(insn->resume));
	return !insn->emulated;
}

/**
 * kprobe_insn_step() - execute the instruction and come back
 * @insn: the insn
 * @regs: registers of the trap; changed
 *
 * An instruction that branches by itself, and is copied since only the processor
 * knows the destination, has no successor that could be a trap. It counts as
 * executed before it branches.
 *
 * Context: any; calls nothing that may be probed.
 * Return: true if the instruction counts as executed; false if it is executed after
 * the trap is left. Then a second trap follows, unless the instruction faults.
 */
static __always_inline bool kprobe_insn_step(const struct kprobe_insn *insn,
					     struct pt_regs *regs)
{
	if (insn->step == KPROBE_INSN_NO_STEP)
		return kprobe_insn_resume(insn, regs);
	instruction_pointer_set(regs, (unsigned long)insn->slot + insn->step);
	return false;
}

#endif /* _KERNEL_KPROBES_INSN_H */
