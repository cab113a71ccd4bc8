// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The x86 half of an insn: decode it where it stands, and write its resume code.
 *
 * x86 code can only be decoded forwards, so decoding begins at the symbol that contains
 * the address.
 */
#include <linux/kprobe-arch.h>
#include <linux/memory.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/string.h>
#include <asm/insn.h>
#include "insn.h"

static_assert(ARCH_KPROBE_TEXT_SIZE == MAX_INSN_SIZE);

static int insn_read(unsigned long addr, u8 *buf, size_t len, void *unused)
{
	int ret = kprobe_text_read(addr, buf, len);

	/* Text may end with its page, with nothing mapped after it */
	if (ret < 0)
		ret = kprobe_text_read(addr, buf, min(len, PAGE_SIZE - offset_in_page(addr)));
	/* It may look like padding, see probe_insn_is_breakpoint() */
	if (ret > 0 && *buf == INT3_INSN_OPCODE && kprobe_text_has_breakpoint(addr))
		return -EBUSY;
	return ret;
}

struct kprobe_refusal arch_kprobe_insn_decode(struct kprobe_insn *insn, unsigned long start,
					      unsigned long size)
{
	struct kprobe_refusal refusal = { };
	struct probe_insn_site site;

	scoped_guard(mutex, &text_mutex)
		refusal.error = probe_insn_find(start, insn->addr, insn_read, NULL, &site);
	if (refusal.error)
		return refusal;
	if (probe_insn_refused(&site.insn)) {
		refusal.error = site.insn.kind == PROBE_INSN_TRAP ? -EINVAL : -EOPNOTSUPP;
		refusal.text = probe_insn_kind_text(site.insn.kind);
		return refusal;
	}
	insn->decoded = site.insn;
	insn->emulated = probe_insn_emulated(&site.insn);
	insn->length = site.insn.length;
	memcpy(insn->text, site.text, insn->length);
	return refusal;
}

/* Two copies, one that branches back and one that ends in a trap; or a fault copy */
unsigned int arch_kprobe_insn_size(const struct kprobe_insn *insn)
{
	if (!insn->emulated)
		return 2 * insn->length + JMP32_INSN_SIZE + INT3_INSN_SIZE;
	return probe_insn_may_fault(&insn->decoded) ? insn->length + JMP32_INSN_SIZE : 0;
}

static void insn_add(const struct kprobe_insn *insn, struct kprobe_code *code, unsigned int size)
{
	kprobe_code_add(code, insn->length, 0);
	kprobe_code_add(code, size - insn->length, insn->length);
}

int arch_kprobe_insn_write(struct kprobe_insn *insn, struct kprobe_code *code)
{
	int size;

	size = probe_insn_write_resume(code->bytes, sizeof(code->bytes), insn->text, &insn->decoded,
				       insn->addr, code->to);
	if (size < 0)
		return size;
	insn_add(insn, code, size);
	if (insn->emulated)
		return 0;
	insn->step = code->size;
	size = probe_insn_write_resume_trap(code->bytes + code->size,
					    sizeof(code->bytes) - code->size, insn->text,
					    &insn->decoded, insn->addr, code->to + code->size);
	if (size < 0)
		return size;
	insn_add(insn, code, size);
	return 0;
}
