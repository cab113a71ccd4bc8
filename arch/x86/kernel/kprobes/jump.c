// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Jumps on x86: a jmp of five bytes replaces an instruction of at least five, or several
 * that are shorter.
 *
 * While the text changes an int3 is in the place of the first byte. text_poke_queue() has
 * its handler emulate the jmp, so a hit goes one way or the other.
 */
#include <linux/array_size.h>
#include <linux/build_bug.h>
#include <linux/kallsyms.h>
#include <linux/kprobe-arch.h>
#include <linux/linkage.h>
#include <linux/string.h>
#include <linux/unaligned.h>
#include <asm/cpufeature.h>
#include <asm/segment.h>
#include <asm/text-patching.h>
#include "detour.h"
#include "insn.h"

/* Branches and addresses are zero here */
static const u8 detour_code[DETOUR_SIZE] = {
	0x48, 0x8d, 0x64, 0x24, 0xf8,		/* lea -8(%rsp), %rsp */
	0x6a, __KERNEL_DS,			/* push $__KERNEL_DS */
	0x54,					/* push %rsp */
	0x9c,					/* pushf */
	0x48, 0x83, 0x44, 0x24, 0x08, 0x10,	/* addq $16, 8(%rsp) */
	0x6a, __KERNEL_CS,			/* push $__KERNEL_CS */
	0x68, 0, 0, 0, 0,			/* push $ip */
	0xe8, 0, 0, 0, 0,			/* call kprobe_detour */
	0x48, 0x8d, 0x64, 0x24, 0x10,		/* lea 16(%rsp), %rsp */
	0x9d,					/* popf */
	0x48, 0x8d, 0x64, 0x24, 0x18,		/* lea 24(%rsp), %rsp */
	0xe9, 0, 0, 0, 0,			/* jmp slot */
};

/* What is on the stack before an instruction of the detour, where that has changed */
static const struct kprobe_slot_map detour_map[] = {
	{ 0, 0, 0 },
	{ 5, 0, 8 },			/* room */
	{ 7, 0, 16 },			/* ss */
	{ 8, 0, 24 },			/* sp */
	{ 9, 0, 32 },			/* flags */
	{ 17, 0, 40 },			/* cs */
	{ DETOUR_CALL, 0, 48 },		/* ip */
	{ 32, 0, 32 },
	{ 33, 0, 24 },
	{ DETOUR_JMP, 0, 0 },
};

static_assert(ARRAY_SIZE(detour_map) == ARCH_KPROBE_JUMP_MAP);

/*
 * A guest of Xen PV has other segments, and its interrupt flag is elsewhere. With FRED an
 * IRET in an NMI would let the next one in, which its entry code does not expect.
 */
unsigned int arch_kprobe_jump_size(const struct kprobe_insn *insn)
{
	if (cpu_feature_enabled(X86_FEATURE_XENPV) || cpu_feature_enabled(X86_FEATURE_FRED))
		return 0;
	return DETOUR_SIZE;
}

/*
 * Mitigations for returns have code in which an instruction begins within another one. It
 * has a symbol of its own.
 */
static bool jump_hides_symbol(unsigned long addr)
{
	unsigned long last = addr + ARCH_KPROBE_JUMP_SIZE - 1, offset;

	return !kallsyms_lookup_size_offset(last, NULL, &offset) || last - offset > addr;
}

static bool detour_fits(unsigned long from, unsigned long to)
{
	s64 distance = to - from;

	return distance == (s32)distance;
}

/* Write the offset of a branch of five bytes */
static int detour_set_branch(struct kprobe_code *code, unsigned int at, unsigned long target)
{
	unsigned long from = code->to + at + JMP32_INSN_SIZE;

	if (!detour_fits(from, target))
		return -ERANGE;
	put_unaligned((s32)(target - from), (s32 *)(code->bytes + at + 1));
	return 0;
}

static int detour_set_ip(struct kprobe_code *code, unsigned long ip)
{
	if (!detour_fits(0, ip))
		return -ERANGE;
	put_unaligned((s32)ip, (s32 *)(code->bytes + DETOUR_IP));
	return 0;
}

/*
 * An emulated instruction is never resumed in a slot: the jmp at the end is not reached.
 * Otherwise registers and stack are those of the origin there. The slot has the copies of the
 * window if there is one: its detour is made while hits go on in them.
 */
int arch_kprobe_jump_write(const struct kprobe_insn *insn, unsigned long point,
			   struct kprobe_code *code)
{
	unsigned long slot = insn->emulated ? code->to : (unsigned long)insn->resume;
	int ret;

	if (jump_hides_symbol(insn->addr))
		return -EBUSY;
	memcpy(code->bytes, detour_code, sizeof(detour_code));
	put_unaligned(point, (unsigned long *)(code->bytes + DETOUR_POINT));
	ret = detour_set_ip(code, insn->addr);
	ret = ret ?: detour_set_branch(code, DETOUR_CALL, (unsigned long)kprobe_detour);
	ret = ret ?: detour_set_branch(code, DETOUR_JMP, slot);
	code->size = DETOUR_SIZE;
	memcpy(code->map, detour_map, sizeof(detour_map));
	code->num = ARRAY_SIZE(detour_map);
	return ret;
}

int arch_kprobe_jump_text(u8 *buf, unsigned long addr, unsigned long detour)
{
	int size = probe_insn_branch_to(buf, ARCH_KPROBE_JUMP_SIZE, addr, detour);

	return size < 0 ? size : 0;
}
