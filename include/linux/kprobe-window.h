/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef _LINUX_KPROBE_WINDOW_H
#define _LINUX_KPROBE_WINDOW_H
/*
 * Windows: several instructions that one branch replaces, as the first is shorter than a
 * branch. An architecture that selects ARCH_HAS_KPROBE_WINDOWS supplies these functions, in
 * addition to those of <linux/kprobe-arch.h>. kernel/kprobes/window.c finds and copies
 * windows, targets.c knows where branches land, pass.c says when the branch comes.
 */
#include <linux/kprobe-arch.h>
#include <linux/types.h>

/**
 * enum kprobe_window_refusal - why a branch must not replace several instructions
 * @KPROBE_WINDOW_OK: it may
 * @KPROBE_WINDOW_UNKNOWN: it is not known yet where branches land
 * @KPROBE_WINDOW_NO_MEMORY: there is no memory for a copy now
 * @KPROBE_WINDOW_NO_INDEX: it cannot be found out where branches land
 * @KPROBE_WINDOW_END: the symbol ends before
 * @KPROBE_WINDOW_INSN: an instruction cannot be copied
 * @KPROBE_WINDOW_REACH: a copy would be out of reach of what it addresses
 * @KPROBE_WINDOW_INDIRECT: the symbol cannot be decoded or has an indirect jump
 * @KPROBE_WINDOW_TARGET: a branch lands inside
 * @KPROBE_WINDOW_RESERVED: an instruction must not be probed, or is an ftrace site
 * @KPROBE_WINDOW_PROBED: there is another point inside
 * @KPROBE_WINDOW_REFUSALS: number of refusals
 */
enum kprobe_window_refusal {
	KPROBE_WINDOW_OK,
	KPROBE_WINDOW_UNKNOWN,
	KPROBE_WINDOW_NO_MEMORY,
	KPROBE_WINDOW_NO_INDEX,
	KPROBE_WINDOW_END,
	KPROBE_WINDOW_INSN,
	KPROBE_WINDOW_REACH,
	KPROBE_WINDOW_INDIRECT,
	KPROBE_WINDOW_TARGET,
	KPROBE_WINDOW_RESERVED,
	KPROBE_WINDOW_PROBED,
	KPROBE_WINDOW_REFUSALS
};

/* A window ends with an instruction that begins before the end of the branch */
#define KPROBE_WINDOW_TEXT_MAX	(ARCH_KPROBE_JUMP_SIZE - 1 + ARCH_KPROBE_TEXT_SIZE)

/**
 * struct kprobe_window - the instructions that a branch replaces
 * @addr: address of the first one
 * @length: bytes of all
 * @num: number of instructions
 * @at: offset of each
 * @text: the bytes
 */
struct kprobe_window {
	unsigned long	addr;
	u8		length;
	u8		num;
	u8		at[ARCH_KPROBE_JUMP_SIZE];
	u8		text[KPROBE_WINDOW_TEXT_MAX];
};

/**
 * arch_kprobe_window_fits() - may a window begin with an insn
 * @insn: the insn, which is shorter than a branch
 *
 * Return: true if its copy, and those of the next ones, may be executed in a row.
 */
bool arch_kprobe_window_fits(const struct kprobe_insn *insn);

/**
 * arch_kprobe_window_decode() - find the instructions that a branch would replace
 * @window: addr and text are set; length is the number of bytes in text at first. Writes
 *	length, num and at
 *
 * Context: any; pure.
 * Return: KPROBE_WINDOW_OK, KPROBE_WINDOW_END or KPROBE_WINDOW_INSN.
 */
enum kprobe_window_refusal arch_kprobe_window_decode(struct kprobe_window *window);

/**
 * arch_kprobe_window_size() - how large a slot do the copies of a window need
 * @window: the window
 *
 * Return: bytes.
 */
unsigned int arch_kprobe_window_size(const struct kprobe_window *window);

/**
 * arch_kprobe_window_write() - write copies of the instructions, and a branch to what follows
 * @window: the window
 * @code: to and origin are set; the code is added
 *
 * Each copy is as long as its original, and so they have the same offsets: a handler that sets
 * the pc to an instruction of the window is sent to its copy.
 *
 * Context: any; pure.
 * Return: 0, or -ERANGE if a copy does not reach the memory it addresses, or another
 * negative errno.
 */
int arch_kprobe_window_write(const struct kprobe_window *window, struct kprobe_code *code);

/**
 * struct kprobe_targets_code - the code of a symbol while it is decoded
 * @symbol: where the symbol begins
 * @end: the first address after it
 * @text: the text of the module that it is in, which has no thunks; 0 in the image
 * @text_end: the first address after it
 * @addr: address of the next instruction
 * @prev: the instruction before it; zero at first
 * @indirect: a jump has destinations that the code does not tell
 * @unknown: there are bytes that cannot be decoded
 * @mark: called for each address that the code may branch to
 * @data: its first argument
 */
struct kprobe_targets_code {
	unsigned long		symbol;
	unsigned long		end;
	unsigned long		text;
	unsigned long		text_end;
	unsigned long		addr;
	struct probe_insn	prev;
	bool			indirect;
	bool			unknown;
	void			(*mark)(void *data, unsigned long addr);
	void			*data;
};

/**
 * arch_kprobe_code_targets() - find the addresses that the code of a symbol may branch to
 * @code: the state; addr is the address of @text. Writes addr, prev, indirect and unknown
 * @text: bytes of the symbol, read without probes
 * @size: their number
 * @last: the symbol ends with @text
 *
 * Context: process context.
 * Return: bytes that were used, at least one. Unless @last is true the end of @text may be
 * left, as an instruction may go on after it.
 */
unsigned int arch_kprobe_code_targets(struct kprobe_targets_code *code, const u8 *text,
				      unsigned int size, bool last);

#endif /* _LINUX_KPROBE_WINDOW_H */
