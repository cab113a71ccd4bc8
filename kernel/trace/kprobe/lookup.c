// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The running kernel, as the parser of definitions sees it.
 */
#include <linux/array_size.h>
#include <linux/dcache.h>
#include <linux/fs.h>
#include <linux/kallsyms.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/preempt.h>
#include <linux/string.h>

#include "argument.h"
#include "command.h"
#include "event.h"
#include "parameter.h"

struct symbol_count {
	const char	*name;
	unsigned int	count;
};

static int count_match(void *data, unsigned long addr)
{
	struct symbol_count *symbols = data;

	symbols->count++;
	return 0;
}

static int count_if_match(void *data, const char *name, unsigned long addr)
{
	struct symbol_count *symbols = data;

	if (!strcmp(name, symbols->name))
		symbols->count++;
	return 0;
}

#ifdef CONFIG_MODULES
static bool has_module(const char *name)
{
	guard(preempt)();
	return find_module(name);
}
#else
static bool has_module(const char *name)
{
	return false;
}
#endif

/* One is what it takes: with none there is nothing to probe, with two no telling */
static int judge_count(unsigned int count)
{
	if (!count)
		return -ENOENT;
	return count > 1 ? -EADDRNOTAVAIL : 0;
}

static int check_in_module(const char *name, const char *colon)
{
	struct symbol_count symbols = { .name = colon + 1 };
	char module[MODULE_NAME_LEN];

	if (colon == name || !colon[1] || colon - name >= sizeof(module))
		return -ENOENT;
	/* A place of a uprobe: no module will ever come by that name */
	if (memchr(name, '/', colon - name))
		return -ENOENT;
	strscpy(module, name, colon - name + 1);
	if (!has_module(module))
		return 0;
	module_kallsyms_on_each_symbol(module, count_if_match, &symbols);
	return judge_count(symbols.count);
}

static int symbol_check(const struct probe_lookup *lookup, const char *name)
{
	struct symbol_count symbols = { .name = name };
	const char *colon = strchr(name, ':');

	if (colon)
		return check_in_module(name, colon);
	kallsyms_on_each_match_symbol(count_match, name, &symbols);
	module_kallsyms_on_each_symbol(NULL, count_if_match, &symbols);
	return judge_count(symbols.count);
}

#ifdef CONFIG_MODULES
/* kallsyms knows a module for a while after all who watch modules saw it go */
static bool is_going(unsigned long address)
{
	struct module *module;

	guard(preempt)();
	module = __module_address(address);
	return module && module->state == MODULE_STATE_GOING;
}
#else
static bool is_going(unsigned long address)
{
	return false;
}
#endif

static int symbol_address(const struct probe_lookup *lookup, const char *name,
			  unsigned long *address)
{
	*address = kallsyms_lookup_name(name);
	return *address && !is_going(*address) ? 0 : -ENOENT;
}

static int function_entry(const struct probe_lookup *lookup, const char *symbol,
			  unsigned long offset)
{
	int ret;

	if (symbol)
		ret = kprobe_on_func_entry(NULL, symbol, offset);
	else
		ret = kprobe_on_func_entry((kprobe_opcode_t *)offset, NULL, 0);
	/* A symbol may come with its module; one that is there has nothing at @offset */
	if (ret == -ENOENT && symbol && !kallsyms_lookup_name(symbol))
		return ret;
	return !ret;
}

static int register_offset(const struct probe_lookup *lookup, const char *name)
{
	return regs_query_register_offset(name);
}

static int argument(const struct probe_lookup *lookup, unsigned int nr,
		    struct probe_arg_place *place)
{
	const unsigned int in_registers = ARRAY_SIZE(argument_registers);

	place->on_stack = nr > in_registers;
	if (place->on_stack)
		place->where = nr - 1 - in_registers + ARGUMENT_STACK;
	else
		place->where = argument_registers[nr - 1];
	return 0;
}

/* The name of the function at @offset: @symbol, or in @name, or NULL if it is not known */
static const char *function_name(const char *symbol, unsigned long offset, char *name)
{
	unsigned long start, size;

	if (!offset)
		return symbol;
	start = kallsyms_lookup_name(symbol);
	if (kallsyms_lookup_size_offset(start, &size, NULL) && offset < size)
		return symbol;
	if (!core_kernel_text(start + offset) || lookup_symbol_name(start + offset, name))
		return NULL;
	return name;
}

static struct probe_parameters parameters(const struct probe_lookup *lookup,
					  const char *symbol, unsigned long offset)
{
	struct probe_parameters known = { UINT_MAX, UINT_MAX, true };
	char name[KSYM_NAME_LEN];
	const char *function = function_name(symbol, offset, name);

	if (function)
		probe_parameters_find(function, &known);
	return known;
}

const struct probe_lookup kprobe_event_lookup = {
	.symbol_check		= symbol_check,
	.symbol_address		= symbol_address,
	.function_entry		= function_entry,
	.register_offset	= register_offset,
	.argument		= argument,
	.parameters		= parameters,
	.retval_offset		= RETVAL_REGISTER,
	.stack_words		= THREAD_SIZE / sizeof(long),
	.dentry_name		= offsetof(struct dentry, d_name.name),
	.file_dentry		= offsetof(struct file, f_path.dentry),
};
