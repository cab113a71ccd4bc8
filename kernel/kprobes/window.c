// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Windows: several instructions that one jump replaces, as the first is shorter than a
 * branch. This file finds and copies them; pass.c says when the jump comes.
 *
 * All lie in one symbol, each could have a probe, and no branch lands on any but the first.
 * The copies are kept until the point is freed: tasks may be in them until an RCU-tasks grace
 * period after the jump is gone.
 */
#include <kunit/visibility.h>
#include <linux/array_size.h>
#include <linux/build_bug.h>
#include <linux/ftrace.h>
#include <linux/kallsyms.h>
#include <linux/kprobe-arch.h>
#include <linux/kprobe-window.h>
#include <linux/memory.h>
#include <linux/minmax.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include "core.h"
#include "place.h"
#include "point.h"
#include "slot.h"
#include "targets.h"
#include "window.h"

static const char *const window_refusals[] = {
	[KPROBE_WINDOW_OK]		= "a branch fits in the place of several instructions",
	[KPROBE_WINDOW_UNKNOWN]		= "it is not known where branches land",
	[KPROBE_WINDOW_NO_MEMORY]	= "there is no memory for a jump",
	[KPROBE_WINDOW_NO_INDEX]	= "it cannot be found out where branches land",
	[KPROBE_WINDOW_END]		= "the function ends before a jump would",
	[KPROBE_WINDOW_INSN]		= "a jump would replace what cannot be copied",
	[KPROBE_WINDOW_REACH]		= "the copy of an instruction would not reach its memory",
	[KPROBE_WINDOW_INDIRECT]	= "the function has an indirect jump, or cannot be decoded",
	[KPROBE_WINDOW_TARGET]		= "a branch lands inside what a jump would replace",
	[KPROBE_WINDOW_RESERVED]	= "a jump would replace what must not be probed",
	[KPROBE_WINDOW_PROBED]		= "a jump would replace another probe's instruction",
};

static_assert(ARRAY_SIZE(window_refusals) == KPROBE_WINDOW_REFUSALS);

/**
 * kprobe_window_refusal_text() - a refusal in words
 * @refusal: the refusal, or KPROBE_WINDOW_OK
 *
 * Return: the text.
 */
const char *kprobe_window_refusal_text(enum kprobe_window_refusal refusal)
{
	return window_refusals[refusal];
}
EXPORT_SYMBOL_IF_KUNIT(kprobe_window_refusal_text);

/* A site may have a probe, but that does not replace it */
static bool window_is_ftrace_site(unsigned long addr)
{
	return ftrace_text_reserved((void *)addr, (void *)addr);
}

/* The instructions after the first, which has been checked for its point */
static enum kprobe_window_refusal window_check_owners(const struct kprobe_window *window,
						      unsigned long symbol, unsigned long size)
{
	struct kprobe_place place = { .symbol = symbol, .symbol_size = size };
	int i;

	for (i = 1; i < window->num; i++) {
		place.addr = window->addr + window->at[i];
		if (window_is_ftrace_site(place.addr) || kprobe_place_check(&place))
			return KPROBE_WINDOW_RESERVED;
	}
	return KPROBE_WINDOW_OK;
}

static int window_read(struct kprobe_window *window)
{
	guard(mutex)(&text_mutex);
	return kprobe_text_read(window->addr, window->text, window->length);
}

/**
 * kprobe_window_find() - the instructions that a jump would replace
 * @addr: address of the first one, where a probe may be
 * @window: written
 *
 * Other points are not looked at.
 *
 * Context: process context, under the core mutex.
 * Return: KPROBE_WINDOW_OK, or the refusal. After KPROBE_WINDOW_UNKNOWN
 * kprobe_targets_index() is to be called without the mutex.
 */
enum kprobe_window_refusal kprobe_window_find(unsigned long addr, struct kprobe_window *window)
{
	enum kprobe_window_refusal refusal;
	unsigned long size, offset;

	lockdep_assert_held(&kprobe_mutex);
	if (!kallsyms_lookup_size_offset(addr, &size, &offset) || offset >= size)
		return KPROBE_WINDOW_END;
	window->addr = addr;
	window->length = min(size - offset, KPROBE_WINDOW_TEXT_MAX);
	if (window_read(window) < 0)
		return KPROBE_WINDOW_END;
	refusal = arch_kprobe_window_decode(window);
	if (refusal == KPROBE_WINDOW_OK)
		refusal = kprobe_targets_check(window, addr - offset);
	if (refusal == KPROBE_WINDOW_OK)
		refusal = window_check_owners(window, addr - offset, size);
	return refusal;
}
EXPORT_SYMBOL_IF_KUNIT(kprobe_window_find);

static enum kprobe_window_refusal window_copy(struct kprobe_wide *wide)
{
	const struct kprobe_window *window = &wide->window;
	struct kprobe_code code;

	wide->code = kprobe_slot_alloc(KPROBE_SLOT_RESUME, arch_kprobe_window_size(window),
				       window->num + 1, window->addr);
	if (!wide->code)
		return KPROBE_WINDOW_NO_MEMORY;
	kprobe_code_begin(&code, window->addr, wide->code);
	if (arch_kprobe_window_write(window, &code))
		return KPROBE_WINDOW_REACH;
	kprobe_slot_write(wide->code, &code);
	return KPROBE_WINDOW_OK;
}

/**
 * kprobe_window_make() - find and copy the window of a point
 * @point: a point without, whose instruction is shorter than a branch; gets the window
 *
 * Context: process context, under the core mutex.
 * Return: KPROBE_WINDOW_OK or the refusal, as kprobe_window_find().
 */
enum kprobe_window_refusal kprobe_window_make(struct kprobe_point *point)
{
	struct kprobe_wide *wide = kzalloc(sizeof(*wide), GFP_KERNEL);
	enum kprobe_window_refusal refusal;

	lockdep_assert_held(&kprobe_mutex);
	if (!wide)
		return KPROBE_WINDOW_NO_MEMORY;
	refusal = kprobe_window_find(point->addr, &wide->window);
	if (refusal == KPROBE_WINDOW_OK)
		refusal = window_copy(wide);
	if (refusal == KPROBE_WINDOW_OK) {
		/* Pairs with the read in divert_copies() */
		smp_store_release(&point->wide, wide);
		return refusal;
	}
	/* Nobody has been in the slot */
	kprobe_slot_free(wide->code);
	kfree(wide);
	return refusal;
}

/**
 * kprobe_window_free() - free what a point keeps of its window
 * @point: a point that is freed; no task is in the copies
 *
 * Context: process context.
 */
void kprobe_window_free(struct kprobe_point *point)
{
	if (!point->wide)
		return;
	kprobe_slot_free(point->wide->code);
	kfree(point->wide);
}

/**
 * kprobe_window_text() - the text of a window
 * @point: the point
 *
 * Context: under the core mutex.
 * Return: the original bytes, at least ARCH_KPROBE_JUMP_SIZE; NULL if a jump would replace
 * one instruction.
 */
const u8 *kprobe_window_text(const struct kprobe_point *point)
{
	lockdep_assert_held(&kprobe_mutex);
	return point->wide ? point->wide->window.text : NULL;
}
