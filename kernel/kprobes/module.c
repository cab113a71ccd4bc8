// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Code that comes and goes: modules, and init text.
 *
 * One notifier sees to everything that depends on a module. It is told of a new
 * module behind those of jump labels and static calls (see the priority), so what
 * is probed is text they will not change under us unasked; and of a module that
 * goes before ftrace forgets its sites. Until it has been told of a module nobody
 * can probe it. Who has to follow modules too, as the event layer does, does so in
 * a notifier of lower priority.
 */
#include <linux/init.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/notifier.h>
#include <linux/xarray.h>
#include <asm/sections.h>
#include "point.h"

#ifdef CONFIG_MODULES
/*
 * The modules of which everything is known that decides on their probes; has a
 * lock of its own.
 */
static DEFINE_XARRAY(modules_ready);

static int module_check(struct module *mod, unsigned long addr)
{
	if (!mod)
		return -EINVAL;
	if (!xa_load(&modules_ready, (unsigned long)mod))
		return -ENOENT;
	if (within_module_init(addr, mod) && mod->state != MODULE_STATE_COMING)
		return -ENOENT;
	return 0;
}

/**
 * kprobe_module_check() - is an address text of a module that may be probed
 * @addr: the address
 *
 * As long as the core mutex is held that text stays: before it is freed the
 * notifier takes the mutex, once it has been told of the module at all.
 *
 * Context: under the core mutex.
 * Return: 0; -EINVAL if it is not; -ENOENT if the module is on its way in or out,
 * or the address is in its init text and that is on its way out.
 */
int kprobe_module_check(unsigned long addr)
{
	lockdep_assert_held(&kprobe_mutex);
	guard(preempt)();
	return module_check(__module_text_address(addr), addr);
}

static void module_coming(struct module *mod)
{
	int ret = kprobe_blacklist_add_module(mod);

	ret = ret ?: xa_err(xa_store(&modules_ready, (unsigned long)mod, mod, GFP_KERNEL));
	if (ret)
		pr_warn("kprobes: %s cannot be probed (%d)\n", mod->name, ret);
}

static void text_goes(const struct module_memory *mem)
{
	unsigned long start = (unsigned long)mem->base;

	if (!mem->size)
		return;
	kprobe_points_drop(start, start + mem->size);
	kprobe_blacklist_remove(start, start + mem->size);
}

static void module_live(struct module *mod)
{
	text_goes(&mod->mem[MOD_INIT_TEXT]);
}

static void module_going(struct module *mod)
{
	xa_erase(&modules_ready, (unsigned long)mod);
	for_class_mod_mem_type(type, text)
		text_goes(&mod->mem[type]);
}

static int module_event(struct notifier_block *nb, unsigned long state, void *mod)
{
	if (state == MODULE_STATE_COMING)
		module_coming(mod);
	else if (state == MODULE_STATE_LIVE)
		module_live(mod);
	else if (state == MODULE_STATE_GOING)
		module_going(mod);
	return NOTIFY_DONE;
}

static struct notifier_block module_notifier = {
	.notifier_call	= module_event,
	.priority	= KPROBE_MODULE_PRIORITY,
};

static int __init kprobe_module_init(void)
{
	return register_module_notifier(&module_notifier);
}
early_initcall(kprobe_module_init);
#endif /* CONFIG_MODULES */

/* [core mutex] */
static bool init_text_goes;

/**
 * kprobe_init_check() - is an address of the kernel's own text there to stay
 * @addr: the address
 *
 * Context: under the core mutex.
 * Return: 0; -ENOENT if it is in init text, and that is on its way out.
 */
int kprobe_init_check(unsigned long addr)
{
	lockdep_assert_held(&kprobe_mutex);
	return init_text_goes && is_kernel_inittext(addr) ? -ENOENT : 0;
}

/**
 * kprobe_free_init_mem() - part with the probes in the kernel's init text
 *
 * Context: process context, once, while that text is still there.
 */
void kprobe_free_init_mem(void)
{
	scoped_guard(mutex, &kprobe_mutex)
		init_text_goes = true;
	kprobe_points_drop((unsigned long)__init_begin, (unsigned long)__init_end);
}
