// SPDX-License-Identifier: GPL-2.0
/*
 * A machine made up for the tests.
 *
 * Functions are known by name; those of module "gone" are not loaded, those of
 * "loaded" are.  Every function begins at offset 0 and, behind an ENDBR, at 4.
 * takes_pair is known to have three parameters, the second one of two words, and to
 * return nothing.
 * Registers lie in pt_regs in the order of the table.
 */
#include "machine.h"

static const char * const functions[] = {
	"vfs_read", "kernel_clone", "do_exit", "kfree", "vfs_open",
	"dput", "foo.isra.0", "loaded:func", "takes_pair",
	"_RNvXs_NtNtNtCs1234567890a_4core3fmt3num3impdebug_LowerHex_vfs_read_a",
	"_RNvXs_NtNtNtCs1234567890a_4core3fmt3num3impdebug_LowerHex_vfs_read_b",
};

static const struct {
	const char	*name;
	unsigned long	address;
} data[] = {
	{ "jiffies",		0xffffffff82000000 },
	{ "_sdata",		0xffffffff82100000 },
	{ "linux_proc_banner",	0xffffffff82200000 },
};

static const char * const registers[] = {
	"ax", "bx", "cx", "dx", "si", "di", "bp", "sp", "r8", "r9", "r10",
	"r11", "r12", "r13", "r14", "r15", "ip", "cs", "flags", "ss", "orig_ax",
};

static const char * const arguments[] = { "di", "si", "dx", "cx", "r8", "r9" };

static int find(const char * const *table, unsigned int size, const char *name)
{
	unsigned int i;

	for (i = 0; i < size; i++) {
		if (!strcmp(table[i], name))
			return i;
	}
	return -ENOENT;
}

static bool is_gone(const char *name)
{
	return !strncmp(name, "gone:", 5) && name[5];
}

static int symbol_check(const struct probe_lookup *lookup, const char *name)
{
	int ret = find(functions, ARRAY_SIZE(functions), name);

	if (!strcmp(name, "name_show"))
		return -EADDRNOTAVAIL;
	return ret >= 0 || is_gone(name) ? 0 : ret;
}

static int symbol_address(const struct probe_lookup *lookup, const char *name,
			  unsigned long *address)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(data); i++) {
		if (!strcmp(data[i].name, name)) {
			*address = data[i].address;
			return 0;
		}
	}
	return -ENOENT;
}

static int function_entry(const struct probe_lookup *lookup, const char *symbol,
			  unsigned long offset)
{
	if (!symbol)
		return !(offset & 0xff);
	if (is_gone(symbol))
		return -ENOENT;
	return offset == 0 || offset == 4;
}

static int register_offset(const struct probe_lookup *lookup, const char *name)
{
	int i = find(registers, ARRAY_SIZE(registers), name);

	return i < 0 ? -EINVAL : i * 8;
}

static int argument(const struct probe_lookup *lookup, unsigned int nr,
		    struct probe_arg_place *place)
{
	place->on_stack = nr > ARRAY_SIZE(arguments);
	if (place->on_stack)
		place->where = nr - ARRAY_SIZE(arguments);
	else
		place->where = register_offset(lookup, arguments[nr - 1]);
	return 0;
}

static struct probe_parameters parameters(const struct probe_lookup *lookup,
					  const char *symbol, unsigned long offset)
{
	if (!strcmp(symbol, "takes_pair"))
		return (struct probe_parameters){ 3, 1, false };
	return (struct probe_parameters){ UINT_MAX, UINT_MAX, true };
}

const struct probe_lookup machine = {
	.symbol_check = symbol_check,
	.symbol_address = symbol_address,
	.function_entry = function_entry,
	.register_offset = register_offset,
	.argument = argument,
	.parameters = parameters,
	.retval_offset = 0,
	.stack_words = 2048,
	.dentry_name = 40,
	.file_dentry = 72,
};
