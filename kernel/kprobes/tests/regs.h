/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef _KERNEL_KPROBES_TESTS_REGS_H
#define _KERNEL_KPROBES_TESTS_REGS_H
/*
 * A call of regs_test_target() with a distinct value in each register: regs_call.c of
 * each architecture.
 */
#include <linux/types.h>

struct kunit;
struct pt_regs;

/**
 * struct regs_call - the last call
 * @sp: the stack pointer before it
 * @fp: the frame pointer, if that is a separate register
 * @ip: the address after it
 * @result: its return value
 * @flag: whether the flag that was set before the call is set after it
 */
struct regs_call {
	unsigned long	sp;
	unsigned long	fp;
	unsigned long	ip;
	unsigned long	result;
	unsigned long	flag;
};

extern struct regs_call regs_call;

void regs_make_call(void);
void regs_check_entry(struct kunit *test, const struct pt_regs *regs, void *addr);
void regs_check_return(struct kunit *test, const struct pt_regs *regs);
void regs_check_pair(struct kunit *test, const struct pt_regs *at_entry,
		     const struct pt_regs *at_return);

/* regs_test.c */
unsigned long regs_test_target(void);

#define REGS_TEST_RESULT	42

#endif /* _KERNEL_KPROBES_TESTS_REGS_H */
