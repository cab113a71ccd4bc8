/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The arm64 instruction backend: classifies, emulates and relocates one A64
 * instruction.
 *
 * The functions here do not touch text, take no lock and keep no state. They get
 * words and registers and return a description, registers or bytes. The same
 * files also compile in user space, for tests against objdump and a processor.
 */
#ifndef _ARM64_PROBES_INSN_H
#define _ARM64_PROBES_INSN_H

#include <linux/types.h>
#include <asm/probe_insn.h>

struct pt_regs;

/* The longest resume code: an instruction, a branch, 8 bytes of gap, a literal. */
#define PROBE_RESUME_MAX	32

/* encoding.c */
bool probe_insn_is_listed(u32 word);

/* system.c */
enum probe_insn_kind probe_insn_system_kind(u32 word);

/* classify.c */
struct probe_insn probe_insn_classify(u32 word);
bool probe_insn_is_prefix(u32 word);

/*
 * ldr, ldrsw and prfm of a literal, including vector registers.
 * aarch64_insn_uses_literal() of asm/insn.h does not recognize the vector forms.
 */
static inline bool probe_insn_is_literal_load(u32 word)
{
	return (word & 0x3b000000) == 0x18000000;
}

/* exclusive.c */
int probe_insn_in_exclusive(const __le32 *text, size_t words, size_t at);

/* unframed.c */
bool probe_insn_unframed(const __le32 *text, size_t words, size_t at);

/* refuse.c */
const char *probe_insn_kind_text(enum probe_insn_kind kind);

/* emulate.c */
int probe_insn_emulate_load(const struct probe_insn *pi, unsigned long addr,
			    struct pt_regs *regs, u64 value);

/* relocate.c */
int probe_insn_branch_to(u8 *buf, size_t size, unsigned long from,
			 unsigned long target);
int probe_insn_write_resume(u8 *buf, size_t size, const struct probe_insn *pi,
			    const void *literal, unsigned long from,
			    unsigned long to);
int probe_insn_write_resume_trap(u8 *buf, size_t size, const struct probe_insn *pi,
				 const void *literal, unsigned long to, u16 imm);

#endif /* _ARM64_PROBES_INSN_H */
