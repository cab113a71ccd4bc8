// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The A64 encodings that run unchanged at any address: data processing, vectors,
 * loads and stores.
 *
 * The tables list the known encodings; every other word is refused. Future
 * processors assign a meaning to words that have none today, and some of these
 * read the program counter: the PAC instructions of FEAT_PAuth_LR do, and their
 * encodings lie among those of data processing.
 *
 * Integer data processing, loads and stores are listed to the last bit. Vector,
 * floating point, SVE and SME instructions are listed by encoding class: none of
 * them reads or writes the program counter, and an unallocated word raises the
 * same exception in a slot as at its original address.
 *
 * classify.c handles branches, system instructions, PC-relative addresses, literal
 * loads, exclusives, the memory copy family and movprfx before it calls this file.
 */
#include <linux/array_size.h>
#include <linux/bits.h>
#include <linux/types.h>

#include "insn.h"

struct encoding {
	u32	mask;
	u32	value;
};

static const struct encoding encoding_immediate[] = {
	{ 0x1f800000, 0x11000000 },	/* add, sub, with and without flags */
	{ 0xbfc0c000, 0x91800000 },	/* addg, subg */
	{ 0x7ff00000, 0x11c00000 },	/* smax, umax, smin, umin */
	{ 0xffc00000, 0x12800000 },	/* movn w */
	{ 0xffc00000, 0x52800000 },	/* movz w */
	{ 0xffc00000, 0x72800000 },	/* movk w */
	{ 0xff800000, 0x92800000 },	/* movn x */
	{ 0xff800000, 0xd2800000 },	/* movz x */
	{ 0xff800000, 0xf2800000 },	/* movk x */
	{ 0xffe08000, 0x13000000 },	/* sbfm w */
	{ 0xffe08000, 0x33000000 },	/* bfm w */
	{ 0xffe08000, 0x53000000 },	/* ubfm w */
	{ 0xffc00000, 0x93400000 },	/* sbfm x */
	{ 0xffc00000, 0xb3400000 },	/* bfm x */
	{ 0xffc00000, 0xd3400000 },	/* ubfm x */
	{ 0xffe08000, 0x13800000 },	/* extr w */
	{ 0xffe00000, 0x93c00000 },	/* extr x */
};

static const struct encoding encoding_registers[] = {
	{ 0x9f008000, 0x0a000000 },	/* logical, shifted, w */
	{ 0x9f000000, 0x8a000000 },	/* logical, shifted, x */
	{ 0x9fa08000, 0x0b000000 },	/* add, sub; lsl and lsr, w */
	{ 0x9fe08000, 0x0b800000 },	/* add, sub; asr, w */
	{ 0x9fa00000, 0x8b000000 },	/* add, sub; lsl and lsr, x */
	{ 0x9fe00000, 0x8b800000 },	/* add, sub; asr, x */
	{ 0x1fe01000, 0x0b200000 },	/* add, sub; extended, shift 0 to 3 */
	{ 0x1fe01c00, 0x0b201000 },	/* add, sub; extended, shift 4 */
	{ 0x1fe0fc00, 0x1a000000 },	/* adc, sbc */
	{ 0xffe07c10, 0xba000400 },	/* rmif */
	{ 0xffffbc1f, 0x3a00080d },	/* setf8, setf16 */
	{ 0x3fe00410, 0x3a400000 },	/* ccmn, ccmp */
	{ 0x3fe00800, 0x1a800000 },	/* csel, csinc, csinv, csneg */
	{ 0x7fe00000, 0x1b000000 },	/* madd, msub */
	{ 0xffe00000, 0x9b200000 },	/* smaddl, smsubl */
	{ 0xffe08000, 0x9b400000 },	/* smulh */
	{ 0xffe00000, 0x9ba00000 },	/* umaddl, umsubl */
	{ 0xffe08000, 0x9bc00000 },	/* umulh */
	{ 0x7fe0f800, 0x1ac00800 },	/* udiv, sdiv */
	{ 0x7fe0f000, 0x1ac02000 },	/* lsl, lsr, asr, ror */
	{ 0xffe0e800, 0x1ac04000 },	/* crc32 of a byte, a halfword */
	{ 0xffe0ec00, 0x1ac04800 },	/* crc32 of a word */
	{ 0xffe0ec00, 0x9ac04c00 },	/* crc32 of a doubleword */
	{ 0x7fe0f000, 0x1ac06000 },	/* smax, umax, smin, umin */
	{ 0xdfe0fc00, 0x9ac00000 },	/* subp, subps */
	{ 0xffe0f800, 0x9ac01000 },	/* irg, gmi */
	{ 0xffe0fc00, 0x9ac03000 },	/* pacga */
	{ 0x7ffff800, 0x5ac00000 },	/* rbit, rev16 */
	{ 0x7ffffc00, 0x5ac00800 },	/* rev w, rev32 */
	{ 0xfffffc00, 0xdac00c00 },	/* rev x */
	{ 0x7ffff000, 0x5ac01000 },	/* clz, cls, ctz, cnt */
	{ 0x7ffffc00, 0x5ac02000 },	/* abs */
	{ 0xffffe000, 0xdac10000 },	/* pac*, aut* with a modifier */
	{ 0xffffe3e0, 0xdac123e0 },	/* pac*, aut* with zero */
	{ 0xfffffbe0, 0xdac143e0 },	/* xpac* */
};

static const struct encoding encoding_loads_stores[] = {
	{ 0xbfa17c01, 0x08207c00 },	/* casp */
	{ 0x3fa07c00, 0x08a07c00 },	/* cas */
	{ 0x3fbf7c00, 0x089f7c00 },	/* ldar, stlr, ldlar, stllr */
	{ 0x3fa00c00, 0x19000000 },	/* stlur, ldapur */
	{ 0xbfa00c00, 0x19800000 },	/* ldapursb, ldapursh */
	{ 0xffe00c00, 0x99800000 },	/* ldapursw */
	{ 0xff200400, 0xd9200400 },	/* stg and its kin, pre and post-indexed */
	{ 0xff200c00, 0xd9200800 },	/* stg and its kin, offset */
	{ 0xffe00c00, 0xd9600000 },	/* ldg */
	{ 0xfffffc00, 0xd9200000 },	/* stzgm */
	{ 0xfffffc00, 0xd9a00000 },	/* stgm */
	{ 0xfffffc00, 0xd9e00000 },	/* ldgm */
	{ 0x7f800000, 0x28000000 },	/* ldnp, stnp */
	{ 0x7f800000, 0x28800000 },	/* ldp, stp, post-indexed */
	{ 0x7f800000, 0x29000000 },	/* ldp, stp, offset */
	{ 0x7f800000, 0x29800000 },	/* ldp, stp, pre-indexed */
	{ 0xff800000, 0x68800000 },	/* ldpsw, stgp, post-indexed */
	{ 0xff800000, 0x69000000 },	/* ldpsw, stgp, offset */
	{ 0xff800000, 0x69800000 },	/* ldpsw, stgp, pre-indexed */
	{ 0x7e000000, 0x2c000000 },	/* ldp, stp, ldnp, stnp of s and q */
	{ 0xfe000000, 0x6c000000 },	/* ldp, stp, ldnp, stnp of d */
	{ 0x3f208c00, 0x38200000 },	/* ldadd to ldumin */
	{ 0x3f20fc00, 0x38208000 },	/* swp */
	{ 0x3ffffc00, 0x38bfc000 },	/* ldapr */
	{ 0xfffffc00, 0xf83fd000 },	/* ld64b */
	{ 0xfffffc00, 0xf83f9000 },	/* st64b */
	{ 0xffe0ec00, 0xf820a000 },	/* st64bv0, st64bv */
	{ 0xff200400, 0xf8200400 },	/* ldraa, ldrab */
	{ 0xbfbf0000, 0x0c000000 },	/* ld1 to st4, several structures */
	{ 0xbfa00000, 0x0c800000 },	/* ... post-indexed */
	{ 0xbf9f0000, 0x0d000000 },	/* ld1 to st4, one structure */
	{ 0xbf800000, 0x0d800000 },	/* ... post-indexed */
};

static const struct encoding encoding_vectors[] = {
	{ 0xffffcc00, 0x4e284800 },	/* aes */
	{ 0xffe08c00, 0x5e000000 },	/* sha1, sha256 of three registers */
	{ 0xffffcc00, 0x5e280800 },	/* sha1, sha256 of two registers */
	{ 0xffe0fc00, 0x5e000400 },	/* scalar: dup */
	{ 0xdf60c400, 0x5e400400 },	/* scalar: three same, half precision */
	{ 0xdf7e0c00, 0x5e780800 },	/* scalar: two registers, half precision */
	{ 0xdf208400, 0x5e008400 },	/* scalar: three same, more */
	{ 0xdf3e0c00, 0x5e200800 },	/* scalar: two registers */
	{ 0xdf3e0c00, 0x5e300800 },	/* scalar: pairwise */
	{ 0xdf200c00, 0x5e200000 },	/* scalar: three different */
	{ 0xdf200400, 0x5e200400 },	/* scalar: three same */
	{ 0xdf800400, 0x5f000400 },	/* scalar: shift by immediate */
	{ 0xdf000400, 0x5f000000 },	/* scalar: by element */
	{ 0xbfe08c00, 0x0e000000 },	/* tbl, tbx */
	{ 0xbf208c00, 0x0e000800 },	/* uzp, trn, zip */
	{ 0xbfe08400, 0x2e000000 },	/* ext */
	{ 0x9fe08400, 0x0e000400 },	/* dup, ins, smov, umov */
	{ 0x9f60c400, 0x0e400400 },	/* three same, half precision */
	{ 0x9f7e0c00, 0x0e780800 },	/* two registers, half precision */
	{ 0x9f208400, 0x0e008400 },	/* three same, more */
	{ 0x9f3e0c00, 0x0e200800 },	/* two registers */
	{ 0x9f3e0c00, 0x0e300800 },	/* across lanes */
	{ 0x9f200c00, 0x0e200000 },	/* three different */
	{ 0x9f200400, 0x0e200400 },	/* three same */
	{ 0x9f800400, 0x0f000400 },	/* modified immediate, shift by immediate */
	{ 0x9f000400, 0x0f000000 },	/* by element */
	{ 0xffe0c000, 0xce408000 },	/* sm3tt */
	{ 0xffe0b000, 0xce608000 },	/* sha512, sm3, rax1, sm4ekey */
	{ 0xff808000, 0xce000000 },	/* eor3, bcax, sm3ss1 */
	{ 0xffe00000, 0xce800000 },	/* xar */
	{ 0xfffff000, 0xcec08000 },	/* sha512su0, sm4e */
	{ 0x7f200000, 0x1e000000 },	/* float and fixed point */
	{ 0x7f20fc00, 0x1e200000 },	/* float and integer */
	{ 0xff207c00, 0x1e204000 },	/* float: one register */
	{ 0xff20fc07, 0x1e202000 },	/* float: compare */
	{ 0xff201fe0, 0x1e201000 },	/* float: immediate */
	{ 0xff200c00, 0x1e200400 },	/* float: conditional compare */
	{ 0xff200c00, 0x1e200800 },	/* float: two registers */
	{ 0xff200c00, 0x1e200c00 },	/* float: conditional select */
	{ 0xff000000, 0x1f000000 },	/* float: three registers */
};

static bool encoding_listed(const struct encoding *table, size_t entries, u32 word)
{
	for (size_t i = 0; i < entries; i++) {
		if ((word & table[i].mask) == table[i].value)
			return true;
	}
	return false;
}

static u32 encoding_bits(u32 word, unsigned int low, unsigned int width)
{
	return (word >> low) & (BIT(width) - 1);
}

/*
 * and, orr, eor, ands with a bit pattern. The highest clear bit of imms, with N
 * above it, gives the width of the repeated element. An element of one bit or of
 * all ones is not allocated.
 */
static bool logical_immediate_exists(u32 word)
{
	u32 imms = encoding_bits(word, 10, 6), n = encoding_bits(word, 22, 1);
	u32 width = n ? 64 : 32;

	if (n && !encoding_bits(word, 31, 1))
		return false;
	while (!n && width > 1 && (imms & width))
		width >>= 1;
	return width > 1 && (imms & (width - 1)) != width - 1;
}

static bool immediate_exists(u32 word)
{
	if (encoding_bits(word, 23, 6) == 0x24)
		return logical_immediate_exists(word);
	return encoding_listed(encoding_immediate, ARRAY_SIZE(encoding_immediate), word);
}

/* Does this combination of size and direction of a single register exist? */
static bool transfer_exists(u32 word, bool has_prefetch)
{
	u32 size = encoding_bits(word, 30, 2), opc = encoding_bits(word, 22, 2);

	if (encoding_bits(word, 26, 1))
		return opc < 2 || size == 0;
	if (size == 3)
		return opc < 2 || (opc == 2 && has_prefetch);
	return size < 2 || opc < 3;
}

/* ldr, str and prfm of one register, for each addressing mode. */
static bool single_exists(u32 word)
{
	if (encoding_bits(word, 24, 1))
		return transfer_exists(word, true);	/* scaled offset */
	if (encoding_bits(word, 21, 1))			/* register offset */
		return encoding_bits(word, 10, 2) == 2 && encoding_bits(word, 14, 1) &&
		       transfer_exists(word, true);
	switch (encoding_bits(word, 10, 2)) {
	case 0:						/* unscaled offset */
		return transfer_exists(word, true);
	case 2:						/* with user permissions */
		return !encoding_bits(word, 26, 1) && transfer_exists(word, false);
	default:					/* post and pre-indexed */
		return transfer_exists(word, false);
	}
}

static bool load_store_exists(u32 word)
{
	if (encoding_listed(encoding_loads_stores, ARRAY_SIZE(encoding_loads_stores), word))
		return true;
	return encoding_bits(word, 27, 3) == 7 && single_exists(word);
}

/**
 * probe_insn_is_listed() - is this one of the encodings that may be copied?
 * @word: an A64 instruction
 *
 * Context: any; pure.
 * Return: true if a table of this file lists @word.
 */
bool probe_insn_is_listed(u32 word)
{
	switch (encoding_bits(word, 25, 4)) {
	case 0x0:					/* SME; zero is udf */
		return encoding_bits(word, 31, 1);
	case 0x2:					/* SVE */
		return true;
	case 0x4: case 0x6: case 0xc: case 0xe:
		return load_store_exists(word);
	case 0x5: case 0xd:
		return encoding_listed(encoding_registers, ARRAY_SIZE(encoding_registers), word);
	case 0x7: case 0xf:
		return encoding_listed(encoding_vectors, ARRAY_SIZE(encoding_vectors), word);
	case 0x8: case 0x9:
		return immediate_exists(word);
	default:
		return false;
	}
}
