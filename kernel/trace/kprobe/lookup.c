// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The running kernel, as the parser of definitions sees it.
 *
 * Symbols of a module that is going are not found, nor those that it needed only to initialise
 * itself: event_module.c may have been told already that they go. Callers hold event_mutex, so
 * what they find stays.
 */
#include <linux/array_size.h>
#include <linux/dcache.h>
#include <linux/fs.h>
#include <linux/ftrace.h>
#include <linux/kallsyms.h>
#include <linux/kernel.h>
#include <linux/kprobe-arch.h>
#include <linux/kprobe-symbol.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/preempt.h>
#include <linux/string.h>
#include <asm/sections.h>

#include "../trace.h"
#include "btf.h"
#include "lookup.h"
#include "module_names.h"

/**
 * struct symbol_search - the symbols of a name
 * @name: the name, without a module's
 * @count: number of symbols found
 * @address: of the first one
 */
struct symbol_search {
	const char	*name;
	unsigned int	count;
	unsigned long	address;
};

static int symbol_found(void *data, unsigned long address)
{
	struct symbol_search *search = data;

	if (!search->count++)
		search->address = address;
	return 0;
}

static int symbol_compare(void *data, const char *name, unsigned long address)
{
	struct symbol_search *search = data;

	return strcmp(name, search->name) ? 0 : symbol_found(data, address);
}

#ifdef CONFIG_MODULES
static bool symbol_has_module(const char *name)
{
	guard(preempt)();
	return find_module(name);
}

static bool symbol_is_leaving(unsigned long address)
{
	struct module *module;

	guard(preempt)();
	module = __module_address(address);
	if (!module || module->state == MODULE_STATE_COMING)
		return false;
	/* A module that has initialised itself drops what it needed for that */
	return module->state == MODULE_STATE_GOING || within_module_init(address, module);
}

static bool symbol_is_in_module(unsigned long address)
{
	guard(preempt)();
	return __module_address(address);
}
#else
static bool symbol_has_module(const char *name)
{
	return false;
}

static bool symbol_is_leaving(unsigned long address)
{
	return false;
}

static bool symbol_is_in_module(unsigned long address)
{
	return false;
}
#endif

/* Two symbols of a name are one too many: nothing says which one is meant. */
static int symbol_judge(const struct symbol_search *search)
{
	if (!search->count)
		return -ENOENT;
	return search->count > 1 ? -EADDRNOTAVAIL : 0;
}

/* A symbol of a module that is not loaded is at address 0. */
static int symbol_find_in_module(const char *name, const char *colon,
				 struct symbol_search *search)
{
	char module[MODULE_NAME_LEN];
	bool is_leaving;
	int ret;

	if (colon == name || !colon[1] || colon - name >= sizeof(module))
		return -ENOENT;
	/* Names of modules have no slash: this is the location of a uprobe. */
	if (memchr(name, '/', colon - name))
		return -ENOENT;
	strscpy(module, name, colon - name + 1);
	if (!symbol_has_module(module))
		return 0;
	search->name = colon + 1;
	module_kallsyms_on_each_symbol(module, symbol_compare, search);
	ret = symbol_judge(search);
	is_leaving = !ret && symbol_is_leaving(search->address);
	/* The module may have gone meanwhile: free_module() does not wait for event_mutex */
	if (!is_leaving && symbol_has_module(module))
		return ret;
	search->address = 0;
	return 0;
}

static int symbol_find(const char *name, struct symbol_search *search)
{
	const char *colon = strchr(name, ':');
	int ret;

	*search = (struct symbol_search){ .name = name };
	if (colon)
		return symbol_find_in_module(name, colon, search);
	kallsyms_on_each_match_symbol(symbol_found, name, search);
	if (module_names_may_have(name))
		module_kallsyms_on_each_symbol(NULL, symbol_compare, search);
	ret = symbol_judge(search);
	return !ret && symbol_is_leaving(search->address) ? -ENOENT : ret;
}

static int symbol_compare_staying(void *data, const char *name, unsigned long address)
{
	struct symbol_search *search = data;

	if (strcmp(name, search->name) || symbol_is_leaving(address))
		return 0;
	return symbol_found(data, address);
}

/* True once the memory that only the boot needs may be freed [E] */
static bool lookup_boot_ends;

/**
 * kprobe_event_lookup_boot_ends() - do not find what only the boot needs any more
 *
 * Context: event_mutex held.
 */
void __init kprobe_event_lookup_boot_ends(void)
{
	lockdep_assert_held(&event_mutex);
	lookup_boot_ends = true;
}

/*
 * An absolute symbol is a mere number. That of a per-CPU variable is the place of its first
 * value. A symbol that only the boot needs has no memory any more when the kernel has booted.
 */
static bool symbol_is_in_kernel(unsigned long address)
{
	if (lookup_boot_ends && init_section_contains((void *)address, 1))
		return false;
	if (address >= (unsigned long)__per_cpu_start && address < (unsigned long)__per_cpu_end)
		return false;
	return is_kernel(address) ||
	       (address >= (unsigned long)_text && address <= (unsigned long)_end);
}

/*
 * A symbol of the kernel is meant, whatever modules come. That of a module's per-CPU variable
 * is outside of the module; on arm64 it can look like an address of the kernel.
 */
static int lookup_symbol_address(const struct probe_lookup *lookup, const char *name,
				 unsigned long *address)
{
	struct symbol_search search = { .name = name };
	bool is_memory;
	int ret;

	kallsyms_on_each_match_symbol(symbol_found, name, &search);
	is_memory = search.count && symbol_is_in_kernel(search.address);
	if (!search.count) {
		module_kallsyms_on_each_symbol(NULL, symbol_compare_staying, &search);
		is_memory = symbol_is_in_module(search.address);
	}
	*address = search.address;
	ret = symbol_judge(&search);
	if (ret)
		return ret;
	return is_memory ? 0 : -ENXIO;
}

#if defined(CONFIG_DYNAMIC_FTRACE) && !defined(CONFIG_KPROBE_EVENTS_ON_NOTRACE)
static bool function_has_site(unsigned long addr)
{
	struct kprobe_symbol symbol;

	if (!kprobe_symbol_find(addr, &symbol) || !symbol.size)
		return true;
	return ftrace_location_range(symbol.start, symbol.start + symbol.size - 1);
}

/* The core has a better reason to refuse data, and code that handles probes. */
static bool function_may_have_site(unsigned long addr)
{
	return (core_kernel_text(addr) || is_module_text_address(addr)) &&
	       !within_kprobe_blacklist(addr);
}

/*
 * A function without an ftrace site was left out on purpose, most often because handling
 * a probe calls it. The first part of a function that the compiler split has the site.
 */
static bool function_is_notrace(unsigned long addr)
{
	unsigned long origin;

	if (!addr || function_has_site(addr) || !function_may_have_site(addr))
		return false;
	origin = kprobe_function_origin(addr);
	return !origin || !function_has_site(origin);
}

/* Bytes on each side of a function in which other functions of its file are expected */
#define FUNCTION_NEIGHBOURS	2048

/**
 * function_is_marked_notrace() - why has a function no ftrace site?
 * @addr: an address in a function that has none
 *
 * The object does not say. A file that is built without ftrace has no sites, so a function
 * with sites on both sides is taken for a marked one. An inline function that was not
 * inlined is marked, too.
 *
 * Context: any.
 * Return: true if the function is marked notrace, false if it or its file is built without
 * ftrace.
 */
bool function_is_marked_notrace(unsigned long addr)
{
	unsigned long size, offset;

	addr = kprobe_function_origin(addr) ?: addr;
	if (!kallsyms_lookup_size_offset(addr, &size, &offset))
		return true;
	addr -= offset;
	return ftrace_location_range(addr - FUNCTION_NEIGHBOURS, addr - 1) &&
	       ftrace_location_range(addr + size, addr + size + FUNCTION_NEIGHBOURS);
}
#else
static bool function_is_notrace(unsigned long addr)
{
	return false;
}

bool function_is_marked_notrace(unsigned long addr)
{
	return true;
}
#endif

static void lookup_function_entry(struct probe_function *function)
{
	int ret = kprobe_on_func_entry((void *)function->address, NULL, 0);

	function->is_entry = !ret;
	function->is_outside = ret == -ENOENT;
}

static int lookup_function(const struct probe_lookup *lookup, const char *symbol,
			   unsigned long offset, struct probe_function *function)
{
	struct symbol_search search = {};
	int ret;

	lockdep_assert_held(&event_mutex);
	ret = symbol ? symbol_find(symbol, &search) : 0;
	*function = (struct probe_function){ .address = offset };
	if (symbol && !search.address) {
		function->address = 0;
		function->is_pending = true;
		function->is_entry = !offset;
		return ret;
	}
	function->address += search.address;
	lookup_function_entry(function);
	function->is_notrace = function_is_notrace(function->address);
	return ret;
}

static int lookup_register_offset(const struct probe_lookup *lookup, const char *name)
{
	return regs_query_register_offset(name);
}

static int lookup_argument(const struct probe_lookup *lookup, unsigned int nr,
			   struct probe_word *word)
{
	const unsigned int in_registers = ARRAY_SIZE(arch_kprobe_arguments);

	word->on_stack = nr > in_registers;
	if (word->on_stack)
		word->where = nr - 1 - in_registers + ARCH_KPROBE_ARGUMENT_STACK;
	else
		word->where = arch_kprobe_arguments[nr - 1];
	return 0;
}

/*
 * The name of the function, without its module: that of @symbol, or in @name if the offset
 * leads to another function of the kernel; or NULL.
 */
static const char *function_name(const char *symbol, unsigned long offset,
				 unsigned long address, char *name)
{
	const char *colon = strchr(symbol, ':');
	unsigned long size;

	if (!offset || (kallsyms_lookup_size_offset(address - offset, &size, NULL) &&
			offset < size))
		return colon ? colon + 1 : symbol;
	if (!core_kernel_text(address) || lookup_symbol_name(address, name))
		return NULL;
	return name;
}

static int lookup_prototype(const struct probe_lookup *lookup,
			    const struct probe_function *function,
			    const struct probe_location *location, struct probe_c_type *type)
{
	char buffer[KSYM_NAME_LEN];
	const char *name;

	if (function->is_pending)
		return -ENOENT;
	name = function_name(location->symbol, location->offset, function->address, buffer);
	return name ? btf_c_prototype(name, function->address, type) : -ENOENT;
}

const struct probe_lookup kprobe_event_lookup = {
	.function		= lookup_function,
	.prototype		= lookup_prototype,
	.symbol_address		= lookup_symbol_address,
	.register_offset	= lookup_register_offset,
	.argument		= lookup_argument,
	.types			= &btf_c_types,
	.by_reference		= ARCH_KPROBE_ARGUMENT_BY_REFERENCE,
	.return_by_reference	= ARCH_KPROBE_RETVAL_BY_REFERENCE,
	.argument_registers	= ARRAY_SIZE(arch_kprobe_arguments),
	.registers_in_order	= ARCH_KPROBE_ARGUMENT_IN_ORDER,
	.last_register		= MAX_REG_OFFSET,
	.retval_offset		= ARCH_KPROBE_RETVAL,
	.stack_words		= THREAD_SIZE / sizeof(long),
	.dentry_name		= offsetof(struct dentry, d_name.name),
	.file_dentry		= offsetof(struct file, f_path.dentry),
};
