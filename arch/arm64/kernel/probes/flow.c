// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Walks over the control flow of a function. A walk adds instructions to a set until the set
 * no longer grows, by these assumptions:
 *
 * - A call returns, unless only padding follows it.
 * - A branch through a register leaves the function, and so does one to an address outside
 *   of its text.
 * - A branch of a later architecture, which is not known here, may lead anywhere. After any
 *   other unknown instruction control goes on.
 */
#include <linux/bitmap.h>
#include <linux/errno.h>
#include <linux/gfp.h>
#include <linux/types.h>
#include <asm/insn.h>
#include "flow.h"

/**
 * probe_walk_reach() - control may arrive at an instruction
 * @walk: the walk
 * @at: index of the instruction
 */
void probe_walk_reach(struct probe_walk *walk, size_t at)
{
	if (test_bit(at, walk->reached))
		return;
	__set_bit(at, walk->reached);
	walk->grown = true;
}

static bool may_not_return(u8 kind)
{
	return kind == PROBE_INSN_BL || kind == PROBE_INSN_BLR ||
	       kind == PROBE_INSN_TRAP;
}

/**
 * probe_walk_reach_next() - control may go on after an instruction
 * @walk: the walk
 * @at: index of the instruction
 *
 * A call at the end of a function does not return.
 */
void probe_walk_reach_next(struct probe_walk *walk, size_t at)
{
	if (at + 1 >= walk->code && may_not_return(probe_walk_insn(walk, at).kind))
		return;
	if (at + 1 < walk->words)
		probe_walk_reach(walk, at + 1);
	else
		walk->falls_off = true;
}

static void walk_reach_target(struct probe_walk *walk, size_t at, s64 offset)
{
	s64 target = (s64)at + offset / AARCH64_INSN_SIZE;

	if (target >= 0 && target < (s64)walk->words)
		probe_walk_reach(walk, target);
}

static void walk_reach_successors(struct probe_walk *walk, size_t at,
				  const struct probe_insn *pi)
{
	switch (pi->kind) {
	case PROBE_INSN_RET:
	case PROBE_INSN_ENTRY:
	case PROBE_INSN_BR:
	case PROBE_INSN_LEAVE:
		return;
	case PROBE_INSN_B:
		walk_reach_target(walk, at, pi->offset);
		return;
	case PROBE_INSN_UNDEFINED:
		walk->lost |= aarch64_insn_is_class_branch_sys(pi->word);
		break;
	case PROBE_INSN_BCOND ... PROBE_INSN_TBNZ:
		walk_reach_target(walk, at, pi->offset);
		break;
	default:
		break;
	}
	probe_walk_reach_next(walk, at);
}

/**
 * probe_walk_begin() - begin a walk with an empty set
 * @walk: the walk
 * @ends: returns true for an instruction after which the walk does not go on
 */
void probe_walk_begin(struct probe_walk *walk, probe_walk_ends_t ends)
{
	bitmap_zero(walk->reached, walk->words);
	walk->ends = ends;
	walk->ended = false;
	walk->falls_off = false;
	walk->lost = false;
}

static void walk_step(struct probe_walk *walk, size_t at)
{
	struct probe_insn pi = probe_walk_insn(walk, at);

	if (!walk->ends(walk, &pi))
		walk_reach_successors(walk, at, &pi);
}

/**
 * probe_walk_on() - follow control flow from the instructions that are reached
 * @walk: the walk
 */
void probe_walk_on(struct probe_walk *walk)
{
	size_t at;

	do {
		walk->grown = false;
		for_each_set_bit(at, walk->reached, walk->words)
			walk_step(walk, at);
	} while (walk->grown);
}

/* Words without the padding at the end */
static size_t without_padding(const __le32 *text, size_t words)
{
	while (words && le32_to_cpu(text[words - 1]) == aarch64_insn_gen_nop())
		words--;
	return words;
}

/**
 * probe_walk_alloc() - prepare walks over a function
 * @walk: @text and @words are set
 *
 * Context: may sleep. The caller frees @reached by bitmap_free().
 * Return: 0 or -ENOMEM.
 */
int probe_walk_alloc(struct probe_walk *walk)
{
	walk->code = without_padding(walk->text, walk->words);
	walk->reached = bitmap_zalloc(walk->words, GFP_KERNEL);
	return walk->reached ? 0 : -ENOMEM;
}
