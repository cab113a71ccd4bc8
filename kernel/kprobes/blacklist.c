// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The blacklist: functions marked NOKPROBE_SYMBOL, and whole sections, that must not
 * be probed.
 *
 * It is a tree of address ranges, one per symbol; a search takes no lock. Entries
 * carry no data; overlapping ranges (a marked symbol in a listed section) merge.
 *
 * If the list cannot be made, every probe is refused: a probe at a wrong address
 * crashes the machine.
 */
#include <linux/array_size.h>
#include <linux/cleanup.h>
#include <linux/init.h>
#include <linux/kallsyms.h>
#include <linux/kernel.h>
#include <linux/kprobe-arch.h>
#include <linux/kprobe-symbol.h>
#include <linux/kprobes.h>
#include <linux/maple_tree.h>
#include <linux/minmax.h>
#include <linux/module.h>
#include <linux/preempt.h>
#include <linux/string.h>
#include <linux/xarray.h>
#include <asm/sections.h>
#include "../kallsyms_internal.h"
#include "blacklist.h"

/* [R] The tree's own lock serialises writers */
static struct maple_tree blacklist_tree =
	MTREE_INIT(blacklist_tree, MT_FLAGS_ALLOC_RANGE | MT_FLAGS_USE_RCU);

/* [I] Written once, in an early initcall */
static bool blacklist_ready;

#define BLACKLIST_MARK	xa_mk_value(1)

static int blacklist_add(unsigned long start, unsigned long end)
{
	return mtree_store_range(&blacklist_tree, start, end - 1, BLACKLIST_MARK, GFP_KERNEL);
}

/**
 * kprobe_add_ksym_blacklist() - put the function at an address on the blacklist
 * @entry: an address in the function
 *
 * Context: process context.
 * Return: the number of bytes from @entry to the end of the function; -EINVAL if
 * there is no symbol; -ENOMEM.
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
 * kprobe_add_area_blacklist() - put the functions of a section on the blacklist
 * @start: the first address
 * @end: the address after the last
 *
 * Each function gets its own entry, so that debugfs can list its name.
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
		/* A symbol without a size counts as one byte, so that the loop ends */
		entry += ret ?: 1;
	}
	return 0;
}

/* The name of an address, with that of its module; NULL if it has none */
static char *name_with_module(unsigned long addr, char *buf)
{
	char *name = buf + MODULE_NAME_LEN, *module;
	unsigned long size, offset;
	size_t length;

	/* The module's name goes with it */
	guard(preempt)();
	if (!kallsyms_lookup(addr, &size, &offset, &module, name))
		return NULL;
	if (!module)
		return name;
	length = strlen(module);
	name -= length + 1;
	memcpy(name, module, length);
	name[length] = ':';
	return name;
}

/**
 * kprobe_function_origin() - find the function that a compiler split a part from
 * @addr: an address in the part, foo.cold for example
 *
 * Context: any.
 * Return: the address of foo; 0 if @addr is not in such a part.
 */
unsigned long kprobe_function_origin(unsigned long addr)
{
	char buf[MODULE_NAME_LEN + KSYM_NAME_LEN], *name, *suffix;
	struct kprobe_symbol symbol;

	if (!kprobe_symbol_find(addr, &symbol) || !symbol.is_dotted)
		return 0;
	name = name_with_module(addr, buf);
	suffix = name ? strchr(buf + MODULE_NAME_LEN, '.') : NULL;
	if (!suffix)
		return 0;
	*suffix = '\0';
	/* Without a module kallsyms_lookup_name() would search all modules as well */
	return name < buf + MODULE_NAME_LEN ? kallsyms_lookup_name(name) :
					      kallsyms_lookup_image_name(name);
}

/**
 * within_kprobe_blacklist() - test whether an address is on the blacklist
 * @addr: the address
 *
 * Context: any.
 * Return: true if no probe may be there.
 */
bool within_kprobe_blacklist(unsigned long addr)
{
	unsigned long origin;

	if (mtree_load(&blacklist_tree, addr))
		return true;
	origin = kprobe_function_origin(addr);
	return origin && mtree_load(&blacklist_tree, origin);
}

/**
 * kprobe_blacklist_ready() - test whether the blacklist has been made
 *
 * Context: any.
 * Return: false until the list is made, and forever if that failed.
 */
bool kprobe_blacklist_ready(void)
{
	return READ_ONCE(blacklist_ready);
}

/**
 * kprobe_blacklist_next() - walk the ranges in the order of their addresses
 * @start: set to the start of the range
 * @end: the address at which the walk begins; set to the address after the range, where it
 *	continues
 *
 * Context: any.
 * Return: false after the last range.
 */
bool kprobe_blacklist_next(unsigned long *start, unsigned long *end)
{
	MA_STATE(mas, &blacklist_tree, *end, *end);

	guard(rcu)();
	if (!mas_find(&mas, ULONG_MAX))
		return false;
	*start = mas.index;
	*end = mas.last + 1;
	return true;
}

/* A marked function that is not in any text was discarded when the kernel was linked */
static int blacklist_add_marked(const unsigned long *marked, unsigned int num)
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
static int blacklist_add_section(void *section, unsigned int size)
{
	unsigned long start = (unsigned long)section, end = start + size;
	int ret = kprobe_add_area_blacklist(start, end);

	/* Text without symbols, as of a module that was stripped */
	return ret == -EINVAL ? blacklist_add(start, end) : ret;
}

/**
 * kprobe_blacklist_add_module() - put a module's marked functions on the blacklist
 * @mod: the module, which cannot be probed yet
 *
 * Context: process context.
 * Return: 0; or -ENOMEM, after which some of them may be there.
 */
int kprobe_blacklist_add_module(struct module *mod)
{
	int ret;

	ret = blacklist_add_marked(mod->kprobe_blacklist, mod->num_kprobe_blacklist);
	ret = ret ?: blacklist_add_section(mod->kprobes_text_start, mod->kprobes_text_size);
	return ret ?: blacklist_add_section(mod->noinstr_text_start, mod->noinstr_text_size);
}

/**
 * kprobe_blacklist_remove() - undo kprobe_blacklist_add_module()
 * @start: the start of text of the module that is about to be freed
 * @end: the address after it
 *
 * Context: process context.
 */
void kprobe_blacklist_remove(unsigned long start, unsigned long end)
{
	unsigned long first, next = start;

	while (kprobe_blacklist_next(&first, &next) && first < end)
		mtree_store_range(&blacklist_tree, first, next - 1, NULL,
				  GFP_KERNEL | __GFP_NOFAIL);
}
#endif /* CONFIG_MODULES */

static int blacklist_add_named(void *unused, unsigned long addr)
{
	int ret = kprobe_add_ksym_blacklist(addr);

	return ret == -EINVAL ? 0 : min(ret, 0);
}

/**
 * kprobe_blacklist_names() - put functions on the blacklist by their names
 * @names: the names; none or several functions may have each
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
		ret = kallsyms_on_each_match_symbol(blacklist_add_named, names[i], NULL);
	return ret;
}

/*
 * Inline functions that run before a trap is judged. They are not __always_inline, and
 * clang does not inline such functions into noinstr code: it makes copies of them in
 * ordinary text.
 */
static const char *const blacklist_copied_inlines[] = {
	"instruction_pointer_set",
	"preempt_count",
};

static int __init blacklist_populate(void)
{
	int ret;

	ret = blacklist_add_marked(__start_kprobe_blacklist,
				   __stop_kprobe_blacklist - __start_kprobe_blacklist);
	ret = ret ?: kprobe_add_area_blacklist((unsigned long)__kprobes_text_start,
					       (unsigned long)__kprobes_text_end);
	ret = ret ?: kprobe_add_area_blacklist((unsigned long)__noinstr_text_start,
					       (unsigned long)__noinstr_text_end);
	ret = ret ?: kprobe_blacklist_names(blacklist_copied_inlines,
					    ARRAY_SIZE(blacklist_copied_inlines));
	return ret ?: arch_kprobe_blacklist();
}

static int __init kprobe_blacklist_init(void)
{
	int ret = blacklist_populate();

	if (ret)
		pr_err("kprobes: no blacklist (%d): nothing can be probed\n", ret);
	else
		WRITE_ONCE(blacklist_ready, true);
	return ret;
}
early_initcall(kprobe_blacklist_init);
