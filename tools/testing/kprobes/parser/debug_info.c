// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Debug information made up for the tests.
 *
 * Two owners have types: the kernel and module "loaded". Types of the module refer to those
 * of the kernel. A type is a row of its owner's table, its id the row's number.
 */
#include "debug_info.h"

long debug_info_held;

struct debug_member {
	const char	*name;
	const char	*type;
	unsigned int	bit_offset;
	unsigned int	bit_width;
};

struct debug_row {
	struct probe_c_info		info;
	const char			*target;
	const struct debug_member	*members;
};

#define MEMBERS(...)	.members = (const struct debug_member[]){ __VA_ARGS__ }

static const struct debug_row kernel_rows[] = {
	{ { .kind = PROBE_C_VOID, .name = "void" } },
	{ { .kind = PROBE_C_INT, .name = "int", .size = 4, .is_signed = true } },
	{ { .kind = PROBE_C_INT, .name = "unsigned long", .size = 8 } },
	{ { .kind = PROBE_C_INT, .name = "__int128", .size = 16, .is_signed = true } },
	{ { .kind = PROBE_C_FLOAT, .name = "double", .size = 8 } },
	{ { .kind = PROBE_C_UNKNOWN, .name = "unknown" } },
	{ { .kind = PROBE_C_POINTER, .name = "inode *", .size = 8 }, "inode" },
	{ { .kind = PROBE_C_POINTER, .name = "file *", .size = 8 }, "file" },
	{ { .kind = PROBE_C_STRUCT, .name = "pair", .size = 16, .count = 2 },
	  MEMBERS({ "first", "unsigned long", 0, 0 }, { "second", "unsigned long", 64, 0 }) },
	{ { .kind = PROBE_C_STRUCT, .name = "empty" } },
	{ { .kind = PROBE_C_STRUCT, .name = "big", .size = 24, .count = 2 },
	  MEMBERS({ "pair", "pair", 0, 0 }, { "last", "int", 128, 0 }) },
	{ { .kind = PROBE_C_STRUCT, .name = "inode", .size = 32, .count = 3 },
	  MEMBERS({ "i_ino", "unsigned long", 64, 0 }, { NULL, "anonymous union", 128, 0 },
		  { "i_flags", "int", 192, 0 }) },
	{ { .kind = PROBE_C_UNION, .name = "anonymous union", .size = 8, .count = 3 },
	  MEMBERS({ "i_nlink", "int", 0, 0 }, { "__i_nlink", "int", 0, 0 },
		  { NULL, "anonymous struct", 0, 0 }) },
	{ { .kind = PROBE_C_STRUCT, .name = "anonymous struct", .size = 8, .count = 4 },
	  MEMBERS({ "low", "int", 0, 3 }, { NULL, "int", 3, 5 }, { "high", "int", 8, 24 },
		  { "rest", "int", 32, 0 }) },
	{ { .kind = PROBE_C_STRUCT, .name = "file", .size = 16, .count = 2 },
	  MEMBERS({ "f_mode", "int", 0, 0 }, { "f_inode", "inode *", 64, 0 }) },
	{ { .kind = PROBE_C_INT, .name = "char", .size = 1, .is_signed = true } },
	{ { .kind = PROBE_C_INT, .name = "_Bool", .size = 1 } },
	{ { .kind = PROBE_C_INT, .name = "short", .size = 2, .is_signed = true } },
	{ { .kind = PROBE_C_ENUM, .name = "kind", .size = 4, .is_signed = true } },
	{ { .kind = PROBE_C_ENUM, .name = "mode", .size = 4 } },
	{ { .kind = PROBE_C_ENUM, .name = "tiny", .size = 1 } },
	{ { .kind = PROBE_C_STRUCT, .name = "id", .size = 4, .count = 1 },
	  MEMBERS({ "number", "int", 0, 0 }) },
	{ { .kind = PROBE_C_POINTER, .name = "char *", .size = 8 }, "char" },
	{ { .kind = PROBE_C_POINTER, .name = "void *", .size = 8 }, "void" },
	{ { .kind = PROBE_C_ARRAY, .name = "char[16]", .size = 16, .count = 16 }, "char" },
	{ { .kind = PROBE_C_POINTER, .name = "task *", .size = 8 }, "task" },
	{ { .kind = PROBE_C_POINTER, .name = "broken *", .size = 8 }, "no such type" },
	{ { .kind = PROBE_C_ARRAY, .name = "char[]" }, "char" },
	{ { .kind = PROBE_C_ARRAY, .name = "char *[2]", .size = 16, .count = 2 }, "char *" },
	{ { .kind = PROBE_C_STRUCT, .name = "task", .size = 96, .count = 16 },
	  MEMBERS({ "comm", "char[16]", 0, 0 }, { "name", "char *", 128, 0 },
		  { "parent", "task *", 192, 0 }, { "pair", "pair", 256, 0 },
		  { "flag", "int", 389, 1 }, { "minus", "int", 390, 3 },
		  { "across", "int", 412, 8 }, { "mode", "mode", 420, 2 },
		  { "sign", "kind", 422, 2 }, { "live", "_Bool", 448, 0 },
		  { "tiny", "tiny", 456, 0 }, { "id", "id", 480, 0 }, { "broken", "broken *", 512, 0 },
		  { "p", "task *", 576, 0 }, { "names", "char *[2]", 640, 0 },
		  { "tail", "char[]", 768, 0 }) },
	/* Each holds the next one, anonymously: deeper than a search goes. */
	{ { .kind = PROBE_C_STRUCT, .name = "deep", .size = 8, .count = 2 },
	  MEMBERS({ NULL, "deep", 0, 0 }, { "bottom", "int", 32, 0 }) },
	{ { .kind = PROBE_C_FUNCTION, .name = "takes_pair", .count = 3 }, "void",
	  MEMBERS({ "file", "file *", 0, 0 }, { "pair", "pair", 0, 0 },
		  { "last", "int", 0, 0 }) },
	{ { .kind = PROBE_C_FUNCTION, .name = "takes_double", .count = 3 }, "int",
	  MEMBERS({ "file", "file *", 0, 0 }, { "number", "double", 0, 0 },
		  { "last", "int", 0, 0 }) },
	{ { .kind = PROBE_C_FUNCTION, .name = "takes_wide", .count = 2 }, "int",
	  MEMBERS({ "wide", "__int128", 0, 0 }, { "last", "int", 0, 0 }) },
	{ { .kind = PROBE_C_FUNCTION, .name = "takes_empty", .count = 2 }, "int",
	  MEMBERS({ "empty", "empty", 0, 0 }, { "last", "int", 0, 0 }) },
	{ { .kind = PROBE_C_FUNCTION, .name = "takes_unknown", .count = 2 }, "unknown",
	  MEMBERS({ NULL, "unknown", 0, 0 }, { "last", "int", 0, 0 }) },
	{ { .kind = PROBE_C_FUNCTION, .name = "takes_big", .count = 2 }, "int",
	  MEMBERS({ "big", "big", 0, 0 }, { "last", "int", 0, 0 }) },
	{ { .kind = PROBE_C_FUNCTION, .name = "takes_any", .count = 1, .is_variadic = true },
	  "int", MEMBERS({ "format", "unsigned long", 0, 0 }) },
	{ { .kind = PROBE_C_FUNCTION, .name = "returns_big", .count = 1 }, "big",
	  MEMBERS({ "file", "file *", 0, 0 }) },
	{ { .kind = PROBE_C_FUNCTION, .name = "returns_pair", .count = 1 }, "pair",
	  MEMBERS({ "file", "file *", 0, 0 }) },
	{ { .kind = PROBE_C_ARRAY, .name = "char[4]", .size = 4, .count = 4 }, "char" },
	{ { .kind = PROBE_C_STRUCT, .name = "mixed", .size = 16, .count = 3 },
	  MEMBERS({ "inode", "inode *", 0, 0 }, { "is_set", "_Bool", 64, 1 },
		  { "text", "char[4]", 72, 0 }) },
	{ { .kind = PROBE_C_STRUCT, .name = "packed", .size = 9, .count = 2 },
	  MEMBERS({ "byte", "char", 0, 0 }, { "word", "unsigned long", 8, 0 }) },
	{ { .kind = PROBE_C_STRUCT, .name = "aligned", .size = 16, .count = 1 },
	  MEMBERS({ "word", "unsigned long", 0, 0 }) },
	{ { .kind = PROBE_C_STRUCT, .name = "real", .size = 8, .count = 1 },
	  MEMBERS({ "number", "double", 0, 0 }) },
	{ { .kind = PROBE_C_STRUCT, .name = "big packed", .size = 17, .count = 2 },
	  MEMBERS({ "packed", "packed", 0, 0 }, { "last", "unsigned long", 72, 0 }) },
	{ { .kind = PROBE_C_FUNCTION, .name = "takes_mixed", .count = 7 }, "int",
	  MEMBERS({ "a", "int", 0, 0 }, { "mixed", "mixed", 0, 0 }, { "b", "int", 0, 0 },
		  { "c", "int", 0, 0 }, { "pair", "pair", 0, 0 }, { "d", "int", 0, 0 },
		  { "e", "int", 0, 0 }) },
	{ { .kind = PROBE_C_FUNCTION, .name = "takes_packed", .count = 3 }, "int",
	  MEMBERS({ "a", "int", 0, 0 }, { "packed", "packed", 0, 0 }, { "b", "int", 0, 0 }) },
	{ { .kind = PROBE_C_FUNCTION, .name = "takes_aligned", .count = 3 }, "int",
	  MEMBERS({ "a", "int", 0, 0 }, { "aligned", "aligned", 0, 0 },
		  { "b", "int", 0, 0 }) },
	{ { .kind = PROBE_C_FUNCTION, .name = "takes_real", .count = 2 }, "int",
	  MEMBERS({ "real", "real", 0, 0 }, { "b", "int", 0, 0 }) },
	{ { .kind = PROBE_C_FUNCTION, .name = "returns_double", .count = 1 }, "double",
	  MEMBERS({ "file", "file *", 0, 0 }) },
	{ { .kind = PROBE_C_FUNCTION, .name = "returns_packed", .count = 1 }, "packed",
	  MEMBERS({ "file", "file *", 0, 0 }) },
	{ { .kind = PROBE_C_FUNCTION, .name = "returns_real", .count = 1 }, "real",
	  MEMBERS({ "file", "file *", 0, 0 }) },
	{ { .kind = PROBE_C_FUNCTION, .name = "returns_empty", .count = 1 }, "empty",
	  MEMBERS({ "file", "file *", 0, 0 }) },
	{ { .kind = PROBE_C_FUNCTION, .name = "takes_big_packed", .count = 2 }, "int",
	  MEMBERS({ "big", "big packed", 0, 0 }, { "b", "int", 0, 0 }) },
	{ { .kind = PROBE_C_FUNCTION, .name = "takes_wides", .count = 6 }, "int",
	  MEMBERS({ "a", "int", 0, 0 }, { "wide", "__int128", 0, 0 }, { "b", "int", 0, 0 },
		  { "second", "__int128", 0, 0 }, { "c", "int", 0, 0 },
		  { "third", "__int128", 0, 0 }) },
	{ { .kind = PROBE_C_FUNCTION, .name = "takes_any_pair", .count = 1,
	    .is_variadic = true }, "int", MEMBERS({ "pair", "pair", 0, 0 }) },
	/* Parameters whose names are spellings of 2009 */
	{ { .kind = PROBE_C_FUNCTION, .name = "takes_short", .count = 5 }, "int",
	  MEMBERS({ "a1", "task *", 0, 0 }, { "rv", "short", 0, 0 }, { "sa", "int", 0, 0 },
		  { "r2", "int", 0, 0 }, { "m1", "int", 0, 0 }) },
	{ { .kind = PROBE_C_FUNCTION, .name = "takes_none" }, "void" },
	{ { .kind = PROBE_C_FUNCTION, .name = "takes_task", .count = 7 }, "task *",
	  MEMBERS({ "task", "task *", 0, 0 }, { "name", "char *", 0, 0 },
		  { "count", "unsigned long", 0, 0 }, { "kind", "kind", 0, 0 },
		  { "small", "short", 0, 0 }, { "data", "void *", 0, 0 },
		  { "seventh", "int", 0, 0 }) },
	{ { .kind = PROBE_C_FUNCTION, .name = "takes_many", .count = 8 }, "int",
	  MEMBERS({ "a", "int", 0, 0 }, { "b", "int", 0, 0 }, { "c", "int", 0, 0 },
		  { "d", "int", 0, 0 }, { "e", "int", 0, 0 }, { "f", "int", 0, 0 },
		  { "g", "int", 0, 0 }, { "h", "int", 0, 0 }) },
};

static const struct debug_row module_rows[] = {
	{ { .kind = PROBE_C_STRUCT, .name = "private", .size = 24, .count = 2 },
	  MEMBERS({ "pair", "pair", 0, 0 }, { NULL, "anonymous union", 128, 0 }) },
	{ { .kind = PROBE_C_POINTER, .name = "private *", .size = 8 }, "private" },
	{ { .kind = PROBE_C_FUNCTION, .name = "func", .count = 1 }, "private *",
	  MEMBERS({ "private", "private *", 0, 0 }) },
};

struct debug_owner {
	const struct debug_row	*rows;
	unsigned int		nr;
};

static const struct debug_owner kernel = { kernel_rows, ARRAY_SIZE(kernel_rows) };
static const struct debug_owner module = { module_rows, ARRAY_SIZE(module_rows) };

static int find_in(const struct debug_owner *owner, const char *name, struct probe_c_type *type)
{
	unsigned int i;

	for (i = 0; i < owner->nr; i++) {
		if (strcmp(owner->rows[i].info.name, name))
			continue;
		*type = (struct probe_c_type){ owner, i };
		return 0;
	}
	return -ENOENT;
}

/* The kernel's types come first; those of a module are beyond. */
static struct probe_c_type find_from(const struct debug_owner *owner, const char *name)
{
	struct probe_c_type type = {};

	if (find_in(&kernel, name, &type))
		find_in(owner, name, &type);
	return type;
}

static const struct debug_row *row_of(struct probe_c_type type)
{
	const struct debug_owner *owner = type.owner;

	return owner && debug_info_held > 0 ? &owner->rows[type.id] : NULL;
}

/* Names of anonymous types are for this file only. */
static const char *name_of(const char *name)
{
	return strncmp(name, "anonymous", 9) ? name : NULL;
}

static int debug_info_describe(struct probe_c_type type, struct probe_c_info *info)
{
	const struct debug_row *row = row_of(type);

	if (!row)
		return -EINVAL;
	*info = row->info;
	info->name = name_of(info->name);
	if (row->target)
		info->target = find_from(type.owner, row->target);
	return 0;
}

static int debug_info_member(struct probe_c_type type, unsigned int nr,
			     struct probe_c_member *member)
{
	const struct debug_row *row = row_of(type);

	if (!row || nr >= row->info.count)
		return -EINVAL;
	*member = (struct probe_c_member){
		.name = row->members[nr].name,
		.type = find_from(type.owner, row->members[nr].type),
		.bit_offset = row->members[nr].bit_offset,
		.bit_width = row->members[nr].bit_width,
	};
	return 0;
}

static void debug_info_release(const void *owner)
{
	debug_info_held--;
}

const struct probe_c_types debug_info_types = {
	.describe = debug_info_describe,
	.member = debug_info_member,
	.release = debug_info_release,
};

/**
 * debug_info_type() - find a type by name, with a reference to its owner
 * @name:	its name; of a module's type with "loaded:" before it
 * @type:	the type
 *
 * Return: 0 or -ENOENT.
 */
int debug_info_type(const char *name, struct probe_c_type *type)
{
	bool in_module = !strncmp(name, "loaded:", 7);
	int ret = find_in(in_module ? &module : &kernel, name + (in_module ? 7 : 0), type);

	debug_info_held += !ret;
	return ret;
}

/**
 * debug_info_prototype() - the prototype of a function, see struct probe_lookup
 * @lookup:	the machine
 * @function:	the function
 * @location:	the location it was found by
 * @type:	its type
 *
 * Return: 0, -EOPNOTSUPP, -ENODATA or -ENOENT.
 */
int debug_info_prototype(const struct probe_lookup *lookup,
			 const struct probe_function *function,
			 const struct probe_location *location, struct probe_c_type *type)
{
	/* The kernel does not tell this function's prototype, nor this module any. */
	if (!strcmp(location->symbol, "vfs_open"))
		return -EOPNOTSUPP;
	if (!strncmp(location->symbol, "bare:", 5))
		return -ENODATA;
	return debug_info_type(location->symbol, type);
}
