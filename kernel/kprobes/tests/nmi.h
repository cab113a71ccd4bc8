/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef _KERNEL_KPROBES_TESTS_NMI_H
#define _KERNEL_KPROBES_TESTS_NMI_H
/*
 * NMIs on request: x86/nmi.c and arm64/nmi.c. Some machines have none.
 */
#include <linux/types.h>

struct pt_regs;

/* Called in each NMI; returns true if the NMI was a requested one. */
typedef bool nmi_job_t(struct pt_regs *regs);

int nmi_init(nmi_job_t *job);
void nmi_exit_all(void);
bool nmi_possible(void);
void nmi_send(void);
int nmi_storm_begin(int cpu, unsigned int us);
void nmi_storm_end(void);

#endif /* _KERNEL_KPROBES_TESTS_NMI_H */
