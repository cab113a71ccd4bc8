/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Compile: from an expression and its type to a program.
 */
#ifndef _TRACE_KPROBE_COMPILE_H
#define _TRACE_KPROBE_COMPILE_H

#include "expr.h"
#include "program.h"
#include "type.h"

int fetch_program_compile(struct fetch_program *prog, const struct fetch_expr *expr,
			  const struct arg_type *type, struct fetch_context *ctx,
			  unsigned int column);

#endif /* _TRACE_KPROBE_COMPILE_H */
