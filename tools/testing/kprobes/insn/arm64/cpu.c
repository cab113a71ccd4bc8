// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Compares each emulated or copied form of instruction with the processor. An arm64
 * program, run by qemu-aarch64.
 */
#include "insn.h"
#include "machine.h"
#include "twoways.h"

static u32 imm(s64 value, int bits, int low)
{
	return (value & ((1L << bits) - 1)) << low;
}

/* Offsets of instructions, never zero: a branch to itself does not end. */
static const s64 edges19[] = { 1, 2, 7, -1, -2, 0x3ffff, 0x3fffe, -0x40000, -0x3ffff, 0x100 };
static const s64 edges26[] = { 1, 2, -1, 0x1ffffff, -0x2000000, 0x123456, -0x654321 };
static const s64 edges14[] = { 1, 2, -1, 0x1fff, -0x2000, 0x123 };
static const u64 values[] = {
	0, 1, 2, ~0UL, 1UL << 31, 1UL << 32, 1UL << 63, ~0UL << 32, 0xffffffff,
	0x7fffffff, ~(1UL << 31), ~(1UL << 32), ~(1UL << 63), 0x5555555555555555,
};

static void test_addresses(void)
{
	static const s64 distances[] = { 0, 1, 2, 3, -1, 0xfffff, -0x100000, 0x12345 };
	static const u8 regs[] = { 0, 5, 18, 29, 30, 31 };
	struct machine start;

	randomise(&start);
	for (size_t i = 0; i < ARRAY_SIZE(distances); i++) {
		u32 split = imm(distances[i], 2, 29) | imm(distances[i] >> 2, 19, 5);

		for (size_t j = 0; j < ARRAY_SIZE(regs); j++) {
			check_emulated(0x10000000 | split | regs[j], &start);
			check_emulated(0x90000000 | split | regs[j], &start);
			check_emulated_at(0x90000000 | split | regs[j], TEXT + 0xffc,
					  0, &start);
		}
	}
	section("adr, adrp");
}

static void test_branches(void)
{
	struct machine start;

	randomise(&start);
	for (size_t i = 0; i < ARRAY_SIZE(edges26); i++) {
		check_emulated(0x14000000 | imm(edges26[i], 26, 0), &start);
		check_emulated(0x94000000 | imm(edges26[i], 26, 0), &start);
	}
	section("b, bl");
	for (u64 flags = 0; flags < 16; flags++) {
		start.pstate = flags << 28;
		for (u32 cond = 0; cond < 16; cond++) {
			check_emulated(0x54000040 | cond, &start);
			check_emulated(0x54000000 | cond |
				       imm(edges19[(flags + cond) % 10], 19, 5), &start);
		}
	}
	section("b.cond");
}

static void test_compare_branches(void)
{
	struct machine start;

	randomise(&start);
	for (size_t i = 0; i < ARRAY_SIZE(values); i++) {
		for (u32 reg = 0; reg < 32; reg++) {
			s64 edge = edges19[(i + reg) % ARRAY_SIZE(edges19)];

			if (reg < 31)
				start.regs[reg] = values[i];
			for (u32 form = 0; form < 4; form++)
				check_emulated(0x34000000 | form >> 1 << 31 |
					       (form & 1) << 24 | reg |
					       imm(edge, 19, 5), &start);
		}
	}
	section("cbz, cbnz; w and x");
}

static void test_bit_branches(void)
{
	struct machine start;

	randomise(&start);
	for (u32 bit = 0; bit < 64; bit++) {
		u32 word = 0x36000000 | (bit & 31) << 19 | bit >> 5 << 31;
		u32 reg = bit % 31;

		for (int i = 0; i < 4; i++) {
			s64 edge = edges14[(bit + i) % ARRAY_SIZE(edges14)];

			start.regs[reg] = (i & 1 ? 0 : ~0UL) ^ (i & 2 ? 1UL << bit : 0);
			check_emulated(word | imm(edge, 14, 5) | reg, &start);
			check_emulated(word | imm(edge, 14, 5) | reg | 1 << 24, &start);
		}
		check_emulated(word | imm(2, 14, 5) | 31, &start);
		check_emulated(word | imm(2, 14, 5) | 31 | 1 << 24, &start);
	}
	section("tbz, tbnz; bits 0 to 63");
}

static void test_register_branches(void)
{
	static const u32 words[] = { 0xd61f0000, 0xd63f0000, 0xd65f0000 };
	struct machine start;

	randomise(&start);
	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		for (u32 reg = 0; reg < 32; reg++) {
			if (reg < 31)
				start.regs[reg] = TEXT + (random64() & 0xffffc);
			check_emulated(words[i] | reg << 5, &start);
		}
	}
	section("br, blr, ret; each register, blr x30 too");
	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		for (u32 reg = 0; reg < 31; reg++) {
			start.regs[reg] = GUARDED + 0x1000;
			check_emulated_at(words[i] | reg << 5, GUARDED,
					  PSR_MODE_EL1h, &start);
		}
	}
	section("br, blr, ret in guarded text: branch types");
}

static void test_literals(void)
{
	static const u32 words[] = { 0x18000000, 0x58000000, 0x98000000, 0xd8000000 };
	static const u32 vectors[] = { 0x1c000000, 0x5c000000, 0x9c000000 };
	struct machine start;

	randomise(&start);
	for (size_t i = 0; i < ARRAY_SIZE(edges19); i++) {
		for (u32 reg = 0; reg < 32; reg++) {
			u32 operands = imm(edges19[i], 19, 5) | reg;

			if (edges19[i] == 1)
				operands ^= 0x100 << 5;	/* not what run_bare writes */
			for (size_t j = 0; j < ARRAY_SIZE(words); j++)
				check_emulated(words[j] | operands, &start);
		}
	}
	section("ldr, ldrsw, prfm of a literal");
	for (size_t i = 0; i < ARRAY_SIZE(edges19); i++) {
		for (u32 reg = 0; reg < 32; reg += 5) {
			for (size_t j = 0; j < ARRAY_SIZE(vectors); j++)
				check_copied(vectors[j] | reg | imm(edges19[i] & ~3L, 19, 5),
					     &start);
		}
	}
	section("ldr s, d, q of a literal, from the slot");
}

static u64 sign(u64 target, u64 modifier, bool with_b)
{
	if (with_b)
		asm(".arch armv8.5-a\n\tpacib %0, %1" : "+r"(target) : "r"(modifier));
	else
		asm(".arch armv8.5-a\n\tpacia %0, %1" : "+r"(target) : "r"(modifier));
	return target;
}

/* A pointer with a correct signature, and one without a signature. */
static void test_signed_branches(void)
{
	const u64 target = TEXT + 0x4000;
	struct machine start;

	for (int b = 0; b < 2; b++) {
		for (u32 reg = 0; reg < 30; reg++) {
			randomise(&start);
			start.regs[30] = sign(target, start.sp, b);
			check_copied(0xd65f0bff | b << 10, &start);	/* reta* */
			start.regs[reg] = sign(target, start.regs[30], b);
			check_copied(0xd71f0800 | b << 10 | reg << 5 | 30, &start);
			start.regs[reg] = sign(target, 0, b);
			check_copied(0xd61f081f | b << 10 | reg << 5, &start);
			start.regs[reg] = target;
			check_copied(0xd61f081f | b << 10 | reg << 5, &start);
		}
	}
	section("retaa, braa and their kin, from the slot");
}

static void test_system(void)
{
	static const u32 words[] = {
		0xd503201f, 0xd503203f, 0xd503233f, 0xd503237f,	/* nop, yield, pac */
		0xd503231f, 0xd503235f, 0xd50323bf, 0xd50323ff,	/* pac, aut */
		0xd503239f, 0xd50323df, 0xd503211f, 0xd503215f,
		0xd503219f, 0xd50321df, 0xd50320ff, 0xd503241f,	/* xpaclri, bti */
		0xd503245f, 0xd503249f, 0xd50324df, 0xd503221f,	/* bti, esb */
		0xd503229f, 0xd503209f, 0xd50320bf,		/* csdb, sev, sevl */
		0xd5033fdf, 0xd5033bbf, 0xd5033f9f, 0xd50330ff,	/* barriers */
		0xd5033f5f, 0xd500401f, 0xd500403f, 0xd500405f,	/* clrex, flags */
		0xd53b4205, 0xd51b4205, 0xd53b4405, 0xd53b4425,	/* nzcv, fpcr, fpsr */
		0xd53bd045, 0xd50b7b25, 0xd50b7425,		/* tpidr, dc */
		0xd53b4225, 0xd50342df, 0xd50342ff,		/* daif: undefined here */
	};
	struct machine start;

	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		for (int round = 0; round < 8; round++) {
			randomise(&start);
			start.regs[5] = MIDDLE + round * 64;
			check_copied(words[i], &start);
		}
	}
	section("hints, barriers, PSTATE, maintenance, from the slot");
}

/* Random words with @value under @mask, as far as they are copied. */
static void test_random(const char *what, u32 mask, u32 value, int wanted)
{
	struct machine start;

	for (int done = 0; done < wanted;) {
		u32 word = (random64() & ~mask) | value;

		if (probe_insn_classify(word).kind != PROBE_INSN_COPY)
			continue;
		randomise(&start);
		check_copied(word, &start);
		done++;
	}
	section(what);
}

int main(void)
{
	machine_init();
	map_all();
	test_addresses();
	test_branches();
	test_compare_branches();
	test_bit_branches();
	test_register_branches();
	test_literals();
	test_signed_branches();
	test_system();
	test_random("data processing, immediate", 0x1c000000, 0x10000000, 400);
	test_random("data processing, registers", 0x0e000000, 0x0a000000, 800);
	test_random("vectors and floating point", 0x0e000000, 0x0e000000, 800);
	test_random("loads and stores", 0x0a000000, 0x08000000, 1200);
	test_random("atomics", 0x3f208000, 0x38200000, 200);
	test_random("acquire, release, compare and swap", 0x3f800000, 0x08800000, 200);
	return !!total_failed;
}
