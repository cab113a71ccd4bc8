/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Compares two ways to execute one instruction.
 */
#ifndef KPROBES_TEST_TWOWAYS_H
#define KPROBES_TEST_TWOWAYS_H

struct machine;

/* Twice an address in this range is unmapped, and so is an address far outside. */
#define TEXT		0x200000000UL
#define TEXT_SIZE	0x300000UL
#define HERE		(TEXT + 0x180000)	/* the instruction under test */
#define SLOT		(TEXT + 0x200000)
#define FAR_SLOT	(HERE + 0x7f00000)
#define GUARDED		0x240000000UL
#define DATA		0x280000000UL
#define DATA_SIZE	0x80000UL
#define MIDDLE		(DATA + DATA_SIZE / 2)

extern unsigned int total_failed;

u64 random64(void);
void section(const char *what);
void map_all(void);
void randomise(struct machine *machine);
void check_emulated(u32 word, const struct machine *start);
void check_emulated_at(u32 word, unsigned long at, u64 mode,
		       const struct machine *start);
void check_copied(u32 word, const struct machine *start);

#endif
