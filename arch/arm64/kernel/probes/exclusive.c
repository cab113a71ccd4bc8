// SPDX-License-Identifier: GPL-2.0
/*
 * Exclusive sequences: is an address between a load-exclusive and its store?
 *
 * A probe there clears the monitor on every pass, by the return from its trap or
 * by the stores of its detour: the store-exclusive fails, the loop tries again,
 * for ever. So an address is refused if the monitor may be set when control gets
 * there, and a store-exclusive may follow before the monitor is set anew. Both are
 * questions of control flow:
 *
 *	1: ldxr	w0, [x1]	refused for what it is
 *	   cmp	w0, w2		refused
 *	   b.ne	2f		refused
 *	   stxr	w3, w4, [x1]	refused for what it is
 *	   cbnz	w3, 1b		free: the next pass sets the monitor itself
 *	2: ret			free: the monitor may be set, but nobody stores
 *
 * Two walks answer them, each a set of instructions grown until it grows no more.
 * A call is taken to come back, unless nothing but padding is behind it; behind
 * any other last instruction of the text there may be a store. A branch through a
 * register, which could go anywhere, leaves the sequence: the architecture lets no
 * indirect branch stand between the two, where the store would not be bound to
 * succeed. So does a branch to outside the text: what is there was written by
 * someone who could not know of the sequence.
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
	size_t		code;		/* words without the padding behind */
	unsigned long	*reached;	/* one bit an instruction */
	bool		grown;
	bool		stores;		/* came to a store-exclusive, or may have */
};

static struct probe_insn insn_at(const struct walk *walk, size_t at)
{
	return probe_insn_classify(le32_to_cpu(walk->text[at]));
}

static void reach(struct walk *walk, size_t at)
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

/* A call that ends the function is one that does not come back. */
static void reach_next(struct walk *walk, size_t at)
{
	if (at + 1 >= walk->code && may_not_return(insn_at(walk, at).kind))
		return;
	if (at + 1 < walk->words)
		reach(walk, at + 1);
	else
		walk->stores = true;
}

static void reach_target(struct walk *walk, size_t at, s64 offset)
{
	s64 target = (s64)at + offset / AARCH64_INSN_SIZE;

	if (target >= 0 && target < (s64)walk->words)
		reach(walk, target);
}

static void reach_successors(struct walk *walk, size_t at,
			     const struct probe_insn *pi)
{
	switch (pi->kind) {
	case PROBE_INSN_RET:
	case PROBE_INSN_ENTRY:
	case PROBE_INSN_BR:
	case PROBE_INSN_LEAVE:
		return;
	case PROBE_INSN_B:
		reach_target(walk, at, pi->offset);
		return;
	case PROBE_INSN_BCOND ... PROBE_INSN_TBNZ:
		reach_target(walk, at, pi->offset);
		fallthrough;
	default:
		reach_next(walk, at);
	}
}

/* The sequence ends here, one way or the other. */
static bool step_ends(struct walk *walk, const struct probe_insn *pi)
{
	if (pi->kind == PROBE_INSN_STORE_EXCLUSIVE)
		walk->stores = true;
	return pi->kind == PROBE_INSN_STORE_EXCLUSIVE ||
	       pi->kind == PROBE_INSN_LOAD_EXCLUSIVE ||
	       aarch64_insn_is_clrex(pi->word);
}

static void step(struct walk *walk, size_t at)
{
	struct probe_insn pi = insn_at(walk, at);

	if (!step_ends(walk, &pi))
		reach_successors(walk, at, &pi);
}

/* Follow control flow from what is reached, up to the ends of sequences. */
static void walk_on(struct walk *walk)
{
	do {
		walk->grown = false;
		for (size_t at = 0; at < walk->words; at++) {
			if (test_bit(at, walk->reached))
				step(walk, at);
		}
	} while (walk->grown);
}

static bool may_store(struct walk *walk, size_t at)
{
	bitmap_zero(walk->reached, walk->words);
	walk->stores = false;
	reach(walk, at);
	walk_on(walk);
	return walk->stores;
}

/* May the monitor be set when control comes to @at? */
static bool may_be_armed(struct walk *walk, size_t at)
{
	bitmap_zero(walk->reached, walk->words);
	for (size_t i = 0; i < walk->words; i++) {
		if (insn_at(walk, i).kind == PROBE_INSN_LOAD_EXCLUSIVE)
			reach_next(walk, i);
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
 * probe_insn_in_exclusive - is an address inside an exclusive sequence
 * @text: the function the address is in, from its beginning, as it was before
 *	  any point was armed
 * @words: instructions in @text
 * @at: which of them is asked for
 *
 * The exclusives themselves are refused by probe_insn_classify().
 *
 * Context: may sleep. The time it takes grows with @words, and with its square
 * for text that jumps backwards all the time.
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
