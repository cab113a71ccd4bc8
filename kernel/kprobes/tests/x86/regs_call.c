// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A call with a distinct value in each register, on x86.
 */
#include <kunit/test.h>
#include <linux/cpufeature.h>
#include <linux/stringify.h>
#include <asm/asm.h>
#include <asm/processor-flags.h>
#include <asm/ptrace.h>
#include <asm/segment.h>
#include "../regs.h"

/* Register number N is loaded with N * PATTERN. */
#define PATTERN		0x01010101

#define ARITHMETIC	(X86_EFLAGS_CF | X86_EFLAGS_PF | X86_EFLAGS_AF | X86_EFLAGS_ZF | \
			 X86_EFLAGS_SF | X86_EFLAGS_OF)

struct regs_call regs_call;

#define LOAD(reg, number)	\
	"movl $" __stringify(number) "*" __stringify(PATTERN) ", %%" #reg "\n"

/**
 * regs_make_call() - call regs_test_target()
 */
void regs_make_call(void)
{
	regs_call.flag = 0;
	asm volatile(LOAD(eax, 1) LOAD(ebx, 2) LOAD(ecx, 3) LOAD(edx, 4)
		     LOAD(esi, 5) LOAD(edi, 6) LOAD(r8d, 8) LOAD(r9d, 9)
		     LOAD(r10d, 10) LOAD(r11d, 11) LOAD(r12d, 12)
		     LOAD(r13d, 13) LOAD(r14d, 14) LOAD(r15d, 15)
		     "movq %%rsp, %[sp]\n"
		     "stc\n"
		     "call regs_test_target\n"
		     "1: movq %%rax, %[result]\n"
		     "setc %[flag]\n"
		     "leaq 1b(%%rip), %%rax\n"
		     "movq %%rax, %[ip]\n"
		     : ASM_CALL_CONSTRAINT, [sp] "=m" (regs_call.sp),
		       [result] "=m" (regs_call.result), [flag] "=m" (*(u8 *)&regs_call.flag),
		       [ip] "=m" (regs_call.ip)
		     :
		     : "memory", "cc", "rax", "rbx", "rcx", "rdx", "rsi", "rdi", "r8", "r9",
		       "r10", "r11", "r12", "r13", "r14", "r15");
}

static void check_general(struct kunit *test, const struct pt_regs *regs)
{
	KUNIT_EXPECT_EQ(test, regs->bx, 2 * PATTERN);
	KUNIT_EXPECT_EQ(test, regs->cx, 3 * PATTERN);
	KUNIT_EXPECT_EQ(test, regs->dx, 4 * PATTERN);
	KUNIT_EXPECT_EQ(test, regs->si, 5 * PATTERN);
	KUNIT_EXPECT_EQ(test, regs->di, 6 * PATTERN);
	KUNIT_EXPECT_EQ(test, regs->r8, 8 * PATTERN);
	KUNIT_EXPECT_EQ(test, regs->r9, 9 * PATTERN);
	KUNIT_EXPECT_EQ(test, regs->r10, 10 * PATTERN);
	KUNIT_EXPECT_EQ(test, regs->r12, 12 * PATTERN);
	KUNIT_EXPECT_EQ(test, regs->r13, 13 * PATTERN);
	KUNIT_EXPECT_EQ(test, regs->r14, 14 * PATTERN);
	KUNIT_EXPECT_EQ(test, regs->r15, 15 * PATTERN);
}

/* What a kernel that counts the depth of calls does before a call changes the carry */
static unsigned long flags_set(void)
{
	return X86_EFLAGS_FIXED | X86_EFLAGS_IF |
	       (cpu_feature_enabled(X86_FEATURE_CALL_DEPTH) ? 0 : X86_EFLAGS_CF);
}

static void check_special(struct kunit *test, const struct pt_regs *regs)
{
	KUNIT_EXPECT_EQ(test, regs->cs, __KERNEL_CS);
	KUNIT_EXPECT_EQ(test, regs->ss, __KERNEL_DS);
	KUNIT_EXPECT_EQ(test, regs->flags & flags_set(), flags_set());
	KUNIT_EXPECT_EQ(test, regs->flags & (X86_EFLAGS_DF | X86_EFLAGS_AC | X86_EFLAGS_TF), 0);
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
	check_special(test, regs);
	KUNIT_EXPECT_EQ(test, regs->ax, PATTERN);
	KUNIT_EXPECT_EQ(test, regs->r11, 11 * PATTERN);
	KUNIT_EXPECT_EQ(test, regs->ip, (unsigned long)addr + 1);
	KUNIT_EXPECT_EQ(test, regs->sp, regs_call.sp - 8);
}

/**
 * regs_check_return() - check the registers at the return of the call
 * @test: the running test
 * @regs: the registers that a handler saw
 */
void regs_check_return(struct kunit *test, const struct pt_regs *regs)
{
	check_general(test, regs);
	check_special(test, regs);
	KUNIT_EXPECT_EQ(test, regs->ax, REGS_TEST_RESULT);
	KUNIT_EXPECT_EQ(test, regs->ip, regs_call.ip);
	KUNIT_EXPECT_EQ(test, regs->sp, regs_call.sp);
	KUNIT_EXPECT_EQ(test, regs->orig_ax, -1UL);
}

/**
 * regs_check_pair() - check that two sets of registers belong to the same call
 * @test: the running test
 * @at_entry: the registers that the entry handler saw
 * @at_return: the registers that the return handler saw
 */
void regs_check_pair(struct kunit *test, const struct pt_regs *at_entry,
		     const struct pt_regs *at_return)
{
	KUNIT_EXPECT_EQ(test, at_entry->bp, at_return->bp);
	KUNIT_EXPECT_EQ(test, at_entry->flags & ~ARITHMETIC, at_return->flags & ~ARITHMETIC);
}
