// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Windows on x86: the instructions that a jmp of five bytes covers, and their copies in a
 * row.
 *
 * Each instruction of a window is one that runs unchanged elsewhere, or a return at its end.
 * None of these delays interrupts until the next one has completed: sti is emulated, loads of
 * %ss are refused.
 */
#include <linux/kprobe-arch.h>
#include <linux/kprobe-window.h>
#include <linux/string.h>
#include <asm/alternative.h>
#include <asm/text-patching.h>
#include "insn.h"

bool arch_kprobe_window_fits(const struct kprobe_insn *insn)
{
	return probe_insn_copied(&insn->decoded);
}

/*
 * A return may be copied, too, but nothing may come after it. On a kernel whose functions return
 * through a thunk, a return stays in the text only if its address makes it safe. A copy has
 * another address.
 */
static bool window_takes(const struct probe_insn *pi, unsigned int at)
{
	if (pi->kind == PROBE_INSN_RET)
		return !cpu_wants_rethunk() && at + pi->length >= JMP32_INSN_SIZE;
	return probe_insn_copied(pi);
}

enum kprobe_window_refusal arch_kprobe_window_decode(struct kprobe_window *window)
{
	unsigned int size = window->length;
	struct probe_insn pi;

	window->num = 0;
	for (window->length = 0; window->length < JMP32_INSN_SIZE; window->length += pi.length) {
		if (window->length >= size)
			return KPROBE_WINDOW_END;
		pi = probe_insn_decode(window->text + window->length, size - window->length);
		if (!window_takes(&pi, window->length))
			return KPROBE_WINDOW_INSN;
		window->at[window->num++] = window->length;
	}
	return KPROBE_WINDOW_OK;
}

unsigned int arch_kprobe_window_size(const struct kprobe_window *window)
{
	return window->length + JMP32_INSN_SIZE;
}

static int window_copy_insn(const struct kprobe_window *window, unsigned int at,
			    struct kprobe_code *code)
{
	const u8 *text = window->text + at;
	struct probe_insn pi = probe_insn_decode(text, window->length - at);
	int size;

	size = probe_insn_copy_to(code->bytes + code->size, sizeof(code->bytes) - code->size,
				  text, &pi, window->addr + at, code->to + code->size);
	if (size < 0)
		return size;
	kprobe_code_add(code, size, at);
	return 0;
}

int arch_kprobe_window_write(const struct kprobe_window *window, struct kprobe_code *code)
{
	int i, ret, size;

	for (i = 0; i < window->num; i++) {
		ret = window_copy_insn(window, window->at[i], code);
		if (ret)
			return ret;
	}
	size = probe_insn_branch_to(code->bytes + code->size, sizeof(code->bytes) - code->size,
				    code->to + code->size, window->addr + window->length);
	if (size < 0)
		return size;
	kprobe_code_add(code, size, window->length);
	return 0;
}
