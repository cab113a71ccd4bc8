// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The trap on arm64: a BRK for the instruction.
 *
 * el1_brk64() asks kprobe_brk_judge() before it does anything else about a BRK of
 * the kernel. It, and what it calls up to the judgement, is noinstr; a hit nested
 * in another goes no further. So no probe can be on the way to the judgement, in
 * whatever configuration; tools/testing/kprobes/callgraph sees to that.
 *
 * All exceptions are masked from the trap to its return, which goes to the slot
 * with PSTATE as the probed code had it. BTYPE is part of that: where a landing pad
 * is probed the trap keeps it, and the copy of the pad in the slot looks at it.
 *
 * The way back from a slot is a branch. Slots lie beside the image, within its
 * reach; where they cannot, because the image is too big, or the code is a module
 * that was put further away, the form that ends in a trap serves instead.
 *
 * A slot's bytes are written before its trap is. A CPU that comes there has taken
 * an exception since and returned from it, which synchronises its context: it does
 * not execute what it may have fetched before. The caches have been cleaned and
 * invalidated for all CPUs by who wrote the bytes.
 */
#include <linux/align.h>
#include <linux/err.h>
#include <linux/kallsyms.h>
#include <linux/kernel.h>
#include <linux/kprobe-arch.h>
#include <linux/kprobes.h>
#include <linux/memory.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/perf_event.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include <linux/unaligned.h>
#include <asm/brk-imm.h>
#include <asm/cacheflush.h>
#include <asm/debug-monitors.h>
#include <asm/esr.h>
#include <asm/sections.h>
#include "insn.h"
#include "patch.h"

/**
 * struct arch_kprobe_trap - a probed instruction
 * @addr: its address
 * @slot: its resume code, in both forms; NULL if the instruction is emulated
 * @near: the form that branches back reaches @addr
 * @insn: its description
 * @text: its bytes
 *
 * All immutable.
 */
struct arch_kprobe_trap {
	unsigned long		addr;
	void			*slot;
	bool			near;
	struct probe_insn	insn;
	__le32			text;
};

static int read_insn(unsigned long addr, struct probe_insn *insn)
{
	u8 text[AARCH64_INSN_SIZE];
	int ret;

	if (!IS_ALIGNED(addr, AARCH64_INSN_SIZE))
		return -EILSEQ;
	ret = kprobe_text_read(addr, text, sizeof(text));
	if (ret < 0)
		return -EILSEQ;
	*insn = probe_insn_classify(get_unaligned_le32(text));
	return 0;
}

static bool within(unsigned long addr, size_t size, const void *start, const void *end)
{
	return addr >= (unsigned long)start && addr + size <= (unsigned long)end;
}

#ifdef CONFIG_MODULES
static bool module_is_constant(unsigned long addr, size_t size)
{
	struct module *mod;

	guard(preempt)();
	mod = __module_address(addr);
	return mod && (within_module_mem_type(addr, mod, MOD_TEXT) ||
		       within_module_mem_type(addr, mod, MOD_RODATA)) &&
	       __module_address(addr + size - 1) == mod;
}
#else
static bool module_is_constant(unsigned long addr, size_t size)
{
	return false;
}
#endif

/* Does memory at an address never change, as far as anybody may tell */
static bool is_constant(unsigned long addr, size_t size)
{
	if (within(addr, size, __start_ro_after_init, __end_ro_after_init))
		return false;
	return within(addr, size, _stext, _etext) ||
	       within(addr, size, __start_rodata, __end_rodata) ||
	       module_is_constant(addr, size);
}

/* A literal that cannot be read would be a fault ahead of the judgement */
static bool literal_is_readable(const struct probe_insn *insn, unsigned long at)
{
	u8 literal[sizeof(u64)];

	return !copy_from_kernel_nofault(literal, (void *)at, insn->size);
}

static bool literal_is_good(const struct probe_insn *insn, unsigned long addr)
{
	unsigned long at = probe_insn_literal(insn, addr);

	switch (insn->kind) {
	case PROBE_INSN_LITERAL:
		return is_constant(at, insn->size);
	case PROBE_INSN_LDR:
	case PROBE_INSN_LDRSW:
		return literal_is_readable(insn, at);
	default:
		return true;
	}
}

/* Is an address in an exclusive sequence of its function */
static int check_exclusive(unsigned long addr)
{
	__le32 *text __free(kvfree) = NULL;
	unsigned long size, offset;
	int ret;

	if (!kallsyms_lookup_size_offset(addr, &size, &offset))
		return -ENOENT;
	size = ALIGN_DOWN(size, AARCH64_INSN_SIZE);
	text = kvmalloc(size, GFP_KERNEL);
	if (!text)
		return -ENOMEM;
	ret = kprobe_text_read(addr - offset, (u8 *)text, size);
	if (ret < 0)
		return -EILSEQ;
	return probe_insn_in_exclusive(text, size / AARCH64_INSN_SIZE,
				       offset / AARCH64_INSN_SIZE);
}

static int refuse(enum probe_insn_kind kind, const char **refusal)
{
	*refusal = probe_insn_kind_text(kind);
	return kind == PROBE_INSN_TRAP ? -EINVAL : -EOPNOTSUPP;
}

int arch_kprobe_insn_check(unsigned long addr, const char **refusal)
{
	struct probe_insn insn;
	int ret;

	ret = read_insn(addr, &insn);
	if (ret)
		return ret;
	if (probe_insn_refused(&insn))
		return refuse(insn.kind, refusal);
	if (!literal_is_good(&insn, addr))
		return refuse(PROBE_INSN_VARIABLE, refusal);
	ret = check_exclusive(addr);
	return ret > 0 ? refuse(PROBE_INSN_IN_EXCLUSIVE, refusal) : ret;
}

/* Write resume code of @trap, as it is to be in its slot */
static int write_resume(struct arch_kprobe_trap *trap, u8 *code, const u8 *literal)
{
	unsigned long to = (unsigned long)trap->slot;
	int ret;

	ret = probe_insn_resume(code, ARCH_KPROBE_SLOT_TRAP, &trap->insn, literal,
				trap->addr, to);
	trap->near = ret != -ERANGE;
	if ((ret < 0 && trap->near) || trap->insn.kind == PROBE_INSN_LEAVE)
		return ret;
	return probe_insn_resume_trap(code + ARCH_KPROBE_SLOT_TRAP,
				      ARCH_KPROBE_SLOT_SIZE - ARCH_KPROBE_SLOT_TRAP,
				      &trap->insn, literal, to + ARCH_KPROBE_SLOT_TRAP,
				      KPROBES_BRK_SS_IMM);
}

/* Any instruction that is not in use */
static void set_brk(u8 *code, size_t size)
{
	size_t i;

	for (i = 0; i < size; i += AARCH64_INSN_SIZE)
		put_unaligned_le32(BRK64_OPCODE_KPROBES_SS, code + i);
}

static int fill_slot(struct arch_kprobe_trap *trap)
{
	u8 code[ARCH_KPROBE_SLOT_SIZE], literal[16];
	int ret;

	if (!probe_insn_copied(&trap->insn))
		return 0;
	if (trap->insn.kind == PROBE_INSN_LITERAL &&
	    kprobe_text_read(probe_insn_literal(&trap->insn, trap->addr), literal,
			     trap->insn.size) < 0)
		return -EFAULT;
	trap->slot = kprobe_slot_alloc(trap->addr, AARCH64_INSN_SIZE);
	if (!trap->slot)
		return -ENOMEM;
	set_brk(code, sizeof(code));
	ret = write_resume(trap, code, literal);
	if (ret < 0)
		return ret;
	if (!trap->near)
		set_brk(code, ARCH_KPROBE_SLOT_TRAP);
	probe_patch_unused(trap->slot, code, sizeof(code));
	perf_event_text_poke(trap->slot, NULL, 0, code, sizeof(code));
	return 0;
}

struct arch_kprobe_trap *arch_kprobe_trap_make(unsigned long addr)
{
	struct arch_kprobe_trap *trap;
	struct probe_insn insn;
	int ret;

	ret = read_insn(addr, &insn);
	if (ret)
		return ERR_PTR(ret);
	trap = kzalloc(sizeof(*trap), GFP_KERNEL);
	if (!trap)
		return ERR_PTR(-ENOMEM);
	trap->addr = addr;
	trap->insn = insn;
	trap->text = cpu_to_le32(insn.word);
	ret = fill_slot(trap);
	if (!ret)
		return trap;
	arch_kprobe_trap_free(trap);
	return ERR_PTR(ret);
}

void arch_kprobe_trap_free(struct arch_kprobe_trap *trap)
{
	if (!trap)
		return;
	kprobe_slot_free(trap->slot);
	kfree(trap);
}

void arch_kprobe_slot_clear(void *start, size_t size)
{
	u8 code[ARCH_KPROBE_SLOT_SIZE];

	if (!is_kprobe_insn_slot((unsigned long)start)) {
		set_brk(start, size);
		caches_clean_inval_pou((unsigned long)start, (unsigned long)start + size);
		return;
	}
	set_brk(code, sizeof(code));
	probe_patch_unused(start, code, size);
}

const u8 *arch_kprobe_trap_text(const struct arch_kprobe_trap *trap)
{
	return (const u8 *)&trap->text;
}

const char *arch_kprobe_trap_form(const struct arch_kprobe_trap *trap)
{
	if (!trap->slot)
		return "[EMULATED]";
	return trap->near ? "[SLOT]" : "[SECOND TRAP]";
}

int arch_kprobe_trap_queue(struct arch_kprobe_trap *trap)
{
	__le32 text;

	if (get_kernel_nofault(text, (__le32 *)trap->addr) || text != trap->text)
		return -EBUSY;
	probe_patch_queue(trap->addr, trap->insn.word, BRK64_OPCODE_KPROBES);
	return 0;
}

void arch_kprobe_trap_flush(void)
{
	probe_patch_flush();
}

void arch_kprobe_trap_remove(struct arch_kprobe_trap *trap)
{
	__le32 text;

	if (get_kernel_nofault(text, (__le32 *)trap->addr) ||
	    le32_to_cpu(text) != BRK64_OPCODE_KPROBES) {
		pr_warn("kprobes: %pS has changed under a probe\n", (void *)trap->addr);
		return;
	}
	probe_patch_queue(trap->addr, BRK64_OPCODE_KPROBES, trap->insn.word);
}

void arch_kprobe_trap_sync(void)
{
	probe_patch_flush();
}

noinstr void arch_kprobe_trap_resume(const struct arch_kprobe_trap *trap,
				     struct pt_regs *regs)
{
	if (likely(trap->near))
		regs->pc = (unsigned long)trap->slot;
	else if (trap->slot)
		regs->pc = (unsigned long)trap->slot + ARCH_KPROBE_SLOT_TRAP;
	else
		probe_insn_emulate(&trap->insn, trap->addr, regs);
}

/*
 * What branches by itself, and is copied because only the processor can tell where
 * to, has nothing behind it where a trap could be: of those, post-handlers are
 * called ahead of the branch.
 */
noinstr bool arch_kprobe_trap_step(const struct arch_kprobe_trap *trap,
				   struct pt_regs *regs)
{
	if (!trap->slot || trap->insn.kind == PROBE_INSN_LEAVE) {
		arch_kprobe_trap_resume(trap, regs);
		return true;
	}
	regs->pc = (unsigned long)trap->slot + ARCH_KPROBE_SLOT_TRAP;
	return false;
}

/*
 * A trap nobody knows: it may have been removed since it was executed. Then what
 * is there now has to be executed.
 */
static __always_inline bool brk_is_gone(struct pt_regs *regs)
{
	u32 insn = le32_to_cpu(READ_ONCE(*(__le32 *)regs->pc));

	return insn != BRK64_OPCODE_KPROBES && insn != BRK64_OPCODE_KPROBES_SS;
}

/**
 * kprobe_brk_judge() - is a BRK a probe's
 * @hit: written, see kprobe_trap_judge()
 * @regs: where it happened
 * @esr: its syndrome
 *
 * Context: the entry of the exception, before anything has been told of it.
 * Return: as kprobe_trap_judge().
 */
noinstr enum kprobe_verdict kprobe_brk_judge(struct kprobe_trap_hit *hit,
					     struct pt_regs *regs, unsigned long esr)
{
	unsigned long imm = esr & ESR_ELx_BRK64_ISS_COMMENT_MASK;
	enum kprobe_verdict verdict;

	if (imm != KPROBES_BRK_IMM && imm != KPROBES_BRK_SS_IMM)
		return KPROBE_TRAP_FOREIGN;
	verdict = kprobe_trap_judge(hit, regs->pc, regs);
	if (verdict == KPROBE_TRAP_FOREIGN && brk_is_gone(regs))
		return KPROBE_TRAP_RESUMED;
	return verdict;
}
