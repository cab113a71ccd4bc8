// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The arm64 half of an insn: decode it where it stands, and write its resume code.
 *
 * Resume code ends in a branch back. Slots lie within its reach (slots.c). If there is no
 * memory for such a slot, only the code that ends in a trap is written.
 */
#include <linux/align.h>
#include <linux/ftrace.h>
#include <linux/kernel.h>
#include <linux/kprobe-arch.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <linux/unaligned.h>
#include <asm/brk-imm.h>
#include <asm/debug-monitors.h>
#include <asm/insn.h>
#include <asm/sections.h>
#include "insn.h"

/* The largest literal that resume code copies */
#define LITERAL_MAX	16

static bool is_within(unsigned long addr, size_t size, const void *start, const void *end)
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

/* Is memory text or read-only data, which never changes */
static bool literal_is_constant(unsigned long addr, size_t size)
{
	if (is_within(addr, size, __start_ro_after_init, __end_ro_after_init))
		return false;
	return is_within(addr, size, _stext, _etext) ||
	       is_within(addr, size, __start_rodata, __end_rodata) ||
	       module_is_constant(addr, size);
}

/* An unreadable literal would cause a fault before the judgement */
static bool literal_is_readable(unsigned long addr, size_t size)
{
	u8 literal[sizeof(u64)];

	return !copy_from_kernel_nofault(literal, (void *)addr, size);
}

static bool literal_is_good(const struct kprobe_insn *insn)
{
	unsigned long addr = probe_insn_literal(&insn->decoded, insn->addr);

	switch (insn->decoded.kind) {
	case PROBE_INSN_LITERAL:
		return literal_is_constant(addr, insn->decoded.size);
	case PROBE_INSN_LDR:
	case PROBE_INSN_LDRSW:
		return literal_is_readable(addr, insn->decoded.size);
	default:
		return true;
	}
}

/* The call of a tracer is none of the function's */
#ifdef CONFIG_DYNAMIC_FTRACE
static void function_forget_tracer(__le32 *text, unsigned long start, unsigned long size)
{
	unsigned long site = size ? ftrace_location_range(start, start + size - 1) : 0;

	if (site)
		text[(site - start) / AARCH64_INSN_SIZE] = cpu_to_le32(aarch64_insn_gen_nop());
}
#else
static void function_forget_tracer(__le32 *text, unsigned long start, unsigned long size)
{
}
#endif

/* Nobody else writes such a BRK */
static bool function_is_broken(const __le32 *text, unsigned long num)
{
	while (num--) {
		if (*text++ == cpu_to_le32(AARCH64_BREAK_KGDB_DYN_DBG))
			return true;
	}
	return false;
}

/*
 * Look at the insn among the others of its function. Sets kprobe_insn::unframed; returns 1 if
 * it is in an exclusive sequence, 0 if not, or a negative errno.
 */
static int insn_in_function(struct kprobe_insn *insn, unsigned long start, unsigned long size)
{
	__le32 *text __free(kvfree) = NULL;
	size_t num, at = (insn->addr - start) / AARCH64_INSN_SIZE;
	int ret;

	size = ALIGN_DOWN(size, AARCH64_INSN_SIZE);
	text = kvmalloc(size, GFP_KERNEL);
	if (!text)
		return -ENOMEM;
	ret = kprobe_text_read(start, (u8 *)text, size);
	if (ret < 0)
		return ret;
	num = size / AARCH64_INSN_SIZE;
	if (function_is_broken(text, num))
		return -EBUSY;
	function_forget_tracer(text, start, size);
	insn->unframed = probe_insn_unframed(text, num, at);
	return probe_insn_in_exclusive(text, num, at);
}

static bool insn_is_prefixed(const struct kprobe_insn *insn, unsigned long start)
{
	u8 before[AARCH64_INSN_SIZE];

	return insn->addr > start &&
	       kprobe_text_read(insn->addr - sizeof(before), before, sizeof(before)) >= 0 &&
	       probe_insn_is_prefix(get_unaligned_le32(before));
}

static struct kprobe_refusal insn_refused(enum probe_insn_kind kind)
{
	return (struct kprobe_refusal){
		.error	= kind == PROBE_INSN_TRAP ? -EINVAL : -EOPNOTSUPP,
		.text	= probe_insn_kind_text(kind),
	};
}

static int insn_read(struct kprobe_insn *insn)
{
	int ret;

	if (!IS_ALIGNED(insn->addr, AARCH64_INSN_SIZE))
		return -EILSEQ;
	ret = kprobe_text_read(insn->addr, insn->text, AARCH64_INSN_SIZE);
	if (ret < 0)
		return ret;
	insn->decoded = probe_insn_classify(get_unaligned_le32(insn->text));
	insn->emulated = probe_insn_emulated(&insn->decoded);
	insn->length = AARCH64_INSN_SIZE;
	return 0;
}

struct kprobe_refusal arch_kprobe_insn_decode(struct kprobe_insn *insn, unsigned long start,
					      unsigned long size)
{
	int ret = insn_read(insn);

	if (ret)
		return (struct kprobe_refusal){ .error = ret };
	if (probe_insn_refused(&insn->decoded))
		return insn_refused(insn->decoded.kind);
	if (insn_is_prefixed(insn, start))
		return insn_refused(PROBE_INSN_PREFIXED);
	if (!literal_is_good(insn))
		return insn_refused(PROBE_INSN_VARIABLE);
	ret = insn_in_function(insn, start, size);
	if (ret > 0)
		return insn_refused(PROBE_INSN_IN_EXCLUSIVE);
	return (struct kprobe_refusal){ .error = ret };
}

/* Two copies, one that branches back and one that ends in a trap */
unsigned int arch_kprobe_insn_size(const struct kprobe_insn *insn)
{
	if (insn->emulated)
		return 0;
	if (insn->decoded.kind == PROBE_INSN_LITERAL)
		return 2 * PROBE_RESUME_MAX;
	return 2 * 2 * AARCH64_INSN_SIZE;
}

/* @size bytes of resume code, or a negative errno instead */
static int insn_add(struct kprobe_code *code, int size)
{
	if (size < 0)
		return size;
	kprobe_code_add(code, AARCH64_INSN_SIZE, 0);
	kprobe_code_add(code, size - AARCH64_INSN_SIZE, AARCH64_INSN_SIZE);
	return 0;
}

static int insn_write_resume(const struct kprobe_insn *insn, struct kprobe_code *code,
			     const u8 *literal)
{
	int size = probe_insn_write_resume(code->bytes, sizeof(code->bytes), &insn->decoded,
					   literal, insn->addr, code->to);

	return insn_add(code, size);
}

static int insn_write_step(struct kprobe_insn *insn, struct kprobe_code *code, const u8 *literal)
{
	insn->step = code->size;
	int size = probe_insn_write_resume_trap(code->bytes + code->size,
						sizeof(code->bytes) - code->size,
						&insn->decoded, literal, code->to + code->size,
						KPROBES_BRK_SS_IMM);

	return insn_add(code, size);
}

int arch_kprobe_insn_write(struct kprobe_insn *insn, struct kprobe_code *code)
{
	u8 literal[LITERAL_MAX];
	int ret;

	if (insn->decoded.kind == PROBE_INSN_LITERAL &&
	    kprobe_text_read(probe_insn_literal(&insn->decoded, insn->addr), literal,
			     insn->decoded.size) < 0)
		return -EFAULT;
	ret = insn_write_resume(insn, code, literal);
	if (ret && ret != -ERANGE)
		return ret;
	if (insn->decoded.kind == PROBE_INSN_LEAVE)
		return 0;
	return insn_write_step(insn, code, literal);
}
