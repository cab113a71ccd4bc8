// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * For KUnit: are the flags of all records as the registered ftrace_ops want them? The ops
 * are asked for each record, by their filters. Included by ftrace.c.
 */

/* The flags that the registered ops give to a record, without FTRACE_NOCLEAR_FLAGS */
static unsigned long ftrace_rec_wanted(const struct dyn_ftrace *rec)
{
	struct ftrace_ops *op, *last = NULL;
	unsigned long flags = 0;

	do_for_each_ftrace_op(op, ftrace_ops_list) {
		if (!(op->flags & FTRACE_OPS_FL_ENABLED) ||
		    !hash_contains_ip(rec->ip, op->func_hash))
			continue;
		last = op;
		flags++;
		if (op->flags & FTRACE_OPS_FL_SAVE_REGS)
			flags |= FTRACE_FL_REGS;
		if (op->flags & FTRACE_OPS_FL_DIRECT)
			flags |= FTRACE_FL_DIRECT;
		if (op->flags & FTRACE_OPS_FL_IPMODIFY)
			flags |= FTRACE_FL_IPMODIFY;
	} while_for_each_ftrace_op(op);
	if ((flags & FTRACE_REF_MAX) != 1)
		return flags;
	if (last->trampoline)
		flags |= FTRACE_FL_TRAMP;
	if (IS_ENABLED(CONFIG_DYNAMIC_FTRACE_WITH_CALL_OPS) &&
	    ftrace_ops_get_func(last) == last->func)
		flags |= FTRACE_FL_CALL_OPS;
	return flags;
}

/* The flags that say what the text is, if it is as @flags want it */
static unsigned long ftrace_rec_patched(unsigned long flags)
{
	unsigned long enabled = 0;

	if (!ftrace_enabled || !(flags & FTRACE_REF_MAX))
		return 0;
	if (flags & FTRACE_FL_REGS)
		enabled |= FTRACE_FL_REGS_EN;
	if (flags & FTRACE_FL_TRAMP)
		enabled |= FTRACE_FL_TRAMP_EN;
	if ((flags & FTRACE_FL_DIRECT) && (flags & FTRACE_REF_MAX) == 1)
		enabled |= FTRACE_FL_DIRECT_EN;
	if (flags & FTRACE_FL_CALL_OPS)
		enabled |= FTRACE_FL_CALL_OPS_EN;
	return enabled | FTRACE_FL_ENABLED;
}

/**
 * ftrace_wrong_records() - compare all records with what the registered ops want of them
 *
 * For KUnit. The first records that differ are printed.
 *
 * Context: process context.
 * Return: the number of records that differ.
 */
unsigned int ftrace_wrong_records(void)
{
	unsigned long want, have;
	unsigned int wrong = 0;
	struct ftrace_page *pg;
	struct dyn_ftrace *rec;

	guard(mutex)(&ftrace_lock);
	do_for_each_ftrace_rec(pg, rec) {
		if (skip_record(rec))
			continue;
		have = rec->flags & ~FTRACE_NOCLEAR_FLAGS;
		want = ftrace_rec_wanted(rec);
		want |= ftrace_rec_patched(want);
		if (have == want)
			continue;
		if (wrong++ < 4)
			pr_warn("ftrace: %pS has the flags %#lx, wanted are %#lx\n",
				(void *)rec->ip, have, want);
	} while_for_each_ftrace_rec();
	return wrong;
}
EXPORT_SYMBOL_IF_KUNIT(ftrace_wrong_records);
