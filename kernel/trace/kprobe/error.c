// SPDX-License-Identifier: GPL-2.0
/*
 * Error numbers and texts of refused commands.
 */
#include <linux/errno.h>

#include "error.h"

/*
 * What error_log says.  Tools look for these texts: those up to EVENT_TOO_BIG
 * are the ones every 6.12 kernel prints.
 */
const char *probe_error_texts[PROBE_ERR_COUNT] = {
	[PROBE_ERR_NONE] = "",
	[PROBE_ERR_BAD_MAXACT_TYPE] = "Maxactive is only for function exit",
	[PROBE_ERR_BAD_MAXACT] = "Invalid maxactive number",
	[PROBE_ERR_MAXACT_TOO_BIG] = "Maxactive is too big",
	[PROBE_ERR_BAD_PROBE_ADDR] = "Invalid probed address or symbol",
	[PROBE_ERR_NON_UNIQ_SYMBOL] = "The symbol is not unique",
	[PROBE_ERR_BAD_RETPROBE] = "Retprobe address must be an function entry",
	[PROBE_ERR_BAD_ADDR_SUFFIX] = "Invalid probed address suffix",
	[PROBE_ERR_NO_GROUP_NAME] = "Group name is not specified",
	[PROBE_ERR_GROUP_TOO_LONG] = "Group name is too long",
	[PROBE_ERR_BAD_GROUP_NAME] =
		"Group name must follow the same rules as C identifiers",
	[PROBE_ERR_NO_EVENT_NAME] = "Event name is not specified",
	[PROBE_ERR_EVENT_TOO_LONG] = "Event name is too long",
	[PROBE_ERR_BAD_EVENT_NAME] =
		"Event name must follow the same rules as C identifiers",
	[PROBE_ERR_EVENT_EXIST] =
		"Given group/event name is already used by another event",
	[PROBE_ERR_RETVAL_ON_PROBE] = "$retval is not available on probe",
	[PROBE_ERR_NO_RETVAL] = "This function returns 'void' type",
	[PROBE_ERR_BAD_STACK_NUM] = "Invalid stack number",
	[PROBE_ERR_BAD_ARG_NUM] = "Invalid argument number",
	[PROBE_ERR_BAD_VAR] = "Invalid $-variable specified",
	[PROBE_ERR_BAD_REG_NAME] = "Invalid register name",
	[PROBE_ERR_BAD_MEM_ADDR] = "Invalid memory address",
	[PROBE_ERR_BAD_IMM] = "Invalid immediate value",
	[PROBE_ERR_IMMSTR_NO_CLOSE] = "String is not closed with '\"'",
	[PROBE_ERR_FILE_ON_KPROBE] = "File offset is not available with kprobe",
	[PROBE_ERR_TOO_MANY_OPS] = "Dereference is too much nested",
	[PROBE_ERR_DEREF_NEED_BRACE] = "Dereference needs a brace",
	[PROBE_ERR_BAD_DEREF_OFFS] = "Invalid dereference offset",
	[PROBE_ERR_DEREF_OPEN_BRACE] = "Dereference brace is not closed",
	[PROBE_ERR_COMM_CANT_DEREF] = "$comm can not be dereferenced",
	[PROBE_ERR_BAD_FETCH_ARG] = "Invalid fetch argument",
	[PROBE_ERR_ARRAY_NO_CLOSE] = "Array is not closed",
	[PROBE_ERR_BAD_ARRAY_SUFFIX] = "Array has wrong suffix",
	[PROBE_ERR_BAD_ARRAY_NUM] = "Invalid array size",
	[PROBE_ERR_ARRAY_TOO_BIG] = "Array number is too big",
	[PROBE_ERR_BAD_TYPE] = "Unknown type is specified",
	[PROBE_ERR_BAD_STRING] = "String accepts only memory argument",
	[PROBE_ERR_BAD_SYMSTRING] =
		"Symbol String doesn't accept data/userdata",
	[PROBE_ERR_BAD_BITFIELD] = "Invalid bitfield",
	[PROBE_ERR_ARG_NAME_TOO_LONG] = "Argument name is too long",
	[PROBE_ERR_NO_ARG_NAME] = "Argument name is not specified",
	[PROBE_ERR_BAD_ARG_NAME] =
		"Argument name must follow the same rules as C identifiers",
	[PROBE_ERR_USED_ARG_NAME] = "This argument name is already used",
	[PROBE_ERR_ARG_TOO_LONG] = "Argument expression is too long",
	[PROBE_ERR_NO_ARG_BODY] = "No argument expression",
	[PROBE_ERR_BAD_INSN_BNDRY] =
		"Probe point is not an instruction boundary",
	[PROBE_ERR_FAIL_REG_PROBE] = "Failed to register probe event",
	[PROBE_ERR_DIFF_PROBE_TYPE] =
		"Probe type is different from existing probe",
	[PROBE_ERR_DIFF_ARG_TYPE] =
		"Argument type or name is different from existing probe",
	[PROBE_ERR_SAME_PROBE] = "There is already the exact same probe event",
	[PROBE_ERR_NOSUP_BTFARG] = "BTF is not available or not supported",
	[PROBE_ERR_NO_BTFARG] =
		"This variable is not found at this probe point",
	[PROBE_ERR_NOFENTRY_ARGS] =
		"$arg* can be used only on function entry or exit",
	[PROBE_ERR_NEED_STRING_TYPE] =
		"$comm and immediate-string only accepts string type",
	[PROBE_ERR_EVENT_TOO_BIG] = "Event too big (too many fields?)",
	[PROBE_ERR_TOO_MANY_ARGS] = "Too many arguments are specified",
	[PROBE_ERR_ARG_NOT_WORD] =
		"This parameter, or one before it, is not passed in one word",
	[PROBE_ERR_BAD_COMMAND] = "Unknown command",
	[PROBE_ERR_NO_PLACE] = "Probed address or symbol is missing",
	[PROBE_ERR_NO_SUCH_EVENT] = "There is no such event",
	[PROBE_ERR_EVENT_BUSY] = "Event is in use",
	[PROBE_ERR_LINE_2LONG] = "Line is too long",
	[PROBE_ERR_NOTRACE_FUNC] = "Function is marked notrace",
	[PROBE_ERR_ADDR_IN_USE] =
		"Address is patched by another part of the kernel",
	[PROBE_ERR_FTRACE_OFF] = "Function tracing is switched off",
	[PROBE_ERR_FTRACE_DEAD] = "Function tracing has died",
	[PROBE_ERR_LOCKED_DOWN] = "Kernel lockdown forbids probes",
	[PROBE_ERR_NO_MEMORY] = "Not enough memory",
};

/* What the write returns; -EINVAL where nothing stands here. */
static const int probe_error_numbers[PROBE_ERR_COUNT] = {
	[PROBE_ERR_EVENT_EXIST] = -EEXIST,
	[PROBE_ERR_NO_RETVAL] = -ENOENT,
	[PROBE_ERR_ARG_TOO_LONG] = -E2BIG,
	[PROBE_ERR_BAD_INSN_BNDRY] = -EILSEQ,
	[PROBE_ERR_DIFF_PROBE_TYPE] = -EEXIST,
	[PROBE_ERR_DIFF_ARG_TYPE] = -EEXIST,
	[PROBE_ERR_SAME_PROBE] = -EEXIST,
	[PROBE_ERR_NOSUP_BTFARG] = -EOPNOTSUPP,
	[PROBE_ERR_NO_BTFARG] = -ENOENT,
	[PROBE_ERR_EVENT_TOO_BIG] = -E2BIG,
	[PROBE_ERR_TOO_MANY_ARGS] = -E2BIG,
	[PROBE_ERR_NO_SUCH_EVENT] = -ENOENT,
	[PROBE_ERR_EVENT_BUSY] = -EBUSY,
	[PROBE_ERR_ADDR_IN_USE] = -EBUSY,
	[PROBE_ERR_FTRACE_OFF] = -EAGAIN,
	[PROBE_ERR_FTRACE_DEAD] = -ENODEV,
	[PROBE_ERR_LOCKED_DOWN] = -EPERM,
	[PROBE_ERR_NO_MEMORY] = -ENOMEM,
};

/**
 * probe_error_set - note why a command is refused
 * @err:	where to note it
 * @id:		the reason
 * @column:	offset of the offending text in the command's line
 *
 * Context: any.
 * Return: the error number that belongs to @id, negative.
 */
int probe_error_set(struct probe_error *err, enum probe_error_id id,
		    unsigned int column)
{
	err->id = id;
	err->column = column;
	err->reason = NULL;
	return probe_error_numbers[id] ?: -EINVAL;
}
