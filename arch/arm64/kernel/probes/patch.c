// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Changing text. An instruction that CPUs may execute while it is changed has to
 * be of a class the architecture names, before and after: B, BL, BRK, HVC, ISB,
 * NOP, SMC, SVC. What else is changed, is changed while all other CPUs wait. They
 * wait with interrupts off, so not for more than a few hundred words at a time; with
 * pseudo-NMIs on, and those of firmware, as everybody does who changes text.
 *
 * When probe_patch_flush() returns every CPU executes what is there now, and none
 * is on its way from an old BRK to the end of its entry: it would have answered
 * neither the stopper nor the IPI.
 */
#include <linux/kernel.h>
#include <linux/lockdep.h>
#include <linux/memory.h>
#include <linux/perf_event.h>
#include <linux/smp.h>
#include <linux/unaligned.h>
#include <asm/insn.h>
#include <asm/patching.h>
#include "patch.h"

#define PATCHES_MAX	256

/* Text that is about to change; under text_mutex */
static struct {
	void		*addr[PATCHES_MAX];
	u32		old[PATCHES_MAX];
	u32		new[PATCHES_MAX];
} stopped;

static unsigned int num_stopped;

/* Text that has changed, but maybe not in the eyes of each CPU */
static bool unsynced;

static bool changes_live(u32 insn)
{
	return aarch64_insn_is_b(insn) || aarch64_insn_is_bl(insn) ||
	       aarch64_insn_is_brk(insn) || aarch64_insn_is_hvc(insn) ||
	       aarch64_insn_is_smc(insn) || aarch64_insn_is_svc(insn) ||
	       insn == aarch64_insn_gen_nop() || aarch64_insn_is_isb(insn);
}

/* Text is little endian, whatever data is */
static void tell_perf(void *addr, u32 old, u32 new)
{
	__le32 before = cpu_to_le32(old), after = cpu_to_le32(new);

	perf_event_text_poke(addr, &before, sizeof(before), &after, sizeof(after));
}

static void flush_stopped(void)
{
	unsigned int i;

	if (!num_stopped)
		return;
	for (i = 0; i < num_stopped; i++)
		tell_perf(stopped.addr[i], stopped.old[i], stopped.new[i]);
	WARN_ON_ONCE(aarch64_insn_patch_text(stopped.addr, stopped.new, num_stopped));
	num_stopped = 0;
}

/**
 * probe_patch_queue() - change an instruction, by probe_patch_flush() at the latest
 * @addr: where
 * @old: what is there
 * @new: what is to be there
 *
 * Context: under the CPU lock and text_mutex.
 */
void probe_patch_queue(unsigned long addr, u32 old, u32 new)
{
	lockdep_assert_held(&text_mutex);
	if (changes_live(old) && changes_live(new)) {
		tell_perf((void *)addr, old, new);
		WARN_ON_ONCE(aarch64_insn_patch_text_nosync((void *)addr, new));
		unsynced = true;
		return;
	}
	stopped.addr[num_stopped] = (void *)addr;
	stopped.old[num_stopped] = old;
	stopped.new[num_stopped] = new;
	if (++num_stopped == PATCHES_MAX)
		flush_stopped();
}

/**
 * probe_patch_flush() - have the text changed that was queued
 *
 * Context: under the CPU lock and text_mutex.
 */
void probe_patch_flush(void)
{
	lockdep_assert_held(&text_mutex);
	flush_stopped();
	if (unsynced)
		kick_all_cpus_sync();
	unsynced = false;
}

/**
 * probe_patch_unused() - write instructions that nobody executes
 * @addr: where
 * @text: the instructions
 * @size: their bytes
 *
 * No CPU is told. Who executes them comes by the return from an exception, which
 * synchronises: what it fetches then is what is here now.
 *
 * Context: any but NMI.
 */
void probe_patch_unused(void *addr, const void *text, size_t size)
{
	size_t i;
	u32 insn;

	for (i = 0; i < size; i += AARCH64_INSN_SIZE) {
		insn = get_unaligned_le32(text + i);
		if (get_unaligned_le32(addr + i) != insn)
			WARN_ON_ONCE(aarch64_insn_patch_text_nosync(addr + i, insn));
	}
}
