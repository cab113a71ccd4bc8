// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Executes one instruction in two ways: on the processor, and emulated or in its slot.
 * Registers, flags, vectors, memory and the final address must be equal.
 *
 * The text around it is filled with words that stop the run, so that a branch may go
 * anywhere. A literal is such a word, too.
 */
#include <inttypes.h>
#include <sys/mman.h>

#include "insn.h"
#include "machine.h"
#include "twoways.h"

#define PROT_BTI	0x10
#define STOP		0xd4200000		/* brk #0 */
#define TRAP_IMM	0x123

bool test_has_bti = true;
unsigned long test_user_end, test_fault_at;

static unsigned int failed, checked, stopped;
unsigned int total_failed;
static u8 before[DATA_SIZE], after[DATA_SIZE];
static u64 seed = 1;

u64 random64(void)			/* splitmix64 */
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

void section(const char *what)
{
	if (stopped)
		printf("# %u of these fault by themselves\n", stopped);
	printf("%s - %s (%u of %u wrong)\n", failed || !checked ? "not ok" : "ok",
	       what, failed, checked);
	fflush(stdout);
	total_failed += failed || !checked;
	failed = 0;
	checked = 0;
	stopped = 0;
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

/* brk and udf, so that literals of both signs occur. */
static void fill_with_stops(unsigned long at, size_t size)
{
	for (u32 *word = (u32 *)at; word < (u32 *)(at + size); word++) {
		u64 bits = random64();

		*word = bits >> 63 ? STOP | (bits & 0xffff) << 5 : bits & 0xffff;
	}
}

void map_all(void)
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

void randomise(struct machine *machine)
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

/* The instruction in its place, followed by a word that stops the run. */
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

void check_emulated_at(u32 word, unsigned long at, u64 mode,
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

void check_emulated(u32 word, const struct machine *start)
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

/* A fault in the slot is compared as if at the original address. */
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

void check_copied(u32 word, const struct machine *start)
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
		len = probe_insn_write_resume(buf, sizeof(buf), &pi, literal, HERE, slots[i]);
		if (len < 0) {
			fail(word, "resume code", len, 0);
			return;
		}
		write_text(slots[i], buf, len);
		check_slot(word, slots[i], start, &bare, HERE + 4);
	}
	len = probe_insn_write_resume_trap(buf, sizeof(buf), &pi, literal, SLOT, TRAP_IMM);
	if (pi.kind == PROBE_INSN_LEAVE)
		return;
	write_text(SLOT, buf, len);
	check_slot(word, SLOT, start, &bare, SLOT + 4);
}
