/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The x86_64 instruction backend: classifies, emulates and relocates one
 * instruction, and finds the boundaries between instructions.
 *
 * The functions here do not touch text, take no lock and keep no state. They get
 * bytes and registers and return a description, registers or bytes. The same
 * files also compile in user space, for tests against objdump and a processor.
 */
#ifndef _X86_KPROBES_INSN_H
#define _X86_KPROBES_INSN_H

#include <linux/types.h>
#include <asm/probe_insn.h>

struct insn;
struct pt_regs;

/* The longest resume code: an instruction of 15 bytes and a branch of 5 bytes. */
#define PROBE_RESUME_MAX	20

/* kind.c */
enum probe_insn_kind probe_insn_opcode_kind(struct insn *insn);

/* classify.c */
bool probe_insn_has_prefix(const struct insn *insn, u8 byte);
bool probe_insn_has_operand_prefix(const struct insn *insn);
bool probe_insn_rex_w(const struct insn *insn);
struct probe_insn probe_insn_classify(struct insn *insn);
struct probe_insn probe_insn_decode(const u8 *text, size_t len);

/* refuse.c */
enum probe_insn_kind probe_insn_refuse_beside(const struct probe_insn *prev,
					      const struct probe_insn *this,
					      const struct probe_insn *next);
const char *probe_insn_kind_text(enum probe_insn_kind kind);

/* relocate.c */
int probe_insn_copy_to(u8 *buf, size_t size, const u8 *text,
		       const struct probe_insn *pi, unsigned long from,
		       unsigned long to);
int probe_insn_branch_to(u8 *buf, size_t size, unsigned long from,
			 unsigned long target);
int probe_insn_write_resume(u8 *buf, size_t size, const u8 *text,
			    const struct probe_insn *pi, unsigned long from,
			    unsigned long to);
int probe_insn_write_resume_trap(u8 *buf, size_t size, const u8 *text,
				 const struct probe_insn *pi, unsigned long from,
				 unsigned long to);

/* boundary.c */

/**
 * typedef probe_text_read_t - read text as it was before any point was armed
 * @addr:	address to read from
 * @buf:	destination
 * @len:	bytes to read, at most MAX_INSN_SIZE
 * @data:	the argument passed to probe_insn_find()
 *
 * The function replaces traps and jumps of kprobes by the original bytes. It
 * returns text of other owners (ftrace sites, jump labels, static calls)
 * unchanged: the owner keeps it decodable.
 *
 * Return: bytes read, fewer than @len at the end of text; negative errno.
 */
typedef int (*probe_text_read_t)(unsigned long addr, u8 *buf, size_t len,
				 void *data);

/**
 * struct probe_insn_site - an instruction and the one before it
 * @insn:	the requested instruction; its kind also reflects the neighbouring
 *		instructions
 * @text:	its bytes
 * @prev:	the instruction before it; length 0 at the start of the function
 */
struct probe_insn_site {
	struct probe_insn	insn;
	u8			text[16];
	struct probe_insn	prev;
};

bool probe_insn_is_breakpoint(const u8 *text, const struct probe_insn *prev);
int probe_insn_find(unsigned long start, unsigned long addr,
		    probe_text_read_t read, void *data,
		    struct probe_insn_site *site);

#endif /* _X86_KPROBES_INSN_H */
