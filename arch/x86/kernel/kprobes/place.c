// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Addresses, as x86 has them: where a function's entry is, where an instruction
 * begins, what must not be probed.
 */
#include <linux/errno.h>
#include <linux/kallsyms.h>
#include <linux/kprobe-arch.h>
#include <linux/kprobes.h>
#include <linux/uaccess.h>
#include <asm/ibt.h>
#include <asm/insn.h>
#include <asm/sections.h>

#define ENDBR_SIZE	4

static bool begins_with_endbr(unsigned long func)
{
	u32 insn;

	return !get_kernel_nofault(insn, (u32 *)func) && is_endbr(insn);
}

/*
 * With indirect branch tracking a function may begin with an ENDBR, which has to
 * stay. The ftrace site is behind it, and that is where a probe of the function
 * goes, under either address.
 */
unsigned long arch_kprobe_adjust(unsigned long addr, unsigned long offset, bool *on_entry)
{
	unsigned long func = addr - offset;

	*on_entry = !offset;
	if ((offset && offset != ENDBR_SIZE) || !begins_with_endbr(func))
		return addr;
	*on_entry = true;
	return func + ENDBR_SIZE;
}

/* The length of the instruction at @addr, or 0 if there is none */
static int insn_length(unsigned long addr)
{
	u8 text[MAX_INSN_SIZE];
	struct insn insn;

	if (copy_from_kernel_nofault(text, (void *)addr, MAX_INSN_SIZE))
		return 0;
	return insn_decode_kernel(&insn, text) ? 0 : insn.length;
}

int arch_kprobe_check_boundary(unsigned long addr)
{
	unsigned long offset, at;
	int length;

	if (!kallsyms_lookup_size_offset(addr, NULL, &offset))
		return -ENOENT;
	for (at = addr - offset; at < addr; at += length) {
		length = insn_length(at);
		if (!length)
			return -EILSEQ;
	}
	return at == addr ? 0 : -EILSEQ;
}

int arch_kprobe_blacklist(void)
{
	int ret;

	ret = kprobe_add_area_blacklist((unsigned long)__entry_text_start,
					(unsigned long)__entry_text_end);
	return ret ?: kprobe_add_area_blacklist((unsigned long)__irqentry_text_start,
						(unsigned long)__irqentry_text_end);
}
