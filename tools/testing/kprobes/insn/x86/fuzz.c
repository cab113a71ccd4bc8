// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Random bytes for classify and relocate. Built with -fsanitize=fuzzer it is a
 * libFuzzer target; otherwise its own main generates bytes from a fixed seed. The
 * bytes are at the very end of an allocation, so that reading too far is detected.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../../../../arch/x86/kernel/kprobes/insn.h"

#define FROM	0xffffffff81234567ul
#define TO	0xffffffffa0000040ul

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int condition, const char *what, const uint8_t *text, size_t len)
{
	size_t i;

	if (condition)
		return;
	printf("not ok fuzz: %s:", what);
	for (i = 0; i < len; i++)
		printf(" %02x", text[i]);
	printf("\n");
	fflush(stdout);
	abort();
}

/* The copy is the same instruction with the same operand. */
static void relocate(const uint8_t *text, size_t len, const struct probe_insn *pi)
{
	struct probe_insn copy;
	uint8_t *buf = malloc(pi->length + 5);
	int size;

	size = probe_insn_write_resume(buf, pi->length + 5, text, pi, FROM, TO);
	if (size >= 0) {
		copy = probe_insn_decode(buf, size);
		require(size == pi->length + 5, "size", text, len);
		require(copy.kind == pi->kind && copy.length == pi->length &&
			copy.disp_at == pi->disp_at, "copy", text, len);
		require(!pi->disp_at || TO + copy.disp == FROM + pi->disp,
			"operand", text, len);
	}
	free(buf);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct probe_insn pi, cut;
	uint8_t *text;

	size = size > 16 ? 16 : size;
	if (!size)
		return 0;
	text = malloc(size);
	memcpy(text, data, size);
	pi = probe_insn_decode(text, size);
	require(pi.kind < PROBE_INSN_KINDS, "kind", text, size);
	require(pi.length <= size && pi.length <= 15, "length", text, size);
	require(pi.length || probe_insn_refused(&pi), "nothing", text, size);
	require(pi.disp_at + 4 <= pi.length || !pi.disp_at, "disp_at", text, size);
	if (pi.length > 1) {
		cut = probe_insn_decode(text, pi.length - 1);
		require(cut.length < pi.length, "cut", text, size);
	}
	if (probe_insn_copied(&pi))
		relocate(text, size, &pi);
	free(text);
	return 0;
}

#ifdef FUZZ_MAIN
#define RUNS	2000000

/* Generates prefixes and escapes more often than uniform bytes would. */
static void random_text(uint64_t *seed, uint8_t *text, size_t len)
{
	static const uint8_t heads[] = {
		0x66, 0xf2, 0xf3, 0x2e, 0x65, 0xf0, 0x67, 0x48, 0x41, 0x0f, 0x0f,
		0xc5, 0xc4, 0x62, 0xd5, 0xff,
	};
	size_t i;

	for (i = 0; i < len; i++) {
		*seed = *seed * 6364136223846793005 + 1442695040888963407;
		text[i] = *seed >> 56;
		if (i < 4 && *seed >> 54 & 1)
			text[i] = heads[*seed >> 40 & 15];
	}
}

int main(void)
{
	uint64_t seed = 1;
	uint8_t text[16];
	int i;

	for (i = 0; i < RUNS; i++) {
		random_text(&seed, text, sizeof(text));
		LLVMFuzzerTestOneInput(text, 1 + (seed >> 33) % sizeof(text));
	}
	printf("ok fuzz: %d inputs\n", RUNS);
	return 0;
}
#endif
