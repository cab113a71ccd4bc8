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
 * One walk over the control flow decides each of the two conditions. A walk adds
 * instructions to a set until the set no longer grows, by these assumptions:
 *
 * - A call returns, unless only padding follows it.
 * - A store may follow any other last instruction of the text.
 * - A branch through a register leaves the sequence. The architecture does not
 *   guarantee that a store succeeds after an indirect branch.
 * - A branch to an address outside the text leaves the sequence. The code there
 *   is not part of the function, and so not part of its sequence.
 * - A branch of a later architecture, which is not known here, may lead anywhere.
 */
#include <linux/bitmap.h>
#include <linux/cleanup.h>
#include <linux/errno.h>
#include <linux/gfp.h>
#include <linux/types.h>

#include <asm/insn.h>

#include "insn.h"

struct walk {
	const __le32	*text;
	size_t		words;
	size_t		code;		/* words without the padding at the end */
	unsigned long	*reached;	/* one bit per instruction */
	bool		grown;
	bool		stores;		/* a store-exclusive is reached, or may be */
};

static struct probe_insn insn_at(const struct walk *walk, size_t at)
{
	return probe_insn_classify(le32_to_cpu(walk->text[at]));
}

static void walk_reach(struct walk *walk, size_t at)
{
	if (test_bit(at, walk->reached))
		return;
	__set_bit(at, walk->reached);
	walk->grown = true;
}

static void walk_reach_all(struct walk *walk)
{
	for (size_t at = 0; at < walk->words; at++)
		walk_reach(walk, at);
}

static bool may_not_return(u8 kind)
{
	return kind == PROBE_INSN_BL || kind == PROBE_INSN_BLR ||
	       kind == PROBE_INSN_TRAP;
}

/* A call at the end of a function does not return. */
static void walk_reach_next(struct walk *walk, size_t at)
{
	if (at + 1 >= walk->code && may_not_return(insn_at(walk, at).kind))
		return;
	if (at + 1 < walk->words)
		walk_reach(walk, at + 1);
	else
		walk->stores = true;
}

static void walk_reach_target(struct walk *walk, size_t at, s64 offset)
{
	s64 target = (s64)at + offset / AARCH64_INSN_SIZE;

	if (target >= 0 && target < (s64)walk->words)
		walk_reach(walk, target);
}

static void walk_reach_successors(struct walk *walk, size_t at,
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
		if (aarch64_insn_is_class_branch_sys(pi->word))
			walk_reach_all(walk);
		break;
	case PROBE_INSN_BCOND ... PROBE_INSN_TBNZ:
		walk_reach_target(walk, at, pi->offset);
		fallthrough;
	default:
		walk_reach_next(walk, at);
	}
}

/* Does the sequence end here, in either way? */
static bool walk_step_ends(struct walk *walk, const struct probe_insn *pi)
{
	if (pi->kind == PROBE_INSN_STORE_EXCLUSIVE)
		walk->stores = true;
	return pi->kind == PROBE_INSN_STORE_EXCLUSIVE ||
	       pi->kind == PROBE_INSN_LOAD_EXCLUSIVE ||
	       aarch64_insn_is_clrex(pi->word);
}

static void walk_step(struct walk *walk, size_t at)
{
	struct probe_insn pi = insn_at(walk, at);

	if (!walk_step_ends(walk, &pi))
		walk_reach_successors(walk, at, &pi);
}

/* Follow control flow from the set of reached instructions to the ends of sequences. */
static void walk_on(struct walk *walk)
{
	do {
		walk->grown = false;
		for (size_t at = 0; at < walk->words; at++) {
			if (test_bit(at, walk->reached))
				walk_step(walk, at);
		}
	} while (walk->grown);
}

static bool may_store(struct walk *walk, size_t at)
{
	bitmap_zero(walk->reached, walk->words);
	walk->stores = false;
	walk_reach(walk, at);
	walk_on(walk);
	return walk->stores;
}

/* May the monitor be set when control arrives at @at? */
static bool may_be_armed(struct walk *walk, size_t at)
{
	bitmap_zero(walk->reached, walk->words);
	for (size_t i = 0; i < walk->words; i++) {
		if (insn_at(walk, i).kind == PROBE_INSN_LOAD_EXCLUSIVE)
			walk_reach_next(walk, i);
	}
	walk_on(walk);
	return test_bit(at, walk->reached);
}

static size_t without_padding(const __le32 *text, size_t words)
{
	while (words && le32_to_cpu(text[words - 1]) == aarch64_insn_gen_nop())
		words--;
	return words;
}

static bool has_load(struct walk *walk)
{
	for (size_t at = 0; at < walk->words; at++) {
		if (insn_at(walk, at).kind == PROBE_INSN_LOAD_EXCLUSIVE)
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
	struct walk walk = { .text = text, .words = words };

	if (at >= words)
		return -EINVAL;
	if (!has_load(&walk))
		return 0;
	walk.code = without_padding(text, words);
	reached = bitmap_zalloc(words, GFP_KERNEL);
	if (!reached)
		return -ENOMEM;
	walk.reached = reached;
	return may_store(&walk, at) && may_be_armed(&walk, at);
}
