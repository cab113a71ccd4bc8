// SPDX-License-Identifier: GPL-2.0-or-later
/* Which addresses of a function are accepted, with armed points and foreign traps. */
#include <errno.h>
#include <string.h>

#include "../../../../../arch/x86/kernel/kprobes/insn.h"
#include "model.h"

#define START	0xffffffff81000000ul

/* Text in memory, and the bytes that our own points have replaced. */
struct text {
	const char *bytes;
	size_t len;
	size_t point;
	int original;
};

static int read_text(unsigned long addr, u8 *buf, size_t len, void *data)
{
	const struct text *text = data;
	size_t at = addr - START;

	if (at >= text->len)
		return -EFAULT;
	if (len > text->len - at)
		len = text->len - at;
	memcpy(buf, text->bytes + at, len);
	if (text->original && text->point - at < len)
		buf[text->point - at] = text->original;
	return len;
}

static int find(struct text *text, size_t at, struct probe_insn_site *site)
{
	return probe_insn_find(START, START + at, read_text, text, site);
}

/* @boundaries has a bit for each offset at which an instruction starts. */
static void check_each(struct text *text, unsigned long boundaries,
		       const char *what)
{
	struct probe_insn_site site;
	size_t at;

	for (at = 0; at < text->len; at++)
		check(find(text, at, &site) ==
		      (boundaries >> at & 1 ? 0 : -EILSEQ), what);
}

/* push %rbp; mov %rsp,%rbp; call +0x100; sti; nop; pop %rbp; ret; int3; nop */
#define PLAIN	"\x55\x48\x89\xe5\xe8\x00\x01\x00\x00\xfb\x90\x5d\xc3\xcc\x90"
#define PLAIN_BOUNDARIES	0x7e13ul

static void test_plain(void)
{
	struct text text = { PLAIN, sizeof(PLAIN) - 1, 0, 0 };
	struct probe_insn_site site;

	check_each(&text, PLAIN_BOUNDARIES, "plain function");
	check(!find(&text, 4, &site) && site.insn.kind == PROBE_INSN_CALL, "call");
	check(site.prev.length == 3, "before call");
	check(site.text[0] == 0xe8, "text of call");
	check(!find(&text, 0, &site) && !site.prev.length, "nothing before");
	check(!find(&text, 10, &site) && site.insn.kind == PROBE_INSN_SHADOW,
	      "after sti");
	check(!find(&text, 9, &site) && site.insn.kind == PROBE_INSN_STI, "sti");
	check(find(&text, 15, &site) == -EFAULT, "beyond the text");
}

/* The int3 on the first byte of the mov is ours: the reader returns the original. */
static void test_own_point(void)
{
	static const char bytes[] = "\x55\xcc\x89\xe5\xe8\x00\x01\x00\x00\x5d\xc3";
	struct text text = { bytes, sizeof(bytes) - 1, 1, 0x48 };

	check_each(&text, 0x613, "own point");
}

/* A foreign int3 hides its instruction: it is refused, and so is all text after it. */
static void test_foreign_trap(void)
{
	static const char bytes[] = "\x55\xcc\x89\xe5\xe8\x00\x01\x00\x00\x5d\xc3";
	struct text text = { bytes, sizeof(bytes) - 1, 0, 0 };

	check_each(&text, 1, "foreign trap");
}

static void test_sti_hlt(void)
{
	static const char bytes[] = "\x90\xfb\xf4\xc3";
	struct text text = { bytes, sizeof(bytes) - 1, 0, 0 };
	struct probe_insn_site site;

	check(!find(&text, 1, &site) && site.insn.kind == PROBE_INSN_STI_WAIT,
	      "sti before hlt");
	check(!find(&text, 2, &site) && site.insn.kind == PROBE_INSN_WAIT, "hlt");
	check(!find(&text, 3, &site) && site.insn.kind == PROBE_INSN_RET, "ret");
}

/* Addresses after undecodable bytes are refused; a truncated instruction is undecodable. */
static void test_undecodable(void)
{
	static const char bytes[] = "\x90\xc5\xff\xff\xff\x90\x90";
	static const char cut[] = "\x90\xe8\x00\x00";
	struct text text = { bytes, sizeof(bytes) - 1, 0, 0 };
	struct text half = { cut, sizeof(cut) - 1, 0, 0 };

	check_each(&text, 1, "undecodable");
	check_each(&half, 1, "cut");
}

void test_boundaries(void)
{
	test_plain();
	test_own_point();
	test_foreign_trap();
	test_sti_hlt();
	test_undecodable();
}
