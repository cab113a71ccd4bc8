/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef _KERNEL_KPROBES_TESTS_FORMS_H
#define _KERNEL_KPROBES_TESTS_FORMS_H
/*
 * Forms of instructions, and functions that run one in a controlled state: forms.S
 * and form_state.c of each architecture.
 */
#include <linux/types.h>

#ifdef CONFIG_ARM64
#include "arm64/form_state.h"
#else
#include "x86/form_state.h"
#endif

struct rnd_state;

/**
 * struct form - a form of an instruction
 * @addr: its address
 * @text: its source text
 * @mode: the state it starts from; see form_start()
 * @class: c for copied, e for emulated
 */
struct form {
	const u8	*addr;
	const char	*text;
	char		mode;
	char		class;
};

extern const struct form forms_start[], forms_end[];

/* The state of the running form: no other context or CPU may use it meanwhile. */
extern struct form_state form_state;

/* The target of forms that branch */
extern const u8 form_far[];

const char *form_missing(void);
void form_start(struct form_state *start, char mode, struct rnd_state *rnd);
void form_call(const struct form *form);
void form_forget_below(struct form_state *end);

#endif /* _KERNEL_KPROBES_TESTS_FORMS_H */
