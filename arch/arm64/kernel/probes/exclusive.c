// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Exclusive sequences: is an address between a load-exclusive and its store?
 *
 * A probe there clears the monitor on every pass, by the return from its trap or
 * by the stores of its detour. The store-exclusive then always fails, and the loop
 * never ends. An address is refused if the monitor may be set when control arrives
 * there, and a store-exclusive may follow before the monitor is set again:
 *
 *	1: ldxr	w0, [x1]	refused as an exclusive
 *	   cmp	w0, w2		refused
 *	   b.ne	2f		refused
 *	   stxr	w3, w4, [x1]	refused as an exclusive
 *	   cbnz	w3, 1b		allowed: the next pass sets the monitor itself
 *	2: ret			allowed: the monitor may be set, but no store follows
 *
 * One walk over the control flow decides each of the two conditions (flow.c). It assumes
 * that
 *
 * - a store may follow the last instruction of the text, if control goes on there,
 * - a branch through a register leaves the sequence. The architecture does not guarantee that
 *   a store succeeds after an indirect branch,
 * - a branch to an address outside the text leaves the sequence. The code there is not part
 *   of the function, and so not part of its sequence.
 */
#include <linux/bitmap.h>
#include <linux/cleanup.h>
#include <linux/errno.h>
#include <linux/types.h>
#include <asm/insn.h>
#include "flow.h"
#include "insn.h"

/* Every definition asks this of its whole function: one look at the word is enough for most */
static bool is_load(const struct probe_walk *walk, size_t at)
{
	return aarch64_insn_is_load_ex(le32_to_cpu(walk->text[at])) &&
	       probe_walk_insn(walk, at).kind == PROBE_INSN_LOAD_EXCLUSIVE;
}

/* Does the sequence end here, in either way? */
static bool sequence_ends(struct probe_walk *walk, const struct probe_insn *pi)
{
	if (pi->kind == PROBE_INSN_STORE_EXCLUSIVE)
		walk->ended = true;
	return pi->kind == PROBE_INSN_STORE_EXCLUSIVE ||
	       pi->kind == PROBE_INSN_LOAD_EXCLUSIVE ||
	       aarch64_insn_is_clrex(pi->word);
}

static bool may_store(struct probe_walk *walk, size_t at)
{
	probe_walk_begin(walk, sequence_ends);
	probe_walk_reach(walk, at);
	probe_walk_on(walk);
	return walk->ended || walk->falls_off || walk->lost;
}

/* May the monitor be set when control arrives at @at? */
static bool may_be_armed(struct probe_walk *walk, size_t at)
{
	probe_walk_begin(walk, sequence_ends);
	for (size_t i = 0; i < walk->words; i++) {
		if (is_load(walk, i))
			probe_walk_reach_next(walk, i);
	}
	probe_walk_on(walk);
	return walk->lost || test_bit(at, walk->reached);
}

static bool has_load(struct probe_walk *walk)
{
	for (size_t at = 0; at < walk->words; at++) {
		if (is_load(walk, at))
			return true;
	}
	return false;
}

/**
 * probe_insn_in_exclusive() - is an address inside an exclusive sequence?
 * @text: the function that contains the address, from its start, as it was before
 *	  any point was armed
 * @words: number of instructions in @text
 * @at: index of the instruction in question
 *
 * probe_insn_classify() refuses the exclusives themselves.
 *
 * Context: may sleep. Takes time proportional to @words; to its square for text
 * that consists of backward branches.
 * Return: 1 if a probe at @at may keep a store-exclusive from ever succeeding,
 * 0 if not; -EINVAL if there is no such instruction, -ENOMEM.
 */
int probe_insn_in_exclusive(const __le32 *text, size_t words, size_t at)
{
	unsigned long *reached __free(bitmap) = NULL;
	struct probe_walk walk = { .text = text, .words = words };

	if (at >= words)
		return -EINVAL;
	if (!has_load(&walk))
		return 0;
	if (probe_walk_alloc(&walk))
		return -ENOMEM;
	reached = walk.reached;
	return may_store(&walk, at) && may_be_armed(&walk, at);
}
