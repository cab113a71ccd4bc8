// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A call with a distinct value in each register, on arm64.
 */
#include <kunit/test.h>
#include <linux/stddef.h>
#include <linux/stringify.h>
#include <asm/ptrace.h>
#include <asm/sysreg.h>
#include "../regs.h"

/* Register number N is loaded with N * PATTERN. */
#define PATTERN		0x0101

struct regs_call regs_call;

/* The bit of a mode that tells EL1h from EL1t */
#define MODE_SP_ELX	1

#define LOAD(n)		"mov x" #n ", #" #n "*" __stringify(PATTERN) "\n"

#define STORE(member)	"str x0, [%[call], %[" #member "]]\n"

/**
 * regs_make_call() - call regs_test_target()
 *
 * x18 is reserved for the shadow call stack, x29 is the frame pointer, and x28 holds
 * the address of regs_call.
 */
void regs_make_call(void)
{
	register struct regs_call *call asm("x28") = &regs_call;

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
		     "cset x0, eq\n"
		     STORE(flag)
		     :
		     : [call] "r" (call),
		       [sp] "i" (offsetof(struct regs_call, sp)),
		       [fp] "i" (offsetof(struct regs_call, fp)),
		       [ip] "i" (offsetof(struct regs_call, ip)),
		       [result] "i" (offsetof(struct regs_call, result)),
		       [flag] "i" (offsetof(struct regs_call, flag))
		     : "memory", "cc", "x0", "x1", "x2", "x3", "x4", "x5", "x6", "x7", "x8",
		       "x9", "x10", "x11", "x12", "x13", "x14", "x15", "x16", "x17", "x19",
		       "x20", "x21", "x22", "x23", "x24", "x25", "x26", "x27", "x30");
}

/* A linker's veneer or the ftrace site of the callee may change the others. */
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
	KUNIT_EXPECT_EQ(test, regs->regs[29], regs_call.fp);
	KUNIT_EXPECT_EQ(test, regs->sp, regs_call.sp);
}

static void check_pstate(struct kunit *test, const struct pt_regs *regs)
{
	/* The kernel runs at EL1 or, with VHE, at EL2, on the stack pointer of that level */
	KUNIT_EXPECT_EQ(test, regs->pstate & PSR_MODE_MASK, read_sysreg(CurrentEL) | MODE_SP_ELX);
	KUNIT_EXPECT_TRUE(test, interrupts_enabled(regs));
	KUNIT_EXPECT_EQ(test, regs->pstate & PSR_Z_BIT, PSR_Z_BIT);
	KUNIT_EXPECT_EQ(test, regs->pstate & PSR_N_BIT, 0);
}

/**
 * regs_check_entry() - check the registers at the entry of the call
 * @test: the running test
 * @regs: the registers that a handler saw
 * @addr: address of the probe
 */
void regs_check_entry(struct kunit *test, const struct pt_regs *regs, void *addr)
{
	check_general(test, regs);
	check_pstate(test, regs);
	KUNIT_EXPECT_EQ(test, regs->regs[0], 0);
	KUNIT_EXPECT_EQ(test, regs->regs[30], regs_call.ip);
	KUNIT_EXPECT_EQ(test, regs->pc, (unsigned long)addr);
}

/**
 * regs_check_return() - check the registers at the return of the call
 * @test: the running test
 * @regs: the registers that a handler saw
 */
void regs_check_return(struct kunit *test, const struct pt_regs *regs)
{
	check_general(test, regs);
	check_pstate(test, regs);
	KUNIT_EXPECT_EQ(test, regs->regs[0], REGS_TEST_RESULT);
	KUNIT_EXPECT_EQ(test, regs->pc, regs_call.ip);
}

/**
 * regs_check_pair() - check that two sets of registers belong to the same call
 * @test: the running test
 * @at_entry: the registers that the entry handler saw
 * @at_return: the registers that the return handler saw
 *
 * PSTATE saved by an exception equals PSTATE saved by the trampoline.
 */
void regs_check_pair(struct kunit *test, const struct pt_regs *at_entry,
		     const struct pt_regs *at_return)
{
	KUNIT_EXPECT_EQ(test, at_entry->pstate, at_return->pstate);
}
