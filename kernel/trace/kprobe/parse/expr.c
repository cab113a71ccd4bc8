// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Expressions, while they are put together from the outside to the inside.
 */
#include <linux/array_size.h>
#include <linux/build_bug.h>

#include "expr.h"

/**
 * fetch_expr_deref() - put one more dereference inside those of an expression
 * @expr:	expression whose source is not read yet
 * @ctx:	what the expression is read in
 * @deref:	the dereference
 *
 * Context: any.
 * Return: 0 or a negative error.
 */
int fetch_expr_deref(struct fetch_expr *expr, struct fetch_context *ctx,
		     const struct fetch_deref *deref)
{
	if (expr->nr_derefs == ARRAY_SIZE(expr->derefs))
		return fetch_context_refuse(ctx, PROBE_ERR_TOO_MANY_OPS, deref->column);
	expr->derefs[expr->nr_derefs++] = *deref;
	return 0;
}
