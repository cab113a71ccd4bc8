// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The hard cases: what probes have got wrong on real machines. Each has its name
 * from what stock 6.12 does there: some fail on it, some are the end of it.
 * Where an instruction may be refused instead, that is as good.
 */
#include <kunit/test.h>
#include <linux/kdebug.h>
#include <linux/kprobes.h>
#include <linux/mman.h>
#include <linux/module.h>
#include <linux/string.h>
#include <asm/desc.h>
#include <asm/irqflags.h>
#include <asm/processor-flags.h>
#include <asm/trapnr.h>
#include "hard_places.h"
#include "../ours.h"

#define NOT_CANONICAL	0x4141414141414141ul

static unsigned int hits;

static int count_pre(struct kprobe *p, struct pt_regs *regs)
{
	hits++;
	return 0;
}

static void ignore_post(struct kprobe *p, struct pt_regs *regs, unsigned long flags)
{
}

static struct kprobe kp = { .pre_handler = count_pre };

/* True if there is a probe at @addr now; if not, it was refused */
static bool probe(const u8 *addr)
{
	hits = 0;
	kp.addr = (void *)addr;
	kp.flags = 0;
	return !register_kprobe(&kp);
}

/* A call with a prefix is a byte longer, and so is the way back */
static void test_cs_call(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, hard_cs_call(), 42);
	KUNIT_ASSERT_TRUE(test, probe(hard_cs_call_at));
	KUNIT_EXPECT_EQ(test, hard_cs_call(), 42);
	KUNIT_EXPECT_EQ(test, hits, 1);
	unregister_kprobe(&kp);
}

static void check_loop(struct kunit *test, const u8 *addr,
		       unsigned long (*loop)(unsigned long count), unsigned long count)
{
	unsigned long bare = loop(count);

	KUNIT_ASSERT_TRUE(test, probe(addr));
	KUNIT_EXPECT_EQ_MSG(test, loop(count), bare, "rcx %#lx", count);
	unregister_kprobe(&kp);
	KUNIT_EXPECT_EQ(test, hits, count & 0xffff);
}

/* Decrement first, then look; the short form leaves no upper half */
static void test_loop(struct kunit *test)
{
	check_loop(test, hard_loop_at, hard_loop, 1);
	check_loop(test, hard_loop_at, hard_loop, 2);
	check_loop(test, hard_loop_at, hard_loop, 100);
	check_loop(test, hard_loop_short_at, hard_loop_short, 1);
	check_loop(test, hard_loop_short_at, hard_loop_short, 0x7700000003ul);
}

static void test_ret(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, hard_ret(), 0);
	KUNIT_ASSERT_TRUE(test, probe(hard_ret_at));
	KUNIT_EXPECT_EQ(test, hard_ret(), 0);
	KUNIT_EXPECT_EQ(test, hits, 1);
	unregister_kprobe(&kp);
}

static void check_refused(struct kunit *test, const u8 *addr)
{
	bool taken = probe(addr);

	KUNIT_EXPECT_FALSE_MSG(test, taken, "%pS", addr);
	if (taken)
		unregister_kprobe(&kp);
}

/* Where the trap has to be handled first, no interrupt is waited for any more */
static void test_waits(struct kunit *test)
{
	check_refused(test, hard_hlt_at);
	check_refused(test, hard_sti_hlt_at);
	check_refused(test, hard_mwait_at);
}

/* Not a page fault: the handlers of the others have to find the exception table */
static void test_protection_fault(struct kunit *test)
{
	const void *nowhere = (void *)NOT_CANONICAL;
	bool probed;

	KUNIT_EXPECT_EQ(test, hard_read(nowhere), 0);
	probed = probe(hard_read_at);
	KUNIT_EXPECT_EQ(test, hard_read(nowhere), 0);
	KUNIT_EXPECT_EQ(test, hard_read(&kp.addr), (unsigned long)hard_read_at);
	if (!probed)
		return;
	unregister_kprobe(&kp);
	KUNIT_EXPECT_EQ(test, hits, 2);
}

/* A fault handler that looks at the instruction finds it, and goes on behind it */
static u8 faulting_insn[3];
static unsigned int faults;

static int skip_fault(struct notifier_block *nb, unsigned long event, void *data)
{
	struct pt_regs *regs = ((struct die_args *)data)->regs;

	if (event != DIE_GPF || regs->di != NOT_CANONICAL || regs->ip == (long)hard_read_bare_at)
		return NOTIFY_DONE;
	if (memcmp((void *)regs->ip, faulting_insn, sizeof(faulting_insn)))
		return NOTIFY_DONE;
	faults++;
	regs->ax = 42;
	regs->ip += sizeof(faulting_insn);
	return NOTIFY_STOP;
}

static void check_fault(struct kunit *test, kprobe_post_handler_t post)
{
	bool probed;

	faults = 0;
	kp.post_handler = post;
	probed = probe(hard_read_bare_at);
	kp.post_handler = NULL;
	KUNIT_ASSERT_TRUE(test, probed);
	KUNIT_EXPECT_EQ(test, hard_read_bare(&kp.addr), (unsigned long)hard_read_bare_at);
	KUNIT_EXPECT_EQ(test, hard_read_bare((void *)NOT_CANONICAL), 42);
	unregister_kprobe(&kp);
	KUNIT_EXPECT_EQ(test, faults, 1);
	KUNIT_EXPECT_EQ(test, hits, 2);
}

static void test_fault(struct kunit *test)
{
	struct notifier_block nb = { .notifier_call = skip_fault };

	KUNIT_ASSERT_EQ(test, hard_read_bare_behind - hard_read_bare_at, sizeof(faulting_insn));
	memcpy(faulting_insn, hard_read_bare_at, sizeof(faulting_insn));
	register_die_notifier(&nb);
	check_fault(test, NULL);
	check_fault(test, ignore_post);
	unregister_die_notifier(&nb);
}

/* An instruction that has to wait for its page is executed once */
static void test_page_fault(struct kunit *test)
{
	unsigned long user = kunit_vm_mmap(test, NULL, 0, PAGE_SIZE, PROT_READ | PROT_WRITE,
					   MAP_PRIVATE | MAP_ANONYMOUS, 0);

	KUNIT_ASSERT_FALSE(test, IS_ERR_VALUE(user) || !user);
	if (!probe(hard_read_user_at))
		return;
	KUNIT_EXPECT_EQ(test, hard_read_user((void __user *)user), 0);
	unregister_kprobe(&kp);
	KUNIT_EXPECT_EQ(test, hits, 1);
}

#define OPEN_FLAGS	(X86_EFLAGS_AC | X86_EFLAGS_DF)

static unsigned long handler_flags, returned_flags;

static int note_flags(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	handler_flags = native_save_fl();
	returned_flags = regs->flags;
	return 0;
}

/* A handler can be preempted for a task that is not to have user memory open */
static void test_user_access(struct kunit *test)
{
	struct kretprobe rp = {
		.kp.addr	= (void *)hard_open_callee,
		.handler	= note_flags,
	};
	unsigned long bare = hard_open();

	KUNIT_EXPECT_TRUE(test, bare & X86_EFLAGS_DF);
	KUNIT_ASSERT_EQ(test, register_kretprobe(&rp), 0);
	KUNIT_EXPECT_EQ(test, hard_open() & OPEN_FLAGS, bare & OPEN_FLAGS);
	unregister_kretprobe(&rp);
	KUNIT_EXPECT_EQ(test, returned_flags & OPEN_FLAGS, bare & OPEN_FLAGS);
	KUNIT_EXPECT_EQ(test, handler_flags & OPEN_FLAGS, 0);
}

/*
 * A CPU takes an int3, and until it gets to see who wants that there is none any
 * more. What is there instead has to be executed.
 */
static void test_removed_trap(struct kunit *test)
{
	struct desc_ptr idt;
	const gate_desc *gate;

	store_idt(&idt);
	gate = (const gate_desc *)idt.address + X86_TRAP_BP;
	KUNIT_EXPECT_EQ(test, hard_ghost(gate_offset(gate)), 1);
}

static struct kunit_case hard_cases[] = {
	KUNIT_CASE(test_cs_call),
	KUNIT_CASE(test_loop),
	KUNIT_CASE(test_ret),
	KUNIT_CASE(test_waits),
	KUNIT_CASE(test_page_fault),
	KUNIT_CASE(test_protection_fault),
	KUNIT_CASE(test_fault),
	KUNIT_CASE(test_user_access),
	KUNIT_CASE(test_removed_trap),
	{}
};

static struct kunit_suite hard_suite = {
	.name = "kprobes_hard",
	.test_cases = hard_cases,
};

kunit_test_suite(hard_suite);

MODULE_DESCRIPTION("KUnit tests of what probes have got wrong elsewhere");
MODULE_LICENSE("GPL");
