// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Slots by themselves: sizes, maps, kinds, and the reuse of freed slots. No code is
 * executed in them here.
 */
#include <kunit/test.h>
#include <linux/delay.h>
#include <linux/kallsyms.h>
#include <linux/kprobe-arch.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/rcupdate.h>
#include <linux/sizes.h>
#include <linux/slab.h>
#include <linux/string.h>
#include "../slot.h"

/* The origin of all maps here: an address that is not in a slot */
static u8 map_origin[256];

#define ORIGIN		((unsigned long)map_origin)

/* Bytes of one cell, to which slots are aligned */
#define ALIGNMENT	32

static struct kprobe_code slot_map_code;

/* The pattern is read back, never executed */
static void map_code_begin(u8 byte)
{
	memset(&slot_map_code, 0, sizeof(slot_map_code));
	memset(slot_map_code.bytes, byte, sizeof(slot_map_code.bytes));
	slot_map_code.origin = ORIGIN;
}

static void *map_slot_make(struct kunit *test, enum kprobe_slot_kind kind, size_t size)
{
	void *slot = kprobe_slot_alloc(kind, size, max(slot_map_code.num, 1U), ORIGIN);

	KUNIT_ASSERT_NOT_NULL(test, slot);
	KUNIT_EXPECT_EQ(test, (unsigned long)slot % ALIGNMENT, 0);
	slot_map_code.to = (unsigned long)slot;
	kprobe_slot_write(slot, &slot_map_code);
	return slot;
}

static const unsigned int map_sizes[] = { 4, 8, 28, 32, 36, 60, 64, 100, 160, 252, 256 };

/* Slots of all sizes lie side by side and each keeps its bytes */
static void map_test_sizes(struct kunit *test)
{
	void *slots[ARRAY_SIZE(map_sizes)];
	int i;

	for (i = 0; i < ARRAY_SIZE(map_sizes); i++) {
		map_code_begin(i + 1);
		kprobe_code_add(&slot_map_code, map_sizes[i], 0);
		slots[i] = map_slot_make(test, KPROBE_SLOT_RESUME, map_sizes[i]);
	}
	for (i = 0; i < ARRAY_SIZE(map_sizes); i++) {
		unsigned long addr = (unsigned long)slots[i];

		KUNIT_EXPECT_NULL(test, memchr_inv(slots[i], i + 1, map_sizes[i]));
		KUNIT_EXPECT_EQ(test, kprobe_slot_origin(addr), ORIGIN);
		KUNIT_EXPECT_EQ(test, kprobe_slot_origin(addr + map_sizes[i] - 1), ORIGIN);
		kprobe_slot_free(slots[i]);
		KUNIT_EXPECT_EQ(test, kprobe_slot_origin(addr), addr);
	}
}

/* A window: three instructions that are longer in the slot than in the text */
static void map_test_window(struct kunit *test)
{
	static const struct kprobe_slot_map want[] = { { 0, 0 }, { 8, 1 }, { 20, 4 }, { 28, 9 } };
	struct kprobe_slot_trap trap;
	unsigned long addr;
	int i, at;

	map_code_begin(0);
	kprobe_code_add(&slot_map_code, 8, 0);
	kprobe_code_add(&slot_map_code, 12, 1);
	kprobe_code_add(&slot_map_code, 8, 4);
	kprobe_code_add(&slot_map_code, 8, 9);
	addr = (unsigned long)map_slot_make(test, KPROBE_SLOT_RESUME, slot_map_code.size);
	for (i = 0, at = 0; at < slot_map_code.size; at++) {
		if (i + 1 < ARRAY_SIZE(want) && at >= want[i + 1].at)
			i++;
		KUNIT_EXPECT_EQ(test, kprobe_slot_origin(addr + at), ORIGIN + want[i].origin);
		KUNIT_EXPECT_EQ(test, kprobe_slot_trap_find(addr + at, &trap), at == want[i].at);
	}
	KUNIT_EXPECT_TRUE(test, kprobe_slot_trap_find(addr + 28, &trap));
	KUNIT_EXPECT_PTR_EQ(test, trap.slot, (void *)addr);
	KUNIT_EXPECT_EQ(test, trap.origin, ORIGIN);
	KUNIT_EXPECT_EQ(test, trap.next, ORIGIN + 9);
	kprobe_slot_free((void *)addr);
}

/* A map that needs more memory than the code */
static void map_test_long(struct kunit *test)
{
	void *slot, *next;
	int i;

	map_code_begin(0);
	for (i = 0; i < KPROBE_SLOT_MAP_MAX; i++)
		kprobe_code_add(&slot_map_code, 1, 3 * i);
	slot = map_slot_make(test, KPROBE_SLOT_RESUME, slot_map_code.size);
	map_code_begin(0);
	kprobe_code_add(&slot_map_code, 4, 7);
	next = map_slot_make(test, KPROBE_SLOT_RESUME, slot_map_code.size);
	for (i = 0; i < KPROBE_SLOT_MAP_MAX; i++)
		KUNIT_EXPECT_EQ(test, kprobe_slot_origin((unsigned long)slot + i), ORIGIN + 3 * i);
	KUNIT_EXPECT_EQ(test, kprobe_slot_origin((unsigned long)next), ORIGIN + 7);
	kprobe_slot_free(slot);
	KUNIT_EXPECT_EQ(test, kprobe_slot_origin((unsigned long)next), ORIGIN + 7);
	kprobe_slot_free(next);
}

static bool map_has_symbol(unsigned long addr, const char *want)
{
	char name[KSYM_NAME_LEN], type;
	unsigned long start;
	unsigned int i;

	for (i = 0; !kprobe_get_kallsym(i, &start, &type, name); i++) {
		if (addr >= start && addr - start < SZ_64K)
			return !strcmp(name, want);
	}
	return false;
}

/*
 * A detour: a stub of 100 bytes, which has no origin, then two instructions. Before the
 * second one 16 bytes are pushed.
 */
static void map_test_detour(struct kunit *test)
{
	struct kprobe_slot_trap trap;
	unsigned long addr;

	map_code_begin(0);
	slot_map_code.size = 100;
	kprobe_code_add(&slot_map_code, 4, 0);
	kprobe_code_add(&slot_map_code, 8, 4);
	slot_map_code.map[1].pushed = 16;
	addr = (unsigned long)map_slot_make(test, KPROBE_SLOT_DETOUR, slot_map_code.size);
	KUNIT_EXPECT_TRUE(test, is_kprobe_optinsn_slot(addr));
	KUNIT_EXPECT_FALSE(test, is_kprobe_insn_slot(addr));
	KUNIT_EXPECT_TRUE(test, map_has_symbol(addr, "kprobe_optinsn_page"));
	KUNIT_EXPECT_EQ(test, kprobe_slot_origin(addr), addr);
	KUNIT_EXPECT_EQ(test, kprobe_slot_origin(addr + 99), addr + 99);
	KUNIT_EXPECT_EQ(test, kprobe_slot_origin(addr + 100), ORIGIN);
	KUNIT_EXPECT_EQ(test, kprobe_slot_origin(addr + 104), ORIGIN + 4);
	KUNIT_EXPECT_EQ(test, kprobe_slot_origin(addr + 111), ORIGIN + 4);
	KUNIT_EXPECT_FALSE(test, kprobe_slot_trap_find(addr + 104, &trap));
	KUNIT_EXPECT_EQ(test, kprobe_slot_pushed(addr + 99), 0);
	KUNIT_EXPECT_EQ(test, kprobe_slot_pushed(addr + 103), 0);
	KUNIT_EXPECT_EQ(test, kprobe_slot_pushed(addr + 104), 16);
	KUNIT_EXPECT_EQ(test, kprobe_slot_pushed(addr + 111), 16);
	KUNIT_EXPECT_EQ(test, kprobe_slot_pushed(ORIGIN), 0);
	kprobe_slot_free((void *)addr);
}

static void map_test_resume_kind(struct kunit *test)
{
	unsigned long addr;

	map_code_begin(0);
	kprobe_code_add(&slot_map_code, 4, 0);
	addr = (unsigned long)map_slot_make(test, KPROBE_SLOT_RESUME, slot_map_code.size);
	KUNIT_EXPECT_TRUE(test, is_kprobe_insn_slot(addr));
	KUNIT_EXPECT_FALSE(test, is_kprobe_optinsn_slot(addr));
	KUNIT_EXPECT_TRUE(test, map_has_symbol(addr, "kprobe_insn_page"));
	kprobe_slot_free((void *)addr);
}

/* Mixed sizes that need more than one chunk. The second round needs no new chunk */
#define MANY	3000

static void map_fill_and_free(struct kunit *test, void **slots)
{
	int i;

	for (i = 0; i < MANY; i++) {
		slots[i] = kprobe_slot_alloc(KPROBE_SLOT_RESUME, 4 + 4 * (i % 20), 4, ORIGIN);
		KUNIT_EXPECT_NOT_NULL(test, slots[i]);
	}
	/* Every second slot is freed first, which leaves gaps of all sizes */
	for (i = 0; i < MANY; i += 2)
		kprobe_slot_free(slots[i]);
	for (i = 1; i < MANY; i += 2)
		kprobe_slot_free(slots[i]);
}

static unsigned int map_count_chunks(void)
{
	char name[KSYM_NAME_LEN], type;
	unsigned int num = 0;
	unsigned long addr;

	while (!kprobe_get_kallsym(num, &addr, &type, name))
		num++;
	return num;
}

static void map_test_reuse(struct kunit *test)
{
	unsigned int chunks;
	void **slots;

	slots = kunit_kcalloc(test, MANY, sizeof(*slots), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, slots);
	map_fill_and_free(test, slots);
	chunks = map_count_chunks();
	map_fill_and_free(test, slots);
	KUNIT_EXPECT_EQ(test, map_count_chunks(), chunks);
}

/* A slot of one cell that is full of one byte, and stands for one instruction */
static void *map_slot_of_one(struct kunit *test, u8 origin)
{
	map_code_begin(origin);
	kprobe_code_add(&slot_map_code, ALIGNMENT, origin);
	return map_slot_make(test, KPROBE_SLOT_RESUME, ALIGNMENT);
}

/*
 * Fill the gaps with slots of one cell until three lie side by side, at the end. Return: their
 * number, the three included
 */
static unsigned int map_make_row(struct kunit *test, void **slots)
{
	unsigned int num = 0, row = 0;

	while (num < MANY && row < 3) {
		slots[num] = map_slot_of_one(test, num % 200);
		row = num && slots[num] == slots[num - 1] + ALIGNMENT ? row + 1 : 1;
		num++;
	}
	KUNIT_EXPECT_EQ(test, row, 3);
	return num;
}

/* Code of two cells, in the place of two slots of one, is seen through from its second cell */
static void map_check_larger(struct kunit *test, void *want)
{
	void *slot;

	map_code_begin(0);
	kprobe_code_add(&slot_map_code, 2 * ALIGNMENT, 9);
	slot = map_slot_make(test, KPROBE_SLOT_RESUME, 2 * ALIGNMENT);
	KUNIT_EXPECT_PTR_EQ(test, slot, want);
	KUNIT_EXPECT_EQ(test, kprobe_slot_origin((unsigned long)slot + ALIGNMENT), ORIGIN + 9);
	kprobe_slot_free(slot);
}

/* What a freed slot leaves: the gap, traps, and nothing of its neighbours' */
static void map_check_gap(struct kunit *test, void **row)
{
	unsigned long behind = (unsigned long)row[1];
	u8 fresh[2 * ALIGNMENT];
	void *two;

	kprobe_slot_free(row[1]);
	KUNIT_EXPECT_EQ(test, kprobe_slot_origin(behind), behind);
	two = kprobe_slot_alloc(KPROBE_SLOT_RESUME, 2 * ALIGNMENT, 1, ORIGIN);
	KUNIT_ASSERT_NOT_NULL(test, two);
	memcpy(fresh, two, sizeof(fresh));
	KUNIT_EXPECT_PTR_EQ(test, map_slot_of_one(test, 5), row[1]);
	kprobe_slot_free(row[0]);
	kprobe_slot_free(row[1]);
	KUNIT_EXPECT_MEMEQ(test, row[0], fresh, sizeof(fresh));
	map_check_larger(test, row[0]);
	KUNIT_EXPECT_MEMEQ(test, row[0], fresh, sizeof(fresh));
	kprobe_slot_free(two);
}

static void map_test_gap(struct kunit *test)
{
	void **slots = kunit_kcalloc(test, MANY, sizeof(*slots), GFP_KERNEL);
	unsigned int i, num;

	KUNIT_ASSERT_NOT_NULL(test, slots);
	/* A worker frees the slots of other suites */
	synchronize_rcu_tasks();
	rcu_barrier();
	msleep(100);
	num = map_make_row(test, slots);
	map_check_gap(test, &slots[num - 3]);
	kprobe_slot_free(slots[num - 1]);
	for (i = 0; i + 3 < num; i++)
		kprobe_slot_free(slots[i]);
}

static struct kunit_case slot_map_cases[] = {
	KUNIT_CASE(map_test_sizes),
	KUNIT_CASE(map_test_window),
	KUNIT_CASE(map_test_long),
	KUNIT_CASE(map_test_detour),
	KUNIT_CASE(map_test_resume_kind),
	KUNIT_CASE(map_test_reuse),
	KUNIT_CASE(map_test_gap),
	{}
};

static struct kunit_suite slot_map_suite = {
	.name = "kprobes_slot_map",
	.test_cases = slot_map_cases,
};

kunit_test_suite(slot_map_suite);

MODULE_DESCRIPTION("KUnit tests of the memory of slots");
MODULE_IMPORT_NS(EXPORTED_FOR_KUNIT_TESTING);
MODULE_LICENSE("GPL");
