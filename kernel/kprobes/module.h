/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef _KERNEL_KPROBES_MODULE_H
#define _KERNEL_KPROBES_MODULE_H
/*
 * Code that comes and goes: checks of its state.
 */
#include <linux/errno.h>
#include <linux/types.h>

struct module;

/* module.c */
int kprobe_init_check(unsigned long addr);
#ifdef CONFIG_MODULES
bool kprobe_module_is_known(const struct module *mod);
int kprobe_module_check(unsigned long addr);
bool kprobe_module_leaving(unsigned long addr);
bool kprobe_module_is_livepatch(unsigned long addr);
#else
static inline int kprobe_module_check(unsigned long addr)
{
	return -EINVAL;
}

static inline bool kprobe_module_leaving(unsigned long addr)
{
	return false;
}

static inline bool kprobe_module_is_livepatch(unsigned long addr)
{
	return false;
}
#endif

#endif /* _KERNEL_KPROBES_MODULE_H */
