/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef _KERNEL_KPROBES_TARGETS_H
#define _KERNEL_KPROBES_TARGETS_H
/*
 * The index of branch targets.
 */
#include <linux/kgdb.h>
#include <linux/kprobe-window.h>
#include <linux/types.h>

#ifdef CONFIG_ARCH_HAS_KPROBE_WINDOWS
struct exception_table_entry;
struct module;

/*
 * While a debugger is there nobody reads text to look for windows: when it stops the kernel it
 * cannot remove its breakpoints if text_mutex is locked, and the kernel does not go on.
 */
#ifdef CONFIG_KGDB
static inline bool kprobe_debugger_is_connected(void)
{
	return READ_ONCE(kgdb_connected);
}
#else
static inline bool kprobe_debugger_is_connected(void)
{
	return false;
}
#endif

/* The linker's */
extern struct exception_table_entry __start___ex_table[], __stop___ex_table[];

/* targets.c */
int kprobe_targets_index(unsigned long addr);
enum kprobe_window_refusal kprobe_targets_check(const struct kprobe_window *window,
						unsigned long symbol);
void kprobe_targets_drop(unsigned long start, unsigned long end);

/* target_tables.c */
void kprobe_targets_of_image(void (*mark)(void *data, unsigned long addr), void *data);
bool kprobe_targets_are_final(const struct module *mod);
void kprobe_targets_of_module(const struct module *mod,
			      void (*mark)(void *data, unsigned long addr), void *data);
#else
static inline int kprobe_targets_index(unsigned long addr)
{
	return 0;
}

static inline void kprobe_targets_drop(unsigned long start, unsigned long end)
{
}
#endif

#endif /* _KERNEL_KPROBES_TARGETS_H */
