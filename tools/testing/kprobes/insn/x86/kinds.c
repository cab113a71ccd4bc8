// SPDX-License-Identifier: GPL-2.0-or-later
/* Named instructions and the kind each must have; refusals caused by neighbours. */
#include <string.h>

#include "../../../../../arch/x86/kernel/kprobes/insn.h"
#include "model.h"

struct example {
	const char *bytes;
	int len;
	int kind;
	const char *text;
};

#define E(bytes, kind, text)						\
	{ bytes, sizeof(bytes) - 1, PROBE_INSN_##kind, text }

static const struct example examples[] = {
	/* would mask or raise an exception */
	E("\x8e\xd0", STACK_SEGMENT, "mov %eax,%ss"),
	E("\x8e\x10", STACK_SEGMENT, "mov (%rax),%ss"),
	E("\x0f\xb2\x00", STACK_SEGMENT, "lss (%rax),%eax"),
	E("\x17", UNDEFINED, "pop %ss, not in 64-bit mode"),
	E("\xcc", TRAP, "int3"), E("\xcd\x80", TRAP, "int $0x80"),
	E("\xf1", TRAP, "int1"), E("\xce", UNDEFINED, "into"),
	E("\x0f\x0b", TRAP, "ud2"), E("\x0f\xb9\x40\x01", TRAP, "ud1"),
	E("\x0f\xff\xc0", TRAP, "ud0"),
	/* waits */
	E("\xf4", WAIT, "hlt"), E("\x0f\x01\xc8", WAIT, "monitor"),
	E("\x0f\x01\xc9", WAIT, "mwait"), E("\x0f\x01\xfa", WAIT, "monitorx"),
	E("\x0f\x01\xfb", WAIT, "mwaitx"), E("\xf3\x0f\xae\xf0", WAIT, "umonitor"),
	E("\xf2\x0f\xae\xf0", WAIT, "umwait"), E("\x66\x0f\xae\xf0", WAIT, "tpause"),
	/* leaves the segment, the kernel or for a guest */
	E("\xca\x08\x00", FAR, "lret $8"), E("\xcb", FAR, "lret"),
	E("\x48\xcb", FAR, "lretq"), E("\xff\x18", FAR, "lcall *(%rax)"),
	E("\xff\x28", FAR, "ljmp *(%rax)"), E("\xcf", ENTRY, "iret"),
	E("\x48\xcf", ENTRY, "iretq"), E("\x0f\x05", ENTRY, "syscall"),
	E("\x48\x0f\x07", ENTRY, "sysretq"), E("\x0f\x34", ENTRY, "sysenter"),
	E("\x0f\x35", ENTRY, "sysexit"), E("\xf2\x0f\x01\xca", ENTRY, "erets"),
	E("\x0f\xaa", ENTRY, "rsm"), E("\x0f\x01\xc2", GUEST, "vmlaunch"),
	E("\x0f\x01\xc3", GUEST, "vmresume"), E("\x0f\x01\xd8", GUEST, "vmrun"),
	/* changes state that exception entry depends on */
	E("\x0f\x01\xf8", GS_BASE, "swapgs"), E("\x8e\xe8", GS_BASE, "mov %eax,%gs"),
	E("\x0f\xa9", GS_BASE, "pop %gs"), E("\x0f\xb5\x00", GS_BASE, "lgs"),
	E("\xf3\x48\x0f\xae\xd8", GS_BASE, "wrgsbase %rax"),
	E("\xf2\x0f\x00\xf7", GS_BASE, "lkgs %di"),
	E("\x0f\x30", CONTROL, "wrmsr"), E("\x0f\x01\xc6", CONTROL, "wrmsrns"),
	E("\x0f\x22\xd8", CONTROL, "mov %rax,%cr3"),
	E("\x0f\x23\xf8", CONTROL, "mov %rax,%db7"), E("\x0f\x06", CONTROL, "clts"),
	E("\x0f\x01\x10", CONTROL, "lgdt (%rax)"),
	E("\x0f\x01\x18", CONTROL, "lidt (%rax)"), E("\x0f\x00\xd0", CONTROL, "lldt"),
	E("\x0f\x00\xd8", CONTROL, "ltr %ax"), E("\x0f\x01\xf0", CONTROL, "lmsw %ax"),
	E("\x0f\x01\xd1", CONTROL, "xsetbv"),
	E("\xf3\x48\x0f\xae\xe8", CONTROL, "incsspq %rax"),
	E("\x66\x0f\x38\xf5\x06", CONTROL, "wrussd"),
	E("\x0f\x38\xf6\x06", CONTROL, "wrssd"),
	/* transactions */
	E("\xc7\xf8\x00\x00\x00\x00", TRANSACTION, "xbegin"),
	E("\x0f\x01\xd5", TRANSACTION, "xend"),
	E("\xc6\xf8\x01", TRANSACTION, "xabort $1"),
	/* encodings */
	E("\x0f\x0b\x78\x65\x6e\x0f\xa2", EMULATE_PREFIX, "xen cpuid"),
	E("\x0f\x0b\x6b\x76\x6d\x0f\xa2", EMULATE_PREFIX, "kvm cpuid"),
	E("\xf3\x0f\x1e\xfa", LANDING_PAD, "endbr64"),
	E("\x66\xe8\x00\x00\x00\x00", ODD, "data16 call"),
	E("\x66\xc3", ODD, "data16 ret"), E("\x66\x74\x00", ODD, "data16 je"),
	E("\xf3\x2e\x0f\xb8\xc1", ODD, "popcnt, its prefix not last"),
	E("\x67\x8b\x05\x00\x00\x00\x00", ODD, "mov 0(%eip),%eax"),
	E("\xd5\x00\x90", ODD, "a REX2 prefix"),
	E("\x48\x66\x90", UNDEFINED, "a REX prefix before another"),
	E("\x40\x40\x90", UNDEFINED, "two REX prefixes"),
	E("\xf0\xe8\x00\x00\x00\x00", UNDEFINED, "lock call"),
	E("\x06", UNDEFINED, "push %es, not in 64-bit mode"),
	E("\x9a\x00\x00\x00\x00\x00\x00", UNDEFINED, "lcall $0,$0"),
	E("\x8f\xe8\x78\xc0\xc0\x01", UNDEFINED, "XOP"),
	E("\x0f\x04", UNDEFINED, "0f 04"), E("\x66", UNDEFINED, "half of one"),
	E("\x64\xff\x10", SEGMENT, "call *%fs:(%rax)"),
	E("\x65\xff\x25\x00\x00\x00\x00", SEGMENT, "jmp *%gs:0(%rip)"),
	/* allowed, although they look as if they were not */
	E("\x0f\x32", COPY, "rdmsr"), E("\x0f\x20\xd8", COPY, "mov %cr3,%rax"),
	E("\x8e\xd8", COPY, "mov %eax,%ds"), E("\x8e\xe0", COPY, "mov %eax,%fs"),
	E("\x0f\x01\xcb", COPY, "stac"), E("\x0f\x01\xca", COPY, "clac"),
	E("\x0f\x01\xd9", COPY, "vmmcall"), E("\x0f\x01\xc1", COPY, "vmcall"),
	E("\x0f\x00\xe8", COPY, "verw %ax"), E("\xf3\x90", COPY, "pause"),
	E("\x64\xff\xd0", CALL_REG, "fs call *%rax"),
	E("\x3e\xff\xe0", JMP_REG, "notrack jmp *%rax"),
	E("\x66\x66\x48\xe8\x00\x00\x00\x00", CALL, "data16 rex.W call"),
	E("\x41\x54", COPY, "push %r12"), E("\x54", PUSH_SP, "push %rsp"),
	E("\x66\x54", COPY, "push %sp"), E("\x5c", POP_SP, "pop %rsp"),
	E("\x41\x5c", COPY, "pop %r12"), E("\xff\xf4", PUSH_SP, "push %rsp, long"),
	E("\x8f\xc4", POP_SP, "pop %rsp, long"), E("\x41\x8f\xc4", COPY, "pop %r12"),
	E("\xf3\xc3", RET, "repz ret"), E("\xc2\x08\x00", RET, "ret $8"),
	E("\x67\xe2\xfe", LOOP, "addr32 loop"), E("\xe0\xfe", LOOPNE, "loopne"),
};

static void test_texts(void)
{
	int kind;

	for (kind = 0; kind < PROBE_INSN_KINDS; kind++)
		check(probe_insn_kind_text(kind) && *probe_insn_kind_text(kind),
		      "a kind without a text");
	check(probe_insn_kind_text(PROBE_INSN_KINDS), "text beyond the table");
}

void test_kinds(void)
{
	const struct example *e;
	struct probe_insn pi;
	size_t i;

	for (i = 0; i < sizeof(examples) / sizeof(*examples); i++) {
		e = &examples[i];
		pi = probe_insn_decode((const u8 *)e->bytes, e->len);
		check(pi.kind == e->kind, e->text);
		check(probe_insn_refused(&pi) || pi.length == e->len, e->text);
	}
	test_texts();
}

static struct probe_insn of_kind(int kind)
{
	struct probe_insn pi = { .kind = kind, .length = 1 };

	return pi;
}

void test_neighbours(void)
{
	struct probe_insn sti = of_kind(PROBE_INSN_STI), none = { };
	struct probe_insn ss = of_kind(PROBE_INSN_STACK_SEGMENT);
	struct probe_insn nop = of_kind(PROBE_INSN_COPY);
	struct probe_insn hlt = of_kind(PROBE_INSN_WAIT);

	check(probe_insn_refuse_beside(&sti, &nop, &nop) == PROBE_INSN_SHADOW,
	      "after sti");
	check(probe_insn_refuse_beside(&ss, &nop, &nop) == PROBE_INSN_SHADOW,
	      "after mov %ss");
	check(probe_insn_refuse_beside(&nop, &sti, &hlt) == PROBE_INSN_STI_WAIT,
	      "sti before hlt");
	check(probe_insn_refuse_beside(&nop, &sti, &nop) == PROBE_INSN_STI,
	      "sti before another");
	check(probe_insn_refuse_beside(&nop, &sti, NULL) == PROBE_INSN_STI,
	      "sti at the end");
	check(probe_insn_refuse_beside(&none, &nop, &none) == PROBE_INSN_COPY,
	      "no neighbours");
	check(probe_insn_refuse_beside(NULL, &nop, NULL) == PROBE_INSN_COPY,
	      "NULL neighbours");
	check(probe_insn_refuse_beside(&sti, &hlt, &nop) == PROBE_INSN_WAIT,
	      "its own reason comes first");
}
