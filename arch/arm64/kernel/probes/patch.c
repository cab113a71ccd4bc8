// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Changing text on arm64. The architecture names a class of instructions that may be
 * changed while CPUs execute them, if both the old and the new one belong to it: B, BL,
 * BRK, HVC, ISB, NOP, SMC, SVC. All other changes are made while all other CPUs wait.
 * They wait with interrupts off, a millisecond or so for a few hundred words; where latency
 * counts, few words are changed at a time. Pseudo-NMIs and NMIs of firmware are not masked, as
 * elsewhere where arm64 changes text.
 *
 * When arch_kprobe_patch_flush() returns, every CPU executes the new text. None is
 * between an old BRK and the end of its entry: it would have answered neither the
 * stopper nor the IPI.
 */
#include <linux/cpu.h>
#include <linux/kernel.h>
#include <linux/kprobe-arch.h>
#include <linux/lockdep.h>
#include <linux/memory.h>
#include <linux/perf_event.h>
#include <linux/smp.h>
#include <linux/string.h>
#include <linux/unaligned.h>
#include <asm/barrier.h>
#include <asm/cacheflush.h>
#include <asm/debug-monitors.h>
#include <asm/insn.h>
#include <asm/patching.h>

#define PATCHES_MAX	(IS_ENABLED(CONFIG_PREEMPT_RT) ? 16 : 256)

/* Text is little endian, whatever data is */
#define TEXT_BYTES(insn)	\
	{ (insn) & 0xff, (insn) >> 8 & 0xff, (insn) >> 16 & 0xff, (insn) >> 24 & 0xff }

const u8 arch_kprobe_trap_text[ARCH_KPROBE_TRAP_SIZE] = TEXT_BYTES(BRK64_OPCODE_KPROBES);

/* [T] Text that is about to change */
static struct {
	void		*addr[PATCHES_MAX];
	u32		old[PATCHES_MAX];
	u32		new[PATCHES_MAX];
} stopped;

/* [T] */
static unsigned int stopped_num;

/* [T] Text has changed, but not yet for every CPU */
static bool patch_unsynced;

static bool insn_changes_live(u32 insn)
{
	return aarch64_insn_is_b(insn) || aarch64_insn_is_bl(insn) ||
	       aarch64_insn_is_brk(insn) || aarch64_insn_is_hvc(insn) ||
	       aarch64_insn_is_smc(insn) || aarch64_insn_is_svc(insn) ||
	       insn == aarch64_insn_gen_nop() || aarch64_insn_is_isb(insn);
}

static void patch_tell_perf(void *addr, u32 old, u32 new)
{
	__le32 before = cpu_to_le32(old), after = cpu_to_le32(new);

	perf_event_text_poke(addr, &before, sizeof(before), &after, sizeof(after));
}

static void stopped_flush(void)
{
	unsigned int i;

	if (!stopped_num)
		return;
	for (i = 0; i < stopped_num; i++)
		patch_tell_perf(stopped.addr[i], stopped.old[i], stopped.new[i]);
	WARN_ON_ONCE(aarch64_insn_patch_text(stopped.addr, stopped.new, stopped_num));
	stopped_num = 0;
}

static void stopped_add(void *addr, u32 old, u32 new)
{
	stopped.addr[stopped_num] = addr;
	stopped.old[stopped_num] = old;
	stopped.new[stopped_num] = new;
	if (++stopped_num == PATCHES_MAX)
		stopped_flush();
}

static void patch_queue_insn(void *addr, u32 old, u32 new)
{
	if (!insn_changes_live(old) || !insn_changes_live(new)) {
		stopped_add(addr, old, new);
		return;
	}
	patch_tell_perf(addr, old, new);
	/* A CPU that finds a breakpoint finds its point as well */
	smp_wmb();
	WARN_ON_ONCE(aarch64_insn_patch_text_nosync(addr, new));
	patch_unsynced = true;
}

void arch_kprobe_patch_queue(unsigned long addr, const u8 *old, const u8 *new, size_t size)
{
	size_t i;

	lockdep_assert_cpus_held();
	lockdep_assert_held(&text_mutex);
	for (i = 0; i < size; i += AARCH64_INSN_SIZE)
		patch_queue_insn((void *)addr + i, get_unaligned_le32(old + i),
				 get_unaligned_le32(new + i));
}

/*
 * A CPU may still execute what it fetched before, see arch_kprobe_patch_publish(). That does no
 * harm: a BRK that is gone is looked at again, and a branch that is gone leads to a detour that
 * is kept for a grace period.
 */
void arch_kprobe_patch_flush(void)
{
	lockdep_assert_cpus_held();
	lockdep_assert_held(&text_mutex);
	stopped_flush();
	if (patch_unsynced)
		kick_all_cpus_sync();
	patch_unsynced = false;
}

static void fetch_anew(void *unused)
{
	isb();
}

/*
 * The caches have been cleaned and invalidated for all CPUs: they have to fetch anew. A CPU may
 * handle this call after another one, for which it took the interrupt before the text was
 * written: the interrupt alone would not do (Arm ARM, B2.2.5).
 */
void arch_kprobe_patch_publish(void)
{
	lockdep_assert_cpus_held();
	lockdep_assert_held(&text_mutex);
	on_each_cpu(fetch_anew, NULL, true);
}

/* Two instructions at a time, as each write maps and unmaps the page. Slots are aligned */
static void unused_write(void *addr, const void *code, size_t size)
{
	if (size < sizeof(u64))
		WARN_ON_ONCE(aarch64_insn_write(addr, get_unaligned_le32(code)));
	else if (memcmp(addr, code, sizeof(u64)))
		WARN_ON_ONCE(aarch64_insn_write_literal_u64(addr,
							    get_unaligned((const u64 *)code)));
}

void arch_kprobe_patch_unused(void *addr, const void *code, size_t size)
{
	unsigned long start = (unsigned long)addr;
	size_t i;

	for (i = 0; i < size; i += sizeof(u64))
		unused_write(addr + i, code + i, size - i);
	caches_clean_inval_pou(start, start + size);
}

/* Any BRK does; that of the second trap is in no text */
void arch_kprobe_patch_fill(void *buf, size_t size)
{
	size_t i;

	for (i = 0; i < size; i += AARCH64_INSN_SIZE)
		put_unaligned_le32(BRK64_OPCODE_KPROBES_SS, buf + i);
}
