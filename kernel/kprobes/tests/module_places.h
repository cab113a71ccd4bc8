/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef _KERNEL_KPROBES_TESTS_MODULE_PLACES_H
#define _KERNEL_KPROBES_TESTS_MODULE_PLACES_H
/*
 * A module with one jump label and a function in init text. The test registers
 * probes there while the module is loaded and unloaded.
 */

#define MODULE_PLACES	"kprobes_module_places"

/**
 * struct module_leaving - results of register_kprobe() in the module's exit function
 * @label: at its jump label
 * @plain: at an ordinary instruction
 */
struct module_leaving {
	int	label;
	int	plain;
};

/* module_test.c */
extern struct module_leaving kprobes_module_leaving;

#endif /* _KERNEL_KPROBES_TESTS_MODULE_PLACES_H */
