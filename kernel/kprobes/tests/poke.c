// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Writing to text through another mapping, with none of the locks of those that do so in an
 * orderly way.
 */
#include <kunit/test.h>
#include <linux/cacheflush.h>
#include <linux/mm.h>
#include <linux/smp.h>
#include <linux/string.h>
#include <linux/vmalloc.h>
#include "poke.h"

static void poke_page(struct kunit *test, unsigned long at, const u8 *bytes, size_t size)
{
	struct page *page = is_vmalloc_or_module_addr((void *)at) ? vmalloc_to_page((void *)at) :
								    virt_to_page((void *)at);
	u8 *writable = vmap(&page, 1, VM_MAP, PAGE_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, writable);
	memcpy(writable + offset_in_page(at), bytes, size);
	vunmap(writable);
}

/**
 * poke_text() - change text
 * @test: the running test
 * @at: where
 * @bytes: the new text
 * @size: its bytes
 *
 * Context: process context. No CPU executes this text meanwhile.
 */
void poke_text(struct kunit *test, const void *at, const u8 *bytes, size_t size)
{
	unsigned long addr = (unsigned long)at;
	size_t done, now;

	for (done = 0; done < size; done += now) {
		now = min(size - done, PAGE_SIZE - offset_in_page(addr + done));
		poke_page(test, addr + done, bytes + done, now);
	}
	flush_icache_range(addr, addr + size);
	kick_all_cpus_sync();
	KUNIT_EXPECT_MEMEQ(test, at, bytes, size);
}
