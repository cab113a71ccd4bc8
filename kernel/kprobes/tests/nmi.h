/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef _KERNEL_KPROBES_TESTS_NMI_H
#define _KERNEL_KPROBES_TESTS_NMI_H
/*
 * An NMI to order, where the machine has one that may be had: the pseudo-NMIs of
 * arm64 all belong to somebody.
 */
#include <linux/types.h>

/* Asked in each NMI: true if it was the one that was ordered */
static bool nmi_job(void);

#ifdef CONFIG_X86_64
#include <linux/cpumask.h>
#include <asm/apic.h>
#include <asm/nmi.h>

#define NMI_POSSIBLE	true

static int nmi_handler(unsigned int type, struct pt_regs *regs)
{
	return nmi_job() ? NMI_HANDLED : NMI_DONE;
}

static int nmi_init(void)
{
	return register_nmi_handler(NMI_LOCAL, nmi_handler, 0, KBUILD_MODNAME);
}

static void nmi_exit_all(void)
{
	unregister_nmi_handler(NMI_LOCAL, KBUILD_MODNAME);
}

static void nmi_send(int cpu)
{
	__apic_send_IPI_mask(cpumask_of(cpu), NMI_VECTOR);
}
#else
#define NMI_POSSIBLE	false

static int nmi_init(void)
{
	return 0;
}

static void nmi_exit_all(void)
{
}

static void nmi_send(int cpu)
{
	nmi_job();
}
#endif

#endif /* _KERNEL_KPROBES_TESTS_NMI_H */
