// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Compares the classes of all instructions of a text with objdump.
 *
 *	objdump -d FILE | text NAME
 *
 * One line of objdump is one instruction: its address, its word, its name. The kind of
 * each must be one that the name allows, its target the one that objdump prints, and no
 * instruction that refers to an address in text may be copied. In each function with
 * exclusives the paths from each load to its store are checked too.
 */
#include <inttypes.h>

#include "insn.h"
#include "mnemonic.h"

#define MAX_SHOWN	12
#define MAX_WORDS	65536

bool test_has_bti = true;
unsigned long test_user_end, test_fault_at;

struct line {
	u64		addr;
	u32		word;
	char		name[32];
	const char	*operands;
};

static struct {
	u64	words;
	u64	kinds[PROBE_INSN_KINDS];
	u64	targets;
	u64	wrong_kind, wrong_target, copied_text;
	u64	undefined, undefined_copied, undefined_wrong;
	u64	known_refused;
	u64	functions, between, between_free, after_refused, inside;
} count;

static struct {
	__le32	words[MAX_WORDS];
	size_t	len;
	bool	has_exclusive;
	char	name[128];
} function;

static void show(u64 nr, const char *what, const struct line *line, u8 kind)
{
	if (nr <= MAX_SHOWN)
		printf("# %s: %" PRIx64 ": %08x %s %s -> %s\n", what, line->addr,
		       line->word, line->name, line->operands,
		       probe_insn_kind_text(kind));
}

/* The groups whose encodings are listed by class: vectors, SVE, SME. */
static bool listed_by_class(u32 word)
{
	u32 group = word >> 25 & 0xf;

	if (group == 0)
		return word >> 31;
	if (group == 4 || group == 6)		/* ld1 to st4 */
		return word >> 26 & 1;
	return group == 2 || group == 7 || group == 0xf;
}

/*
 * ldpsw into one register twice, or into its own base: the behaviour is unpredictable,
 * but the encoding is valid. This is the only pair that objdump does not accept.
 */
static bool unpredictable_ldpsw(u32 word)
{
	u32 rt = word & 31, rn = word >> 5 & 31, rt2 = word >> 10 & 31;

	if ((word & 0xfe400000) != 0x68400000)
		return false;
	return rt == rt2 || rt == rn || rt2 == rn;
}

/* An instruction that objdump does not know must be refused. */
static void check_undefined(const struct line *line, const struct probe_insn *pi)
{
	count.undefined++;
	if (probe_insn_refused(pi))
		return;
	if (unpredictable_ldpsw(line->word))
		return;
	count.undefined_copied++;
	if (pi->kind != PROBE_INSN_COPY || !listed_by_class(line->word))
		show(++count.undefined_wrong, "unallocated, not refused", line, pi->kind);
}

/*
 * ldar and the like have two fields that should be ones. With other values objdump
 * prints the same name; the backend refuses them.
 */
static bool malformed_ordered(u32 word)
{
	return (word & 0x3fa00000) == 0x08800000 &&
	       (word & 0x001f7c00) != 0x001f7c00;
}

static void check_known(const struct line *line, const struct probe_insn *pi)
{
	u64 right = mnemonic_kinds(line->name, line->operands);

	if (1ULL << pi->kind & right)
		return;
	if (pi->kind == PROBE_INSN_UNDEFINED && malformed_ordered(line->word))
		return;
	if (pi->kind == PROBE_INSN_UNDEFINED)
		show(++count.known_refused, "known, but refused", line, pi->kind);
	else
		show(++count.wrong_kind, "wrong kind", line, pi->kind);
}

static bool has_target(const struct probe_insn *pi)
{
	switch (pi->kind) {
	case PROBE_INSN_LITERAL:
	case PROBE_INSN_ADR ... PROBE_INSN_TBNZ:
	case PROBE_INSN_LDR ... PROBE_INSN_PRFM:
		return true;
	default:
		return false;
	}
}

static u64 printed_target(const char *operands)
{
	const char *last = strrchr(operands, ',');

	return strtoull(last ? last + 1 : operands, NULL, 16);
}

static void check_target(const struct line *line, const struct probe_insn *pi)
{
	u64 base = pi->kind == PROBE_INSN_ADRP ? line->addr & ~0xfffULL : line->addr;

	count.targets++;
	if (base + pi->offset != printed_target(line->operands))
		show(++count.wrong_target, "wrong target", line, pi->kind);
}

static void check_line(const struct line *line)
{
	struct probe_insn pi = probe_insn_classify(line->word);

	if (mnemonic_is_data(line->name))
		return;
	count.words++;
	count.kinds[pi.kind]++;
	if (mnemonic_is_undefined(line->name)) {
		check_undefined(line, &pi);
		return;
	}
	check_known(line, &pi);
	if (has_target(&pi))
		check_target(line, &pi);
	else if (!probe_insn_refused(&pi) && operands_name_text(line->operands))
		show(++count.copied_text, "names text, copied", line, pi.kind);
}

static void remember(const struct line *line)
{
	if (function.len == MAX_WORDS)
		return;
	function.words[function.len++] = line->word;
	function.has_exclusive |= mnemonic_kinds(line->name, line->operands) ==
				  KIND(LOAD_EXCLUSIVE);
}

static u8 kind_at(size_t at)
{
	return probe_insn_classify(function.words[at]).kind;
}

static bool is_inside(size_t at)
{
	return probe_insn_in_exclusive(function.words, function.len, at) == 1;
}

static void note_gap(u64 nr, const char *what, size_t at)
{
	if (nr <= MAX_SHOWN)
		printf("# %s: %s+0x%zx\n", what, function.name, at * 4);
}

/* From a load straight to the first store, unless a branch leads away. */
static void check_sequence(size_t load)
{
	size_t end = load + 1, at;

	while (end < function.len && kind_at(end) != PROBE_INSN_STORE_EXCLUSIVE) {
		u8 kind = kind_at(end);

		if (kind == PROBE_INSN_LOAD_EXCLUSIVE || kind == PROBE_INSN_B ||
		    kind == PROBE_INSN_RET || kind == PROBE_INSN_BR)
			return;
		end++;
	}
	if (end >= function.len)
		return;
	for (at = load + 1; at < end; at++) {
		count.between++;
		if (!is_inside(at))
			note_gap(++count.between_free, "between, but free", at);
	}
	if (end + 1 < function.len && is_inside(end + 1))
		note_gap(++count.after_refused, "after a store, but refused", end + 1);
}

static void check_function(void)
{
	/* Random words are in a section of data. */
	if (!function.has_exclusive || function.name[0] == '.')
		return;
	count.functions++;
	for (size_t at = 0; at < function.len; at++) {
		if (kind_at(at) == PROBE_INSN_LOAD_EXCLUSIVE)
			check_sequence(at);
		count.inside += kind_at(at) >= PROBE_INSN_COPY && is_inside(at);
	}
}

static void begin_function(const char *text)
{
	check_function();
	function.len = 0;
	function.has_exclusive = false;
	snprintf(function.name, sizeof(function.name), "%.*s",
		 (int)strcspn(text, ">\n"), text);
}

/* "  1a2b:\td503201f \tnop" */
static bool parse(char *text, struct line *line)
{
	char *name, *end;

	line->addr = strtoull(text, &end, 16);
	if (end == text || end[0] != ':' || end[1] != '\t')
		return false;
	line->word = strtoul(end + 2, &end, 16);
	name = end + strspn(end, " \t");
	end = name + strcspn(name, " \t\n");
	if (end == name || end - name >= (int)sizeof(line->name))
		return false;
	memcpy(line->name, name, end - name);
	line->name[end - name] = 0;
	line->operands = end + strspn(end, " \t");
	end = strstr(line->operands, "//");
	if (!end)
		end = strchr(line->operands, '\n');
	if (end)
		*end = 0;
	return true;
}

static void read_all(void)
{
	static char text[4096];
	struct line line;
	char *mark;

	while (fgets(text, sizeof(text), stdin)) {
		mark = strchr(text, '<');
		if (mark && strstr(text, ">:\n"))
			begin_function(mark + 1);
		else if (parse(text, &line)) {
			check_line(&line);
			remember(&line);
		}
	}
	check_function();
}

static void print_range(const char *what, int first, int last)
{
	u64 sum = 0;

	for (int kind = first; kind <= last; kind++)
		sum += count.kinds[kind];
	printf("# %-10s %10" PRIu64 "  %7.3f %%\n", what, sum, 100.0 * sum / count.words);
	for (int kind = first; kind <= last; kind++) {
		if (count.kinds[kind])
			printf("#            %10" PRIu64 "  %7.3f %%  %s\n",
			       count.kinds[kind], 100.0 * count.kinds[kind] / count.words,
			       probe_insn_kind_text(kind));
	}
}

static bool result(const char *image, const char *what, u64 wrong, u64 of)
{
	printf("%s - %s: %s (%" PRIu64 " of %" PRIu64 " wrong)\n",
	       wrong ? "not ok" : "ok", image, what, wrong, of);
	return wrong;
}

int main(int argc, char **argv)
{
	const char *image = argc > 1 ? argv[1] : "stdin";
	bool failed = false;

	read_all();
	if (!count.words) {
		printf("not ok - %s: no instructions\n", image);
		return 1;
	}
	printf("# %s: %" PRIu64 " instructions\n", image, count.words);
	print_range("refused", 0, PROBE_INSN_COPY - 1);
	print_range("copied", PROBE_INSN_COPY, PROBE_INSN_LITERAL);
	print_range("emulated", PROBE_INSN_ADR, PROBE_INSN_PRFM);
	printf("# unallocated by objdump: %" PRIu64 ", of these copied as vectors: %" PRIu64 "\n",
	       count.undefined, count.undefined_copied);
	printf("# functions with exclusives: %" PRIu64 ", addresses inside: %" PRIu64 "\n",
	       count.functions, count.inside);
	failed |= result(image, "kinds", count.wrong_kind, count.words);
	failed |= result(image, "targets", count.wrong_target, count.targets);
	failed |= result(image, "nothing that names text is copied",
			 count.copied_text, count.words);
	failed |= result(image, "unallocated words refused",
			 count.undefined_wrong, count.undefined);
	failed |= result(image, "allocated words known", count.known_refused,
			 count.words - count.undefined);
	failed |= result(image, "exclusive sequences refused", count.between_free,
			 count.between);
	failed |= result(image, "free after a store-exclusive", count.after_refused,
			 count.functions);
	return failed;
}
