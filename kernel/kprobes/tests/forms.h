/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef _KERNEL_KPROBES_TESTS_FORMS_H
#define _KERNEL_KPROBES_TESTS_FORMS_H
/*
 * Instructions, and a way to run one with everything it can see under control:
 * forms.S and form_state.c of each architecture.
 */
#include <linux/types.h>

#ifdef CONFIG_ARM64
#include "arm64/form_state.h"
#else
#include "x86/form_state.h"
#endif

struct rnd_state;

/**
 * struct form - an instruction
 * @addr: where it is
 * @text: in words
 * @mode: what it is to find, as form_start() knows it
 * @class: c copied, e emulated
 */
struct form {
	const u8	*addr;
	const char	*text;
	char		mode;
	char		class;
};

extern const struct form forms_start[], forms_end[];

/* The state of the form that runs: no other context or CPU may use it meanwhile */
extern struct form_state form_state;

/* Where forms that branch go to */
extern const u8 form_far[];

const char *form_missing(void);
void form_start(struct form_state *start, char mode, struct rnd_state *rnd);
void form_call(const struct form *form);
void form_forget_below(struct form_state *end);

#endif /* _KERNEL_KPROBES_TESTS_FORMS_H */
