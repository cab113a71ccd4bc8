// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Writes encodings to standard output, one every 16 bytes, for "oracle --raw": every
 * opcode of the four legacy maps with every ModRM.reg, operands in registers and in
 * memory, and the prefixes that matter; then VEX, EVEX and random bytes from a fixed
 * seed. The rest of the 16 bytes is nop, so that objdump finds the start of the next
 * one.
 */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define STRIDE	16

static const char * const prefixes[] = {
	"", "\x66", "\xf2", "\xf3", "\x48", "\x66\x48", "\x2e", "\x67", "\x65",
	"\xf0", "\x41", "\xf3\x66",
};

static const char * const maps[] = { "", "\x0f", "\x0f\x38", "\x0f\x3a" };

/* RIP-relative, SIB with a displacement, rcx, rsp. */
static const uint8_t operands[] = { 0x05, 0x44, 0xc1, 0xc4 };

static uint64_t seed = 0x6b70726f62657321;

static uint32_t random_word(void)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed >> 16;
}

static void emit(const uint8_t *bytes, size_t len)
{
	uint8_t slot[STRIDE];

	memset(slot, 0x90, sizeof(slot));
	memcpy(slot, bytes, len);
	fwrite(slot, sizeof(slot), 1, stdout);
}

static void emit_legacy(const char *prefix, const char *map, uint8_t opcode,
			uint8_t modrm)
{
	static const uint8_t tail[] = { 0x24, 0x11, 0x22, 0x33, 0x04, 0x05, 0x06 };
	uint8_t bytes[STRIDE];
	size_t len = 0;

	memcpy(bytes, prefix, strlen(prefix));
	len += strlen(prefix);
	memcpy(bytes + len, map, strlen(map));
	len += strlen(map);
	bytes[len++] = opcode;
	bytes[len++] = modrm;
	memcpy(bytes + len, tail, sizeof(tail));
	emit(bytes, len + sizeof(tail));
}

static void emit_opcode(const char *prefix, const char *map, uint8_t opcode)
{
	size_t reg, i;

	for (reg = 0; reg < 8; reg++)
		for (i = 0; i < sizeof(operands); i++)
			emit_legacy(prefix, map, opcode, reg << 3 | operands[i]);
}

/* Every ModRM of the two opcodes that have tables of further instructions. */
static void emit_system(const char *prefix)
{
	int modrm;

	for (modrm = 0; modrm < 256; modrm++) {
		emit_legacy(prefix, "\x0f", 0x01, modrm);
		emit_legacy(prefix, "\x0f", 0xae, modrm);
	}
}

static void emit_random(const uint8_t *head, size_t len)
{
	uint8_t bytes[15];
	size_t i;

	for (i = 0; i < sizeof(bytes); i++)
		bytes[i] = random_word();
	memcpy(bytes, head, len);
	emit(bytes, sizeof(bytes));
}

int main(void)
{
	size_t p, m;
	int i;

	for (p = 0; p < sizeof(prefixes) / sizeof(*prefixes); p++) {
		for (m = 0; m < sizeof(maps) / sizeof(*maps); m++)
			for (i = 0; i < 256; i++)
				emit_opcode(prefixes[p], maps[m], i);
		emit_system(prefixes[p]);
	}
	for (i = 0; i < 20000; i++) {
		emit_random((const uint8_t *)"\xc5", 1);
		emit_random((const uint8_t *)"\xc4\xe2", 2);
		emit_random((const uint8_t *)"\x62\xf1", 2);
		emit_random(NULL, 0);
	}
	return fflush(stdout);
}
