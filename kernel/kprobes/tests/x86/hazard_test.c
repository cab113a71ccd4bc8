// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The hard cases: errors that probes have had on real machines. Stock 6.12 fails some
 * of them and crashes in others. A case also passes if the instruction is refused,
 * where that is allowed.
 */
#include <kunit/test.h>
#include <linux/cpufeature.h>
#include <linux/kdebug.h>
#include <linux/kprobes.h>
#include <linux/mman.h>
#include <linux/module.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include <asm/desc.h>
#include <asm/irqflags.h>
#include <asm/processor-flags.h>
#include <asm/trapnr.h>
#include "hazard_places.h"
#include "../ours.h"

#define NOT_CANONICAL	0x4141414141414141ul

static unsigned int hazard_hits;

static int hazard_count_pre(struct kprobe *p, struct pt_regs *regs)
{
	hazard_hits++;
	return 0;
}

static void hazard_ignore_post(struct kprobe *p, struct pt_regs *regs, unsigned long flags)
{
}

static struct kprobe hazard_kp = { .pre_handler = hazard_count_pre };

/* Returns true if @addr is probed now, false if the probe was refused. */
static bool hazard_probe(const u8 *addr)
{
	hazard_hits = 0;
	hazard_kp.addr = (void *)addr;
	hazard_kp.flags = 0;
	return !register_kprobe(&hazard_kp);
}

/* A call with a prefix is a byte longer, and so is the distance of its return. */
static void test_cs_call(struct kunit *test)
{
	if (cpu_feature_enabled(X86_FEATURE_CALL_DEPTH))
		kunit_skip(test, "the kernel has replaced the call by one without a prefix");
	KUNIT_EXPECT_EQ(test, hazard_cs_call(), 42);
	KUNIT_ASSERT_TRUE(test, hazard_probe(hazard_cs_call_at));
	KUNIT_EXPECT_EQ(test, hazard_cs_call(), 42);
	KUNIT_EXPECT_EQ(test, hazard_hits, 1);
	unregister_kprobe(&hazard_kp);
}

static void check_loop(struct kunit *test, const u8 *addr,
		       unsigned long (*loop)(unsigned long count), unsigned long count)
{
	unsigned long bare = loop(count);

	KUNIT_ASSERT_TRUE(test, hazard_probe(addr));
	KUNIT_EXPECT_EQ_MSG(test, loop(count), bare, "rcx %#lx", count);
	unregister_kprobe(&hazard_kp);
	KUNIT_EXPECT_EQ(test, hazard_hits, count & 0xffff);
}

/* Decrement before the test; the short form clears the upper half. */
static void test_loop(struct kunit *test)
{
	check_loop(test, hazard_loop_at, hazard_loop, 1);
	check_loop(test, hazard_loop_at, hazard_loop, 2);
	check_loop(test, hazard_loop_at, hazard_loop, 100);
	check_loop(test, hazard_loop_short_at, hazard_loop_short, 1);
	check_loop(test, hazard_loop_short_at, hazard_loop_short, 0x7700000003ul);
}

static void test_ret(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, hazard_ret(), 0);
	KUNIT_ASSERT_TRUE(test, hazard_probe(hazard_ret_at));
	KUNIT_EXPECT_EQ(test, hazard_ret(), 0);
	KUNIT_EXPECT_EQ(test, hazard_hits, 1);
	unregister_kprobe(&hazard_kp);
}

static void check_refused(struct kunit *test, const u8 *addr)
{
	bool taken = hazard_probe(addr);

	KUNIT_EXPECT_FALSE_MSG(test, taken, "%pS", addr);
	if (taken)
		unregister_kprobe(&hazard_kp);
}

/* A probe on these would be handled before the wait and so lose a wake-up. */
static void test_waits(struct kunit *test)
{
	check_refused(test, hazard_hlt_at);
	check_refused(test, hazard_sti_hlt_at);
	check_refused(test, hazard_mwait_at);
}

/* The text after the probed instruction may be decoded, but not beyond the last page. */
static void test_text_end(struct kunit *test)
{
	KUNIT_ASSERT_TRUE(test, hazard_probe(hazard_last_at));
	KUNIT_EXPECT_EQ(test, hazard_last(), 42);
	unregister_kprobe(&hazard_kp);
	KUNIT_EXPECT_EQ(test, hazard_hits, 1);
}

/* Not a page fault: the general protection handler must find the exception table. */
static void test_protection_fault(struct kunit *test)
{
	const void *nowhere = (void *)NOT_CANONICAL;
	bool probed;

	KUNIT_EXPECT_EQ(test, hazard_read(nowhere), 0);
	probed = hazard_probe(hazard_read_at);
	KUNIT_EXPECT_EQ(test, hazard_read(nowhere), 0);
	KUNIT_EXPECT_EQ(test, hazard_read(&hazard_kp.addr), (unsigned long)hazard_read_at);
	if (!probed) {
		KUNIT_EXPECT_TRUE(test, OURS);
		return;
	}
	unregister_kprobe(&hazard_kp);
	KUNIT_EXPECT_EQ(test, hazard_hits, 2);
}

/* A fault handler that reads the instruction finds it, and continues after it. */
static u8 faulting_insn[3];
static unsigned int hazard_faults;

static int skip_fault(struct notifier_block *nb, unsigned long event, void *data)
{
	struct pt_regs *regs = ((struct die_args *)data)->regs;

	if (event != DIE_GPF || regs->di != NOT_CANONICAL || regs->ip == (long)hazard_read_bare_at)
		return NOTIFY_DONE;
	if (memcmp((void *)regs->ip, faulting_insn, sizeof(faulting_insn)))
		return NOTIFY_DONE;
	hazard_faults++;
	regs->ax = 42;
	regs->ip += sizeof(faulting_insn);
	return NOTIFY_STOP;
}

static void hazard_check_fault(struct kunit *test, kprobe_post_handler_t post)
{
	bool probed;

	hazard_faults = 0;
	hazard_kp.post_handler = post;
	probed = hazard_probe(hazard_read_bare_at);
	hazard_kp.post_handler = NULL;
	KUNIT_ASSERT_TRUE(test, probed);
	KUNIT_EXPECT_EQ(test, hazard_read_bare(&hazard_kp.addr),
			(unsigned long)hazard_read_bare_at);
	KUNIT_EXPECT_EQ(test, hazard_read_bare((void *)NOT_CANONICAL), 42);
	unregister_kprobe(&hazard_kp);
	KUNIT_EXPECT_EQ(test, hazard_faults, 1);
	KUNIT_EXPECT_EQ(test, hazard_hits, 2);
}

static void test_fault(struct kunit *test)
{
	struct notifier_block nb = { .notifier_call = skip_fault };

	KUNIT_ASSERT_EQ(test, hazard_read_bare_behind - hazard_read_bare_at, sizeof(faulting_insn));
	memcpy(faulting_insn, hazard_read_bare_at, sizeof(faulting_insn));
	register_die_notifier(&nb);
	hazard_check_fault(test, NULL);
	hazard_check_fault(test, hazard_ignore_post);
	unregister_die_notifier(&nb);
}

/* An instruction that waits for its page is executed once. */
static void test_page_fault(struct kunit *test)
{
	unsigned long user = kunit_vm_mmap(test, NULL, 0, PAGE_SIZE, PROT_READ | PROT_WRITE,
					   MAP_PRIVATE | MAP_ANONYMOUS, 0);

	KUNIT_ASSERT_FALSE(test, IS_ERR_VALUE(user) || !user);
	if (OURS) {
		/* It has an entry in the exception table */
		check_refused(test, hazard_read_user_at);
		return;
	}
	KUNIT_ASSERT_TRUE(test, hazard_probe(hazard_read_user_at));
	KUNIT_EXPECT_EQ(test, hazard_read_user((void __user *)user), 0);
	unregister_kprobe(&hazard_kp);
	KUNIT_EXPECT_EQ(test, hazard_hits, 1);
}

#define COPIED	200
#define ACROSS	(PAGE_SIZE - COPIED / 2)

/* Two pages of user memory, of which the second one is missing */
static void __user *hazard_page_is_missing(struct kunit *test)
{
	unsigned long user = kunit_vm_mmap(test, NULL, 0, 2 * PAGE_SIZE, PROT_READ | PROT_WRITE,
					   MAP_PRIVATE | MAP_ANONYMOUS, 0);

	KUNIT_ASSERT_FALSE(test, IS_ERR_VALUE(user) || !user);
	KUNIT_ASSERT_EQ(test, clear_user((void __user *)user, PAGE_SIZE), 0);
	return (void __user *)user + ACROSS;
}

static void hazard_check_copy(struct kunit *test, u8 value)
{
	void __user *to = hazard_page_is_missing(test);
	u8 from[COPIED], back[COPIED] = { };
	unsigned long left[3];

	memset(from, value, COPIED);
	hazard_copy_user(to, from, COPIED, left);
	KUNIT_EXPECT_EQ(test, left[0], 0);
	KUNIT_EXPECT_EQ(test, left[1], (unsigned long)from + COPIED);
	KUNIT_EXPECT_EQ(test, left[2], (unsigned long)to + COPIED);
	KUNIT_EXPECT_EQ(test, copy_from_user(back, to, COPIED), 0);
	KUNIT_EXPECT_MEMEQ(test, from, back, COPIED);
}

static unsigned int hazard_posts;

static void hazard_count_post(struct kprobe *p, struct pt_regs *regs, unsigned long flags)
{
	hazard_posts++;
}

/* A copy that stops at a missing page goes on with its next byte: one hit, all bytes. */
static void test_copy_fault(struct kunit *test)
{
	hazard_check_copy(test, 1);
	KUNIT_ASSERT_TRUE(test, hazard_probe(hazard_copy_user_at));
	hazard_check_copy(test, 2);
	unregister_kprobe(&hazard_kp);
	KUNIT_EXPECT_EQ(test, hazard_hits, 1);
	hazard_kp.post_handler = hazard_count_post;
	hazard_posts = 0;
	KUNIT_ASSERT_TRUE(test, hazard_probe(hazard_copy_user_at));
	hazard_check_copy(test, 3);
	unregister_kprobe(&hazard_kp);
	hazard_kp.post_handler = NULL;
	KUNIT_EXPECT_EQ(test, hazard_hits, 1);
	KUNIT_EXPECT_EQ(test, hazard_posts, 1);
}

#define OPEN_FLAGS	(X86_EFLAGS_AC | X86_EFLAGS_DF)

static unsigned long handler_flags, returned_flags;

static int note_flags(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	handler_flags = native_save_fl();
	returned_flags = regs->flags;
	return 0;
}

/* Handlers may be preempted, and the next task must not run with user access open. */
static void test_user_access(struct kunit *test)
{
	struct kretprobe rp = {
		.kp.addr	= (void *)hazard_open_callee,
		.handler	= note_flags,
	};
	unsigned long bare = hazard_open();

	KUNIT_EXPECT_TRUE(test, bare & X86_EFLAGS_DF);
	KUNIT_ASSERT_EQ(test, register_kretprobe(&rp), 0);
	KUNIT_EXPECT_EQ(test, hazard_open() & OPEN_FLAGS, bare & OPEN_FLAGS);
	unregister_kretprobe(&rp);
	KUNIT_EXPECT_EQ(test, returned_flags & OPEN_FLAGS, bare & OPEN_FLAGS);
	KUNIT_EXPECT_EQ(test, handler_flags & OPEN_FLAGS, 0);
}

/*
 * A CPU executes an int3, and another CPU removes it before the trap is handled. The
 * instruction that is there by then must be executed.
 */
static void test_removed_trap(struct kunit *test)
{
	struct desc_ptr idt;
	const gate_desc *gate;

	store_idt(&idt);
	gate = (const gate_desc *)idt.address + X86_TRAP_BP;
	KUNIT_EXPECT_EQ(test, hazard_ghost(gate_offset(gate)), 1);
}

static struct kunit_case hazard_cases[] = {
	KUNIT_CASE(test_cs_call),
	KUNIT_CASE(test_loop),
	KUNIT_CASE(test_ret),
	KUNIT_CASE(test_waits),
	KUNIT_CASE(test_text_end),
	KUNIT_CASE(test_page_fault),
	KUNIT_CASE(test_copy_fault),
	KUNIT_CASE(test_protection_fault),
	KUNIT_CASE(test_fault),
	KUNIT_CASE(test_user_access),
	KUNIT_CASE(test_removed_trap),
	{}
};

static struct kunit_suite hazard_suite = {
	.name = "kprobes_hazard",
	.test_cases = hazard_cases,
};

kunit_test_suite(hazard_suite);

MODULE_DESCRIPTION("KUnit tests of what probes have got wrong elsewhere");
MODULE_LICENSE("GPL");
