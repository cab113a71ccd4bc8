// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The symbols of text of which an index of branch targets is made.
 *
 * kallsyms has the image's symbols in a table that is ordered by address, but reads all
 * symbols of a module to find one. Therefore those of a module are collected first: nothing
 * is to be looked up for each of them.
 */
#include <kunit/visibility.h>
#include <linux/kallsyms.h>
#include <linux/kprobes.h>
#include <linux/minmax.h>
#include <linux/module_symbol.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/sort.h>
#include <linux/string.h>
#include <linux/stringhash.h>
#include "target_symbols.h"

/* The hash of the name of the function that a symbol is a part of */
static unsigned long symbol_name_hash(const char *name)
{
	const char *end = strstr(name, ".cold") ?: strchr(name, 0);

	return full_name_hash(NULL, name, end - name);
}

/* The hash of the name of the function that a compiler made a symbol of; 0 if of none */
static unsigned long symbol_stem_hash(const char *name)
{
	const char *end = strchr(name, '.');

	return end ? full_name_hash(NULL, name, end - name) : 0;
}

/* The same symbols that kallsyms finds by an address */
static bool symbols_take(const struct target_symbols *symbols, const char *name,
			 unsigned long addr)
{
	return addr >= symbols->start && addr < symbols->limit && *name &&
	       !is_mapping_symbol(name);
}

static int symbols_count(void *data, const char *name, unsigned long addr)
{
	struct target_symbols *symbols = data;

	symbols->room += symbols_take(symbols, name, addr);
	return 0;
}

static int symbols_add(void *data, const char *name, unsigned long addr)
{
	struct target_symbols *symbols = data;
	struct target_symbol *symbol;

	if (!symbols_take(symbols, name, addr) || symbols->num == symbols->room)
		return 0;
	symbol = &symbols->symbol[symbols->num];
	symbol->addr = addr;
	/* The order of the module's table, until all are sorted */
	symbol->end = symbols->num++;
	symbol->name_hash = symbol_name_hash(name);
	/* Until all are known */
	symbol->origin = symbol_stem_hash(name);
	return 0;
}

static int symbols_compare(const void *a, const void *b)
{
	const struct target_symbol *one = a, *two = b;

	if (one->addr != two->addr)
		return one->addr < two->addr ? -1 : 1;
	return one->end < two->end ? -1 : one->end > two->end;
}

/* By hashes of names, those of one name in the order of the module's table */
static int symbols_compare_names(const void *a, const void *b)
{
	const struct target_symbol *one = a, *two = b;

	if (one->name_hash != two->name_hash)
		return one->name_hash < two->name_hash ? -1 : 1;
	return one->end < two->end ? -1 : one->end > two->end;
}

/* The first symbol of a name, of symbols that are ordered by names */
static unsigned long symbols_function(const struct target_symbols *symbols,
				      unsigned long name_hash)
{
	unsigned int low = 0, high = symbols->num, mid;

	while (low < high) {
		mid = low + (high - low) / 2;
		if (symbols->symbol[mid].name_hash < name_hash)
			low = mid + 1;
		else
			high = mid;
	}
	if (low == symbols->num || symbols->symbol[low].name_hash != name_hash)
		return 0;
	return symbols->symbol[low].addr;
}

/* By all names: an address may have several, of which that of the function is another one */
static void symbols_find_origins(struct target_symbols *symbols)
{
	struct target_symbol *symbol = symbols->symbol;
	unsigned int i;

	sort(symbol, symbols->num, sizeof(*symbol), symbols_compare_names, NULL);
	for (i = 0; i < symbols->num; i++) {
		if (!symbol[i].origin)
			continue;
		symbol[i].origin = symbols_function(symbols, symbol[i].origin);
		cond_resched();
	}
}

/* Each symbol ends where the next one begins. The first name of an address is its name */
static void symbols_order(struct target_symbols *symbols)
{
	struct target_symbol *symbol = symbols->symbol;
	unsigned int i, num = 0;

	sort(symbol, symbols->num, sizeof(*symbol), symbols_compare, NULL);
	for (i = 0; i < symbols->num; i++) {
		if (num && symbol[num - 1].addr == symbol[i].addr)
			continue;
		if (num)
			symbol[num - 1].end = symbol[i].addr;
		symbol[num++] = symbol[i];
	}
	if (num)
		symbol[num - 1].end = symbols->limit;
	symbols->num = num;
}

/**
 * kprobe_target_symbols_collect() - collect the symbols of text
 * @symbols: module, start and limit are set, all else is 0; to be freed with
 *	kprobe_target_symbols_free(), also after an error
 *
 * If the module has gone meanwhile, the symbols may be others, and not all.
 *
 * Context: process context; takes the mutex of modules.
 * Return: 0, or -ENOMEM.
 */
int kprobe_target_symbols_collect(struct target_symbols *symbols)
{
	if (!*symbols->module)
		return 0;
	/* Who comes and goes waits for the mutex of modules: no memory is allocated under it */
	module_kallsyms_on_each_symbol(symbols->module, symbols_count, symbols);
	symbols->symbol = kvmalloc_array(symbols->room, sizeof(*symbols->symbol), GFP_KERNEL);
	if (!symbols->symbol)
		return -ENOMEM;
	module_kallsyms_on_each_symbol(symbols->module, symbols_add, symbols);
	symbols_find_origins(symbols);
	symbols_order(symbols);
	return 0;
}
EXPORT_SYMBOL_IF_KUNIT(kprobe_target_symbols_collect);

/**
 * kprobe_target_symbols_free() - free what was collected
 * @symbols: the symbols
 *
 * Context: process context.
 */
void kprobe_target_symbols_free(struct target_symbols *symbols)
{
	kvfree(symbols->symbol);
}
EXPORT_SYMBOL_IF_KUNIT(kprobe_target_symbols_free);

/* The number of symbols that begin at an address, or before it */
static unsigned int symbols_until(const struct target_symbols *symbols, unsigned long addr)
{
	unsigned int low = 0, high = symbols->num, mid;

	while (low < high) {
		mid = low + (high - low) / 2;
		if (symbols->symbol[mid].addr <= addr)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

static void symbol_of_module(const struct target_symbols *symbols, struct target_symbol *symbol)
{
	unsigned int num = symbols_until(symbols, symbol->addr);

	if (num) {
		symbol->end = symbols->symbol[num - 1].end;
		symbol->name_hash = symbols->symbol[num - 1].name_hash;
		symbol->origin = symbols->symbol[num - 1].origin;
	} else {
		symbol->end = symbols->num ? symbols->symbol[0].addr : symbols->limit;
	}
}

static bool is_named(unsigned long addr)
{
	unsigned long offset;

	return kallsyms_lookup_size_offset(addr, NULL, &offset);
}

static void symbol_of_image(const struct target_symbols *symbols, struct target_symbol *symbol)
{
	unsigned long size, offset;
	char name[KSYM_NAME_LEN];

	symbol->end = symbol->addr + 1;
	if (kallsyms_lookup_size_offset(symbol->addr, &size, &offset)) {
		symbol->end = min(symbols->limit, symbol->addr - offset + size);
		if (!lookup_symbol_name(symbol->addr, name))
			symbol->name_hash = symbol_name_hash(name);
		symbol->origin = kprobe_function_origin(symbol->addr);
	} else {
		while (symbol->end < symbols->limit && !is_named(symbol->end))
			symbol->end++;
	}
}

/**
 * kprobe_target_symbol_at() - find the symbol that contains an address
 * @symbols: the symbols
 * @addr: the address
 * @symbol: written; begins at @addr, and has no name if there is no symbol
 *
 * Context: process context.
 */
void kprobe_target_symbol_at(const struct target_symbols *symbols, unsigned long addr,
			     struct target_symbol *symbol)
{
	*symbol = (struct target_symbol){ .addr = addr };
	if (*symbols->module)
		symbol_of_module(symbols, symbol);
	else
		symbol_of_image(symbols, symbol);
}
EXPORT_SYMBOL_IF_KUNIT(kprobe_target_symbol_at);
