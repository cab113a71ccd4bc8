// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The kind of an instruction, determined by its opcode: tables and groups.
 *
 * The tables list the known opcodes. Any other opcode is PROBE_INSN_UNDEFINED and
 * never runs in a slot: the kernel's decoder assigns a length to many byte
 * sequences that no processor accepts, and future processors assign a meaning to
 * some of them.
 *
 * A copied instruction runs at another address unchanged, except for a
 * RIP-relative displacement. This is correct for every instruction that neither
 * reads nor writes the instruction pointer. push, pop, enter, leave and all uses
 * of the stack pointer qualify: resume code runs on the original stack with the
 * original registers.
 */
#include <linux/build_bug.h>
#include <linux/limits.h>
#include <linux/string.h>

#include <asm/insn.h>

#include "insn.h"

/* Table entries beyond enum probe_insn_kind: more than the opcode decides. */
enum {
	COPY_MODRM = PROBE_INSN_KINDS,	/* copy, if the decoder found a ModRM */
	GROUP_1A, GROUP_4, GROUP_5, GROUP_6, GROUP_7, GROUP_9, GROUP_11, GROUP_15,
	GROUP_MOV_SEG, GROUP_MOV_CONTROL, GROUP_HINT, GROUP_EXTRQ, GROUP_POPCNT,
	PUSH_SP_OR_R12, POP_SP_OR_R12,
	ESCAPE_38, ESCAPE_3A,
};

#define C	PROBE_INSN_COPY
#define M	COPY_MODRM
#define BAD	PROBE_INSN_UNDEFINED

static const u8 one_byte[256] = {
	/* add, or, adc, sbb, and, sub, xor, cmp: six forms each in 64-bit mode */
	[0x00 ... 0x05] = C, [0x08 ... 0x0d] = C, [0x10 ... 0x15] = C,
	[0x18 ... 0x1d] = C, [0x20 ... 0x25] = C, [0x28 ... 0x2d] = C,
	[0x30 ... 0x35] = C, [0x38 ... 0x3d] = C,
	[0x50 ... 0x53] = C,			/* push */
	[0x54] = PUSH_SP_OR_R12,
	[0x55 ... 0x5b] = C,			/* push, pop */
	[0x5c] = POP_SP_OR_R12,
	[0x5d ... 0x5f] = C,			/* pop */
	[0x63] = C,				/* movsxd */
	[0x68 ... 0x6f] = C,			/* push, imul, ins, outs */
	[0x70 ... 0x7f] = PROBE_INSN_JCC,
	[0x80 ... 0x81] = C,
	[0x83 ... 0x8d] = C,			/* test, xchg, mov, lea */
	[0x8e] = GROUP_MOV_SEG,
	[0x8f] = GROUP_1A,
	[0x90 ... 0x99] = C,			/* nop, xchg, cwd */
	[0x9b] = C,				/* fwait */
	[0x9c] = PROBE_INSN_PUSHF,
	[0x9d] = PROBE_INSN_POPF,
	[0x9e ... 0xbf] = C,			/* sahf, mov, strings, test */
	[0xc0 ... 0xc1] = C,			/* shifts */
	[0xc2 ... 0xc3] = PROBE_INSN_RET,
	[0xc6 ... 0xc7] = GROUP_11,
	[0xc8 ... 0xc9] = C,			/* enter, leave */
	[0xca ... 0xcb] = PROBE_INSN_FAR,
	[0xcc ... 0xcd] = PROBE_INSN_TRAP,
	[0xcf] = PROBE_INSN_ENTRY,		/* iret */
	[0xd0 ... 0xd3] = C,			/* shifts */
	[0xd7] = C,				/* xlat */
	[0xd8 ... 0xdf] = C,			/* x87 */
	[0xe0] = PROBE_INSN_LOOPNE,
	[0xe1] = PROBE_INSN_LOOPE,
	[0xe2] = PROBE_INSN_LOOP,
	[0xe3] = PROBE_INSN_JCXZ,
	[0xe4 ... 0xe7] = C,			/* in, out */
	[0xe8] = PROBE_INSN_CALL,
	[0xe9] = PROBE_INSN_JMP,
	[0xeb] = PROBE_INSN_JMP,
	[0xec ... 0xef] = C,			/* in, out */
	[0xf1] = PROBE_INSN_TRAP,		/* int1 */
	[0xf4] = PROBE_INSN_WAIT,		/* hlt */
	[0xf5 ... 0xf9] = C,			/* cmc, group 3, clc, stc */
	[0xfa] = PROBE_INSN_CLI,
	[0xfb] = PROBE_INSN_STI,
	[0xfc ... 0xfd] = C,			/* cld, std */
	[0xfe] = GROUP_4,
	[0xff] = GROUP_5,
};

static const u8 two_byte[256] = {
	[0x00] = GROUP_6,
	[0x01] = GROUP_7,
	[0x02 ... 0x03] = M,			/* lar, lsl */
	[0x05] = PROBE_INSN_ENTRY,		/* syscall */
	[0x06] = PROBE_INSN_CONTROL,		/* clts */
	[0x07] = PROBE_INSN_ENTRY,		/* sysret */
	[0x08] = PROBE_INSN_CONTROL,		/* invd */
	[0x09] = C,				/* wbinvd */
	[0x0b] = PROBE_INSN_TRAP,		/* ud2 */
	[0x0d] = M,				/* prefetch */
	[0x0e] = C,				/* femms */
	[0x10 ... 0x1d] = M,			/* vector moves, hints */
	[0x1e] = GROUP_HINT,
	[0x1f] = M,				/* nop */
	[0x20 ... 0x21] = GROUP_MOV_CONTROL,	/* mov from control, debug */
	[0x22 ... 0x23] = PROBE_INSN_CONTROL,	/* mov to control, debug */
	[0x28 ... 0x2f] = M,
	[0x30] = PROBE_INSN_CONTROL,		/* wrmsr: may be the %gs base */
	[0x31 ... 0x33] = C,			/* rdtsc, rdmsr, rdpmc */
	[0x34 ... 0x35] = PROBE_INSN_ENTRY,	/* sysenter, sysexit */
	[0x37] = PROBE_INSN_GUEST,		/* getsec */
	[0x38] = ESCAPE_38,
	[0x3a] = ESCAPE_3A,
	[0x40 ... 0x76] = M,			/* cmov, vectors */
	[0x77] = C,				/* emms */
	[0x78 ... 0x79] = GROUP_EXTRQ,
	[0x7c ... 0x7f] = M,
	[0x80 ... 0x8f] = PROBE_INSN_JCC,
	[0x90 ... 0x9f] = M,			/* setcc */
	[0xa0 ... 0xa2] = C,			/* push fs, pop fs, cpuid */
	[0xa3 ... 0xa7] = M,			/* bt, shld, padlock */
	[0xa8] = C,				/* push gs */
	[0xa9] = PROBE_INSN_GS_BASE,		/* pop gs */
	[0xaa] = PROBE_INSN_ENTRY,		/* rsm */
	[0xab ... 0xad] = M,
	[0xae] = GROUP_15,
	[0xaf ... 0xb1] = M,			/* imul, cmpxchg */
	[0xb2] = PROBE_INSN_STACK_SEGMENT,	/* lss */
	[0xb3 ... 0xb4] = M,			/* btr, lfs */
	[0xb5] = PROBE_INSN_GS_BASE,		/* lgs */
	[0xb6 ... 0xb7] = M,			/* movzx */
	[0xb8] = GROUP_POPCNT,
	[0xb9] = PROBE_INSN_TRAP,		/* ud1 */
	[0xba ... 0xc6] = M,
	[0xc7] = GROUP_9,
	[0xc8 ... 0xcf] = C,			/* bswap */
	[0xd0 ... 0xfe] = M,
	[0xff] = PROBE_INSN_TRAP,		/* ud0 */
};

/* 0f 01 with a register operand has a table of its own. */
static const u8 group7_register[64] = {
	[0x00] = PROBE_INSN_GUEST,		/* enclv */
	[0x01] = C,				/* vmcall */
	[0x02 ... 0x03] = PROBE_INSN_GUEST,	/* vmlaunch, vmresume */
	[0x04] = PROBE_INSN_CONTROL,		/* vmxoff */
	[0x05] = C,				/* pconfig */
	[0x06] = PROBE_INSN_CONTROL,		/* wrmsrns */
	[0x08 ... 0x09] = PROBE_INSN_WAIT,	/* monitor, mwait */
	[0x0a ... 0x0c] = C,			/* clac, stac, tdcall */
	[0x0d ... 0x0f] = PROBE_INSN_GUEST,	/* seamret, seamops, seamcall */
	[0x10] = C,				/* xgetbv */
	[0x11] = PROBE_INSN_CONTROL,		/* xsetbv */
	[0x14] = PROBE_INSN_CONTROL,		/* vmfunc */
	[0x15] = PROBE_INSN_TRANSACTION,	/* xend */
	[0x16] = C,				/* xtest */
	[0x17 ... 0x18] = PROBE_INSN_GUEST,	/* enclu, vmrun */
	[0x19] = C,				/* vmmcall */
	[0x1a] = PROBE_INSN_GS_BASE,		/* vmload */
	[0x1b] = C,				/* vmsave */
	[0x1c ... 0x1e] = PROBE_INSN_CONTROL,	/* stgi, clgi, skinit */
	[0x1f] = C,				/* invlpga */
	[0x20 ... 0x27] = C,			/* smsw */
	[0x28] = C,				/* serialize */
	[0x2e ... 0x2f] = C,			/* rdpkru, wrpkru */
	[0x30 ... 0x37] = PROBE_INSN_CONTROL,	/* lmsw */
	[0x38] = PROBE_INSN_GS_BASE,		/* swapgs */
	[0x39] = C,				/* rdtscp */
	[0x3a ... 0x3b] = PROBE_INSN_WAIT,	/* monitorx, mwaitx */
	[0x3c ... 0x3f] = C,			/* clzero, rdpru, invlpgb, tlbsync */
};

static bool has_rep(const struct insn *insn)
{
	return probe_insn_has_prefix(insn, 0xf2) || probe_insn_has_prefix(insn, 0xf3);
}

static unsigned int modrm_reg(const struct insn *insn)
{
	return X86_MODRM_REG(insn->modrm.bytes[0]);
}

static bool modrm_is_register(const struct insn *insn)
{
	return X86_MODRM_MOD(insn->modrm.bytes[0]) == 3;
}

/* push and pop of r12 share the opcode; a 16-bit push writes less than a word. */
static u8 stack_pointer_or_copy(struct insn *insn, u8 kind)
{
	if (X86_REX_B(insn->rex_prefix.bytes[0]))
		return C;
	return probe_insn_has_prefix(insn, 0x66) && !probe_insn_rex_w(insn) ? C : kind;
}

static u8 group_mov_seg(struct insn *insn)
{
	static const u8 kinds[8] = {
		[0] = C,			/* es */
		[2] = PROBE_INSN_STACK_SEGMENT,
		[3 ... 4] = C,			/* ds, fs */
		[5] = PROBE_INSN_GS_BASE,
	};

	return kinds[modrm_reg(insn)];
}

/* The processor always takes the operand as a register; the decoder may not. */
static u8 group_mov_control(struct insn *insn)
{
	return modrm_is_register(insn) ? C : PROBE_INSN_ODD;
}

/* push and pop of rsp also have a two-byte form with a ModRM. */
static u8 long_form_of(struct insn *insn, u8 kind)
{
	if (insn->modrm.bytes[0] == (0xc4 | modrm_reg(insn) << 3))
		return stack_pointer_or_copy(insn, kind);
	return C;
}

static u8 group_1a(struct insn *insn)
{
	if (modrm_reg(insn))
		return BAD;			/* XOP */
	return long_form_of(insn, PROBE_INSN_POP_SP);
}

static u8 group_4(struct insn *insn)
{
	return modrm_reg(insn) < 2 ? C : BAD;
}

static u8 group_5(struct insn *insn)
{
	static const u8 memory[8] = {
		C, C, PROBE_INSN_CALL_MEM, PROBE_INSN_FAR,
		PROBE_INSN_JMP_MEM, PROBE_INSN_FAR,
	};
	static const u8 registers[8] = {
		C, C, PROBE_INSN_CALL_REG, BAD,
		PROBE_INSN_JMP_REG,
	};

	if (modrm_reg(insn) == 6)
		return long_form_of(insn, PROBE_INSN_PUSH_SP);
	return modrm_is_register(insn) ? registers[modrm_reg(insn)] :
					 memory[modrm_reg(insn)];
}

static u8 group_6(struct insn *insn)
{
	static const u8 kinds[8] = {
		C, C,				/* sldt, str */
		PROBE_INSN_CONTROL, PROBE_INSN_CONTROL, /* lldt, ltr */
		C, C,				/* verr, verw */
		BAD, BAD,
	};

	if (modrm_reg(insn) == 6 && probe_insn_has_prefix(insn, 0xf2))
		return PROBE_INSN_GS_BASE;	/* lkgs */
	return kinds[modrm_reg(insn)];
}

static u8 group_7_rep(struct insn *insn)
{
	switch (insn->modrm.bytes[0]) {
	case 0xca:				/* erets, eretu */
	case 0xec:				/* uiret */
		return PROBE_INSN_ENTRY;
	case 0xd9:				/* vmgexit */
	case 0xfe:				/* rmpadjust, rmpupdate */
	case 0xff:				/* psmash, pvalidate */
		return C;
	default:				/* shadow stacks, msr lists, uintr */
		return PROBE_INSN_CONTROL;
	}
}

static u8 group_7(struct insn *insn)
{
	static const u8 memory[8] = {
		C, C,				/* sgdt, sidt */
		PROBE_INSN_CONTROL, PROBE_INSN_CONTROL, /* lgdt, lidt */
		C,				/* smsw */
		PROBE_INSN_CONTROL,		/* rstorssp */
		PROBE_INSN_CONTROL,		/* lmsw */
		C,				/* invlpg */
	};

	if (!modrm_is_register(insn))
		return memory[modrm_reg(insn)];
	if (has_rep(insn))
		return group_7_rep(insn);
	return group7_register[insn->modrm.bytes[0] & 0x3f];
}

static u8 group_9(struct insn *insn)
{
	unsigned int reg = modrm_reg(insn);

	if (modrm_is_register(insn))
		return reg >= 6 ? C : BAD;	/* rdrand, rdseed, rdpid */
	return reg == 0 || reg == 2 ? BAD : C;	/* cmpxchg8b, xsave, vmptrld */
}

static u8 group_11(struct insn *insn)
{
	if (modrm_reg(insn) == 0)
		return C;
	return insn->modrm.bytes[0] == 0xf8 ? PROBE_INSN_TRANSACTION : BAD;
}

static u8 group_15_register(struct insn *insn)
{
	static const u8 plain[8] = { [5 ... 7] = C };	/* fences */
	static const u8 rep[8] = {
		C, C, C,			/* rdfsbase, rdgsbase, wrfsbase */
		PROBE_INSN_GS_BASE,		/* wrgsbase */
		C,				/* ptwrite */
		PROBE_INSN_CONTROL,		/* incssp */
		PROBE_INSN_WAIT,		/* umonitor */
	};

	if (probe_insn_has_prefix(insn, 0xf3))
		return rep[modrm_reg(insn)];
	if (probe_insn_has_prefix(insn, 0x66) || probe_insn_has_prefix(insn, 0xf2))
		return modrm_reg(insn) == 6 ? PROBE_INSN_WAIT : BAD;
	return plain[modrm_reg(insn)];
}

static u8 group_15(struct insn *insn)
{
	if (modrm_is_register(insn))
		return group_15_register(insn);
	if (modrm_reg(insn) == 6 && probe_insn_has_prefix(insn, 0xf3))
		return PROBE_INSN_CONTROL;	/* clrssbsy */
	return C;
}

static u8 group_hint(struct insn *insn)
{
	u8 modrm = insn->modrm.bytes[0];

	if (!insn->modrm.nbytes)
		return BAD;
	if (probe_insn_has_prefix(insn, 0xf3) && (modrm == 0xfa || modrm == 0xfb))
		return PROBE_INSN_LANDING_PAD;
	return C;
}

/* vmread and vmwrite. With a prefix: SSE4a, whose immediates are not decoded. */
static u8 group_extrq(struct insn *insn)
{
	return has_rep(insn) || probe_insn_has_prefix(insn, 0x66) ? PROBE_INSN_ODD : C;
}

static u8 group_popcnt(struct insn *insn)
{
	return probe_insn_has_prefix(insn, 0xf3) && insn->modrm.nbytes ? C : BAD;
}

static u8 escape_38(struct insn *insn)
{
	switch (insn->opcode.bytes[2]) {
	case 0xf5:				/* wruss */
		return PROBE_INSN_CONTROL;
	case 0xf6:				/* adcx, adox; bare it is wrss */
		return probe_insn_has_prefix(insn, 0x66) || probe_insn_has_prefix(insn, 0xf3) ?
			M : PROBE_INSN_CONTROL;
	case 0xf8:				/* movdir64b; of registers uwrmsr */
		return modrm_is_register(insn) ? PROBE_INSN_CONTROL : M;
	default:
		return M;
	}
}

static u8 look_further(struct insn *insn, u8 group)
{
	switch (group) {
	case GROUP_MOV_SEG:	return group_mov_seg(insn);
	case GROUP_MOV_CONTROL:	return group_mov_control(insn);
	case GROUP_1A:		return group_1a(insn);
	case GROUP_11:		return group_11(insn);
	case GROUP_4:		return group_4(insn);
	case GROUP_5:		return group_5(insn);
	case GROUP_6:		return group_6(insn);
	case GROUP_7:		return group_7(insn);
	case GROUP_9:		return group_9(insn);
	case GROUP_15:		return group_15(insn);
	case GROUP_HINT:	return group_hint(insn);
	case GROUP_EXTRQ:	return group_extrq(insn);
	case GROUP_POPCNT:	return group_popcnt(insn);
	case PUSH_SP_OR_R12:	return stack_pointer_or_copy(insn, PROBE_INSN_PUSH_SP);
	case POP_SP_OR_R12:	return stack_pointer_or_copy(insn, PROBE_INSN_POP_SP);
	case ESCAPE_38:		return escape_38(insn);
	case ESCAPE_3A:		return M;
	default:		return group;
	}
}

/* VEX and EVEX encode vectors, masks, bit fields and tiles; two maps hold more. */
static u8 vector_kind(struct insn *insn)
{
	if (insn->prefixes.nbytes && (probe_insn_has_operand_prefix(insn) ||
				      probe_insn_has_prefix(insn, 0xf0)))
		return BAD;
	if (insn->rex_prefix.nbytes)
		return BAD;
	switch (insn_vex_m_bits(insn)) {
	case 4:					/* APX: registers pt_regs lacks */
		return PROBE_INSN_ODD;
	case 7:					/* urdmsr, uwrmsr, wrmsrns */
		return PROBE_INSN_CONTROL;
	default:
		return C;
	}
}

static u8 legacy_kind(struct insn *insn)
{
	u8 kind;

	if (insn->opcode.bytes[0] == 0x0f)
		kind = look_further(insn, two_byte[insn->opcode.bytes[1]]);
	else
		kind = look_further(insn, one_byte[insn->opcode.bytes[0]]);
	if (kind == M)
		kind = insn->modrm.nbytes ? C : BAD;
	return kind;
}

/**
 * probe_insn_opcode_kind() - the kind of a decoded instruction
 * @insn: a completely decoded instruction
 *
 * Only the opcode and the prefixes that belong to it are examined;
 * probe_insn_classify() examines the operands.
 *
 * Context: any; pure.
 * Return: an enum probe_insn_kind.
 */
enum probe_insn_kind probe_insn_opcode_kind(struct insn *insn)
{
	BUILD_BUG_ON(ESCAPE_3A > U8_MAX);

	if (insn_is_avx(insn))
		return vector_kind(insn);
	return legacy_kind(insn);
}
