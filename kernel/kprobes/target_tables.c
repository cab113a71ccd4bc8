// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Destinations that stand in tables: the fixups of exceptions, and jump labels. targets.c
 * puts them into its index, besides those of branches.
 */
#include <linux/extable.h>
#include <linux/jump_label.h>
#include <linux/module.h>
#include <asm/barrier.h>
#include "targets.h"

static void tables_mark_fixups(const struct exception_table_entry *extable, unsigned int num,
			       void (*mark)(void *data, unsigned long addr), void *data)
{
	unsigned int i;

	for (i = 0; i < num; i++)
		mark(data, (unsigned long)&extable[i].fixup + extable[i].fixup);
}

#ifdef CONFIG_JUMP_LABEL
static void tables_mark_labels(const struct jump_entry *jumps, unsigned int num,
			       void (*mark)(void *data, unsigned long addr), void *data)
{
	unsigned int i;

	for (i = 0; i < num; i++)
		mark(data, jump_entry_target(&jumps[i]));
}

static void tables_mark_image_labels(void (*mark)(void *data, unsigned long addr), void *data)
{
	tables_mark_labels(__start___jump_table, __stop___jump_table - __start___jump_table, mark,
			   data);
}
#else
static void tables_mark_image_labels(void (*mark)(void *data, unsigned long addr), void *data)
{
}
#endif

/**
 * kprobe_targets_of_image() - tell the destinations that stand in tables of the kernel's image
 * @mark: told each of them, and others
 * @data: for @mark
 *
 * Context: any.
 */
void kprobe_targets_of_image(void (*mark)(void *data, unsigned long addr), void *data)
{
	tables_mark_fixups(__start___ex_table, __stop___ex_table - __start___ex_table, mark, data);
	tables_mark_image_labels(mark, data);
}

#ifdef CONFIG_MODULES
/**
 * kprobe_targets_are_final() - will the tables of a module stay as they are?
 * @mod: the module, which cannot go meanwhile
 *
 * When a module has been initialised, the fixups of its init text are taken out of its table,
 * and then init text is freed. Both happen with a lock that only the code of modules has.
 *
 * Context: process context.
 * Return: false while fixups of init text may be in the table, or leave it.
 */
bool kprobe_targets_are_final(const struct module *mod)
{
	/* The table is read after this */
	return !smp_load_acquire(&mod->mem[MOD_INIT_TEXT].size) || !READ_ONCE(mod->num_exentries);
}

#ifdef CONFIG_JUMP_LABEL
/* The lock is for the labels of a module that is coming, which are being sorted */
static void tables_mark_module_labels(const struct module *mod,
				      void (*mark)(void *data, unsigned long addr), void *data)
{
	jump_label_lock();
	tables_mark_labels(mod->jump_entries, mod->num_jump_entries, mark, data);
	jump_label_unlock();
}
#else
static void tables_mark_module_labels(const struct module *mod,
				      void (*mark)(void *data, unsigned long addr), void *data)
{
}
#endif

/**
 * kprobe_targets_of_module() - tell the destinations that stand in tables of a module
 * @mod: the module, which cannot go meanwhile, and whose tables are final
 * @mark: told each of them, and others
 * @data: for @mark
 *
 * Context: process context.
 */
void kprobe_targets_of_module(const struct module *mod,
			      void (*mark)(void *data, unsigned long addr), void *data)
{
	tables_mark_fixups(mod->extable, mod->num_exentries, mark, data);
	tables_mark_module_labels(mod, mark, data);
}
#endif
