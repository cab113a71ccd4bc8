// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Code that comes and goes: modules, and init text.
 *
 * The core's module notifier runs before all others, so clients may register and
 * unregister in a notifier of any priority. It learns a new module's blacklist, and
 * it drops the points in text that is about to be freed. Everything else is read
 * from the module when an address is checked: its state, jump labels and static
 * calls.
 */
#include <linux/init.h>
#include <linux/kprobe-symbol.h>
#include <linux/kprobes.h>
#include <linux/limits.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/notifier.h>
#include <linux/preempt.h>
#include <linux/xarray.h>
#include <asm/sections.h>
#include "blacklist.h"
#include "core.h"
#include "gone.h"
#include "module.h"
#include "targets.h"

#ifdef CONFIG_MODULES
/*
 * The modules whose blacklist is known, from MODULE_STATE_COMING to
 * MODULE_STATE_GOING. A module that fails to load is told to go without being in
 * that state, so mod->state does not replace this. The xarray has its own lock.
 */
static DEFINE_XARRAY(modules_known);

/**
 * kprobe_module_is_known() - has a module come, and not gone yet?
 * @mod: the module
 *
 * A module that fails to load goes without a state that says so.
 *
 * Context: any; what keeps @mod from being freed is the caller's.
 * Return: true from MODULE_STATE_COMING to MODULE_STATE_GOING.
 */
bool kprobe_module_is_known(const struct module *mod)
{
	return xa_load(&modules_known, (unsigned long)mod);
}

static bool module_leaves(const struct module *mod)
{
	return READ_ONCE(mod->state) == MODULE_STATE_GOING;
}

static int module_text_check(struct module *mod, unsigned long addr)
{
	if (!mod)
		return -EINVAL;
	if (!kprobe_module_is_known(mod) || module_leaves(mod))
		return -ENOENT;
	if (within_module_init(addr, mod) && mod->state != MODULE_STATE_COMING)
		return -ENOENT;
	return 0;
}

/**
 * kprobe_module_check() - check that an address is in module text that stays
 * @addr: the address
 *
 * The text stays while kprobe_mutex is held: the notifier takes the mutex before
 * the text is freed.
 *
 * Context: process context, kprobe_mutex held.
 * Return: 0; -EINVAL if @addr is not in module text; -ENOENT if the module is
 * coming or going, or if @addr is in init text that is about to be freed.
 */
int kprobe_module_check(unsigned long addr)
{
	lockdep_assert_held(&kprobe_mutex);
	guard(preempt)();
	return module_text_check(__module_text_address(addr), addr);
}

/**
 * kprobe_module_leaving() - test whether the module at an address is being removed
 * @addr: an address in kernel or module text
 *
 * jump_label_text_reserved() and static_call_text_reserved() deny what they know
 * of a module that goes. Call this after them, as a module does not come back.
 *
 * Context: process context, kprobe_mutex held.
 * Return: true if the module has begun to go; false for kernel text.
 */
bool kprobe_module_leaving(unsigned long addr)
{
	struct module *mod;

	lockdep_assert_held(&kprobe_mutex);
	guard(preempt)();
	mod = __module_text_address(addr);
	return mod && module_leaves(mod);
}

/**
 * kprobe_module_is_livepatch() - test whether an address is in a livepatch module
 * @addr: an address in kernel or module text
 *
 * The text of a livepatch is relocated again whenever a module that it patches
 * comes or goes.
 *
 * Context: process context, kprobe_mutex held.
 * Return: true if so.
 */
bool kprobe_module_is_livepatch(unsigned long addr)
{
	struct module *mod;

	lockdep_assert_held(&kprobe_mutex);
	guard(preempt)();
	mod = __module_text_address(addr);
	return mod && is_livepatch_module(mod);
}

static void module_drop_text(const struct module_memory *mem)
{
	unsigned long start = (unsigned long)mem->base;

	if (!mem->size)
		return;
	kprobe_points_drop(start, start + mem->size);
	kprobe_blacklist_remove(start, start + mem->size);
	kprobe_targets_drop(start, start + mem->size);
}

static void module_live(struct module *mod)
{
	module_drop_text(&mod->mem[MOD_INIT_TEXT]);
}

static void module_going(struct module *mod)
{
	xa_erase(&modules_known, (unsigned long)mod);
	for_class_mod_mem_type(type, text)
		module_drop_text(&mod->mem[type]);
}

/*
 * Without memory a module does not come, as for jump labels. If it did, the core would take it for
 * one that is not loaded, and probes would wait for a module that is there.
 */
static int module_coming(struct module *mod)
{
	int ret = kprobe_blacklist_add_module(mod);

	ret = ret ?: xa_err(xa_store(&modules_known, (unsigned long)mod, mod, GFP_KERNEL));
	if (ret)
		module_going(mod);
	return ret;
}

static int module_notified(struct notifier_block *nb, unsigned long state, void *mod)
{
	int ret = 0;

	if (state == MODULE_STATE_COMING)
		ret = module_coming(mod);
	else if (state == MODULE_STATE_LIVE)
		module_live(mod);
	else if (state == MODULE_STATE_GOING)
		module_going(mod);
	kprobe_symbol_forget();
	return notifier_from_errno(ret);
}

/* Of the notifiers of one priority, the first to be registered runs first */
static struct notifier_block module_notifier = {
	.notifier_call	= module_notified,
	.priority	= INT_MAX,
};

static int __init kprobe_module_init(void)
{
	return register_module_notifier(&module_notifier);
}
early_initcall(kprobe_module_init);
#endif /* CONFIG_MODULES */

/* [M] Init text is about to be freed */
static bool init_text_leaving;

/**
 * kprobe_init_check() - check that an address of the kernel's own text stays
 * @addr: the address
 *
 * Context: process context, kprobe_mutex held.
 * Return: 0; -ENOENT if @addr is in init text and that is about to be freed.
 */
int kprobe_init_check(unsigned long addr)
{
	lockdep_assert_held(&kprobe_mutex);
	return init_text_leaving && is_kernel_inittext(addr) ? -ENOENT : 0;
}

/**
 * kprobe_free_init_mem() - drop the probes in the kernel's init text
 *
 * Context: process context, once, before that text is freed.
 */
void kprobe_free_init_mem(void)
{
	scoped_guard(mutex, &kprobe_mutex)
		init_text_leaving = true;
	kprobe_symbol_forget();
	kprobe_points_drop((unsigned long)__init_begin, (unsigned long)__init_end);
}
