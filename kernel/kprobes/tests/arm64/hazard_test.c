// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The hard cases: errors that probes on arm64 have had, or may have.
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
#include <asm/insn.h>
#include <asm/mmu.h>
#include <asm/ptrace.h>
#include <asm/sysreg.h>
#include "../ours.h"
#include "hazard_places.h"

#define NZCV		(PSR_N_BIT | PSR_Z_BIT | PSR_C_BIT | PSR_V_BIT)
#define NZCV_SHIFT	28
#define ROUNDS		10
#define VECTOR_EL1H	0x200	/* synchronous exceptions of the kernel */

static unsigned int hazard_hits, hazard_post_hits;

static int hazard_count_pre(struct kprobe *p, struct pt_regs *regs)
{
	hazard_hits++;
	return 0;
}

static void hazard_count_post(struct kprobe *p, struct pt_regs *regs, unsigned long flags)
{
	hazard_post_hits++;
}

static struct kprobe hazard_kp;

static void hazard_probe(struct kunit *test, const u8 *addr, kprobe_pre_handler_t pre, bool post)
{
	hazard_hits = 0;
	hazard_post_hits = 0;
	hazard_kp = (struct kprobe) {
		.addr = (void *)addr,
		.pre_handler = pre,
		.post_handler = post ? hazard_count_post : NULL,
	};
	KUNIT_ASSERT_EQ_MSG(test, register_kprobe(&hazard_kp), 0, "%pS", addr);
}

static void hazard_check_branch(struct kunit *test, int cond, bool post)
{
	unsigned long flags;
	int branches;

	hazard_probe(test, hazard_bc_cond + cond * HAZARD_BRANCH_SIZE, hazard_count_pre, post);
	for (flags = 0; flags < 16; flags++) {
		branches = hazard_branch(flags << NZCV_SHIFT,
					 hazard_b_cond + cond * HAZARD_BRANCH_SIZE);
		KUNIT_EXPECT_EQ_MSG(test, hazard_branch(flags << NZCV_SHIFT, (u8 *)hazard_kp.addr),
				    branches, "condition %d, flags %#lx", cond, flags);
	}
	unregister_kprobe(&hazard_kp);
	KUNIT_EXPECT_EQ(test, hazard_hits, 16);
	KUNIT_EXPECT_EQ(test, hazard_post_hits, post ? 16 : 0);
}

/* bc.cond branches like b.cond, and its copy never runs elsewhere. */
static void test_branch(struct kunit *test)
{
	int cond;

	for (cond = 0; cond < 16; cond++) {
		hazard_check_branch(test, cond, false);
		hazard_check_branch(test, cond, true);
	}
}

static void hazard_check_exclusive(struct kunit *test, const u8 *addr)
{
	int i, sum = 0;

	hazard_probe(test, addr, hazard_count_pre, false);
	for (i = 1; i <= ROUNDS; i++)
		KUNIT_EXPECT_EQ(test, hazard_add(&sum), i);
	unregister_kprobe(&hazard_kp);
	KUNIT_EXPECT_EQ(test, sum, ROUNDS);
	/* The sequence may be repeated. */
	KUNIT_EXPECT_GE(test, hazard_hits, ROUNDS);
}

/* A probe next to an exclusive sequence is allowed. */
static void test_beside_exclusive(struct kunit *test)
{
	hazard_check_exclusive(test, hazard_add_before);
	hazard_check_exclusive(test, hazard_add_behind);
}

static int set_flags(struct kprobe *p, struct pt_regs *regs)
{
	hazard_hits++;
	regs->pstate |= NZCV;
	return 0;
}

static void test_changed_flags(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, hazard_flags(), 0);
	hazard_probe(test, hazard_flags_at, set_flags, false);
	KUNIT_EXPECT_EQ(test, hazard_flags(), NZCV);
	unregister_kprobe(&hazard_kp);
	KUNIT_EXPECT_EQ(test, hazard_hits, 1);
}

/* User memory is open in the probed code, but closed in handlers. */
static unsigned int open_hits, open_handlers;

/* Without PAN it is closed by an empty table that has no ASID. */
static bool user_is_open(void)
{
	if (system_uses_ttbr0_pan())
		return read_sysreg(ttbr0_el1) & TTBR_ASID_MASK;
	return !read_sysreg_s(SYS_PSTATE_PAN);
}

static void look_at_access(struct pt_regs *regs)
{
	hazard_hits++;
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
	KUNIT_EXPECT_EQ(test, hazard_read_user((void __user *)user), 4242);
	KUNIT_EXPECT_EQ(test, hazard_hits, 1);
	KUNIT_EXPECT_EQ(test, open_hits, 1);
	KUNIT_EXPECT_EQ(test, open_handlers, 0);
	KUNIT_EXPECT_FALSE(test, user_is_open());
	hazard_hits = 0;
	open_hits = 0;
	open_handlers = 0;
}

static void test_user_access(struct kunit *test)
{
	static struct kretprobe rp = {
		.kp.addr = (void *)hazard_callee,
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
	hazard_probe(test, hazard_read_copied, access_pre, false);
	check_access(test, user);
	unregister_kprobe(&hazard_kp);
	hazard_probe(test, hazard_read_emulated, access_pre, false);
	check_access(test, user);
	unregister_kprobe(&hazard_kp);
	KUNIT_ASSERT_EQ(test, register_kretprobe(&rp), 0);
	check_access(test, user);
	unregister_kretprobe(&rp);
}

/* Tag checks are off in the probed code, but on in handlers. */
static unsigned int unchecked_hits, unchecked_handlers;

static int tags_return(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	hazard_hits++;
	unchecked_hits += !!(regs->pstate & PSR_TCO_BIT);
	unchecked_handlers += !!read_sysreg_s(HAZARD_TCO);
	return 0;
}

static void test_tags(struct kunit *test)
{
	static struct kretprobe rp = {
		.kp.addr = (void *)hazard_callee,
		.handler = tags_return,
	};

	if (!system_supports_mte())
		kunit_skip(test, "needs a processor with tags");
	hazard_hits = 0;
	unchecked_hits = 0;
	unchecked_handlers = 0;
	KUNIT_ASSERT_EQ(test, register_kretprobe(&rp), 0);
	KUNIT_EXPECT_EQ(test, hazard_tags_unchecked(), PSR_TCO_BIT);
	unregister_kretprobe(&rp);
	KUNIT_EXPECT_EQ(test, hazard_hits, 1);
	KUNIT_EXPECT_EQ(test, unchecked_hits, 1);
	KUNIT_EXPECT_EQ(test, unchecked_handlers, 0);
}

/* Of an aborted load, say: nothing that code sees before it has read them */
#define STATE_ELR	0x123456789abcdef0ul
#define STATE_SPSR	(PSR_N_BIT | PSR_C_BIT | PSR_I_BIT | PSR_MODE_EL1t)

static void check_state(struct kunit *test, bool saved)
{
	struct hazard_state state;

	hazard_state(&state, STATE_ELR, STATE_SPSR);
	KUNIT_EXPECT_EQ(test, state.after, state.before);
	KUNIT_EXPECT_EQ(test, state.copied, STATE_ELR);
	KUNIT_EXPECT_EQ(test, state.adr, (unsigned long)hazard_state);
	KUNIT_EXPECT_EQ(test, state.link, (unsigned long)hazard_state_bl + AARCH64_INSN_SIZE);
	KUNIT_EXPECT_EQ(test, state.literal, HAZARD_LITERAL);
	if (!saved)
		return;
	KUNIT_EXPECT_EQ(test, state.elr, STATE_ELR);
	KUNIT_EXPECT_EQ(test, state.spsr, STATE_SPSR);
}

/* A probe changes no PSTATE, and a jump not even what only exceptions change. */
static void test_state(struct kunit *test)
{
	static const u8 *const places[] = {
		hazard_state_copied, hazard_state_adr, hazard_state_bl,
		hazard_state_b, hazard_state_ldr, hazard_state_not_taken
	};
	bool jumps = true;
	int i;

	check_state(test, true);
	for (i = 0; i < ARRAY_SIZE(places); i++) {
		hazard_probe(test, places[i], hazard_count_pre, false);
		jumps &= kprobe_optimized(&hazard_kp);
		check_state(test, jumps);
		unregister_kprobe(&hazard_kp);
		hazard_probe(test, places[i], hazard_count_pre, true);
		check_state(test, false);
		unregister_kprobe(&hazard_kp);
		KUNIT_EXPECT_EQ(test, hazard_post_hits, 1);
	}
	if (!jumps && READ_ONCE(test->status) == KUNIT_SUCCESS)
		kunit_skip(test, "not all are jumps");
}

static struct perf_event *hazard_watch(struct kunit *test, unsigned long addr, u32 type, u64 len)
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

	/* A breakpoint on a kernel address cannot belong to a task. */
	event = perf_event_create_kernel_counter(&attr, raw_smp_processor_id(), NULL, NULL, NULL);
	KUNIT_ASSERT_FALSE_MSG(test, IS_ERR(event), "%pe", event);
	return event;
}

/* An interrupt before the step over the breakpoint would trigger it again. */
static void store_masked(unsigned long *to, unsigned long value)
{
	unsigned long flags;

	local_irq_save(flags);
	hazard_store(to, value);
	local_irq_restore(flags);
}

/* With a hardware watchpoint or breakpoint; the processor steps over its instruction. */
static void check_watched(struct kunit *test, unsigned long addr, u32 type, u64 len,
			  unsigned long *to)
{
	struct perf_event *event = hazard_watch(test, addr, type, len);
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
	check_watched(test, (unsigned long)hazard_store_at, HW_BREAKPOINT_X,
		      HW_BREAKPOINT_LEN_4, &watched);
}

static void test_watched(struct kunit *test)
{
	KUNIT_ASSERT_EQ(test, set_cpus_allowed_ptr(current, cpumask_of(0)), 0);
	check_watches(test);
	hazard_probe(test, hazard_store_at, hazard_count_pre, false);
	check_watches(test);
	unregister_kprobe(&hazard_kp);
	KUNIT_EXPECT_EQ(test, hazard_hits, 2 * ROUNDS);
	hazard_probe(test, hazard_store_at, hazard_count_pre, true);
	check_watches(test);
	unregister_kprobe(&hazard_kp);
	KUNIT_EXPECT_EQ(test, hazard_hits, 2 * ROUNDS);
	KUNIT_EXPECT_EQ(test, hazard_post_hits, 2 * ROUNDS);
	set_cpus_allowed_ptr(current, cpu_possible_mask);
}

static unsigned int hazard_ticks;

static enum hrtimer_restart count_tick(struct hrtimer *timer)
{
	hazard_ticks++;
	hrtimer_forward_now(timer, ns_to_ktime(100 * NSEC_PER_USEC));
	return HRTIMER_RESTART;
}

/* Returns the number of interrupts taken while they were off. */
static unsigned int ticks_while_off(void)
{
	unsigned long flags;
	unsigned int seen, i;
	bool off = true;

	local_irq_save(flags);
	seen = READ_ONCE(hazard_ticks);
	for (i = 0; i < 1000; i++) {
		hazard_flags();
		off &= irqs_disabled();
	}
	seen = READ_ONCE(hazard_ticks) - seen;
	local_irq_restore(flags);
	return off ? seen : UINT_MAX;
}

/* Interrupts that are off, in whatever way, are also off in a slot. */
static void test_masked(struct kunit *test)
{
	struct hrtimer timer;
	unsigned int i;

	/* The test disables the interrupts of this CPU only. */
	KUNIT_ASSERT_EQ(test, set_cpus_allowed_ptr(current, cpumask_of(0)), 0);
	hazard_ticks = 0;
	hrtimer_init(&timer, CLOCK_MONOTONIC, HRTIMER_MODE_REL_PINNED_HARD);
	timer.function = count_tick;
	hazard_probe(test, hazard_flags_at, hazard_count_pre, false);
	hrtimer_start(&timer, 0, HRTIMER_MODE_REL_PINNED_HARD);
	for (i = 0; i < ROUNDS; i++)
		KUNIT_EXPECT_EQ(test, ticks_while_off(), 0);
	hrtimer_cancel(&timer);
	unregister_kprobe(&hazard_kp);
	set_cpus_allowed_ptr(current, cpu_possible_mask);
	KUNIT_EXPECT_GT(test, hazard_ticks, 0);
	KUNIT_EXPECT_EQ(test, hazard_hits, ROUNDS * 1000);
}

/* Functions that exceptions may call too: refused, or harmless */
static void test_copies(struct kunit *test)
{
	static const char *const names[] = { "memcpy", "memmove", "memset", "__pi_memcpy" };
	char from[100], to[100];
	int i, round;

	for (i = 0; i < ARRAY_SIZE(names); i++) {
		hazard_kp = (struct kprobe) {
			.symbol_name = names[i],
			.pre_handler = hazard_count_pre,
		};
		if (register_kprobe(&hazard_kp))
			continue;
		for (round = 0; round < 1000; round++) {
			OPAQUE(memset)(from, round, sizeof(from));
			OPAQUE(memcpy)(to, from, sizeof(to));
			KUNIT_EXPECT_EQ_MSG(test, memcmp(from, to, sizeof(to)), 0, "%s", names[i]);
		}
		unregister_kprobe(&hazard_kp);
	}
}

/*
 * A CPU executes a BRK, and another CPU removes it before the trap is handled. The
 * instruction that is there by then must be executed.
 */
static void test_removed_trap(struct kunit *test)
{
	unsigned long esr = (unsigned long)ESR_ELx_EC_BRK64 << ESR_ELx_EC_SHIFT | ESR_ELx_IL;
	unsigned long entry = read_sysreg(vbar_el1) + VECTOR_EL1H;

	KUNIT_EXPECT_EQ(test, hazard_ghost(entry, esr | KPROBES_BRK_IMM), 1);
	KUNIT_EXPECT_EQ(test, hazard_ghost(entry, esr | KPROBES_BRK_SS_IMM), 1);
}

static struct kunit_case hazard_cases[] = {
	KUNIT_CASE_SLOW(test_branch),
	KUNIT_CASE(test_beside_exclusive),
	KUNIT_CASE(test_changed_flags),
	KUNIT_CASE(test_user_access),
	KUNIT_CASE(test_tags),
	KUNIT_CASE(test_state),
	KUNIT_CASE(test_watched),
	KUNIT_CASE(test_masked),
	KUNIT_CASE(test_copies),
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
