// SPDX-License-Identifier: GPL-2.0-or-later
/* The oracle's tables. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../../../../arch/x86/kernel/kprobes/insn.h"
#include "report.h"

/* The names in the expectation file: one word each, refusals only. */
static const char * const names[] = {
	[PROBE_INSN_UNDEFINED]		= "undefined",
	[PROBE_INSN_ODD]		= "odd",
	[PROBE_INSN_EMULATE_PREFIX]	= "emulate-prefix",
	[PROBE_INSN_TRAP]		= "trap",
	[PROBE_INSN_FAR]		= "far",
	[PROBE_INSN_ENTRY]		= "entry",
	[PROBE_INSN_GUEST]		= "guest",
	[PROBE_INSN_WAIT]		= "wait",
	[PROBE_INSN_STACK_SEGMENT]	= "stack-segment",
	[PROBE_INSN_GS_BASE]		= "gs-base",
	[PROBE_INSN_CONTROL]		= "control",
	[PROBE_INSN_TRANSACTION]	= "transaction",
	[PROBE_INSN_LANDING_PAD]	= "landing-pad",
	[PROBE_INSN_SEGMENT]		= "segment",
	[PROBE_INSN_SHADOW]		= "shadow",
	[PROBE_INSN_STI_WAIT]		= "sti-wait",
};

/* Differences of one kind share a row, with the first as the example. */
struct difference {
	const char *what;
	char name[24];
	int want, got;
	uint64_t count, addr;
	char text[128];
};

static struct {
	struct difference rows[512];
	int used;
} report;

static const char *kind_name(int kind)
{
	return kind < 0 ? "bad" : probe_insn_kind_text(kind);
}

static void print_row(const char *class, const char *name,
		      const struct tally *t, uint64_t insns, uint64_t bytes)
{
	printf("%-8s %-64s %9lu %9.4f%% %9.4f%%\n", class, name,
	       (unsigned long)t->insns, 100.0 * t->insns / insns,
	       100.0 * t->bytes / bytes);
}

static void add(struct tally *sum, const struct tally *t)
{
	sum->insns += t->insns;
	sum->bytes += t->bytes;
}

/**
 * report_table() - print the classes with their share
 * @tally: counts by kind
 * @insns: total of instructions
 * @bytes: total of bytes
 */
void report_table(const struct tally *tally, uint64_t insns, uint64_t bytes)
{
	struct tally refused = { }, emulated = { };
	int i;

	printf("%-8s %-64s %9s %10s %10s\n", "class", "kind", "insns", "of insns",
	       "of bytes");
	for (i = 0; i < PROBE_INSN_KINDS; i++) {
		if (i < PROBE_INSN_COPY)
			add(&refused, &tally[i]);
		if (i > PROBE_INSN_COPY)
			add(&emulated, &tally[i]);
		if (i != PROBE_INSN_COPY && tally[i].insns)
			print_row(i < PROBE_INSN_COPY ? "refused" : "emulated",
				  probe_insn_kind_text(i), &tally[i], insns, bytes);
	}
	print_row("copied", "in all", &tally[PROBE_INSN_COPY], insns, bytes);
	print_row("emulated", "in all", &emulated, insns, bytes);
	print_row("refused", "in all", &refused, insns, bytes);
}

static struct difference *find_row(const char *what, const char *name, int want,
				   int got)
{
	struct difference *d = report.rows;
	int i;

	for (i = 0; i < report.used; i++, d++)
		if (d->what == what && d->want == want && d->got == got &&
		    !strcmp(d->name, name))
			return d;
	if (i == sizeof(report.rows) / sizeof(*report.rows))
		return d - 1;
	report.used++;
	d->what = what;
	d->want = want;
	d->got = got;
	snprintf(d->name, sizeof(d->name), "%s", name);
	return d;
}

/**
 * report_difference() - record that the two opinions differ
 * @what: the property; a string that outlives the report
 * @name: mnemonic
 * @want: kind by the mnemonic
 * @got: kind by the kernel's code
 * @addr: address
 * @text: objdump's line
 */
void report_difference(const char *what, const char *name, int want, int got,
		       uint64_t addr, const char *text)
{
	struct difference *d = find_row(what, name, want, got);

	if (!d->count++) {
		d->addr = addr;
		snprintf(d->text, sizeof(d->text), "%s", text);
	}
}

/**
 * report_differences() - print the differences
 *
 * Return: the number of rows.
 */
int report_differences(void)
{
	const struct difference *d = report.rows;
	int i;

	for (i = 0; i < report.used; i++, d++)
		printf("# %s of %s: want '%s', got '%s', %lu times, at %lx: %s\n",
		       d->what, d->name, kind_name(d->want), kind_name(d->got),
		       (unsigned long)d->count, (unsigned long)d->addr, d->text);
	return report.used;
}

static int find_name(const char *name)
{
	int i;

	for (i = 0; i < PROBE_INSN_COPY; i++)
		if (!strcmp(name, names[i]))
			return i;
	return -1;
}

/**
 * report_growth() - compare refusals with the expected figures
 * @path: lines "name most", in instructions per million; others must not occur
 * @tally: counts by kind
 * @insns: total of instructions
 *
 * Return: the number of kinds that exceed their figure.
 */
int report_growth(const char *path, const struct tally *tally, uint64_t insns)
{
	double most[PROBE_INSN_COPY] = { }, share;
	char line[256], name[64];
	FILE *in = fopen(path, "r");
	int i, grown = 0;

	while (in && fgets(line, sizeof(line), in)) {
		if (*line == '#' || sscanf(line, "%63s %lf", name, &share) != 2)
			continue;
		i = find_name(name);
		if (i >= 0)
			most[i] = share;
	}
	if (in)
		fclose(in);
	for (i = 0; i < PROBE_INSN_COPY; i++) {
		share = 1e6 * tally[i].insns / insns;
		if (share <= most[i])
			continue;
		printf("# %s: %.1f per million, expected %.1f at most\n", names[i],
		       share, most[i]);
		grown++;
	}
	printf("%s growth: %d kinds of refusal beyond %s\n",
	       grown ? "not ok" : "ok", grown, path);
	return grown;
}
