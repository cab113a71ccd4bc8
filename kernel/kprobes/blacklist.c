// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Where no probe may be: functions marked NOKPROBE_SYMBOL, and whole sections.
 *
 * A tree of address ranges, one a symbol, in which a search needs no lock. An
 * entry is not a thing, only the fact that there is one; ranges of which one lies
 * in the other (a symbol marked, in a section that is) simply join.
 *
 * If the list cannot be made nothing is probed: a probe at the wrong place takes
 * the machine down, none at all does not.
 */
#include <linux/array_size.h>
#include <linux/init.h>
#include <linux/kallsyms.h>
#include <linux/kernel.h>
#include <linux/kprobe-arch.h>
#include <linux/kprobes.h>
#include <linux/maple_tree.h>
#include <linux/minmax.h>
#include <linux/module.h>
#include <linux/string.h>
#include <linux/xarray.h>
#include <asm/sections.h>
#include "point.h"

/* Has a lock of its own for who changes it */
static struct maple_tree blacklist =
	MTREE_INIT(blacklist, MT_FLAGS_ALLOC_RANGE | MT_FLAGS_USE_RCU);

/* Written once, in an early initcall */
static bool ready;

#define MARK	xa_mk_value(1)

static int blacklist_add(unsigned long start, unsigned long end)
{
	return mtree_store_range(&blacklist, start, end - 1, MARK, GFP_KERNEL);
}

/**
 * kprobe_add_ksym_blacklist() - let no probe be in the function at an address
 * @entry: an address in the function
 *
 * Context: process context.
 * Return: the bytes from @entry to the end of the function, or -EINVAL if no
 * symbol is there, or -ENOMEM.
 */
int kprobe_add_ksym_blacklist(unsigned long entry)
{
	unsigned long size, offset;
	int ret;

	if (!kernel_text_address(entry) ||
	    !kallsyms_lookup_size_offset(entry, &size, &offset))
		return -EINVAL;
	ret = blacklist_add(entry - offset, entry - offset + size);
	return ret ?: size - offset;
}

/**
 * kprobe_add_area_blacklist() - let no probe be in the functions of a section
 * @start: the first address
 * @end: behind the last
 *
 * Functions are entered one by one, so that their names can be listed.
 *
 * Context: process context.
 * Return: 0 or a negative error.
 */
int kprobe_add_area_blacklist(unsigned long start, unsigned long end)
{
	unsigned long entry = start;
	int ret;

	while (entry < end) {
		ret = kprobe_add_ksym_blacklist(entry);
		if (ret < 0)
			return ret;
		/* Of a symbol without a size take a byte, or this would not end */
		entry += ret ?: 1;
	}
	return 0;
}

/**
 * kprobe_function_origin() - what a compiler has cut a function from
 * @addr: an address in the function, foo.cold for example
 *
 * Context: any.
 * Return: the address of foo; 0 if the function is whole.
 */
unsigned long kprobe_function_origin(unsigned long addr)
{
	char name[KSYM_NAME_LEN];
	char *suffix;

	if (lookup_symbol_name(addr, name))
		return 0;
	suffix = strchr(name, '.');
	if (!suffix)
		return 0;
	*suffix = '\0';
	return kallsyms_lookup_name(name);
}

/**
 * within_kprobe_blacklist() - must there be no probe at an address
 * @addr: the address
 *
 * Context: any.
 * Return: true if there must be none.
 */
bool within_kprobe_blacklist(unsigned long addr)
{
	unsigned long origin;

	if (mtree_load(&blacklist, addr))
		return true;
	origin = kprobe_function_origin(addr);
	return origin && mtree_load(&blacklist, origin);
}

/**
 * kprobe_blacklist_ready() - can anybody know what must not be probed
 *
 * Context: any.
 * Return: false until the list is made, for ever if that has failed.
 */
bool kprobe_blacklist_ready(void)
{
	return READ_ONCE(ready);
}

/**
 * kprobe_blacklist_next() - walk the ranges, in the order of their addresses
 * @start: 0 to begin with; the start of the range
 * @end: behind its end; the walk goes on from here
 *
 * Context: any.
 * Return: false behind the last.
 */
bool kprobe_blacklist_next(unsigned long *start, unsigned long *end)
{
	MA_STATE(mas, &blacklist, *end, *end);

	guard(rcu)();
	if (!mas_find(&mas, ULONG_MAX))
		return false;
	*start = mas.index;
	*end = mas.last + 1;
	return true;
}

/* What is marked but is in no text has been discarded: nobody will probe it either */
static int add_marked(const unsigned long *marked, unsigned int num)
{
	unsigned int i;
	int ret;

	for (i = 0; i < num; i++) {
		ret = kprobe_add_ksym_blacklist(marked[i]);
		if (ret < 0 && ret != -EINVAL)
			return ret;
	}
	return 0;
}

#ifdef CONFIG_MODULES
static int add_section(void *start, unsigned int size)
{
	return kprobe_add_area_blacklist((unsigned long)start, (unsigned long)start + size);
}

/**
 * kprobe_blacklist_add_module() - enter what a module brings along
 * @mod: the module, before anybody can probe it
 *
 * Context: process context.
 * Return: 0 or a negative error, upon which the module must not be probed.
 */
int kprobe_blacklist_add_module(struct module *mod)
{
	int ret;

	ret = add_marked(mod->kprobe_blacklist, mod->num_kprobe_blacklist);
	ret = ret ?: add_section(mod->kprobes_text_start, mod->kprobes_text_size);
	return ret ?: add_section(mod->noinstr_text_start, mod->noinstr_text_size);
}

/**
 * kprobe_blacklist_remove() - undo kprobe_blacklist_add_module()
 * @start: where text of the module begins that goes
 * @end: behind its end
 *
 * Context: process context.
 */
void kprobe_blacklist_remove(unsigned long start, unsigned long end)
{
	unsigned long first, next = start;

	while (kprobe_blacklist_next(&first, &next) && first < end)
		mtree_erase(&blacklist, first);
}
#endif /* CONFIG_MODULES */

static int add_named(void *unused, unsigned long addr)
{
	int ret = kprobe_add_ksym_blacklist(addr);

	return ret == -EINVAL ? 0 : min(ret, 0);
}

/**
 * kprobe_blacklist_names() - let no probe be in functions of some names
 * @names: the names; of each there may be none, or several functions
 * @num: how many names
 *
 * Context: process context.
 * Return: 0 or -ENOMEM.
 */
int kprobe_blacklist_names(const char *const *names, unsigned int num)
{
	unsigned int i;
	int ret = 0;

	for (i = 0; !ret && i < num; i++)
		ret = kallsyms_on_each_match_symbol(add_named, names[i], NULL);
	return ret;
}

/*
 * What comes before the judgement of a trap calls these, and they are inline. But
 * clang does not inline into noinstr code what does not insist on it: there are
 * copies then, in ordinary text.
 */
static const char *const copied_inlines[] = {
	"instruction_pointer_set",
	"preempt_count",
};

static int __init populate(void)
{
	int ret;

	ret = add_marked(__start_kprobe_blacklist,
			 __stop_kprobe_blacklist - __start_kprobe_blacklist);
	ret = ret ?: kprobe_add_area_blacklist((unsigned long)__kprobes_text_start,
					       (unsigned long)__kprobes_text_end);
	ret = ret ?: kprobe_add_area_blacklist((unsigned long)__noinstr_text_start,
					       (unsigned long)__noinstr_text_end);
	ret = ret ?: kprobe_blacklist_names(copied_inlines, ARRAY_SIZE(copied_inlines));
	return ret ?: arch_kprobe_blacklist();
}

static int __init kprobe_blacklist_init(void)
{
	int ret = populate();

	if (ret)
		pr_err("kprobes: no blacklist (%d): nothing can be probed\n", ret);
	else
		WRITE_ONCE(ready, true);
	return ret;
}
early_initcall(kprobe_blacklist_init);
