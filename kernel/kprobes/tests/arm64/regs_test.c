// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What handlers see in the registers, and what becomes of what they write there.
 *
 * An assembly caller loads each register with a value of its own, notes its stack
 * pointer and calls; the target touches nothing but its return value.
 */
#include <kunit/test.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/stddef.h>
#include <linux/stringify.h>
#include <asm/ptrace.h>
#include "../ours.h"

/* Register number N is loaded with N * PATTERN */
#define PATTERN		0x0101

static struct pt_regs at_entry, at_return, at_kprobe;
static unsigned long retaddr_at_entry, retaddr_at_return, override;

/* What asm_caller() has noted: before the call where it is, behind it what came */
static struct {
	unsigned long sp;
	unsigned long fp;
	unsigned long ip;
	unsigned long result;
	unsigned long nzcv;
} caller;

noinline unsigned long regs_test_target(void);
noinline unsigned long regs_test_target(void)
{
	return 42;
}

static noinline unsigned long other_target(void)
{
	return 4242;
}

#define LOAD(n)		"mov x" #n ", #" #n "*" __stringify(PATTERN) "\n"

#define STORE(member)	"str x0, [%[at], %[" #member "]]\n"
#define OFFSET(member)	[member] "i" (offsetof(typeof(caller), member))

/* x18 belongs to the shadow call stack, x29 is the frame pointer */
static noinline void asm_caller(void)
{
	/* The one that is left */
	register void *at asm("x28") = &caller;

	asm volatile("mov x0, sp\n"
		     STORE(sp)
		     "mov x0, x29\n"
		     STORE(fp)
		     "adr x0, 1f\n"
		     STORE(ip)
		     LOAD(0) LOAD(1) LOAD(2) LOAD(3) LOAD(4) LOAD(5) LOAD(6) LOAD(7)
		     LOAD(8) LOAD(9) LOAD(10) LOAD(11) LOAD(12) LOAD(13) LOAD(14)
		     LOAD(15) LOAD(16) LOAD(17) LOAD(19) LOAD(20) LOAD(21) LOAD(22)
		     LOAD(23) LOAD(24) LOAD(25) LOAD(26) LOAD(27)
		     "cmp xzr, xzr\n"
		     "bl regs_test_target\n"
		     "1: " STORE(result)
		     "mrs x0, nzcv\n"
		     STORE(nzcv)
		     :
		     : [at] "r" (at), OFFSET(sp), OFFSET(fp), OFFSET(ip),
		       OFFSET(result), OFFSET(nzcv)
		     : "memory", "cc", "x0", "x1", "x2", "x3", "x4", "x5", "x6", "x7", "x8",
		       "x9", "x10", "x11", "x12", "x13", "x14", "x15", "x16", "x17", "x19",
		       "x20", "x21", "x22", "x23", "x24", "x25", "x26", "x27", "x30");
}

static int save_entry(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	at_entry = *regs;
	retaddr_at_entry = get_kretprobe_retaddr(ri);
	return 0;
}

static int save_return(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	at_return = *regs;
	retaddr_at_return = get_kretprobe_retaddr(ri);
	if (override)
		regs_set_return_value(regs, override);
	return 0;
}

static int save_kprobe(struct kprobe *p, struct pt_regs *regs)
{
	at_kprobe = *regs;
	return 0;
}

/* What a call that goes through a linker's veneer, or ftrace's site, may not keep */
static bool is_kept(int nr)
{
	return nr != 0 && nr != 9 && nr != 16 && nr != 17 && nr != 18;
}

static void check_general(struct kunit *test, const struct pt_regs *regs)
{
	int i;

	for (i = 0; i <= 27; i++) {
		if (is_kept(i))
			KUNIT_EXPECT_EQ_MSG(test, regs->regs[i], i * PATTERN, "x%d", i);
	}
	KUNIT_EXPECT_EQ(test, regs->regs[29], caller.fp);
	KUNIT_EXPECT_EQ(test, regs->sp, caller.sp);
}

static void check_pstate(struct kunit *test, const struct pt_regs *regs)
{
	KUNIT_EXPECT_EQ(test, regs->pstate & (PSR_MODE_MASK & ~PSR_MODE_EL2t),
			PSR_MODE_EL1h & ~PSR_MODE_EL2t);
	KUNIT_EXPECT_EQ(test, regs->pstate & PSR_I_BIT, 0);
	KUNIT_EXPECT_EQ(test, regs->pstate & PSR_Z_BIT, PSR_Z_BIT);
	KUNIT_EXPECT_EQ(test, regs->pstate & PSR_N_BIT, 0);
}

static void check_entry(struct kunit *test, const struct pt_regs *regs, void *addr)
{
	check_general(test, regs);
	check_pstate(test, regs);
	KUNIT_EXPECT_EQ(test, regs->regs[0], 0);
	KUNIT_EXPECT_EQ(test, regs->pc, (unsigned long)addr);
}

static void check_return(struct kunit *test, const struct pt_regs *regs)
{
	check_general(test, regs);
	check_pstate(test, regs);
	KUNIT_EXPECT_EQ(test, regs->regs[0], 42);
	KUNIT_EXPECT_EQ(test, regs->pc, caller.ip);
}

/* An exception's registers and those of the trampoline tell the same of PSTATE */
static void check_same_pstate(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, at_entry.pstate, at_return.pstate);
}

static void test_kprobe(struct kunit *test)
{
	static struct kprobe kp = {
		.symbol_name = "regs_test_target",
		.pre_handler = save_kprobe,
	};

	KUNIT_ASSERT_EQ(test, register_kprobe(&kp), 0);
	OPAQUE(asm_caller)();
	unregister_kprobe(&kp);
	check_entry(test, &at_kprobe, kp.addr);
	KUNIT_EXPECT_EQ(test, at_kprobe.regs[30], caller.ip);
	KUNIT_EXPECT_EQ(test, caller.result, 42);
	KUNIT_EXPECT_EQ(test, caller.nzcv & PSR_Z_BIT, PSR_Z_BIT);
}

static void test_kretprobe(struct kunit *test)
{
	static struct kretprobe rp = {
		.kp.symbol_name = "regs_test_target",
		.entry_handler = save_entry,
		.handler = save_return,
	};

	KUNIT_ASSERT_EQ(test, register_kretprobe(&rp), 0);
	OPAQUE(asm_caller)();
	KUNIT_EXPECT_EQ(test, caller.result, 42);
	check_return(test, &at_return);
	override = 77;
	OPAQUE(asm_caller)();
	override = 0;
	unregister_kretprobe(&rp);
	KUNIT_EXPECT_EQ(test, caller.result, 77);
	KUNIT_EXPECT_EQ(test, caller.nzcv & PSR_Z_BIT, PSR_Z_BIT);
	check_entry(test, &at_entry, rp.kp.addr);
	if (OURS) {
		check_same_pstate(test);
		KUNIT_EXPECT_EQ(test, retaddr_at_entry, caller.ip);
	}
	KUNIT_EXPECT_EQ(test, retaddr_at_return, caller.ip);
}

static int go_elsewhere(struct kprobe *p, struct pt_regs *regs)
{
	instruction_pointer_set(regs, (unsigned long)other_target);
	return 1;
}

/* The other function is run instead, and returns to the caller */
static void test_divert(struct kunit *test)
{
	static struct kprobe kp = {
		.symbol_name = "regs_test_target",
		.pre_handler = go_elsewhere,
	};
	static struct kretprobe rp = {
		.kp.symbol_name = "regs_test_target",
		.handler = save_return,
	};

	KUNIT_ASSERT_EQ(test, register_kretprobe(&rp), 0);
	KUNIT_ASSERT_EQ(test, register_kprobe(&kp), 0);
	OPAQUE(asm_caller)();
	KUNIT_EXPECT_EQ(test, caller.result, 4242);
	KUNIT_EXPECT_EQ(test, at_return.regs[0], 4242);
	KUNIT_EXPECT_EQ(test, at_return.pc, caller.ip);
	unregister_kretprobe(&rp);
	caller.result = 0;
	OPAQUE(asm_caller)();
	KUNIT_EXPECT_EQ(test, caller.result, 4242);
	unregister_kprobe(&kp);
	OPAQUE(asm_caller)();
	KUNIT_EXPECT_EQ(test, caller.result, 42);
}

static struct kunit_case regs_cases[] = {
	KUNIT_CASE(test_kprobe),
	KUNIT_CASE(test_kretprobe),
	KUNIT_CASE(test_divert),
	{}
};

static struct kunit_suite regs_suite = {
	.name = "kprobes_regs",
	.test_cases = regs_cases,
};

kunit_test_suite(regs_suite);

MODULE_DESCRIPTION("KUnit tests of the registers probe handlers see");
MODULE_LICENSE("GPL");
