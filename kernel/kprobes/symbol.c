// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The symbol that an address is in. Each definition of a probe asks several times, and the
 * symbols of a module are in no order: the last answer is kept.
 */
#include <linux/kallsyms.h>
#include <linux/kernel.h>
#include <linux/kprobe-symbol.h>
#include <linux/module.h>
#include <linux/preempt.h>
#include <linux/spinlock.h>
#include <linux/string.h>
#include "module.h"

/* A caller that finds it locked asks kallsyms */
static DEFINE_RAW_SPINLOCK(symbol_lock);

/* Under the lock: the answer, and the number of times that symbols have changed */
static struct kprobe_symbol symbol_last;
static unsigned int symbol_changes;

#ifdef CONFIG_MODULES
/* Symbols are there for a while after it was announced that they go */
static bool symbol_stays_in_module(unsigned long addr)
{
	struct module *mod;

	guard(preempt)();
	mod = __module_text_address(addr);
	return mod && kprobe_module_is_known(mod) && mod->state != MODULE_STATE_GOING &&
	       (mod->state == MODULE_STATE_COMING || !within_module_init(addr, mod));
}
#else
static bool symbol_stays_in_module(unsigned long addr)
{
	return false;
}
#endif

/* Other symbols, as those of BPF programs, come and go without being announced */
static bool symbol_stays(unsigned long addr)
{
	return core_kernel_text(addr) || symbol_stays_in_module(addr);
}

static bool symbol_recall(unsigned long addr, struct kprobe_symbol *symbol,
			  unsigned int *changes)
{
	unsigned long flags;
	bool found;

	*changes = READ_ONCE(symbol_changes);
	if (in_nmi() || !raw_spin_trylock_irqsave(&symbol_lock, flags))
		return false;
	*changes = symbol_changes;
	*symbol = symbol_last;
	found = addr - symbol->start < symbol->size;
	raw_spin_unlock_irqrestore(&symbol_lock, flags);
	return found && symbol_stays(addr);
}

static void symbol_keep(const struct kprobe_symbol *symbol, unsigned int changes)
{
	unsigned long flags;

	if (in_nmi() || !raw_spin_trylock_irqsave(&symbol_lock, flags))
		return;
	if (changes == symbol_changes)
		symbol_last = *symbol;
	raw_spin_unlock_irqrestore(&symbol_lock, flags);
}

/**
 * kprobe_symbol_find() - find the symbol that an address is in
 * @addr: the address
 * @symbol: written
 *
 * Context: any.
 * Return: false if it is in none.
 */
bool kprobe_symbol_find(unsigned long addr, struct kprobe_symbol *symbol)
{
	char name[KSYM_NAME_LEN], *module;
	unsigned int changes;
	unsigned long offset;

	if (symbol_recall(addr, symbol, &changes))
		return true;
	if (!kallsyms_lookup(addr, &symbol->size, &offset, &module, name))
		return false;
	symbol->start = addr - offset;
	symbol->is_dotted = strchr(name, '.');
	if (symbol_stays(addr))
		symbol_keep(symbol, changes);
	return true;
}

/**
 * kprobe_symbol_forget() - note that symbols have come or gone
 *
 * Context: process context.
 */
void kprobe_symbol_forget(void)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&symbol_lock, flags);
	symbol_changes++;
	symbol_last = (struct kprobe_symbol){ };
	raw_spin_unlock_irqrestore(&symbol_lock, flags);
}
