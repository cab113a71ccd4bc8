// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The hard cases: what probes on arm64 have got wrong elsewhere, or may.
 */
#include <kunit/test.h>
#include <linux/cpufeature.h>
#include <linux/cpumask.h>
#include <linux/hrtimer.h>
#include <linux/hw_breakpoint.h>
#include <linux/irqflags.h>
#include <linux/kprobes.h>
#include <linux/mman.h>
#include <linux/module.h>
#include <linux/perf_event.h>
#include <linux/sched.h>
#include <linux/smp.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include <asm/brk-imm.h>
#include <asm/esr.h>
#include <asm/mmu.h>
#include <asm/ptrace.h>
#include <asm/sysreg.h>
#include "../ours.h"
#include "hard_places.h"

#define NZCV		(PSR_N_BIT | PSR_Z_BIT | PSR_C_BIT | PSR_V_BIT)
#define NZCV_SHIFT	28
#define ROUNDS		10
#define VECTOR_EL1H	0x200	/* of synchronous exceptions of the kernel */

static unsigned int hits, post_hits;

static int count_pre(struct kprobe *p, struct pt_regs *regs)
{
	hits++;
	return 0;
}

static void count_post(struct kprobe *p, struct pt_regs *regs, unsigned long flags)
{
	post_hits++;
}

static struct kprobe kp;

static void probe(struct kunit *test, const u8 *addr, kprobe_pre_handler_t pre, bool post)
{
	hits = 0;
	post_hits = 0;
	kp = (struct kprobe) {
		.addr = (void *)addr,
		.pre_handler = pre,
		.post_handler = post ? count_post : NULL,
	};
	KUNIT_ASSERT_EQ_MSG(test, register_kprobe(&kp), 0, "%pS", addr);
}

static void check_branch(struct kunit *test, int cond, bool post)
{
	unsigned long flags;
	int branches;

	probe(test, hard_bc_cond + cond * HARD_BRANCH_SIZE, count_pre, post);
	for (flags = 0; flags < 16; flags++) {
		branches = hard_branch(flags << NZCV_SHIFT, hard_b_cond + cond * HARD_BRANCH_SIZE);
		KUNIT_EXPECT_EQ_MSG(test, hard_branch(flags << NZCV_SHIFT, (u8 *)kp.addr),
				    branches, "condition %d, flags %#lx", cond, flags);
	}
	unregister_kprobe(&kp);
	KUNIT_EXPECT_EQ(test, hits, 16);
	KUNIT_EXPECT_EQ(test, post_hits, post ? 16 : 0);
}

/* bc.cond branches as b.cond does, and never runs anywhere else */
static void test_branch(struct kunit *test)
{
	int cond;

	for (cond = 0; cond < 16; cond++) {
		check_branch(test, cond, false);
		check_branch(test, cond, true);
	}
}

static void check_exclusive(struct kunit *test, const u8 *addr)
{
	int i, sum = 0;

	probe(test, addr, count_pre, false);
	for (i = 1; i <= ROUNDS; i++)
		KUNIT_EXPECT_EQ(test, hard_add(&sum), i);
	unregister_kprobe(&kp);
	KUNIT_EXPECT_EQ(test, sum, ROUNDS);
	/* It may go round more than once */
	KUNIT_EXPECT_GE(test, hits, ROUNDS);
}

/* Beside an exclusive sequence a probe is welcome */
static void test_exclusive(struct kunit *test)
{
	check_exclusive(test, hard_add_before);
	check_exclusive(test, hard_add_behind);
}

static int set_flags(struct kprobe *p, struct pt_regs *regs)
{
	hits++;
	regs->pstate |= NZCV;
	return 0;
}

static void test_changed_flags(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, hard_flags(), 0);
	probe(test, hard_flags_at, set_flags, false);
	KUNIT_EXPECT_EQ(test, hard_flags(), NZCV);
	unregister_kprobe(&kp);
	KUNIT_EXPECT_EQ(test, hits, 1);
}

/* Handlers run with user memory closed; where they came from it is open */
static unsigned int open_hits, open_handlers;

/* Without PAN it is closed by an empty table, which has no address space's number */
static bool user_is_open(void)
{
	if (system_uses_ttbr0_pan())
		return read_sysreg(ttbr0_el1) & TTBR_ASID_MASK;
	return !read_sysreg_s(SYS_PSTATE_PAN);
}

static void look_at_access(struct pt_regs *regs)
{
	hits++;
	open_hits += !(regs->pstate & PSR_PAN_BIT);
	open_handlers += user_is_open();
}

static int access_pre(struct kprobe *p, struct pt_regs *regs)
{
	look_at_access(regs);
	return 0;
}

static int access_return(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	look_at_access(regs);
	return 0;
}

static void check_access(struct kunit *test, unsigned long user)
{
	KUNIT_EXPECT_EQ(test, hard_read_user((void __user *)user), 4242);
	KUNIT_EXPECT_EQ(test, hits, 1);
	KUNIT_EXPECT_EQ(test, open_hits, 1);
	KUNIT_EXPECT_EQ(test, open_handlers, 0);
	KUNIT_EXPECT_FALSE(test, user_is_open());
	hits = 0;
	open_hits = 0;
	open_handlers = 0;
}

static void test_user_access(struct kunit *test)
{
	static struct kretprobe rp = {
		.kp.addr = (void *)hard_callee,
		.handler = access_return,
	};
	unsigned long user;

	if (!cpus_have_cap(ARM64_HAS_PAN) && !system_uses_ttbr0_pan())
		kunit_skip(test, "user memory is always open");
	user = kunit_vm_mmap(test, NULL, 0, PAGE_SIZE, PROT_READ | PROT_WRITE,
			     MAP_PRIVATE | MAP_ANONYMOUS, 0);
	KUNIT_ASSERT_FALSE(test, IS_ERR_VALUE(user) || !user);
	KUNIT_ASSERT_EQ(test, put_user(4242ul, (unsigned long __user *)user), 0);
	open_hits = 0;
	open_handlers = 0;
	probe(test, hard_read_copied, access_pre, false);
	check_access(test, user);
	unregister_kprobe(&kp);
	probe(test, hard_read_emulated, access_pre, false);
	check_access(test, user);
	unregister_kprobe(&kp);
	KUNIT_ASSERT_EQ(test, register_kretprobe(&rp), 0);
	check_access(test, user);
	unregister_kretprobe(&rp);
}

/* Handlers run with tags checked; where they came from they are not */
static unsigned int unchecked_hits, unchecked_handlers;

static int tags_return(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	hits++;
	unchecked_hits += !!(regs->pstate & PSR_TCO_BIT);
	unchecked_handlers += !!read_sysreg_s(HARD_TCO);
	return 0;
}

static void test_tags(struct kunit *test)
{
	static struct kretprobe rp = {
		.kp.addr = (void *)hard_callee,
		.handler = tags_return,
	};

	if (!system_supports_mte())
		kunit_skip(test, "needs a processor with tags");
	hits = 0;
	unchecked_hits = 0;
	unchecked_handlers = 0;
	KUNIT_ASSERT_EQ(test, register_kretprobe(&rp), 0);
	KUNIT_EXPECT_EQ(test, hard_tags_unchecked(), PSR_TCO_BIT);
	unregister_kretprobe(&rp);
	KUNIT_EXPECT_EQ(test, hits, 1);
	KUNIT_EXPECT_EQ(test, unchecked_hits, 1);
	KUNIT_EXPECT_EQ(test, unchecked_handlers, 0);
}

static struct perf_event *watch(struct kunit *test, unsigned long addr, u32 type, u64 len)
{
	struct perf_event_attr attr = {
		.size		= sizeof(attr),
		.type		= PERF_TYPE_BREAKPOINT,
		.bp_type	= type,
		.bp_addr	= addr,
		.bp_len		= len,
		.pinned		= 1,
	};
	struct perf_event *event;

	/* Of the kernel there are none for a task */
	event = perf_event_create_kernel_counter(&attr, raw_smp_processor_id(), NULL, NULL, NULL);
	KUNIT_ASSERT_FALSE_MSG(test, IS_ERR(event), "%pe", event);
	return event;
}

/* An interrupt ahead of the step over the breakpoint would have it come twice */
static void store_masked(unsigned long *to, unsigned long value)
{
	unsigned long flags;

	local_irq_save(flags);
	hard_store(to, value);
	local_irq_restore(flags);
}

/* With a watchpoint or a breakpoint of the processor, which steps over what it is on */
static void check_watched(struct kunit *test, unsigned long addr, u32 type, u64 len,
			  unsigned long *to)
{
	struct perf_event *event = watch(test, addr, type, len);
	u64 enabled, running;
	unsigned long i;

	for (i = 1; i <= ROUNDS; i++) {
		store_masked(to, i);
		KUNIT_EXPECT_EQ(test, READ_ONCE(*to), i);
	}
	KUNIT_EXPECT_EQ(test, perf_event_read_value(event, &enabled, &running), ROUNDS);
	perf_event_release_kernel(event);
}

static void check_watches(struct kunit *test)
{
	static unsigned long watched;

	check_watched(test, (unsigned long)&watched, HW_BREAKPOINT_W, HW_BREAKPOINT_LEN_8,
		      &watched);
	check_watched(test, (unsigned long)hard_store_at, HW_BREAKPOINT_X,
		      HW_BREAKPOINT_LEN_4, &watched);
}

static void test_watched(struct kunit *test)
{
	KUNIT_ASSERT_EQ(test, set_cpus_allowed_ptr(current, cpumask_of(0)), 0);
	check_watches(test);
	probe(test, hard_store_at, count_pre, false);
	check_watches(test);
	unregister_kprobe(&kp);
	KUNIT_EXPECT_EQ(test, hits, 2 * ROUNDS);
	probe(test, hard_store_at, count_pre, true);
	check_watches(test);
	unregister_kprobe(&kp);
	KUNIT_EXPECT_EQ(test, hits, 2 * ROUNDS);
	KUNIT_EXPECT_EQ(test, post_hits, 2 * ROUNDS);
	set_cpus_allowed_ptr(current, cpu_possible_mask);
}

static unsigned int ticks;

static enum hrtimer_restart count_tick(struct hrtimer *timer)
{
	ticks++;
	hrtimer_forward_now(timer, ns_to_ktime(100 * NSEC_PER_USEC));
	return HRTIMER_RESTART;
}

/* The number of interrupts that came while they were off */
static unsigned int ticks_while_off(void)
{
	unsigned long flags;
	unsigned int seen, i;
	bool off = true;

	local_irq_save(flags);
	seen = READ_ONCE(ticks);
	for (i = 0; i < 1000; i++) {
		hard_flags();
		off &= irqs_disabled();
	}
	seen = READ_ONCE(ticks) - seen;
	local_irq_restore(flags);
	return off ? seen : UINT_MAX;
}

/* Interrupts that are off, by whatever means, are off in a slot too */
static void test_masked(struct kunit *test)
{
	struct hrtimer timer;
	unsigned int i;

	/* It is this CPU's interrupts that are off */
	KUNIT_ASSERT_EQ(test, set_cpus_allowed_ptr(current, cpumask_of(0)), 0);
	ticks = 0;
	hrtimer_init(&timer, CLOCK_MONOTONIC, HRTIMER_MODE_REL_PINNED_HARD);
	timer.function = count_tick;
	probe(test, hard_flags_at, count_pre, false);
	hrtimer_start(&timer, 0, HRTIMER_MODE_REL_PINNED_HARD);
	for (i = 0; i < ROUNDS; i++)
		KUNIT_EXPECT_EQ(test, ticks_while_off(), 0);
	hrtimer_cancel(&timer);
	unregister_kprobe(&kp);
	set_cpus_allowed_ptr(current, cpu_possible_mask);
	KUNIT_EXPECT_GT(test, ticks, 0);
	KUNIT_EXPECT_EQ(test, hits, ROUNDS * 1000);
}

/* What exceptions, too, may call: refused, or no harm */
static void test_copies(struct kunit *test)
{
	static const char *const names[] = { "memcpy", "memmove", "memset", "__pi_memcpy" };
	char from[100], to[100];
	int i, round;

	for (i = 0; i < ARRAY_SIZE(names); i++) {
		kp = (struct kprobe) { .symbol_name = names[i], .pre_handler = count_pre };
		if (register_kprobe(&kp))
			continue;
		for (round = 0; round < 1000; round++) {
			OPAQUE(memset)(from, round, sizeof(from));
			OPAQUE(memcpy)(to, from, sizeof(to));
			KUNIT_EXPECT_EQ_MSG(test, memcmp(from, to, sizeof(to)), 0, "%s", names[i]);
		}
		unregister_kprobe(&kp);
	}
}

/*
 * A CPU takes a BRK, and until it gets to see who wants that there is none any
 * more. What is there instead has to be executed.
 */
static void test_removed_trap(struct kunit *test)
{
	unsigned long esr = (unsigned long)ESR_ELx_EC_BRK64 << ESR_ELx_EC_SHIFT | ESR_ELx_IL;
	unsigned long entry = read_sysreg(vbar_el1) + VECTOR_EL1H;

	KUNIT_EXPECT_EQ(test, hard_ghost(entry, esr | KPROBES_BRK_IMM), 1);
	KUNIT_EXPECT_EQ(test, hard_ghost(entry, esr | KPROBES_BRK_SS_IMM), 1);
}

static struct kunit_case hard_cases[] = {
	KUNIT_CASE_SLOW(test_branch),
	KUNIT_CASE(test_exclusive),
	KUNIT_CASE(test_changed_flags),
	KUNIT_CASE(test_user_access),
	KUNIT_CASE(test_tags),
	KUNIT_CASE(test_watched),
	KUNIT_CASE(test_masked),
	KUNIT_CASE(test_copies),
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
