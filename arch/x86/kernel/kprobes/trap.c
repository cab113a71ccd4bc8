// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The trap on x86: an int3 for the first byte of the instruction.
 *
 * exc_int3() asks kprobe_int3() before it does anything else about an int3 of the
 * kernel. It, and what it calls up to the judgement, is noinstr; a hit nested in
 * another goes no further. So no probe can be on the way to the judgement, in
 * whatever configuration; tools/testing/kprobes/callgraph sees to that.
 *
 * int3 goes through an interrupt gate: interrupts are off from the trap to the
 * iret. The iret goes to the slot with those of the probed code.
 *
 * A slot's bytes are written before its trap is. A CPU that branches there has
 * taken an exception since, and left it by an iret, which serialises.
 */
#include <linux/entry-common.h>
#include <linux/err.h>
#include <linux/instrumentation.h>
#include <linux/kallsyms.h>
#include <linux/kprobe-arch.h>
#include <linux/kprobes.h>
#include <linux/memory.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/perf_event.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include <asm/insn.h>
#include <asm/text-patching.h>
#include "insn.h"

/**
 * struct arch_kprobe_trap - a probed instruction
 * @addr: its address
 * @slot: its resume code, in both forms; for an instruction that is emulated, but
 *	may fault, a copy to fault with; otherwise NULL
 * @insn: its description
 * @text: its bytes
 *
 * All immutable.
 */
struct arch_kprobe_trap {
	unsigned long		addr;
	void			*slot;
	struct probe_insn	insn;
	u8			text[MAX_INSN_SIZE];
};

static const u8 int3 = INT3_INSN_OPCODE;

static int read_text(unsigned long addr, u8 *buf, size_t len, void *unused)
{
	int ret = kprobe_text_read(addr, buf, len);

	/* Text may end with its page, and nothing be behind that */
	if (ret < 0)
		ret = kprobe_text_read(addr, buf, min(len, PAGE_SIZE - offset_in_page(addr)));
	return ret;
}

static int find_insn(unsigned long addr, struct probe_insn_site *site)
{
	unsigned long offset;

	if (!kallsyms_lookup_size_offset(addr, NULL, &offset))
		return -ENOENT;
	guard(mutex)(&text_mutex);
	return probe_insn_find(addr - offset, addr, read_text, NULL, site);
}

int arch_kprobe_insn_check(unsigned long addr, const char **refusal)
{
	struct probe_insn_site site;
	int ret;

	ret = find_insn(addr, &site);
	if (ret)
		return ret;
	if (!probe_insn_refused(&site.insn))
		return 0;
	*refusal = probe_insn_kind_text(site.insn.kind);
	return site.insn.kind == PROBE_INSN_TRAP ? -EINVAL : -EOPNOTSUPP;
}

/* Write resume code of @trap, as it is to be in its slot */
static int write_resume(const struct arch_kprobe_trap *trap, u8 *code)
{
	unsigned long to = (unsigned long)trap->slot;
	int ret;

	ret = probe_insn_resume(code, ARCH_KPROBE_SLOT_TRAP, trap->text, &trap->insn,
				trap->addr, to);
	if (ret < 0 || !probe_insn_copied(&trap->insn))
		return ret;
	return probe_insn_resume_trap(code + ARCH_KPROBE_SLOT_TRAP,
				      ARCH_KPROBE_SLOT_SIZE - ARCH_KPROBE_SLOT_TRAP,
				      trap->text, &trap->insn, trap->addr,
				      to + ARCH_KPROBE_SLOT_TRAP);
}

static int fill_slot(struct arch_kprobe_trap *trap)
{
	u8 code[ARCH_KPROBE_SLOT_SIZE];
	int ret;

	if (!probe_insn_copied(&trap->insn) && !probe_insn_may_fault(&trap->insn))
		return 0;
	trap->slot = kprobe_slot_alloc(trap->addr, trap->insn.length);
	if (!trap->slot)
		return -ENOMEM;
	memset(code, INT3_INSN_OPCODE, sizeof(code));
	ret = write_resume(trap, code);
	if (ret < 0)
		return ret;
	text_poke_copy(trap->slot, code, sizeof(code));
	perf_event_text_poke(trap->slot, NULL, 0, code, sizeof(code));
	return 0;
}

struct arch_kprobe_trap *arch_kprobe_trap_make(unsigned long addr)
{
	struct probe_insn_site site;
	struct arch_kprobe_trap *trap;
	int ret;

	ret = find_insn(addr, &site);
	if (ret)
		return ERR_PTR(ret);
	trap = kzalloc(sizeof(*trap), GFP_KERNEL);
	if (!trap)
		return ERR_PTR(-ENOMEM);
	trap->addr = addr;
	trap->insn = site.insn;
	memcpy(trap->text, site.text, site.insn.length);
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
	if (is_kprobe_insn_slot((unsigned long)start))
		text_poke_set(start, INT3_INSN_OPCODE, size);
	else
		memset(start, INT3_INSN_OPCODE, size);
}

const u8 *arch_kprobe_trap_text(const struct arch_kprobe_trap *trap)
{
	return trap->text;
}

/* Every form costs the same here: one trap */
const char *arch_kprobe_trap_form(const struct arch_kprobe_trap *trap)
{
	return NULL;
}

int arch_kprobe_trap_queue(struct arch_kprobe_trap *trap)
{
	u8 text[MAX_INSN_SIZE];

	if (copy_from_kernel_nofault(text, (void *)trap->addr, trap->insn.length) ||
	    memcmp(text, trap->text, trap->insn.length))
		return -EBUSY;
	text_poke_queue((void *)trap->addr, &int3, sizeof(int3), NULL);
	return 0;
}

void arch_kprobe_trap_flush(void)
{
	text_poke_finish();
}

/* One byte of an instruction cannot be queued: patching would have to emulate it */
void arch_kprobe_trap_remove(struct arch_kprobe_trap *trap)
{
	void *addr = (void *)trap->addr;
	u8 text;

	if (get_kernel_nofault(text, (u8 *)addr) || text != int3) {
		pr_warn("kprobes: %pS has changed under a probe\n", addr);
		return;
	}
	perf_event_text_poke(addr, &int3, sizeof(int3), trap->text, sizeof(int3));
	text_poke(addr, trap->text, sizeof(int3));
}

/* An int3 is judged with interrupts off: whoever answers the IPI is through */
void arch_kprobe_trap_sync(void)
{
	text_poke_sync();
}

noinstr void arch_kprobe_trap_resume(const struct arch_kprobe_trap *trap,
				     struct pt_regs *regs)
{
	if (probe_insn_copied(&trap->insn) ||
	    probe_insn_emulate(&trap->insn, trap->addr, regs))
		regs->ip = (unsigned long)trap->slot;
}

noinstr bool arch_kprobe_trap_step(const struct arch_kprobe_trap *trap,
				   struct pt_regs *regs)
{
	if (probe_insn_copied(&trap->insn)) {
		regs->ip = (unsigned long)trap->slot + ARCH_KPROBE_SLOT_TRAP;
		return false;
	}
	if (!probe_insn_emulate(&trap->insn, trap->addr, regs))
		return true;
	regs->ip = (unsigned long)trap->slot;
	return false;
}

/*
 * A trap nobody knows: it may have been removed since it was executed. Then what
 * is there now has to be executed. There are two encodings of an int3; of the
 * longer one the last byte is looked at.
 */
static __always_inline bool int3_is_gone(struct pt_regs *regs)
{
	const u8 *end = (const u8 *)regs->ip;

	if (READ_ONCE(end[-1]) == INT3_INSN_OPCODE || (end[-1] == 3 && end[-2] == 0xcd))
		return false;
	regs->ip -= INT3_INSN_SIZE;
	return true;
}

/**
 * kprobe_int3() - is an int3 a probe's
 * @regs: where it happened
 *
 * Context: the entry of the exception, before anything has been told of it.
 * Return: true if it is dealt with, false if it is somebody else's.
 */
noinstr bool kprobe_int3(struct pt_regs *regs)
{
	struct kprobe_trap_hit hit;
	enum kprobe_verdict verdict;
	irqentry_state_t state;

	if (user_mode(regs))
		return false;
	verdict = kprobe_trap_judge(&hit, regs->ip - INT3_INSN_SIZE, regs);
	if (verdict == KPROBE_TRAP_FOREIGN)
		return int3_is_gone(regs);
	if (verdict == KPROBE_TRAP_RESUMED)
		return true;
	state = irqentry_nmi_enter(regs);
	instrumentation_begin();
	kprobe_trap_hit(&hit, regs);
	instrumentation_end();
	irqentry_nmi_exit(regs, state);
	kprobe_trap_end(&hit);
	return true;
}
