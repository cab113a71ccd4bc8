/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef _KERNEL_KPROBES_TESTS_RUN_IN_H
#define _KERNEL_KPROBES_TESTS_RUN_IN_H
#include <linux/types.h>

/* The contexts, each of which can interrupt those before it */
enum run_context {
	IN_TASK,
	IN_SOFTIRQ,
	IN_IRQ,
	IN_NMI,
	RUN_CONTEXTS,
};

extern const char *const run_context_name[RUN_CONTEXTS];

int run_in_init(void);
void run_in_exit(void);
bool run_in_possible(enum run_context context);
bool run_in(enum run_context context, void (*func)(void *arg), void *arg);

#endif /* _KERNEL_KPROBES_TESTS_RUN_IN_H */
