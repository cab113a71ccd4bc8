// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Probes in a module that is far from the kernel. Its slots lie around the module. If no
 * memory is free there, every hit takes a second trap to resume.
 *
 * Modules are placed near the kernel while there is room. The test therefore reserves
 * all address space there while the module is loaded, and later that around the module. The
 * function that reserves it is not exported; a kprobe finds its address.
 */
#include <kunit/resource.h>
#include <kunit/test.h>
#include <linux/delay.h>
#include <linux/kmod.h>
#include <linux/kprobes.h>
#include <linux/math.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/sizes.h>
#include <linux/slab.h>
#include <linux/stringify.h>
#include <linux/umh.h>
#include <linux/vmalloc.h>
#include <asm/insn.h>
#include "far.h"

#define BRANCH_REACH	SZ_128M
#define SURROUNDINGS	(2 * BRANCH_REACH + SZ_32M)	/* code there may reach a slot */
#define AREAS		512

/* More probed instructions than there are slots near the kernel, in steps of SOME */
#define MANY		16384
#define SOME		256

static const struct far_places *far;
static struct vm_struct *far_areas[AREAS];
static unsigned int num_areas;
static unsigned int far_hits, far_post_hits, far_inner_hits;
static struct pt_regs far_seen_post;

/* The first instruction of a function need not take a slot; near_insn does. */
static noinline __noclone void near_place(void)
{
	asm volatile("near_insn: add x9, x9, #1" : : : "x9");
}

/* __get_vm_area_caller() is not exported. */
static struct vm_struct *(*area_get)(unsigned long size, unsigned long flags,
				     unsigned long start, unsigned long end,
				     const void *caller);

static int find_area_get(void)
{
	struct kprobe p = { .symbol_name = "__get_vm_area_caller" };
	int ret = register_kprobe(&p);

	if (ret)
		return ret;
	unregister_kprobe(&p);
	area_get = (void *)p.addr;
	return 0;
}

/* Reserve all address space around a function. This module is near the kernel. */
static void take_surroundings(const void *function)
{
	unsigned long here = (unsigned long)function, size = SZ_256M;
	struct vm_struct *area;

	while (size >= PAGE_SIZE && num_areas < AREAS) {
		area = area_get(size, 0, (here - SURROUNDINGS) & PAGE_MASK,
				(here + SURROUNDINGS) & PAGE_MASK, near_place);
		if (area)
			far_areas[num_areas++] = area;
		else
			size /= 2;
	}
}

static void give_back_surroundings(void)
{
	while (num_areas)
		free_vm_area(far_areas[--num_areas]);
}

static int load_far(void)
{
	int ret = find_area_get();

	if (ret)
		return ret;
	take_surroundings(near_place);
	ret = request_module(FAR_MODULE);
	give_back_surroundings();
	return ret;
}

static int far_count_pre(struct kprobe *p, struct pt_regs *regs)
{
	far_hits++;
	return 0;
}

static void far_count_post(struct kprobe *p, struct pt_regs *regs, unsigned long flags)
{
	far_post_hits++;
	far_seen_post = *regs;
}

static int far_call_inner(struct kprobe *p, struct pt_regs *regs)
{
	far_hits++;
	if (far->inner(1) == 4)
		far_inner_hits++;
	return 0;
}

/* Is a probe listed with a form, or with one of several that "|" separates? */
static bool is_listed(struct kprobe *p, const char *form)
{
	char command[128];
	char *argv[] = { "/bin/sh", "-c", command, NULL };
	char *envp[] = { "PATH=/usr/sbin:/usr/bin:/sbin:/bin", NULL };

	snprintf(command, sizeof(command),
		 "grep -Eq '^%016lx .*\\[(%s)\\]' /sys/kernel/debug/kprobes/list",
		 (unsigned long)p->addr, form);
	return !call_usermodehelper(argv[0], argv, envp, UMH_WAIT_PROC);
}

static void far_check_at(struct kunit *test, const u8 *addr, const char *form, bool post)
{
	struct kprobe p = {
		.addr = (void *)addr,
		.pre_handler = far_count_pre,
		.post_handler = post ? far_count_post : NULL,
	};
	int i;

	far_hits = 0;
	far_post_hits = 0;
	KUNIT_ASSERT_EQ_MSG(test, register_kprobe(&p), 0, "%pS", addr);
	KUNIT_EXPECT_TRUE_MSG(test, is_listed(&p, form), "%pS %s", addr, form);
	for (i = 0; i < 10; i++)
		KUNIT_EXPECT_EQ(test, far->place(i), i + 3);
	unregister_kprobe(&p);
	KUNIT_EXPECT_EQ(test, far->place(1), 4);
	KUNIT_EXPECT_EQ(test, far_hits, 10);
	KUNIT_EXPECT_EQ(test, far_post_hits, post ? 10 : 0);
	KUNIT_EXPECT_EQ(test, p.nmissed, 0);
}

static void test_distance(struct kunit *test)
{
	unsigned long here = (unsigned long)near_place, there = (unsigned long)far->copied;

	KUNIT_EXPECT_GE(test, max(here, there) - min(here, there), BRANCH_REACH);
	kunit_info(test, "%lu MiB away", (max(here, there) - min(here, there)) / SZ_1M);
}

/* How is a probe of this module listed, which is near the kernel? Never ends the case. */
static bool near_is(struct kunit *test, const char *form)
{
	struct kprobe p = { .addr = (void *)near_insn, .pre_handler = far_count_pre };
	bool listed;

	far_hits = 0;
	if (register_kprobe(&p)) {
		KUNIT_FAIL(test, "not registered");
		return false;
	}
	listed = is_listed(&p, form);
	near_place();
	unregister_kprobe(&p);
	KUNIT_EXPECT_EQ(test, far_hits, 1);
	return listed;
}

/* Does a branch of it reach? */
static bool near_has_slot(struct kunit *test)
{
	return near_is(test, "OPTIMIZED|SLOT");
}

/* Before the first slot around the module, which would serve all of these */
static void test_second_trap(struct kunit *test)
{
	if (abs_diff((unsigned long)far->place, (unsigned long)register_kprobe) < SURROUNDINGS)
		kunit_skip(test, "slots of the image may reach");
	take_surroundings(far->place);
	far_check_at(test, far->copied, "SECOND TRAP", false);
	far_check_at(test, far->copied, "SECOND TRAP", true);
	KUNIT_EXPECT_EQ(test, far_seen_post.pc, (unsigned long)far->inside);
	KUNIT_EXPECT_EQ(test, far_seen_post.regs[8], 11);
	far_check_at(test, (const u8 *)far->place, "SECOND TRAP", false);
	far_check_at(test, far->emulated, "EMULATED", false);
	far_check_at(test, far->emulated, "EMULATED", true);
	give_back_surroundings();
	/* No memory was found, and is not looked for again for a second */
	ssleep(2);
}

/* Slots around the module are in reach, and their detours reach the kernel. */
static void test_far_jump(struct kunit *test)
{
	bool jumps = near_is(test, "OPTIMIZED");

	far_check_at(test, far->copied, jumps ? "OPTIMIZED" : "SLOT", false);
	far_check_at(test, far->copied, "SLOT", true);
	far_check_at(test, (const u8 *)far->place, "OPTIMIZED|SLOT", false);
	far_check_at(test, far->emulated, jumps ? "OPTIMIZED" : "EMULATED", false);
	far_check_at(test, far->emulated, "EMULATED", true);
}

/* A missed hit also resumes by a second trap. */
static void test_missed(struct kunit *test)
{
	struct kprobe outer = { .addr = (void *)far->copied, .pre_handler = far_call_inner };
	struct kprobe inner = { .addr = (void *)far->inner_copied, .pre_handler = far_count_pre };

	far_hits = 0;
	far_inner_hits = 0;
	KUNIT_ASSERT_EQ(test, register_kprobe(&inner), 0);
	KUNIT_ASSERT_EQ(test, register_kprobe(&outer), 0);
	KUNIT_EXPECT_EQ(test, far->place(1), 4);
	unregister_kprobe(&outer);
	unregister_kprobe(&inner);
	KUNIT_EXPECT_EQ(test, far_hits, 1);
	KUNIT_EXPECT_EQ(test, far_inner_hits, 1);
	KUNIT_EXPECT_EQ(test, inner.nmissed, 1);
}

/* Branches are used here, wherever modules are placed. */
static void test_near(struct kunit *test)
{
	KUNIT_ASSERT_TRUE(test, near_has_slot(test));
}

/*
 * Many instructions, each of which takes a slot when it is probed. Each SOME are a function of
 * their own: to register a probe takes time in proportion to its function.
 */
asm(".pushsection .text, \"ax\"\n"
	".macro many_places_function\n"
	".type many_places_\\@, %function\n"
	"many_places_\\@:\n"
	".rept " __stringify(SOME) "\n"
	"add x9, x9, #1\n"
	".endr\n"
	"ret\n"
	".size many_places_\\@, . - many_places_\\@\n"
	".endm\n"
	".globl many_places\n"
	"many_places:\n"
	".rept " __stringify(MANY / SOME) "\n"
	"many_places_function\n"
	".endr\n"
	".popsection\n");

static void *many_places_at(int function, int insn)
{
	return (void *)many_places + (function * (SOME + 1) + insn) * AARCH64_INSN_SIZE;
}

/*
 * Probe the instructions until one gets a slot that is not near. Returns the number of
 * probes, or an error.
 */
static int take_near_slots(struct kprobe **many, struct kprobe *probes)
{
	int i, ret = 0, num;

	for (num = 0; num + SOME < MANY; num += SOME) {
		for (i = num; i < num + SOME; i++) {
			probes[i].addr = many_places_at(num / SOME, i - num);
			many[i] = &probes[i];
		}
		ret = register_kprobes(many + num, SOME);
		if (ret)
			break;
		if (is_listed(&probes[i - 1], "SECOND TRAP"))
			return num + SOME;
	}
	unregister_kprobes(many, num);
	return ret ?: -ENOSPC;
}

KUNIT_DEFINE_ACTION_WRAPPER(far_kvfree, kvfree, const void *);

/* Far slots that exist since there was no near one are not used once there is again. */
static void test_near_again(struct kunit *test)
{
	struct kprobe *probes = kvcalloc(MANY, sizeof(*probes), GFP_KERNEL);
	struct kprobe **many = kunit_kcalloc(test, MANY, sizeof(*many), GFP_KERNEL);
	int num;

	KUNIT_ASSERT_NOT_NULL(test, probes);
	KUNIT_ASSERT_EQ(test, kunit_add_action_or_reset(test, far_kvfree, probes), 0);
	KUNIT_ASSERT_NOT_NULL(test, many);
	test_near(test);
	take_surroundings(near_place);
	num = take_near_slots(many, probes);
	KUNIT_EXPECT_FALSE(test, near_has_slot(test));
	give_back_surroundings();
	ssleep(2);
	KUNIT_ASSERT_GT(test, num, 0);
	KUNIT_EXPECT_TRUE(test, near_has_slot(test));
	unregister_kprobes(many, num);
}

static int far_suite_init(struct kunit_suite *suite)
{
	int ret = load_far();

	if (ret)
		return ret;
	far = symbol_get(kprobes_far_places);
	return far ? 0 : -ENOENT;
}

static void far_suite_exit(struct kunit_suite *suite)
{
	give_back_surroundings();
	if (far)
		symbol_put(kprobes_far_places);
}

static struct kunit_case far_cases[] = {
	KUNIT_CASE(test_distance),
	KUNIT_CASE_SLOW(test_second_trap),
	KUNIT_CASE_SLOW(test_far_jump),
	KUNIT_CASE(test_missed),
	KUNIT_CASE(test_near),
	KUNIT_CASE_SLOW(test_near_again),
	{}
};

static struct kunit_suite far_suite = {
	.name = "kprobes_far",
	.suite_init = far_suite_init,
	.suite_exit = far_suite_exit,
	.test_cases = far_cases,
};

kunit_test_suite(far_suite);

MODULE_DESCRIPTION("KUnit tests of probes in a module that is far away");
MODULE_LICENSE("GPL");
