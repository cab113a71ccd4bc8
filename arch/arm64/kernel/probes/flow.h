/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef _ARM64_PROBES_FLOW_H
#define _ARM64_PROBES_FLOW_H
/*
 * Walks over the control flow of a function, see flow.c.
 */
#include <linux/types.h>
#include <asm/byteorder.h>
#include "insn.h"

struct probe_walk;

typedef bool (*probe_walk_ends_t)(struct probe_walk *walk, const struct probe_insn *pi);

/**
 * struct probe_walk - walks over one function, one after another
 * @text: the function
 * @words: its instructions
 * @code: these without the padding at the end
 * @reached: a bit for each instruction at which control may arrive
 * @ends: does a walk not go on behind this instruction?
 * @grown: @reached has changed
 * @ended: the walk's owner sets it in @ends, and reads it afterwards
 * @falls_off: control may go on after the last instruction
 * @lost: control may arrive anywhere
 */
struct probe_walk {
	const __le32		*text;
	size_t			words;
	size_t			code;
	unsigned long		*reached;
	probe_walk_ends_t	ends;
	bool			grown;
	bool			ended;
	bool			falls_off;
	bool			lost;
};

static inline struct probe_insn probe_walk_insn(const struct probe_walk *walk, size_t at)
{
	return probe_insn_classify(le32_to_cpu(walk->text[at]));
}

int probe_walk_alloc(struct probe_walk *walk);
void probe_walk_begin(struct probe_walk *walk, probe_walk_ends_t ends);
void probe_walk_reach(struct probe_walk *walk, size_t at);
void probe_walk_reach_next(struct probe_walk *walk, size_t at);
void probe_walk_on(struct probe_walk *walk);

#endif /* _ARM64_PROBES_FLOW_H */
