// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The oracle decodes and classifies every instruction that objdump finds with the
 * kernel's code, and compares the two: length, class, target of branches and of
 * RIP-relative operands. It prints the classes with their share of the text.
 *
 * usage: oracle [--raw STRIDE] [--expect FILE] PATH
 *
 *   --raw STRIDE   PATH holds bare encodings, one every STRIDE bytes, not ELF
 *   --expect FILE  fail if a class of refusals exceeds its figure in FILE
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../../../../arch/x86/kernel/kprobes/insn.h"
#include "mnemonic.h"
#include "report.h"

#define INT3_OPCODE	0xcc

struct line {
	uint64_t addr;
	uint8_t bytes[32];
	size_t len;
	char text[256];
	struct mnemonic says;
};

static struct {
	unsigned long stride;
	uint64_t insns, bytes;
	uint64_t padding;	/* int3 between functions; not part of the shares */
	struct line carry;	/* bytes not decoded yet while objdump is out of step */
	struct tally tally[PROBE_INSN_KINDS];
} oracle;

static void append(struct line *to, const struct line *from)
{
	size_t room = sizeof(to->bytes) - to->len;
	size_t len = from->len < room ? from->len : room;

	memcpy(to->bytes + to->len, from->bytes, len);
	to->len += len;
}

static bool read_bytes(char *text, struct line *line)
{
	char *end;

	for (line->len = 0; line->len < 16; line->len++, text = end) {
		line->bytes[line->len] = strtoul(text, &end, 16);
		if (end == text)
			break;
	}
	return line->len;
}

/* "address:\tbytes\ttext"; any other line is a heading. */
static bool parse_line(char *buf, struct line *line)
{
	char *bytes, *text, *end;

	buf[strcspn(buf, "\n")] = '\0';
	bytes = strchr(buf, '\t');
	if (!bytes || bytes == buf || bytes[-1] != ':')
		return false;
	line->addr = strtoull(buf, &end, 16);
	if (*end != ':')
		return false;
	text = strchr(bytes + 1, '\t');
	snprintf(line->text, sizeof(line->text), "%s", text ? text + 1 : "");
	if (text)
		*text = '\0';
	if (!read_bytes(bytes + 1, line))
		return false;
	line->says = mnemonic_read(line->text);
	return true;
}

/* objdump prints prefixes that it cannot assign on a line of their own: join them. */
static void join_prefix(struct line *prefix, const struct line *line)
{
	char text[sizeof(prefix->text) * 2 + 2];

	append(prefix, line);
	snprintf(text, sizeof(text), "%s %s", prefix->text, line->text);
	memcpy(prefix->text, text, sizeof(prefix->text) - 1);
	prefix->says = mnemonic_read(prefix->text);
}

static bool is_branch(const struct probe_insn *pi)
{
	switch (pi->kind) {
	case PROBE_INSN_CALL:
	case PROBE_INSN_JMP:
	case PROBE_INSN_JCC ... PROBE_INSN_JCXZ:
		return true;
	default:
		return pi->disp_at || pi->base == PROBE_REG_IP;
	}
}

static bool same_target(const struct line *line, const struct probe_insn *pi)
{
	if (!line->says.has_target || !is_branch(pi))
		return true;
	return line->says.target == line->addr + pi->length + pi->disp;
}

/* objdump treats an fwait as a prefix of the next instruction. */
static bool is_fwait(const struct line *line, const struct probe_insn *pi)
{
	return pi->length && pi->length < line->len &&
	       line->bytes[pi->length - 1] == 0x9b;
}

/*
 * Most bare encodings are no instructions. Refusing one is always right, whatever
 * objdump prints. A copied one faults in the slot as in its place.
 */
static const char *compare_raw(const struct line *line,
			       const struct probe_insn *pi)
{
	if (probe_insn_refused(pi))
		return NULL;
	if (line->says.kind == MNEMONIC_BAD)
		return probe_insn_copied(pi) ? NULL : "class of a bad one";
	if (pi->length != line->len)
		return "length";
	if (pi->kind != line->says.kind)
		return "class";
	return same_target(line, pi) ? NULL : "target";
}

static const char *compare(const struct line *line, const struct probe_insn *pi)
{
	if (is_fwait(line, pi))
		return NULL;
	if (oracle.stride)
		return compare_raw(line, pi);
	if (pi->kind == PROBE_INSN_EMULATE_PREFIX)
		return NULL;		/* objdump prints the prefix as an instruction */
	if (line->says.kind == MNEMONIC_BAD)
		return probe_insn_refused(pi) ? NULL : "class of a bad one";
	if (pi->length != line->len)
		return "length";
	if (pi->kind != line->says.kind)
		return "class";
	return same_target(line, pi) ? NULL : "target";
}

static void count(const struct line *line, const struct probe_insn *prev,
		  const struct probe_insn *this, const struct probe_insn *next)
{
	enum probe_insn_kind kind = probe_insn_refuse_beside(prev, this, next);

	if (line->bytes[0] == INT3_OPCODE) {
		oracle.padding++;
		return;
	}
	oracle.insns++;
	oracle.bytes += line->len;
	oracle.tally[kind].insns++;
	oracle.tally[kind].bytes += line->len;
}

static struct probe_insn decode_at(const struct line *line,
				   const struct line *next)
{
	struct line whole = *line;

	append(&whole, next);
	return probe_insn_decode(whole.bytes, whole.len);
}

static void drop(struct line *carry, size_t len)
{
	carry->len -= len;
	memmove(carry->bytes, carry->bytes + len, carry->len);
}

/* Consume whole instructions, or one byte where there is none. */
static void take(struct line *carry)
{
	struct probe_insn none = { }, pi;
	struct line line = { };

	while (carry->len) {
		pi = probe_insn_decode(carry->bytes, carry->len);
		if (!pi.length && carry->len < 15)
			return;
		line.len = pi.length ? pi.length : 1;
		line.bytes[0] = carry->bytes[0];
		count(&line, &none, &pi, &none);
		drop(carry, line.len);
	}
}

/*
 * objdump does not know the newest instructions: it prints "(bad)" for some of their
 * bytes and continues in the middle. From there, only our decoder counts until both
 * are at the same address again.
 */
static bool out_of_step(const struct line *line)
{
	struct line *carry = &oracle.carry;

	if (!carry->len && (line->says.kind != MNEMONIC_BAD ||
			    probe_insn_decode(line->bytes, line->len).length))
		return false;
	append(carry, line);
	take(carry);
	return true;
}

static void check(const struct line *prev, const struct line *line,
		  const struct line *next)
{
	static const struct line none;
	struct probe_insn before = { }, pi, after;
	const char *what;

	if (oracle.stride && line->addr % oracle.stride)
		return;
	if (!oracle.stride && out_of_step(line))
		return;
	if (prev->len && prev->addr + prev->len == line->addr)
		before = decode_at(prev, line);
	pi = decode_at(line, next);
	after = decode_at(next, &none);
	count(line, &before, &pi, &after);
	what = compare(line, &pi);
	if (what)
		report_difference(what, line->says.name, line->says.kind, pi.kind,
				  line->addr, line->text);
}

static bool continues(const struct line *pending, const struct line *line)
{
	return pending->len && pending->says.kind == MNEMONIC_PREFIX &&
	       pending->addr + pending->len == line->addr;
}

static void walk(FILE *in)
{
	struct line line = { }, pending = { }, prev = { };
	char buf[1024];

	while (fgets(buf, sizeof(buf), in)) {
		if (!parse_line(buf, &line))
			continue;
		if (continues(&pending, &line)) {
			join_prefix(&pending, &line);
			continue;
		}
		if (pending.len)
			check(&prev, &pending, &line);
		prev = pending;
		pending = line;
	}
	line.len = 0;
	if (pending.len)
		check(&prev, &pending, &line);
}

static int run_objdump(const char *path)
{
	char command[4096];
	FILE *in;

	snprintf(command, sizeof(command), "objdump -w --insn-width=15 %s '%s'",
		 oracle.stride ? "-D -b binary -m i386:x86-64" : "-d", path);
	in = popen(command, "r");
	if (!in)
		return 1;
	walk(in);
	return pclose(in);
}

int main(int argc, char **argv)
{
	const char *expect = NULL;
	int i, bad;

	for (i = 1; i + 2 < argc; i += 2) {
		if (!strcmp(argv[i], "--raw"))
			oracle.stride = strtoul(argv[i + 1], NULL, 0);
		else if (!strcmp(argv[i], "--expect"))
			expect = argv[i + 1];
	}
	if (i + 1 != argc) {
		fprintf(stderr, "usage: oracle [--raw STRIDE] [--expect FILE] PATH\n");
		return 2;
	}
	if (run_objdump(argv[i]) || !oracle.insns) {
		printf("not ok oracle: objdump %s\n", argv[i]);
		return 1;
	}
	report_table(oracle.tally, oracle.insns, oracle.bytes);
	bad = report_differences();
	printf("%s oracle: %s: %lu instructions, %lu int3 of padding, %d differences\n",
	       bad ? "not ok" : "ok", argv[i], (unsigned long)oracle.insns,
	       (unsigned long)oracle.padding, bad);
	if (expect)
		bad += report_growth(expect, oracle.tally, oracle.insns);
	return !!bad;
}
