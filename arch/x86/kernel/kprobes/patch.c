// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Changing text on x86. A trap is one byte, and so is what it replaces: a CPU sees the
 * byte before or the byte after, never a mixture. A jump has five; text_poke_queue() keeps
 * an int3 in the place of the first one while the others change.
 */
#include <linux/cpu.h>
#include <linux/execmem.h>
#include <linux/kprobe-arch.h>
#include <linux/lockdep.h>
#include <linux/memory.h>
#include <linux/perf_event.h>
#include <linux/string.h>
#include <asm/text-patching.h>

const u8 arch_kprobe_trap_text[ARCH_KPROBE_TRAP_SIZE] = { INT3_INSN_OPCODE };

/* [T] Text has changed, but not yet for every CPU */
static bool patch_unsynced;

/*
 * text_poke_queue() has to emulate what it writes, or what it is told to: an int3, a jmp,
 * or the jmp that is there until the trap is back. It does not take the first byte of
 * another instruction. A queued poke tells perf itself.
 */
void arch_kprobe_patch_queue(unsigned long addr, const u8 *old, const u8 *new, size_t size)
{
	lockdep_assert_cpus_held();
	lockdep_assert_held(&text_mutex);
	if (size == JMP32_INSN_SIZE) {
		text_poke_queue((void *)addr, new, size, *new == JMP32_INSN_OPCODE ? new : old);
		return;
	}
	if (*new == INT3_INSN_OPCODE) {
		text_poke_queue((void *)addr, new, size, NULL);
		return;
	}
	perf_event_text_poke((void *)addr, old, size, new, size);
	text_poke((void *)addr, new, size);
	patch_unsynced = true;
}

/* An int3 is judged with interrupts off: a CPU that answers the IPI has left it */
void arch_kprobe_patch_flush(void)
{
	lockdep_assert_cpus_held();
	lockdep_assert_held(&text_mutex);
	text_poke_finish();
	if (patch_unsynced)
		text_poke_sync();
	patch_unsynced = false;
}

/* text_poke_queue() synchronises all CPUs before any can execute the new jmp */
void arch_kprobe_patch_publish(void)
{
	lockdep_assert_cpus_held();
	lockdep_assert_held(&text_mutex);
}

void arch_kprobe_patch_unused(void *addr, const void *code, size_t size)
{
	text_poke_copy(addr, code, size);
}

void *arch_kprobe_slot_memory(size_t size, unsigned long near)
{
	return execmem_alloc(EXECMEM_KPROBES, size);
}

void arch_kprobe_patch_fill(void *buf, size_t size)
{
	memset(buf, INT3_INSN_OPCODE, size);
}
