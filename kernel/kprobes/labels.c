// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Jump labels by their addresses: is a place one that a static key changes?
 *
 * jump_label_text_reserved() looks at all labels of the kernel, and decodes half of them. With
 * thousands of probes that takes seconds. Hardly any place has a label near, which an array
 * of the image's labels, sorted by address, tells at once. A module has few labels.
 */
#include <linux/cpu.h>
#include <linux/jump_label.h>
#include <linux/kprobe-arch.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/preempt.h>
#include <linux/slab.h>
#include <linux/sort.h>
#include <asm/barrier.h>
#include <asm/sections.h>
#include "core.h"
#include "labels.h"

/* A label is one instruction */
#define LABEL_BYTES	ARCH_KPROBE_TEXT_SIZE

/* [M] the image's labels as offsets from _text, sorted; NULL before the first question */
static u32 *labels;
static unsigned int labels_num;

static u32 labels_offset(unsigned long addr)
{
	return addr - (unsigned long)_text;
}

static int labels_cmp(const void *a, const void *b)
{
	u32 left = *(const u32 *)a, right = *(const u32 *)b;

	return left < right ? -1 : left > right;
}

static bool labels_make(void)
{
	unsigned int i, num = __stop___jump_table - __start___jump_table;

	if (labels)
		return true;
	labels = kvmalloc_array(num, sizeof(*labels), GFP_KERNEL);
	if (!labels)
		return false;
	for (i = 0; i < num; i++)
		labels[i] = labels_offset(jump_entry_code(&__start___jump_table[i]));
	sort(labels, num, sizeof(*labels), labels_cmp, NULL);
	labels_num = num;
	return true;
}

/* May a label of the image be at @addr? Without memory for the array: perhaps */
static bool labels_near(unsigned long addr)
{
	unsigned int low = 0, high, mid;
	u32 at = labels_offset(addr);

	if (!labels_make())
		return true;
	/* Search for the first label after @addr */
	for (high = labels_num; low < high;) {
		mid = (low + high) / 2;
		if (labels[mid] <= at)
			low = mid + 1;
		else
			high = mid;
	}
	return low && at - labels[low - 1] < LABEL_BYTES;
}

/* What changes labels, or sorts those of a module */
static void labels_lock(void)
{
	cpus_read_lock();
	jump_label_lock();
}

static void labels_unlock(void)
{
	jump_label_unlock();
	cpus_read_unlock();
}

#ifdef CONFIG_MODULES
static bool labels_near_of(const struct module *mod, unsigned long addr)
{
	unsigned int i;

	for (i = 0; i < mod->num_jump_entries; i++) {
		if (addr - jump_entry_code(&mod->jump_entries[i]) < LABEL_BYTES)
			return true;
	}
	return false;
}

/*
 * The core mutex keeps the module from going, see kprobe_place_check(). While it comes, its
 * labels may be sorted.
 */
static bool labels_near_in_module(unsigned long addr)
{
	struct module *mod;
	bool near;

	scoped_guard(preempt)
		mod = __module_text_address(addr);
	if (!mod)
		return false;
	/* The labels are read after this. They are sorted under a lock before the state changes */
	if (smp_load_acquire(&mod->state) == MODULE_STATE_LIVE)
		return labels_near_of(mod, addr);
	labels_lock();
	near = labels_near_of(mod, addr);
	labels_unlock();
	return near;
}
#else
static bool labels_near_in_module(unsigned long addr)
{
	return false;
}
#endif

/**
 * kprobe_is_jump_label() - is an address in an instruction that a static key changes?
 * @addr: an address in text
 *
 * Context: process context, under the core mutex.
 * Return: true if so.
 */
bool kprobe_is_jump_label(unsigned long addr)
{
	bool near, reserved;

	lockdep_assert_held(&kprobe_mutex);
	near = core_kernel_text(addr) ? labels_near(addr) : labels_near_in_module(addr);
	if (likely(!near))
		return false;
	labels_lock();
	reserved = jump_label_text_reserved((void *)addr, (void *)addr);
	labels_unlock();
	return reserved;
}
