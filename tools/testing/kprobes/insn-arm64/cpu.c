// SPDX-License-Identifier: GPL-2.0
/*
 * Each instruction three ways: as it is, on the processor; emulated or from its
 * slot. Registers, flags, vectors, memory and where it stopped have to be equal.
 *
 * An arm64 program, run by qemu-aarch64. The text it stands in is filled with
 * words that stop it, so that a branch may go anywhere; a literal is such a word.
 */
#include <inttypes.h>
#include <sys/mman.h>

#include "insn.h"
#include "machine.h"

/* Twice an address in here is an address of nothing, as is one far outside. */
#define TEXT		0x200000000UL
#define TEXT_SIZE	0x300000UL
#define HERE		(TEXT + 0x180000)	/* the instruction under test */
#define SLOT		(TEXT + 0x200000)
#define FAR_SLOT	(HERE + 0x7f00000)
#define GUARDED		0x240000000UL
#define DATA		0x280000000UL
#define DATA_SIZE	0x80000UL
#define MIDDLE		(DATA + DATA_SIZE / 2)

#define PROT_BTI	0x10
#define STOP		0xd4200000		/* brk #0 */
#define TRAP_IMM	0x123

bool test_has_bti = true;
unsigned long test_user_end, test_fault_at;

static unsigned int failed, checked, stopped, total_failed;
static u8 before[DATA_SIZE], after[DATA_SIZE];
static u64 seed = 1;

static u64 random64(void)			/* splitmix64 */
{
	u64 z = seed += 0x9e3779b97f4a7c15;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return z ^ z >> 31;
}

static void fail(u32 word, const char *what, u64 got, u64 wanted)
{
	if (failed++ < 8)
		printf("# %08x (%s): %s is %" PRIx64 ", not %" PRIx64 "\n", word,
		       probe_insn_kind_text(probe_insn_classify(word).kind), what,
		       got, wanted);
}

static void section(const char *what)
{
	if (stopped)
		printf("# %u of these fault by themselves\n", stopped);
	printf("%s - %s (%u of %u wrong)\n", failed || !checked ? "not ok" : "ok",
	       what, failed, checked);
	fflush(stdout);
	total_failed += failed || !checked;
	failed = checked = stopped = 0;
}

static void write_text(unsigned long at, const void *bytes, size_t len)
{
	memcpy((void *)at, bytes, len);
	__builtin___clear_cache((char *)at, (char *)at + len);
}

static void write_word(unsigned long at, u32 word)
{
	write_text(at, &word, sizeof(word));
}

static void map(unsigned long at, size_t size, int prot)
{
	prot |= PROT_READ | PROT_WRITE;
	if (mmap((void *)at, size, prot, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) !=
	    (void *)at)
		abort();
}

/* brk and udf, so that as literals both signs come up. */
static void fill_with_stops(unsigned long at, size_t size)
{
	for (u32 *word = (u32 *)at; word < (u32 *)(at + size); word++) {
		u64 bits = random64();

		*word = bits >> 63 ? STOP | (bits & 0xffff) << 5 : bits & 0xffff;
	}
}

static void map_all(void)
{
	map(TEXT, TEXT_SIZE, PROT_EXEC);
	map(FAR_SLOT & ~0xfffUL, 0x1000, PROT_EXEC);
	map(GUARDED, 0x2000, PROT_EXEC | PROT_BTI);
	map(DATA, DATA_SIZE, 0);
	fill_with_stops(TEXT, TEXT_SIZE);
	fill_with_stops(GUARDED, 0x2000);
	for (size_t i = 0; i < sizeof(before); i++)
		before[i] = random64();
}

static void randomise(struct machine *machine)
{
	u64 *words = (u64 *)machine->vectors;

	memset(machine, 0, sizeof(*machine));
	for (int i = 0; i < 31; i++)
		machine->regs[i] = random64() & 1 ? random64() :
				   MIDDLE + (random64() & 0xff) * 16;
	for (int i = 0; i < 64; i++)
		words[i] = random64();
	machine->sp = MIDDLE;
	machine->pstate = random64() & NZCV;
}

static void compare_regs(u32 word, const u64 *got, const u64 *wanted)
{
	static char name[4];

	for (int i = 0; i < 31; i++) {
		snprintf(name, sizeof(name), "x%d", i & 31);
		if (got[i] != wanted[i])
			fail(word, name, got[i], wanted[i]);
	}
}

static void compare(u32 word, const struct machine *got,
		    const struct machine *wanted)
{
	compare_regs(word, got->regs, wanted->regs);
	if (got->sp != wanted->sp)
		fail(word, "sp", got->sp, wanted->sp);
	if (got->pc != wanted->pc)
		fail(word, "pc", got->pc, wanted->pc);
	if (got->pstate != wanted->pstate)
		fail(word, "pstate", got->pstate, wanted->pstate);
	if (got->fpsr != wanted->fpsr)
		fail(word, "fpsr", got->fpsr, wanted->fpsr);
	if (got->signal != wanted->signal)
		fail(word, "signal", got->signal, wanted->signal);
	if (memcmp(got->vectors, wanted->vectors, sizeof(got->vectors)))
		fail(word, "a vector", 0, 0);
}

/* The instruction in its place, the word behind it one that stops. */
static struct machine run_bare(u32 word, unsigned long at,
			       const struct machine *start)
{
	struct machine machine = *start;

	write_word(at + 4, STOP);
	write_word(at, word);
	machine.pc = at;
	machine_run(&machine);
	return machine;
}

static void check_emulated_at(u32 word, unsigned long at, u64 mode,
			      const struct machine *start)
{
	struct probe_insn pi = probe_insn_classify(word);
	struct machine bare = run_bare(word, at, start), emulated = *start;
	struct pt_regs regs = { .sp = start->sp, .pstate = start->pstate | mode };

	checked++;
	memcpy(regs.regs, start->regs, sizeof(regs.regs));
	if (!probe_insn_emulated(&pi) || probe_insn_emulate(&pi, at, &regs))
		fail(word, "emulated", pi.kind, 0);
	memcpy(emulated.regs, regs.regs, sizeof(regs.regs));
	emulated.sp = regs.sp;
	emulated.pc = regs.pc;
	emulated.pstate = regs.pstate & (NZCV | BTYPE);
	emulated.signal = bare.signal;
	compare(word, &emulated, &bare);
}

static void check_emulated(u32 word, const struct machine *start)
{
	check_emulated_at(word, HERE, 0, start);
}

static void restore_data(void)
{
	memcpy((void *)DATA, before, DATA_SIZE);
}

static struct machine run_slot(unsigned long slot, const struct machine *start)
{
	struct machine machine = *start;

	machine.pc = slot;
	restore_data();
	machine_run(&machine);
	return machine;
}

/* A fault in the slot is one at the original, seen from there. */
static void check_slot(u32 word, unsigned long slot, const struct machine *start,
		       const struct machine *bare, u64 end)
{
	struct machine moved = run_slot(slot, start), wanted = *bare;

	if (bare->pc == HERE)
		wanted.pc = slot;
	else if (bare->pc == HERE + 4)
		wanted.pc = end;
	compare(word, &moved, &wanted);
	if (memcmp((void *)DATA, after, DATA_SIZE))
		fail(word, "memory", 0, 0);
}

static void check_copied(u32 word, const struct machine *start)
{
	struct probe_insn pi = probe_insn_classify(word);
	const void *literal = (void *)probe_insn_literal(&pi, HERE);
	static const unsigned long slots[] = { SLOT, FAR_SLOT };
	u8 buf[PROBE_RESUME_MAX];
	struct machine bare;
	int len;

	checked++;
	restore_data();
	bare = run_bare(word, HERE, start);
	stopped += bare.pc == HERE;
	memcpy(after, (void *)DATA, DATA_SIZE);
	for (int i = 0; i < 2; i++) {
		len = probe_insn_resume(buf, sizeof(buf), &pi, literal, HERE, slots[i]);
		if (len < 0) {
			fail(word, "resume code", len, 0);
			return;
		}
		write_text(slots[i], buf, len);
		check_slot(word, slots[i], start, &bare, HERE + 4);
	}
	len = probe_insn_resume_trap(buf, sizeof(buf), &pi, literal, SLOT, TRAP_IMM);
	if (pi.kind == PROBE_INSN_LEAVE)
		return;
	write_text(SLOT, buf, len);
	check_slot(word, SLOT, start, &bare, SLOT + 4);
}

static u32 imm(s64 value, int bits, int low)
{
	return (value & ((1L << bits) - 1)) << low;
}

/* Words of instructions: zero is never the distance, for that runs for ever. */
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

/* Signed as it has to be, and not signed at all. */
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

/* Random words of the groups under @mask and @value, as far as they are copied. */
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
