// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The second opinion of the oracle. It uses the mnemonics and operands that objdump
 * prints, and no opcodes.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../../../../arch/x86/kernel/kprobes/insn.h"
#include "mnemonic.h"

struct rule {
	const char *name;	/* a trailing * matches any ending */
	int kind;
};

static const struct rule rules[] = {
	{ "(bad)", MNEMONIC_BAD },
	{ "bad", MNEMONIC_BAD },
	{ ".byte", MNEMONIC_BAD },	/* a symbol lies inside the instruction */
	{ "loop", PROBE_INSN_LOOP }, { "loopl", PROBE_INSN_LOOP },
	{ "loope", PROBE_INSN_LOOPE }, { "loopel", PROBE_INSN_LOOPE },
	{ "loopne", PROBE_INSN_LOOPNE }, { "loopnel", PROBE_INSN_LOOPNE },
	{ "jrcxz*", PROBE_INSN_JCXZ }, { "jecxz*", PROBE_INSN_JCXZ },
	{ "pushf*", PROBE_INSN_PUSHF }, { "popf*", PROBE_INSN_POPF },
	{ "cli", PROBE_INSN_CLI }, { "sti", PROBE_INSN_STI },
	{ "int", PROBE_INSN_TRAP }, { "int1", PROBE_INSN_TRAP },
	{ "int3", PROBE_INSN_TRAP }, { "icebp", PROBE_INSN_TRAP },
	{ "ud0*", PROBE_INSN_TRAP }, { "ud1*", PROBE_INSN_TRAP },
	{ "ud2", PROBE_INSN_TRAP },
	{ "lcall*", PROBE_INSN_FAR }, { "ljmp*", PROBE_INSN_FAR },
	{ "lret*", PROBE_INSN_FAR },
	{ "iret*", PROBE_INSN_ENTRY }, { "syscall*", PROBE_INSN_ENTRY },
	{ "sysret*", PROBE_INSN_ENTRY }, { "sysenter*", PROBE_INSN_ENTRY },
	{ "sysexit*", PROBE_INSN_ENTRY }, { "uiret", PROBE_INSN_ENTRY },
	{ "eret*", PROBE_INSN_ENTRY }, { "rsm", PROBE_INSN_ENTRY },
	{ "hlt", PROBE_INSN_WAIT }, { "monitor*", PROBE_INSN_WAIT },
	{ "mwait*", PROBE_INSN_WAIT }, { "umonitor", PROBE_INSN_WAIT },
	{ "umwait", PROBE_INSN_WAIT }, { "tpause", PROBE_INSN_WAIT },
	{ "vmlaunch", PROBE_INSN_GUEST }, { "vmresume", PROBE_INSN_GUEST },
	{ "vmrun", PROBE_INSN_GUEST }, { "encl*", PROBE_INSN_GUEST },
	{ "seam*", PROBE_INSN_GUEST }, { "getsec", PROBE_INSN_GUEST },
	{ "lss", PROBE_INSN_STACK_SEGMENT }, { "lgs", PROBE_INSN_GS_BASE },
	{ "swapgs", PROBE_INSN_GS_BASE }, { "wrgsbase*", PROBE_INSN_GS_BASE },
	{ "vmload", PROBE_INSN_GS_BASE }, { "lkgs", PROBE_INSN_GS_BASE },
	{ "clts", PROBE_INSN_CONTROL }, { "invd", PROBE_INSN_CONTROL },
	{ "wrmsr*", PROBE_INSN_CONTROL }, { "rdmsrlist", PROBE_INSN_CONTROL },
	{ "lldt*", PROBE_INSN_CONTROL }, { "ltr*", PROBE_INSN_CONTROL },
	{ "lgdt*", PROBE_INSN_CONTROL }, { "lidt*", PROBE_INSN_CONTROL },
	{ "lmsw*", PROBE_INSN_CONTROL }, { "rstorssp", PROBE_INSN_CONTROL },
	{ "vmxoff", PROBE_INSN_CONTROL }, { "xsetbv", PROBE_INSN_CONTROL },
	{ "vmfunc", PROBE_INSN_CONTROL }, { "stgi", PROBE_INSN_CONTROL },
	{ "clgi", PROBE_INSN_CONTROL }, { "skinit", PROBE_INSN_CONTROL },
	{ "incssp*", PROBE_INSN_CONTROL }, { "clrssbsy", PROBE_INSN_CONTROL },
	{ "setssbsy", PROBE_INSN_CONTROL },
	{ "saveprevssp", PROBE_INSN_CONTROL },
	{ "wruss*", PROBE_INSN_CONTROL }, { "wrss*", PROBE_INSN_CONTROL },
	{ "clui", PROBE_INSN_CONTROL }, { "stui", PROBE_INSN_CONTROL },
	{ "testui", PROBE_INSN_CONTROL }, { "uwrmsr", PROBE_INSN_CONTROL },
	{ "urdmsr", PROBE_INSN_CONTROL },
	{ "xsusldtrk", PROBE_INSN_CONTROL }, { "xresldtrk", PROBE_INSN_CONTROL },
	{ "xbegin*", PROBE_INSN_TRANSACTION },
	{ "xend", PROBE_INSN_TRANSACTION }, { "xabort", PROBE_INSN_TRANSACTION },
	{ "endbr*", PROBE_INSN_LANDING_PAD },
};

static bool matches(const char *name, const char *pattern)
{
	size_t len = strlen(pattern);

	if (pattern[len - 1] == '*')
		return !strncmp(name, pattern, len - 1);
	return !strcmp(name, pattern);
}

static bool is_prefix(const char *word)
{
	static const char * const prefixes[] = {
		"lock", "rep", "repz", "repnz", "repe", "repne", "data16",
		"addr32", "cs", "ds", "es", "ss", "fs", "gs", "bnd", "notrack",
		"xacquire", "xrelease", "rex", "rex.*", "{*",
	};
	size_t i;

	for (i = 0; i < sizeof(prefixes) / sizeof(*prefixes); i++)
		if (matches(word, prefixes[i]))
			return true;
	return false;
}

static bool ends_in(const char *text, const char *end)
{
	size_t len = strlen(text), tail = strlen(end);

	return len >= tail && !strcmp(text + len - tail, end);
}

static bool through_based_segment(const char *operands)
{
	return strstr(operands, "%fs:") || strstr(operands, "%gs:");
}

static int indirect(const char *operands, int reg, int mem)
{
	if (operands[1] == '%' && !strchr(operands, '(') && !strchr(operands, ':'))
		return reg;
	return through_based_segment(operands) ? PROBE_INSN_SEGMENT : mem;
}

/* callw, jmpw and retw, or the bare prefix if objdump considers it ignored. */
static bool is_near_branch(int kind)
{
	return kind >= PROBE_INSN_CALL && kind <= PROBE_INSN_RET;
}

/* *%ax and *%r9w, as against *%rax and *%r9 */
static bool is_word_register(const char *operands)
{
	return operands[0] == '*' && operands[1] == '%' &&
	       (operands[2] != 'r' || ends_in(operands, "w"));
}

static int branch_kind(const char *name, const char *operands)
{
	if (!strncmp(name, "call", 4))
		return *operands == '*' ? indirect(operands, PROBE_INSN_CALL_REG,
						   PROBE_INSN_CALL_MEM) :
					  PROBE_INSN_CALL;
	if (!strncmp(name, "jmp", 3))
		return *operands == '*' ? indirect(operands, PROBE_INSN_JMP_REG,
						   PROBE_INSN_JMP_MEM) :
					  PROBE_INSN_JMP;
	if (!strncmp(name, "ret", 3))
		return PROBE_INSN_RET;
	return name[0] == 'j' ? PROBE_INSN_JCC : PROBE_INSN_COPY;
}

static int operand_kind(const char *name, const char *operands)
{
	if (!strncmp(name, "push", 4) && !strcmp(operands, "%rsp"))
		return PROBE_INSN_PUSH_SP;
	if (!strncmp(name, "pop", 3) && !strcmp(operands, "%rsp"))
		return PROBE_INSN_POP_SP;
	if (!strcmp(name, "pop") || !strcmp(name, "popw"))
		return strcmp(operands, "%gs") ? PROBE_INSN_COPY : PROBE_INSN_GS_BASE;
	if (!strncmp(name, "mov", 3) && ends_in(operands, ",%cs"))
		return PROBE_INSN_UNDEFINED;
	if (strncmp(name, "mov", 3))
		return branch_kind(name, operands);
	if (ends_in(operands, ",%ss"))
		return PROBE_INSN_STACK_SEGMENT;
	if (ends_in(operands, ",%gs"))
		return PROBE_INSN_GS_BASE;
	if (strstr(operands, ",%cr") || strstr(operands, ",%db"))
		return PROBE_INSN_CONTROL;
	return PROBE_INSN_COPY;
}

static int kind_of(const char *name, const char *operands)
{
	size_t i;

	for (i = 0; i < sizeof(rules) / sizeof(*rules); i++)
		if (matches(name, rules[i].name))
			return rules[i].kind;
	return operand_kind(name, operands);
}

static void read_target(struct mnemonic *m, const char *operands,
			const char *comment)
{
	char *end;

	if (comment)
		operands = comment + 2;
	else if (m->kind < PROBE_INSN_CALL || m->kind > PROBE_INSN_JCXZ)
		return;
	m->target = strtoull(operands, &end, 16);
	m->has_target = end != operands && (!*end || *end == ' ');
}

/* Prefixes that change what may be emulated. */
struct prefixes {
	bool data16, lock;
};

static const char *skip_prefixes(const char *text, char *word, size_t size,
				 struct prefixes *p)
{
	size_t len;

	for (;; text += len + strspn(text + len, " ")) {
		len = strcspn(text, " ");
		snprintf(word, size, "%.*s", (int)len, text);
		if (!len || !is_prefix(word))
			return text + len;
		p->lock |= !strcmp(word, "lock");
		p->data16 |= !strcmp(word, "data16");
		if (!strncmp(word, "rex.W", 5))
			p->data16 = false;
	}
}

/* Forms that are not emulated, determined from the text. */
static int narrow(const struct mnemonic *m, const char *operands,
		  const struct prefixes *p)
{
	if (strstr(operands, "(%eip)"))
		return PROBE_INSN_ODD;
	if (m->kind > PROBE_INSN_COPY && p->lock)
		return PROBE_INSN_UNDEFINED;
	if (!is_near_branch(m->kind))
		return m->kind;
	if (p->data16 || ends_in(m->name, "w") || is_word_register(operands))
		return PROBE_INSN_ODD;
	return m->kind;
}

/**
 * mnemonic_read() - read a line of disassembly
 * @text: the part that objdump prints after the bytes, AT&T syntax
 *
 * Return: the properties it states.
 */
struct mnemonic mnemonic_read(const char *text)
{
	struct mnemonic m = { .kind = MNEMONIC_PREFIX };
	const char *comment = strstr(text, "# ");
	char operands[128];
	struct prefixes p = { };

	text = skip_prefixes(text, m.name, sizeof(m.name), &p);
	m.name[strcspn(m.name, ",")] = '\0';
	if (!*m.name || *m.name == '#')
		return m;
	text += strspn(text, " ");
	snprintf(operands, sizeof(operands), "%s", text);
	operands[strcspn(operands, " <#")] = '\0';
	m.kind = kind_of(m.name, operands);
	read_target(&m, text, comment);
	m.kind = strstr(text, "(bad)") ? MNEMONIC_BAD : narrow(&m, operands, &p);
	return m;
}
