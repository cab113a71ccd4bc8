// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Properties that cannot be run: edges of ranges, exclusive sequences, the uprobes'
 * entry, refusals by name. The expected values are written by hand.
 */
#include <inttypes.h>

#include "decode-insn.h"
#include "insn.h"

bool test_has_bti = true;
unsigned long test_user_end, test_fault_at;

static unsigned int failed, checked;
static int total_failed;

static void check(bool good, const char *what, int line)
{
	checked++;
	if (good)
		return;
	failed++;
	printf("# line %d: %s\n", line, what);
}

#define CHECK(cond)	check(cond, #cond, __LINE__)

static void section(const char *what)
{
	printf("%s - %s (%u of %u wrong)\n", failed ? "not ok" : "ok", what, failed,
	       checked);
}

static void run(const char *what, void (*test)(void))
{
	failed = 0;
	checked = 0;
	test();
	section(what);
	total_failed += failed;
}

static u8 kind(u32 word)
{
	return probe_insn_classify(word).kind;
}

static s64 offset(u32 word)
{
	return probe_insn_classify(word).offset;
}

static const struct {
	u32	word;
	u8	kind;
} chosen[] = {
	{ 0xd503201f, PROBE_INSN_COPY },		/* nop */
	{ 0xd503233f, PROBE_INSN_PAD },			/* paciasp */
	{ 0xd503237f, PROBE_INSN_PAD },			/* pacibsp */
	{ 0xd503245f, PROBE_INSN_PAD },			/* bti c */
	{ 0xd50323bf, PROBE_INSN_COPY },		/* autiasp */
	{ 0xd503219f, PROBE_INSN_COPY },		/* autia1716 */
	{ 0xd503211f, PROBE_INSN_COPY },		/* pacia1716 */
	{ 0xd50320ff, PROBE_INSN_COPY },		/* xpaclri */
	{ 0xd50324ff, PROBE_INSN_HINT },		/* pacm */
	{ 0xd503205f, PROBE_INSN_COPY },		/* wfe */
	{ 0xd503207f, PROBE_INSN_WAIT },		/* wfi */
	{ 0xd5031005, PROBE_INSN_COPY },		/* wfet x5 */
	{ 0xd5031025, PROBE_INSN_WAIT },		/* wfit x5 */
	{ 0xd5033fdf, PROBE_INSN_COPY },		/* isb */
	{ 0xd5033bbf, PROBE_INSN_COPY },		/* dmb ish */
	{ 0xd5033f9f, PROBE_INSN_COPY },		/* dsb sy */
	{ 0xd50330ff, PROBE_INSN_COPY },		/* sb */
	{ 0xd5033f5f, PROBE_INSN_COPY },		/* clrex */
	{ 0xd50342df, PROBE_INSN_COPY },		/* msr daifset, #2 */
	{ 0xd50342ff, PROBE_INSN_COPY },		/* msr daifclr, #2 */
	{ 0xd500419f, PROBE_INSN_COPY },		/* msr pan, #1 */
	{ 0xd50041bf, PROBE_INSN_CONTROL },		/* msr spsel, #1 */
	{ 0xd53b4220, PROBE_INSN_COPY },		/* mrs x0, daif */
	{ 0xd51b4220, PROBE_INSN_COPY },		/* msr daif, x0 */
	{ 0xd5384100, PROBE_INSN_COPY },		/* mrs x0, sp_el0 */
	{ 0xd5184100, PROBE_INSN_CONTROL },		/* msr sp_el0, x0 */
	{ 0xd518d080, PROBE_INSN_CONTROL },		/* msr tpidr_el1, x0 */
	{ 0xd538d080, PROBE_INSN_COPY },		/* mrs x0, tpidr_el1 */
	{ 0xd5381000, PROBE_INSN_COPY },		/* mrs x0, sctlr_el1 */
	{ 0xd5181000, PROBE_INSN_CONTROL },		/* msr sctlr_el1, x0 */
	{ 0xd5384020, PROBE_INSN_SYNDROME },		/* mrs x0, elr_el1 */
	{ 0xd5385200, PROBE_INSN_SYNDROME },		/* mrs x0, esr_el1 */
	{ 0xd5386000, PROBE_INSN_SYNDROME },		/* mrs x0, far_el1 */
	{ 0xd5184600, PROBE_INSN_COPY },		/* msr icc_pmr_el1, x0 */
	{ 0xd518cc20, PROBE_INSN_COPY },		/* msr icc_eoir1_el1, x0 */
	{ 0xd518c000, PROBE_INSN_CONTROL },		/* msr vbar_el1, x0 */
	{ 0xd50b7420, PROBE_INSN_COPY },		/* dc zva, x0 */
	{ 0xd508831f, PROBE_INSN_COPY },		/* tlbi vmalle1is */
	{ 0xd50b7700, PROBE_INSN_CONTROL },		/* gcspushm x0 */
	{ 0xd5233060, PROBE_INSN_UNDEFINED },		/* tstart x0 */
	{ 0xd4000001, PROBE_INSN_TRAP },		/* svc #0 */
	{ 0xd4200000, PROBE_INSN_TRAP },		/* brk #0 */
	{ 0x00000000, PROBE_INSN_TRAP },		/* udf #0 */
	{ 0xd69f03e0, PROBE_INSN_ENTRY },		/* eret */
	{ 0xd69f0bff, PROBE_INSN_ENTRY },		/* eretaa */
	{ 0xd6bf03e0, PROBE_INSN_ENTRY },		/* drps */
	{ 0x885f7c20, PROBE_INSN_LOAD_EXCLUSIVE },	/* ldxr w0, [x1] */
	{ 0xc85ffc20, PROBE_INSN_LOAD_EXCLUSIVE },	/* ldaxr x0, [x1] */
	{ 0x887f0820, PROBE_INSN_LOAD_EXCLUSIVE },	/* ldxp w0, w2, [x1] */
	{ 0x88037c22, PROBE_INSN_STORE_EXCLUSIVE },	/* stxr w3, w2, [x1] */
	{ 0x88dffc20, PROBE_INSN_COPY },		/* ldar w0, [x1] */
	{ 0x889ffc20, PROBE_INSN_COPY },		/* stlr w0, [x1] */
	{ 0x88e07c41, PROBE_INSN_COPY },		/* casa w0, w1, [x2] */
	{ 0xc8e0fc41, PROBE_INSN_COPY },		/* casal x0, x1, [x2] */
	{ 0x48207c82, PROBE_INSN_COPY },		/* casp x0, x1, x2, x3, [x4] */
	{ 0xb8e00041, PROBE_INSN_COPY },		/* ldaddal w0, w1, [x2] */
	{ 0x19010440, PROBE_INSN_MOPS },		/* cpyfp [x0]!, [x1]!, x2! */
	{ 0x19c20420, PROBE_INSN_MOPS },		/* setp [x0]!, x1!, x2 */
	{ 0x0420bc20, PROBE_INSN_PREFIX },		/* movprfx z0, z1 */
	{ 0x04102020, PROBE_INSN_PREFIX },		/* movprfx z0.b, p0/z, z1.b */
	{ 0x04d12020, PROBE_INSN_PREFIX },		/* movprfx z0.d, p0/m, z1.d */
	{ 0x04200020, PROBE_INSN_COPY },		/* add z0.b, z1.b, z0.b */
	{ 0xdac1a3fe, PROBE_INSN_UNDEFINED },		/* paciasppc */
	{ 0xf380001f, PROBE_INSN_UNDEFINED },		/* autiasppc */
	{ 0x5500001f, PROBE_INSN_UNDEFINED },		/* retaasppc */
	{ 0x74c10000, PROBE_INSN_UNDEFINED },		/* cbeq w0, w1 */
	{ 0xd65f0bff, PROBE_INSN_LEAVE },		/* retaa */
	{ 0xd71f0801, PROBE_INSN_LEAVE },		/* braa x0, x1 */
	{ 0xd73f0801, PROBE_INSN_AUTH_CALL },		/* blraa x0, x1 */
	{ 0x54000010, PROBE_INSN_BCOND },		/* bc.eq */
	{ 0x9c000040, PROBE_INSN_LITERAL },		/* ldr q0, 8 */
	{ 0xdc000040, PROBE_INSN_UNDEFINED },
};

static void test_kinds(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(chosen); i++) {
		checked++;
		if (kind(chosen[i].word) == chosen[i].kind)
			continue;
		failed++;
		printf("# %08x is %s, not %s\n", chosen[i].word,
		       probe_insn_kind_text(kind(chosen[i].word)),
		       probe_insn_kind_text(chosen[i].kind));
	}
	for (int i = 0; i < PROBE_INSN_KINDS; i++)
		CHECK(probe_insn_kind_text(i)[0]);
	CHECK(!strcmp(probe_insn_kind_text(PROBE_INSN_KINDS), "?"));
}

static void test_hbc(void)
{
	for (u32 cond = 0; cond < 16; cond++) {
		CHECK(kind(0x54000000 | cond) == PROBE_INSN_BCOND);
		CHECK(kind(0x54000010 | cond) == PROBE_INSN_BCOND);
		CHECK(probe_insn_classify(0x54000010 | cond).cond == cond);
	}
}

static void test_offsets(void)
{
	CHECK(offset(0x15ffffff) == 0x7fffffc);		/* b +128 MiB - 4 */
	CHECK(offset(0x16000000) == -0x8000000);	/* b -128 MiB */
	CHECK(offset(0x97ffffff) == -4);		/* bl -4 */
	CHECK(offset(0x547fffe0) == 0xffffc);		/* b.eq +1 MiB - 4 */
	CHECK(offset(0x54800000) == -0x100000);		/* b.eq -1 MiB */
	CHECK(offset(0x3603ffe0) == 0x7ffc);		/* tbz +32 KiB - 4 */
	CHECK(offset(0x36040000) == -0x8000);		/* tbz -32 KiB */
	CHECK(offset(0x707fffe0) == 0xfffff);		/* adr +1 MiB - 1 */
	CHECK(offset(0x10800000) == -0x100000);		/* adr -1 MiB */
	CHECK(offset(0xf07fffe0) == 0xfffff000);	/* adrp +4 GiB - 4 KiB */
	CHECK(offset(0x90800000) == -0x100000000);	/* adrp -4 GiB */
	CHECK(offset(0x587fffe0) == 0xffffc);		/* ldr x0, +1 MiB - 4 */
	CHECK(offset(0x9c800000) == -0x100000);		/* ldr q0, -1 MiB */
	CHECK(probe_insn_classify(0x36f80000).bit == 31);
	CHECK(probe_insn_classify(0xb6000000).bit == 32);
	CHECK(probe_insn_classify(0xb7f80000).bit == 63);
	CHECK(probe_insn_classify(0x34000000).size == 4);
	CHECK(probe_insn_classify(0xb5000000).size == 8);
	CHECK(probe_insn_classify(0x1c000000).size == 4);
	CHECK(probe_insn_classify(0x5c000000).size == 8);
	CHECK(probe_insn_classify(0x9c000000).size == 16);
}

static u32 word_at(const u8 *buf, int at)
{
	u32 word;

	memcpy(&word, buf + at, sizeof(word));
	return word;
}

static void test_resume(void)
{
	struct probe_insn nop = probe_insn_classify(0xd503201f);
	struct probe_insn b = probe_insn_classify(0x14000000);
	struct probe_insn retaa = probe_insn_classify(0xd65f0bff);
	const unsigned long at = 0xffff800080000000, reach = 0x8000000;
	u8 buf[PROBE_RESUME_MAX];

	CHECK(probe_insn_write_resume(buf, 8, &nop, NULL, at, at + 0x1000) == 8);
	CHECK(word_at(buf, 0) == 0xd503201f && word_at(buf, 4) == 0x17fffc00);
	CHECK(probe_insn_write_resume(buf, 7, &nop, NULL, at, at + 0x1000) == -ENOSPC);
	CHECK(probe_insn_write_resume(buf, 3, &nop, NULL, at, at + 0x1000) == -ENOSPC);
	CHECK(probe_insn_write_resume(buf, 8, &nop, NULL, at, at + 2) == -EINVAL);
	CHECK(probe_insn_write_resume(buf, 8, &nop, NULL, at, at + reach) == 8);
	CHECK(word_at(buf, 4) == 0x16000000);
	CHECK(probe_insn_write_resume(buf, 8, &nop, NULL, at, at + reach + 4) == -ERANGE);
	CHECK(probe_insn_write_resume(buf, 8, &nop, NULL, at, at - reach + 4) == 8);
	CHECK(word_at(buf, 4) == 0x15ffffff);
	CHECK(probe_insn_write_resume(buf, 8, &nop, NULL, at, at - reach) == -ERANGE);
	CHECK(probe_insn_write_resume(buf, 8, &nop, NULL, at, 0x1000) == -ERANGE);
	CHECK(probe_insn_write_resume(buf, 8, &b, NULL, at, at + 0x1000) == -EINVAL);
	CHECK(probe_insn_write_resume(buf, 4, &retaa, NULL, at, 0x1000) == 4);
	CHECK(probe_insn_write_resume_trap(buf, 8, &nop, NULL, 0x1000, 6) == 8);
	CHECK(word_at(buf, 4) == 0xd42000c0);
	CHECK(probe_insn_write_resume_trap(buf, 8, &nop, NULL, 0x1000, 0xffff) == 8);
	CHECK(word_at(buf, 4) == 0xd43fffe0);
	CHECK(probe_insn_write_resume_trap(buf, 8, &retaa, NULL, at, 6) == -EOPNOTSUPP);
	CHECK(probe_insn_write_resume_trap(buf, 8, &b, NULL, at, 6) == -EINVAL);
}

static void test_literal_slot(void)
{
	static const u32 words[] = { 0x1c800003, 0x5c800003, 0x9c800003 };
	static const u32 moved[] = { 0x1c000043, 0x5c000043, 0x9c000083 };
	const unsigned long at = 0xffff800080000000;
	u8 literal[16] = "0123456789abcde", buf[PROBE_RESUME_MAX];

	for (int i = 0; i < 3; i++) {
		struct probe_insn pi = probe_insn_classify(words[i]);
		int where = i == 2 ? 16 : 8, end = where + (4 << i);

		CHECK(probe_insn_literal(&pi, at) == at - 0x100000);
		CHECK(probe_insn_write_resume(buf, sizeof(buf), &pi, NULL, at, at + 64) ==
		      -EINVAL);
		CHECK(probe_insn_write_resume(buf, end - 1, &pi, literal, at, at + 64) ==
		      -ENOSPC);
		CHECK(probe_insn_write_resume(buf, sizeof(buf), &pi, literal, at, at + 64) == end);
		CHECK(word_at(buf, 0) == moved[i] && word_at(buf, 4) == 0x17fffff0);
		CHECK(!memcmp(buf + where, literal, 4 << i));
		CHECK(probe_insn_write_resume_trap(buf, sizeof(buf), &pi, literal, at, 6) == end);
		CHECK(word_at(buf, 4) == 0xd42000c0);
	}
}

/* One letter per instruction, so that sequences are readable. */
static const u32 letters[128] = {
	['.'] = 0x11000400,	/* add */
	['n'] = 0xd503201f,	/* nop */
	['L'] = 0x885f7c20,	/* ldxr */
	['S'] = 0x88037c22,	/* stxr */
	['c'] = 0xd5033f5f,	/* clrex */
	['r'] = 0xd65f03c0,	/* ret */
	['j'] = 0xd61f0000,	/* br */
	['l'] = 0x94001000,	/* bl, away */
	['B'] = 0x14001000,	/* b, away */
	['!'] = 0x14000002,	/* b, over the next */
	['?'] = 0x74020002,	/* cbgt w2, w2, from a later architecture */
	['+'] = 0x9a002000,	/* addpt x0, x0, x0, from a later architecture */
};

/* A digit is a cbnz to the instruction with that number. */
static u32 cbnz_to(s32 from, s32 to)
{
	return 0x35000003 | ((to - from) & 0x7ffff) << 5;
}

static size_t assemble(const char *text, __le32 *words)
{
	size_t len = strlen(text);

	for (size_t i = 0; i < len; i++) {
		words[i] = letters[(u8)text[i]];
		if (text[i] >= '0' && text[i] <= '9')
			words[i] = cbnz_to(i, text[i] - '0');
	}
	return len;
}

static const struct {
	const char	*text;
	const char	*inside;	/* x where a probe must be refused */
} sequences[] = {
	{ "...L...S3r", "    xxx   " },
	{ "L..S0..r",	" xx     " },
	{ "L6.S0.r",	" xx    " },		/* leaves before the store */
	{ "L.5S0cr",	" xx    " },		/* ... and clears */
	{ "L..r...",	"       " },		/* no store at all */
	{ ".LScS.r",	"       " },
	{ "L..L..S.r",	"    xx   " },		/* the second load counts */
	{ "L.c..S.r",	"        " },
	{ "L.!.S0r",	" xx    " },		/* jumps over an unreachable word */
	{ "L.B.S0r",	"       " },		/* never reaches the store */
	{ "L.l.S0r",	" xxx   " },		/* a call returns */
	{ "L..",	" xx" },		/* continues after the end */
	{ "L.n",	" xx" },
	{ "L.l",	"   " },		/* does not return */
	{ "L.lnn",	"     " },
	{ "L.j..S.r",	"        " },		/* not followed, by definition */
	{ "...S..r",	"       " },		/* a store without a load */
	{ "L.S....",	" x     " },
	{ "2rL.S..1",	"   x    " },
	{ "L?B.S0r",	" x x   " },		/* an unknown branch leads anywhere */
	{ "L+.S0r",	" xx   " },		/* another unknown word is passed by */
};

static void test_exclusive(void)
{
	__le32 words[32];

	for (size_t i = 0; i < ARRAY_SIZE(sequences); i++) {
		size_t len = assemble(sequences[i].text, words);

		for (size_t at = 0; at < len; at++) {
			int inside = probe_insn_in_exclusive(words, len, at);

			if (strchr("LS", sequences[i].text[at]))
				continue;	/* refused as exclusives */
			checked++;
			if (inside == (sequences[i].inside[at] == 'x'))
				continue;
			failed++;
			printf("# %s: %zu: %d\n", sequences[i].text, at, inside);
		}
	}
	CHECK(probe_insn_in_exclusive(words, 4, 4) == -EINVAL);
}

/* What a user-space step does or does not bear; first what kernel text may not have */
static const struct {
	u32	word;
	u8	decision;
} stepped[] = {
	{ 0x0420bc20, INSN_GOOD },		/* movprfx z0, z1 */
	{ 0x04102020, INSN_GOOD },		/* movprfx z0.b, p0/z, z1.b */
	{ 0x19211040, INSN_GOOD },		/* ldclrp x0, x1, [x2] */
	{ 0x19218040, INSN_GOOD },		/* swpp x0, x1, [x2] */
	{ 0xd9410840, INSN_GOOD },		/* ldiapp x0, x1, [x2], #16 */
	{ 0xd9010840, INSN_GOOD },		/* stilp x0, x1, [x2, #-16]! */
	{ 0xd9c00820, INSN_GOOD },		/* ldapr x0, [x1], #8 */
	{ 0x4e821020, INSN_GOOD },		/* luti2 v0.16b, {v1.16b}, v2[0] */
	{ 0x4522b020, INSN_GOOD },		/* luti2 z0.b, {z1.b}, z2[0] */
	{ 0xc0cc4000, INSN_GOOD },		/* luti2 z0.b, zt0, z0[0] */
	{ 0xd5384020, INSN_GOOD },		/* mrs x0, elr_el1: SIGILL */
	{ 0x00000000, INSN_GOOD },		/* udf #0: SIGILL */
	{ 0x885f7c20, INSN_REJECTED },		/* ldxr w0, [x1] */
	{ 0x88037c22, INSN_REJECTED },		/* stxr w3, w2, [x1] */
	{ 0x89400020, INSN_REJECTED },		/* ldtxr w0, [x1] */
	{ 0x89030022, INSN_REJECTED },		/* sttxr w3, w2, [x1] */
	{ 0x19010440, INSN_REJECTED },		/* cpyfp [x0]!, [x1]!, x2! */
	{ 0xd4000001, INSN_REJECTED },		/* svc #0 */
	{ 0xd4200000, INSN_REJECTED },		/* brk #0 */
	{ 0xd69f03e0, INSN_REJECTED },		/* eret */
	{ 0xd503207f, INSN_REJECTED },		/* wfi */
	{ 0xd50324ff, INSN_REJECTED },		/* pacm */
	{ 0xd5181000, INSN_REJECTED },		/* msr sctlr_el1, x0 */
	{ 0xd5233060, INSN_REJECTED },		/* tstart x0 */
	{ 0xdac1a3fe, INSN_REJECTED },		/* paciasppc */
	{ 0xdac1901e, INSN_REJECTED },		/* autiasppcr x0 */
	{ 0xf380001f, INSN_REJECTED },		/* autiasppc */
	{ 0x5500001f, INSN_REJECTED },		/* retaasppc */
	{ 0x74c10000, INSN_REJECTED },		/* cbeq w0, w1 */
	{ 0xd73f0801, INSN_REJECTED },		/* blraa x0, x1 */
	{ 0xd71f0801, INSN_REJECTED },		/* braa x0, x1 */
	{ 0xdc000040, INSN_REJECTED },		/* a literal of no known size */
};

static void test_uprobe_steps(void)
{
	struct arch_probe_insn api;

	for (size_t i = 0; i < ARRAY_SIZE(stepped); i++) {
		checked++;
		if (arm_probe_decode_insn(stepped[i].word, &api) == stepped[i].decision &&
		    !api.handler)
			continue;
		failed++;
		printf("# %08x is%s stepped\n", stepped[i].word,
		       stepped[i].decision == INSN_GOOD ? " not" : "");
	}
}

static void test_uprobes(void)
{
	static u64 pool[2] = { 0x8000000180000002, 0x1234 };
	struct arch_probe_insn api;
	struct pt_regs regs = { .pstate = PSR_N_BIT };
	u64 *here = pool;

	CHECK(arm_probe_decode_insn(0xd503201f, &api) == INSN_GOOD && !api.handler);
	CHECK(arm_probe_decode_insn(0xd503233f, &api) == INSN_GOOD && !api.handler);
	CHECK(arm_probe_decode_insn(0xd4000001, &api) == INSN_REJECTED);
	CHECK(arm_probe_decode_insn(0x9c000040, &api) == INSN_REJECTED);
	CHECK(arm_probe_decode_insn(0xd65f0bff, &api) == INSN_REJECTED);
	CHECK(arm_probe_decode_insn(0x885f7c20, &api) == INSN_REJECTED);
	CHECK(arm_probe_decode_insn(0x94000002, &api) == INSN_GOOD_NO_SLOT);
	api.handler(0x94000002, 0x1000, &regs);
	CHECK(regs.pc == 0x1008 && regs.regs[30] == 0x1004);

	test_user_end = ~0UL;
	CHECK(arm_probe_decode_insn(0x58000005, &api) == INSN_GOOD_NO_SLOT);
	api.handler(0x58000005, (long)here, &regs);	/* ldr x5, . */
	CHECK(regs.regs[5] == pool[0] && regs.pc == (u64)here + 4);
	api.handler(0x18000006, (long)here, &regs);	/* ldr w6, . */
	CHECK(regs.regs[6] == 0x80000002);
	api.handler(0x98000007, (long)here, &regs);	/* ldrsw x7, . */
	CHECK(regs.regs[7] == 0xffffffff80000002);

	test_user_end = 0x1000;
	api.handler(0x58000045, 0x2000, &regs);		/* ldr x5, . + 8 */
	CHECK(test_fault_at == 0x2008 && regs.pc == (u64)here + 4);
	CHECK(regs.regs[5] == pool[0]);
}

/* The branch sets its type for the landing pad, as the processor does. */
static void test_btype(void)
{
	struct probe_insn br_x0 = probe_insn_classify(0xd61f0000);
	struct probe_insn br_x16 = probe_insn_classify(0xd61f0200);
	struct probe_insn blr_x0 = probe_insn_classify(0xd63f0000);
	struct probe_insn ret = probe_insn_classify(0xd65f03c0);
	struct pt_regs regs = { .pstate = PSR_MODE_EL1h | PSR_BTYPE_C };

	probe_insn_emulate(&br_x0, 0, &regs);
	CHECK((regs.pstate & PSR_BTYPE_MASK) == PSR_BTYPE_J);
	probe_insn_emulate(&br_x16, 0, &regs);
	CHECK((regs.pstate & PSR_BTYPE_MASK) == PSR_BTYPE_JC);
	probe_insn_emulate(&blr_x0, 0, &regs);
	CHECK((regs.pstate & PSR_BTYPE_MASK) == PSR_BTYPE_C);
	probe_insn_emulate(&ret, 0, &regs);
	CHECK((regs.pstate & PSR_BTYPE_MASK) == PSR_BTYPE_NONE);
	regs.pstate = 0;
	probe_insn_emulate(&br_x0, 0, &regs);
	CHECK((regs.pstate & PSR_BTYPE_MASK) == PSR_BTYPE_JC);
	test_has_bti = false;
	probe_insn_emulate(&br_x0, 0, &regs);
	CHECK((regs.pstate & PSR_BTYPE_MASK) == PSR_BTYPE_NONE);
	CHECK(regs.pstate == 0);
}

int main(void)
{
	run("kinds of chosen words", test_kinds);
	run("conditional branches of FEAT_HBC", test_hbc);
	run("offsets, bits and sizes at their edges", test_offsets);
	run("resume code and its range", test_resume);
	run("vector literals in the slot", test_literal_slot);
	run("exclusive sequences", test_exclusive);
	run("what uprobes step", test_uprobe_steps);
	run("the uprobes' door", test_uprobes);
	run("branch types for landing pads", test_btype);
	return !!total_failed;
}
