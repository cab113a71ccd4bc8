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

#include <linux/types.h>

/* Why a command is refused: named as users know it, in words in error.c. */
enum probe_error_id {
	PROBE_ERR_NONE,
	PROBE_ERR_BAD_MAXACT_TYPE,
	PROBE_ERR_BAD_MAXACT,
	PROBE_ERR_MAXACT_TOO_BIG,
	PROBE_ERR_BAD_PROBE_ADDR,
	PROBE_ERR_NON_UNIQ_SYMBOL,
	PROBE_ERR_BAD_RETPROBE,
	PROBE_ERR_BAD_ADDR_SUFFIX,
	PROBE_ERR_NO_GROUP_NAME,
	PROBE_ERR_GROUP_TOO_LONG,
	PROBE_ERR_BAD_GROUP_NAME,
	PROBE_ERR_NO_EVENT_NAME,
	PROBE_ERR_EVENT_TOO_LONG,
	PROBE_ERR_BAD_EVENT_NAME,
	PROBE_ERR_EVENT_EXIST,
	PROBE_ERR_RETVAL_ON_PROBE,
	PROBE_ERR_NO_RETVAL,
	PROBE_ERR_BAD_STACK_NUM,
	PROBE_ERR_BAD_ARG_NUM,
	PROBE_ERR_BAD_VAR,
	PROBE_ERR_BAD_REG_NAME,
	PROBE_ERR_BAD_MEM_ADDR,
	PROBE_ERR_BAD_IMM,
	PROBE_ERR_IMMSTR_NO_CLOSE,
	PROBE_ERR_FILE_ON_KPROBE,
	PROBE_ERR_TOO_MANY_OPS,
	PROBE_ERR_DEREF_NEED_BRACE,
	PROBE_ERR_BAD_DEREF_OFFS,
	PROBE_ERR_DEREF_OPEN_BRACE,
	PROBE_ERR_COMM_CANT_DEREF,
	PROBE_ERR_BAD_FETCH_ARG,
	PROBE_ERR_ARRAY_NO_CLOSE,
	PROBE_ERR_BAD_ARRAY_SUFFIX,
	PROBE_ERR_BAD_ARRAY_NUM,
	PROBE_ERR_ARRAY_TOO_BIG,
	PROBE_ERR_BAD_TYPE,
	PROBE_ERR_BAD_STRING,
	PROBE_ERR_BAD_SYMSTRING,
	PROBE_ERR_BAD_BITFIELD,
	PROBE_ERR_ARG_NAME_TOO_LONG,
	PROBE_ERR_NO_ARG_NAME,
	PROBE_ERR_BAD_ARG_NAME,
	PROBE_ERR_USED_ARG_NAME,
	PROBE_ERR_ARG_TOO_LONG,
	PROBE_ERR_NO_ARG_BODY,
	PROBE_ERR_BAD_INSN_BNDRY,
	PROBE_ERR_FAIL_REG_PROBE,
	PROBE_ERR_DIFF_PROBE_TYPE,
	PROBE_ERR_DIFF_ARG_TYPE,
	PROBE_ERR_SAME_PROBE,
	PROBE_ERR_NOSUP_BTFARG,
	PROBE_ERR_NO_BTFARG,
	PROBE_ERR_NOFENTRY_ARGS,
	PROBE_ERR_NEED_STRING_TYPE,
	PROBE_ERR_EVENT_TOO_BIG,
	PROBE_ERR_TOO_MANY_ARGS,
	PROBE_ERR_ARG_NOT_WORD,
	PROBE_ERR_BAD_COMMAND,
	PROBE_ERR_NO_PLACE,
	PROBE_ERR_NO_SUCH_EVENT,
	PROBE_ERR_EVENT_BUSY,
	PROBE_ERR_LINE_2LONG,
	PROBE_ERR_NOTRACE_FUNC,
	PROBE_ERR_ADDR_IN_USE,
	PROBE_ERR_FTRACE_OFF,
	PROBE_ERR_FTRACE_DEAD,
	PROBE_ERR_LOCKED_DOWN,
	PROBE_ERR_NO_MEMORY,
	PROBE_ERR_COUNT,	/* last */
};

/**
 * struct probe_error - where and why a command was refused
 * @id:		the reason, PROBE_ERR_NONE as long as nothing was refused
 * @column:	offset of the offending text in the command's line; equal to
 *		the line's length when something is missing at its end
 * @reason:	more words about it, a constant, or NULL
 */
struct probe_error {
	enum probe_error_id	id;
	unsigned int		column;
	const char		*reason;
};

/* Indexed by enum probe_error_id; the form tracing_log_err() asks for. */
extern const char *probe_error_texts[PROBE_ERR_COUNT];

int probe_error_set(struct probe_error *err, enum probe_error_id id,
		    unsigned int column);

#endif /* _TRACE_KPROBE_ERROR_H */
