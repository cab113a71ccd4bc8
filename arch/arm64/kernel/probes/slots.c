// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Memory for slots, within the reach of branches.
 *
 * Slots near the image serve its text, and that of modules beside it. Modules that are
 * further away, as KASLR puts them, have slots around them.
 */
#include <linux/execmem.h>
#include <linux/jiffies.h>
#include <linux/kasan.h>
#include <linux/kprobe-arch.h>
#include <linux/math.h>
#include <linux/minmax.h>
#include <linux/numa.h>
#include <linux/sizes.h>
#include <linux/vmalloc.h>
#include <asm/memory.h>
#include <asm/pgtable.h>

/*
 * Under the mutex of the slots: an address that had no memory within reach, and the time at
 * which there may be some again.
 */
static unsigned long slots_none_near, slots_none_until;

/*
 * A detour branches to resume code. One may be before the text and the other behind it, so
 * neither is further away than half of a branch's reach.
 */
#define SLOTS_AROUND	SZ_64M

/* A failed search is expensive. It is not repeated for thousands of probes as near as this */
#define SLOTS_NONE	SZ_2M

static void *slots_around(size_t size, unsigned long near)
{
	unsigned long start = max(near - SLOTS_AROUND, MODULES_VADDR);
	unsigned long end = min(near + SLOTS_AROUND, VMALLOC_END);
	void *memory = __vmalloc_node_range(size, PAGE_SIZE, start, end, GFP_KERNEL | __GFP_NOWARN,
					    PAGE_KERNEL, VM_FLUSH_RESET_PERMS, NUMA_NO_NODE,
					    __builtin_return_address(0));

	return kasan_reset_tag(memory);
}

static void *slots_allocate(size_t size, unsigned long near)
{
	void *memory = execmem_alloc(EXECMEM_KPROBES, size);

	if (memory && arch_kprobe_slot_reaches((unsigned long)memory, size, near))
		return memory;
	execmem_free(memory);
	return slots_around(size, near);
}

static bool slots_are_none(unsigned long near)
{
	return slots_none_until && time_before(jiffies, slots_none_until) &&
	       abs_diff(near, slots_none_near) < SLOTS_NONE;
}

void *arch_kprobe_slot_memory(size_t size, unsigned long near)
{
	void *memory;

	if (slots_are_none(near))
		return NULL;
	memory = slots_allocate(size, near);
	if (!memory) {
		slots_none_near = near;
		slots_none_until = jiffies + HZ;
	}
	return memory;
}
