// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What handlers see in the registers, and what becomes of what they write there.
 *
 * An assembly caller loads each register with a value of its own, notes its
 * stack pointer and calls; the target touches nothing but its return value.
 */
#include <kunit/test.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/stringify.h>
#include <asm/asm.h>
#include <asm/processor-flags.h>
#include <asm/segment.h>
#include "../ours.h"

/* Register number N is loaded with N * PATTERN */
#define PATTERN		0x01010101

static struct pt_regs at_entry, at_return, at_kprobe;
static unsigned long retaddr_at_entry, retaddr_at_return;
static unsigned long caller_sp, caller_ip, result, override;
static u8 carry;

noinline unsigned long regs_test_target(void);
noinline unsigned long regs_test_target(void)
{
	return 42;
}

static noinline unsigned long other_target(void)
{
	return 4242;
}

#define LOAD(reg, number)	\
	"movl $" __stringify(number) "*" __stringify(PATTERN) ", %%" #reg "\n"

static noinline void asm_caller(void)
{
	asm volatile(LOAD(eax, 1) LOAD(ebx, 2) LOAD(ecx, 3) LOAD(edx, 4)
		     LOAD(esi, 5) LOAD(edi, 6) LOAD(r8d, 8) LOAD(r9d, 9)
		     LOAD(r10d, 10) LOAD(r11d, 11) LOAD(r12d, 12)
		     LOAD(r13d, 13) LOAD(r14d, 14) LOAD(r15d, 15)
		     "movq %%rsp, %[sp]\n"
		     "stc\n"
		     "call regs_test_target\n"
		     "1: movq %%rax, %[result]\n"
		     "setc %[carry]\n"
		     "leaq 1b(%%rip), %%rax\n"
		     "movq %%rax, %[ip]\n"
		     : ASM_CALL_CONSTRAINT, [sp] "=m" (caller_sp), [result] "=m" (result),
		       [carry] "=m" (carry), [ip] "=m" (caller_ip)
		     :
		     : "memory", "cc", "rax", "rbx", "rcx", "rdx", "rsi", "rdi", "r8", "r9",
		       "r10", "r11", "r12", "r13", "r14", "r15");
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

static void check_special(struct kunit *test, const struct pt_regs *regs)
{
	KUNIT_EXPECT_EQ(test, regs->cs, __KERNEL_CS);
	KUNIT_EXPECT_EQ(test, regs->ss, __KERNEL_DS);
	KUNIT_EXPECT_EQ(test, regs->flags & (X86_EFLAGS_FIXED | X86_EFLAGS_IF | X86_EFLAGS_CF),
			X86_EFLAGS_FIXED | X86_EFLAGS_IF | X86_EFLAGS_CF);
	KUNIT_EXPECT_EQ(test, regs->flags & (X86_EFLAGS_DF | X86_EFLAGS_AC | X86_EFLAGS_TF), 0);
}

static void check_entry(struct kunit *test, const struct pt_regs *regs, void *addr)
{
	check_general(test, regs);
	check_special(test, regs);
	KUNIT_EXPECT_EQ(test, regs->ax, PATTERN);
	KUNIT_EXPECT_EQ(test, regs->r11, 11 * PATTERN);
	KUNIT_EXPECT_EQ(test, regs->ip, (unsigned long)addr + 1);
	KUNIT_EXPECT_EQ(test, regs->sp, caller_sp - 8);
}

static void check_return(struct kunit *test, const struct pt_regs *regs)
{
	check_general(test, regs);
	check_special(test, regs);
	KUNIT_EXPECT_EQ(test, regs->ax, 42);
	KUNIT_EXPECT_EQ(test, regs->ip, caller_ip);
	KUNIT_EXPECT_EQ(test, regs->sp, caller_sp);
	KUNIT_EXPECT_EQ(test, regs->orig_ax, -1UL);
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
	KUNIT_EXPECT_EQ(test, result, 42);
	KUNIT_EXPECT_EQ(test, carry, 1);
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
	override = 77;
	OPAQUE(asm_caller)();
	override = 0;
	unregister_kretprobe(&rp);
	KUNIT_EXPECT_EQ(test, result, 77);
	KUNIT_EXPECT_EQ(test, carry, 1);
	check_entry(test, &at_entry, rp.kp.addr);
	check_return(test, &at_return);
	if (OURS)
		KUNIT_EXPECT_EQ(test, retaddr_at_entry, caller_ip);
	KUNIT_EXPECT_EQ(test, retaddr_at_return, caller_ip);
}

static int go_elsewhere(struct kprobe *p, struct pt_regs *regs)
{
	regs->ip = (unsigned long)other_target;
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
	KUNIT_EXPECT_EQ(test, result, 4242);
	/* The return probe is the older, and comes first; on stock the newer does */
	KUNIT_EXPECT_EQ(test, at_return.ax, OURS ? 4242 : 42);
	KUNIT_EXPECT_EQ(test, at_return.ip, caller_ip);
	unregister_kretprobe(&rp);
	result = 0;
	OPAQUE(asm_caller)();
	KUNIT_EXPECT_EQ(test, result, 4242);
	unregister_kprobe(&kp);
	OPAQUE(asm_caller)();
	KUNIT_EXPECT_EQ(test, result, 42);
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
