// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Properties that cannot be run in user space, checked against a model: privileged
 * flags, reach of displacements, refusals, neighbours, boundaries.
 */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include <asm/page.h>
#include <asm/pgtable_types.h>
#include <asm/processor-flags.h>
#include <asm/ptrace.h>

#include "../../../../../arch/x86/kernel/kprobes/insn.h"
#include "model.h"

#define ADDR	0xffffffff81234567ul

struct model model;

static struct probe_insn decode(const char *bytes, size_t len)
{
	return probe_insn_decode((const u8 *)bytes, len);
}

#define DECODE(bytes)	decode(bytes, sizeof(bytes) - 1)

static struct pt_regs emulate(struct probe_insn pi, unsigned long flags,
			      unsigned long *stack)
{
	struct pt_regs regs = { .flags = flags, .sp = (unsigned long)stack };

	check(!probe_insn_emulate(&pi, ADDR, &regs), "emulated");
	return regs;
}

static void test_interrupt_flag(void)
{
	unsigned long flags;
	struct pt_regs regs;

	for (flags = 0; flags < 1ul << 22; flags += 0x1fd) {
		regs = emulate(DECODE("\xfa"), flags, NULL);
		check(regs.flags == (flags & ~X86_EFLAGS_IF), "cli: flags");
		check(regs.ip == ADDR + 1 && !regs.sp, "cli: ip, sp");
		regs = emulate(DECODE("\xfb"), flags, NULL);
		check(regs.flags == (flags | X86_EFLAGS_IF), "sti: flags");
		check(regs.ip == ADDR + 1 && !regs.sp, "sti: ip, sp");
	}
}

/* At privilege level 0 IOPL and IF change, VM, VIF and VIP do not, and RF is cleared. */
static unsigned long popped(unsigned long old, unsigned long image, int size)
{
	unsigned long kept = X86_EFLAGS_VM | X86_EFLAGS_VIF | X86_EFLAGS_VIP |
			     X86_EFLAGS_FIXED | 0x8028 | ~0x3ffffful;

	if (size == 2)
		kept |= ~0xfffful;
	return ((old & kept) | (image & ~kept)) & ~X86_EFLAGS_RF;
}

static void test_popf(void)
{
	unsigned long stack[2], image, old;
	struct pt_regs regs;
	int i;

	for (i = 0; i < 1 << 16; i++) {
		image = i * 0x9e3779b97f4a7c15ul >> 40;
		old = i * 0xd1342543de82ef95ul >> 42;
		stack[0] = image;
		regs = emulate(DECODE("\x9d"), old, stack);
		check(regs.flags == popped(old, image, 8), "popf: flags");
		check(regs.sp == (unsigned long)&stack[1], "popf: sp");
		regs = emulate(DECODE("\x66\x9d"), old, stack);
		check(regs.flags == popped(old, image, 2), "popfw: flags");
		check(regs.sp == (unsigned long)stack + 2, "popfw: sp");
	}
}

static void test_pushf(void)
{
	unsigned long stack[2], flags;
	struct pt_regs regs;

	for (flags = 0; flags < 1ul << 22; flags += 0x1fd) {
		memset(stack, 0xff, sizeof(stack));
		regs = emulate(DECODE("\x9c"), flags, stack + 1);
		check(stack[0] == (flags & ~(X86_EFLAGS_RF | X86_EFLAGS_VM)),
		      "pushf: stack");
		check(stack[1] == ~0ul, "pushf: one word, no more");
		check(regs.flags == flags, "pushf: flags");
		stack[0] = ~0ul;
		emulate(DECODE("\x66\x9c"), flags, stack + 1);
		check(stack[0] == (~0ul >> 16 | flags << 48), "pushfw: stack");
	}
}

/* An emulated push must fit in the gap of the int3 entry: one word. */
static void test_push_is_one_word(void)
{
	static const char * const calls[] = {
		"\xe8\0\1\0", "\xff\xd0", "\xff\x10", "\x54", "\x9c",
	};
	unsigned long stack[4], word = ADDR;
	struct pt_regs regs = { };
	struct probe_insn pi;
	size_t i;

	for (i = 0; i < sizeof(calls) / sizeof(*calls); i++) {
		memset(stack, 0xa5, sizeof(stack));
		pi = decode(calls[i], 5);
		regs.ax = i == 2 ? (unsigned long)&word : ADDR;
		regs.sp = (unsigned long)&stack[3];
		check(!probe_insn_emulate(&pi, ADDR, &regs), "push: emulated");
		check(regs.sp == (unsigned long)&stack[2], "push: one word");
		check(stack[1] == 0xa5a5a5a5a5a5a5a5, "push: nothing below");
		check(stack[3] == 0xa5a5a5a5a5a5a5a5, "push: nothing above");
	}
}

/* C01: the return address is the one after the whole instruction. */
static void test_return_address(void)
{
	unsigned long stack[2];
	struct pt_regs regs;

	regs = emulate(DECODE("\x2e\xe8\x00\x01\x00\x00"), 0, stack + 1);
	check(stack[0] == ADDR + 6, "cs call: return address");
	check(regs.ip == ADDR + 6 + 0x100, "cs call: target");
	regs = emulate(DECODE("\xe8\x00\x00\x00\x80"), 0, stack + 1);
	check(regs.ip == ADDR + 5 - 0x80000000ul, "call: lowest target");
	regs = emulate(DECODE("\xe9\xff\xff\xff\x7f"), 0, NULL);
	check(regs.ip == ADDR + 5 + 0x7ffffffful, "jmp: highest target");
}

static void test_refused_is_not_emulated(void)
{
	struct pt_regs regs = { .ip = 1 }, old = regs;
	struct probe_insn pi;
	int kind;

	for (kind = 0; kind <= PROBE_INSN_COPY; kind++) {
		memset(&pi, 0, sizeof(pi));
		pi.kind = kind;
		check(probe_insn_emulate(&pi, ADDR, &regs) == -EINVAL, "refused");
		check(!memcmp(&regs, &old, sizeof(regs)), "refused: registers");
	}
}

static void test_not_canonical(void)
{
	unsigned long stack[2] = { 1ul << 48, 0 };
	struct pt_regs regs = { .ax = 1ul << 47, .sp = (unsigned long)stack };
	struct pt_regs old = regs;
	struct probe_insn pi = DECODE("\xff\xd0");

	check(probe_insn_emulate(&pi, ADDR, &regs) == -EFAULT, "call *%rax");
	pi = DECODE("\xff\xe0");
	check(probe_insn_emulate(&pi, ADDR, &regs) == -EFAULT, "jmp *%rax");
	pi = DECODE("\xc3");
	check(probe_insn_emulate(&pi, ADDR, &regs) == -EFAULT, "ret");
	check(!memcmp(&regs, &old, sizeof(regs)), "not canonical: registers");
}

/* An operand in user space is not read: the copy of the instruction must fault. */
static void test_user_operand(void)
{
	unsigned long operand = ADDR, task_size_max = shim_task_size_max;
	struct pt_regs regs = { .ax = (unsigned long)&operand };
	struct probe_insn pi = DECODE("\xff\x20");

	check(!probe_insn_emulate(&pi, ADDR, &regs), "jmp *(%rax)");
	shim_task_size_max = regs.ax;
	check(probe_insn_emulate(&pi, ADDR, &regs) == -EFAULT, "of user space");
	shim_task_size_max = task_size_max;
	regs.ax = -10ul << 20;
	check(probe_insn_emulate(&pi, ADDR, &regs) == -EFAULT, "of the vsyscall page");
}

/* With five levels of page tables more targets are canonical. */
static void test_five_levels(void)
{
	struct pt_regs regs = { .ax = 1ul << 50 };
	struct probe_insn pi = DECODE("\xff\xe0");
	unsigned int shift = shim_virtual_mask_shift;

	shim_virtual_mask_shift = 47;
	check(probe_insn_emulate(&pi, ADDR, &regs) == -EFAULT, "four levels");
	shim_virtual_mask_shift = 56;
	check(!probe_insn_emulate(&pi, ADDR, &regs), "five levels");
	check(regs.ip == regs.ax, "five levels: ip");
	shim_virtual_mask_shift = shift;
}

/* mov 0x10(%rip), %rax, moved to addresses that just reach its operand, or just not. */
static void test_reach_of_operand(void)
{
	static const char text[] = "\x48\x8b\x05\x10\x00\x00\x00";
	struct probe_insn pi = DECODE(text);
	unsigned long edge = ADDR + 0x10 + 0x80000000ul;
	u8 buf[PROBE_RESUME_MAX];
	s32 disp;

	check(probe_insn_copy_to(buf, sizeof(buf), (const u8 *)text, &pi, ADDR,
				 edge) == 7, "operand 2 GiB below");
	memcpy(&disp, buf + 3, 4);
	check(disp == INT_MIN, "operand 2 GiB below: displacement");
	check(probe_insn_copy_to(buf, sizeof(buf), (const u8 *)text, &pi, ADDR,
				 edge + 1) == -ERANGE, "operand too far below");
	edge = ADDR + 0x10 - 0x7ffffffful;
	check(probe_insn_copy_to(buf, sizeof(buf), (const u8 *)text, &pi, ADDR,
				 edge) == 7, "operand 2 GiB above");
	memcpy(&disp, buf + 3, 4);
	check(disp == INT_MAX, "operand 2 GiB above: displacement");
	check(probe_insn_copy_to(buf, sizeof(buf), (const u8 *)text, &pi, ADDR,
				 edge - 1) == -ERANGE, "operand too far above");
}

static void test_reach_of_branch(void)
{
	u8 buf[5];

	check(probe_insn_branch_to(buf, 5, ADDR, ADDR + 5 + 0x7ffffffful) == 5,
	      "branch up");
	check(probe_insn_branch_to(buf, 5, ADDR, ADDR + 5 + 0x80000000ul) == -ERANGE,
	      "branch too far up");
	check(probe_insn_branch_to(buf, 5, ADDR, ADDR + 5 - 0x80000000ul) == 5,
	      "branch down");
	check(probe_insn_branch_to(buf, 5, ADDR, ADDR + 5 - 0x80000001ul) == -ERANGE,
	      "branch too far down");
	check(probe_insn_branch_to(buf, 4, ADDR, ADDR) == -ENOSPC, "branch: room");
}

static void test_room(void)
{
	static const u8 nop[] = "\x90", call_text[] = "\xff\x10", jmp_text[] = "\xeb\x00";
	struct probe_insn pi = DECODE("\x90"), call = DECODE("\xff\x10");
	struct probe_insn jmp = DECODE("\xeb\x00");
	u8 buf[PROBE_RESUME_MAX];

	check(probe_insn_write_resume(buf, 6, nop, &pi, ADDR, ADDR + 64) == 6, "room");
	check(probe_insn_write_resume(buf, 5, nop, &pi, ADDR, ADDR + 64) == -ENOSPC,
	      "no room");
	check(probe_insn_write_resume_trap(buf, 2, nop, &pi, ADDR, ADDR + 64) == 2,
	      "room for the trap");
	check(buf[0] == 0x90 && buf[1] == 0xcc, "trap form");
	check(probe_insn_write_resume_trap(buf, 1, nop, &pi, ADDR, ADDR + 64) == -ENOSPC,
	      "no room for the trap");
	check(probe_insn_write_resume(buf, 20, jmp_text, &jmp, ADDR, ADDR + 64) == -EINVAL,
	      "no resume code for what is emulated");
	check(probe_insn_write_resume(buf, 20, call_text, &call, ADDR, ADDR + 64) == 7 &&
	      buf[2] == 0xe9, "but for what may fault: a call has a way back");
}

int main(void)
{
	test_interrupt_flag();
	test_popf();
	test_pushf();
	test_push_is_one_word();
	test_return_address();
	test_refused_is_not_emulated();
	test_not_canonical();
	test_user_operand();
	test_five_levels();
	test_reach_of_operand();
	test_reach_of_branch();
	test_room();
	test_kinds();
	test_neighbours();
	test_boundaries();
	printf("%s model: %lu checks, %lu failed\n", model.failed ? "not ok" : "ok",
	       model.checks, model.failed);
	return !!model.failed;
}
