/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What can be wrong with a line written to kprobe_events.
 *
 * A refusal is an identifier and a column: the caller prints the identifier's
 * text, the line, and a caret under the column.  There is no state behind it;
 * struct probe_error is handed down by whoever wants to know.
 */
#ifndef _TRACE_KPROBE_ERROR_H
#define _TRACE_KPROBE_ERROR_H

#include <linux/errno.h>
#include <linux/types.h>

/*
 * Identifier, error number of the write, text in error_log.  The texts are read
 * by tools: the ones up to EVENT_TOO_BIG are those every 6.12 kernel prints.
 */
#define PROBE_ERRORS(E)							       \
	E(BAD_MAXACT_TYPE,	EINVAL,					       \
	  "Maxactive is only for function exit")			       \
	E(BAD_MAXACT,		EINVAL,	"Invalid maxactive number")	       \
	E(MAXACT_TOO_BIG,	EINVAL,	"Maxactive is too big")		       \
	E(BAD_PROBE_ADDR,	EINVAL,	"Invalid probed address or symbol")    \
	E(NON_UNIQ_SYMBOL,	EADDRNOTAVAIL, "The symbol is not unique")     \
	E(BAD_RETPROBE,		EINVAL,					       \
	  "Retprobe address must be an function entry")			       \
	E(BAD_ADDR_SUFFIX,	EINVAL,	"Invalid probed address suffix")       \
	E(NO_GROUP_NAME,	EINVAL,	"Group name is not specified")	       \
	E(GROUP_TOO_LONG,	EINVAL,	"Group name is too long")	       \
	E(BAD_GROUP_NAME,	EINVAL,					       \
	  "Group name must follow the same rules as C identifiers")	       \
	E(NO_EVENT_NAME,	EINVAL,	"Event name is not specified")	       \
	E(EVENT_TOO_LONG,	EINVAL,	"Event name is too long")	       \
	E(BAD_EVENT_NAME,	EINVAL,					       \
	  "Event name must follow the same rules as C identifiers")	       \
	E(EVENT_EXIST,		EEXIST,					       \
	  "Given group/event name is already used by another event")	       \
	E(RETVAL_ON_PROBE,	EINVAL,	"$retval is not available on probe")   \
	E(NO_RETVAL,		ENOENT,	"This function returns 'void' type")   \
	E(BAD_STACK_NUM,	EINVAL,	"Invalid stack number")		       \
	E(BAD_ARG_NUM,		EINVAL,	"Invalid argument number")	       \
	E(BAD_VAR,		EINVAL,	"Invalid $-variable specified")	       \
	E(BAD_REG_NAME,		EINVAL,	"Invalid register name")	       \
	E(BAD_MEM_ADDR,		EINVAL,	"Invalid memory address")	       \
	E(BAD_IMM,		EINVAL,	"Invalid immediate value")	       \
	E(IMMSTR_NO_CLOSE,	EINVAL,	"String is not closed with '\"'")      \
	E(FILE_ON_KPROBE,	EINVAL,					       \
	  "File offset is not available with kprobe")			       \
	E(TOO_MANY_OPS,		E2BIG,	"Dereference is too much nested")      \
	E(DEREF_NEED_BRACE,	EINVAL,	"Dereference needs a brace")	       \
	E(BAD_DEREF_OFFS,	EINVAL,	"Invalid dereference offset")	       \
	E(DEREF_OPEN_BRACE,	EINVAL,	"Dereference brace is not closed")     \
	E(COMM_CANT_DEREF,	EINVAL,	"$comm can not be dereferenced")       \
	E(BAD_FETCH_ARG,	EINVAL,	"Invalid fetch argument")	       \
	E(ARRAY_NO_CLOSE,	EINVAL,	"Array is not closed")		       \
	E(BAD_ARRAY_SUFFIX,	EINVAL,	"Array has wrong suffix")	       \
	E(BAD_ARRAY_NUM,	EINVAL,	"Invalid array size")		       \
	E(ARRAY_TOO_BIG,	EINVAL,	"Array number is too big")	       \
	E(BAD_TYPE,		EINVAL,	"Unknown type is specified")	       \
	E(BAD_STRING,		EINVAL,	"String accepts only memory argument") \
	E(BAD_SYMSTRING,	EINVAL,					       \
	  "Symbol String doesn't accept data/userdata")			       \
	E(BAD_BITFIELD,		EINVAL,	"Invalid bitfield")		       \
	E(ARG_NAME_TOO_LONG,	EINVAL,	"Argument name is too long")	       \
	E(NO_ARG_NAME,		EINVAL,	"Argument name is not specified")      \
	E(BAD_ARG_NAME,		EINVAL,					       \
	  "Argument name must follow the same rules as C identifiers")	       \
	E(USED_ARG_NAME,	EINVAL,	"This argument name is already used")  \
	E(ARG_TOO_LONG,		EINVAL,	"Argument expression is too long")     \
	E(NO_ARG_BODY,		EINVAL,	"No argument expression")	       \
	E(BAD_INSN_BNDRY,	EILSEQ,					       \
	  "Probe point is not an instruction boundary")			       \
	E(FAIL_REG_PROBE,	EINVAL,	"Failed to register probe event")      \
	E(DIFF_PROBE_TYPE,	EEXIST,					       \
	  "Probe type is different from existing probe")		       \
	E(DIFF_ARG_TYPE,	EEXIST,					       \
	  "Argument type or name is different from existing probe")	       \
	E(SAME_PROBE,		EEXIST,					       \
	  "There is already the exact same probe event")		       \
	E(NOSUP_BTFARG,		EOPNOTSUPP,				       \
	  "BTF is not available or not supported")			       \
	E(NO_BTFARG,		ENOENT,					       \
	  "This variable is not found at this probe point")		       \
	E(NOFENTRY_ARGS,	EINVAL,					       \
	  "$arg* can be used only on function entry or exit")		       \
	E(NEED_STRING_TYPE,	EINVAL,					       \
	  "$comm and immediate-string only accepts string type")	       \
	E(EVENT_TOO_BIG,	E2BIG,					       \
	  "Event too big (too many fields?)")				       \
	E(TOO_MANY_ARGS,	E2BIG,					       \
	  "Too many arguments are specified")				       \
	E(BAD_COMMAND,		EINVAL,	"Unknown command")		       \
	E(NO_PLACE,		EINVAL,	"Probed address or symbol is missing") \
	E(NO_SUCH_EVENT,	ENOENT,	"There is no such event")	       \
	E(EVENT_BUSY,		EBUSY,	"Event is in use")		       \
	E(LINE_2LONG,		EINVAL,	"Line is too long")		       \
	E(NOTRACE_FUNC,		EINVAL,	"Function is marked notrace")	       \
	E(BLACKLISTED,		EINVAL,	"Address must not be probed")	       \
	E(ADDR_IN_USE,		EBUSY,					       \
	  "Address is patched by another part of the kernel")		       \
	E(LOCKED_DOWN,		EPERM,	"Kernel lockdown forbids probes")      \
	E(NO_MEMORY,		ENOMEM,	"Not enough memory")

#define PROBE_ERROR_ID(id, number, text)	PROBE_ERR_##id,

/**
 * enum probe_error_id - the reason why a command was refused
 */
enum probe_error_id {
	PROBE_ERR_NONE,
	PROBE_ERRORS(PROBE_ERROR_ID)
	PROBE_ERR_COUNT
};

/**
 * struct probe_error - where and why a command was refused
 * @id:		the reason, PROBE_ERR_NONE as long as nothing was refused
 * @column:	offset of the offending text in the command's line; equal to
 *		the line's length when something is missing at its end
 */
struct probe_error {
	enum probe_error_id	id;
	unsigned int		column;
};

/* Indexed by enum probe_error_id; the form tracing_log_err() asks for. */
extern const char *probe_error_texts[PROBE_ERR_COUNT];

int probe_error_set(struct probe_error *err, enum probe_error_id id,
		    unsigned int column);

#endif /* _TRACE_KPROBE_ERROR_H */
