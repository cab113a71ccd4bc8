// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A machine made up for the tests.
 *
 * Functions are known by name. Those of module "gone" are not loaded, those of "loaded"
 * are. debug_info.c has the prototypes of some. Several drivers have an id_table. Registers
 * lie in pt_regs in the order of the table.
 */
#include "debug_info.h"
#include "machine.h"

#define FUNCTIONS	0xffffffff81000000	/* address of the first one */

static const char * const functions[] = {
	"vfs_read", "kernel_clone", "do_exit", "kfree", "vfs_open",
	"dput", "foo.isra.0", "loaded:func", "takes_pair", "takes_double", "takes_wide",
	"takes_empty", "takes_unknown", "takes_big", "takes_any", "returns_big",
	"returns_pair", "takes_none", "takes_task", "takes_many", "bare:func",
	"takes_mixed", "takes_packed", "takes_aligned", "takes_real", "takes_big_packed",
	"takes_wides", "takes_any_pair", "takes_short", "returns_double", "returns_packed",
	"returns_empty", "returns_real",
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

/* Every function begins at offset 0 and, after an ENDBR, at 4. */
static int machine_function(const struct probe_lookup *lookup, const char *symbol,
			    unsigned long offset, struct probe_function *function)
{
	int nr = symbol ? find(functions, ARRAY_SIZE(functions), symbol) : 0;

	*function = (struct probe_function){ .address = offset };
	if (!symbol) {
		function->is_entry = !(offset & 0xff);
		return 0;
	}
	function->is_pending = is_gone(symbol);
	function->is_entry = !offset || (offset == 4 && !function->is_pending);
	function->is_outside = !function->is_pending && (long)offset >= 0x1000000;
	function->address = nr < 0 ? 0 : FUNCTIONS + nr * 0x100 + offset;
	if (!strcmp(symbol, "name_show"))
		return -EADDRNOTAVAIL;
	return nr >= 0 || function->is_pending ? 0 : nr;
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
	if (!strcmp(name, "runqueues"))
		return -ENXIO;
	return strcmp(name, "id_table") ? -ENOENT : -EADDRNOTAVAIL;
}

static int register_offset(const struct probe_lookup *lookup, const char *name)
{
	int i = find(registers, ARRAY_SIZE(registers), name);

	return i < 0 ? -EINVAL : i * 8;
}

static int machine_argument(const struct probe_lookup *lookup, unsigned int nr,
			    struct probe_word *word)
{
	word->on_stack = nr > ARRAY_SIZE(arguments);
	if (word->on_stack)
		word->where = nr - ARRAY_SIZE(arguments);
	else
		word->where = register_offset(lookup, arguments[nr - 1]);
	return 0;
}

const struct probe_lookup machine = {
	.function = machine_function,
	.prototype = debug_info_prototype,
	.symbol_address = symbol_address,
	.register_offset = register_offset,
	.argument = machine_argument,
	.types = &debug_info_types,
	.by_reference = UINT_MAX,
	.return_by_reference = 16,
	.argument_registers = ARRAY_SIZE(arguments),
	.last_register = (ARRAY_SIZE(registers) - 1) * 8,
	.retval_offset = 0,
	.stack_words = 2048,
	.dentry_name = 40,
	.file_dentry = 72,
};
