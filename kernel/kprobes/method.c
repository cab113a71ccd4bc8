// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The list of methods: base methods, in the order in which they are tried, then
 * upgrades. KUnit may add one.
 *
 * kprobe_method_for() decides how a point gets control: by ftrace's call if its address
 * is an ftrace site and the architecture has that method, else by a trap.
 */
#include <kunit/visibility.h>
#include <linux/array_size.h>
#include <linux/errno.h>
#include <linux/export.h>
#include "core.h"
#include "method.h"

/* [M] the last entry is for KUnit; NULL if there is none */
static const struct kprobe_method *kprobe_methods[] = {
#ifdef CONFIG_KPROBES_ON_FTRACE
	&kprobe_ftrace_method,
#endif
	&kprobe_trap_method,
	&kprobe_jump_method,
	NULL
};

#define METHODS		((int)ARRAY_SIZE(kprobe_methods))

/**
 * kprobe_method_for() - the base method that can serve an address
 * @addr: the address, which kprobe_place_check() has found good
 *
 * The trap is the last method and fits every address.
 *
 * Context: under the core mutex.
 * Return: the method.
 */
const struct kprobe_method *kprobe_method_for(unsigned long addr)
{
	int i = 0;

	lockdep_assert_held(&kprobe_mutex);
	while (!kprobe_methods[i]->fits(addr))
		i++;
	return kprobe_methods[i];
}

static int method_index(const struct kprobe_method *method)
{
	int i = 0;

	while (kprobe_methods[i] != method)
		i++;
	return i;
}

/**
 * kprobe_method_next() - walk the methods, a base before its upgrades
 * @method: NULL to begin with, then the last result
 *
 * Context: under the core mutex.
 * Return: the next method, NULL after the last.
 */
const struct kprobe_method *kprobe_method_next(const struct kprobe_method *method)
{
	int i = method ? method_index(method) + 1 : 0;

	lockdep_assert_held(&kprobe_mutex);
	return i < METHODS ? kprobe_methods[i] : NULL;
}

/**
 * kprobe_method_prev() - walk the methods, upgrades before their base
 * @method: NULL to begin with, then the last result
 *
 * Context: under the core mutex.
 * Return: the next method in this order, NULL after the last.
 */
const struct kprobe_method *kprobe_method_prev(const struct kprobe_method *method)
{
	int i = method ? method_index(method) : METHODS;

	lockdep_assert_held(&kprobe_mutex);
	while (i--) {
		if (kprobe_methods[i])
			return kprobe_methods[i];
	}
	return NULL;
}

#if IS_ENABLED(CONFIG_KUNIT)
/**
 * kprobe_method_add() - add an upgrade, for KUnit
 * @method: the method
 *
 * Context: process context.
 * Return: 0, or -EBUSY if there is one already.
 */
int kprobe_method_add(const struct kprobe_method *method)
{
	guard(mutex)(&kprobe_mutex);
	if (kprobe_methods[METHODS - 1])
		return -EBUSY;
	kprobe_methods[METHODS - 1] = method;
	return 0;
}
EXPORT_SYMBOL_IF_KUNIT(kprobe_method_add);

/**
 * kprobe_method_remove() - undo kprobe_method_add()
 *
 * No point may have, or have had, the method; see kprobe_point::upgrade.
 *
 * Context: process context.
 */
void kprobe_method_remove(void)
{
	guard(mutex)(&kprobe_mutex);
	kprobe_methods[METHODS - 1] = NULL;
}
EXPORT_SYMBOL_IF_KUNIT(kprobe_method_remove);
#endif
