// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Changes of a filter that cost what they change. Included by ftrace.c.
 *
 * An address is added to the filter of a registered ftrace_ops, or removed from it, in
 * place: only its record is updated, and only its text. A walk of all records, and a copy
 * of the filter, would make one address as expensive as all of them.
 *
 * The records are visited by the functions that visit all of them otherwise: they take
 * them from ftrace_concern.
 *
 * Changes that this file does not know are left to ftrace_set_hash(): of an ops that is not
 * registered, shares its filter, has subops, is a direct call or has a notrace filter; and
 * those after or before which the filter selects all functions.
 *
 * Readers of the filter have preemption disabled. A removed entry is freed after a grace
 * period. A new table replaces the old one when it becomes too small, as usual.
 */

/* A change of so few sites takes no memory for its list; removing them takes none at all */
#define FTRACE_SITES_FEW	16

/**
 * struct ftrace_sites_many - a list of more than FTRACE_SITES_FEW sites
 * @freed: frees it after a grace period, with the entries, which have left the filter
 * @num: the number of sites
 * @site: the sites
 */
struct ftrace_sites_many {
	struct rcu_work		freed;
	unsigned int		num;
	struct ftrace_site	site[];
};

/**
 * struct ftrace_change - one change of a filter
 * @ops: the owner of the filter
 * @sites: the sites to add or to remove; after a change in the order of their addresses
 * @num: their number
 * @remove: remove them
 */
struct ftrace_change {
	struct ftrace_ops	*ops;
	struct ftrace_site	*sites;
	unsigned int		num;
	bool			remove;
};

#ifndef CONFIG_DYNAMIC_FTRACE_WITH_DIRECT_CALLS
static int share_direct_function(unsigned long ip)
{
	return 0;
}

static void unshare_direct_function(unsigned long ip)
{
}
#endif

/* Selects no function */
static const struct ftrace_hash ftrace_hash_none = {
	.buckets = (struct hlist_head *)empty_buckets,
	.flags = FTRACE_HASH_FL_NONE,
};

static struct ftrace_hash *ftrace_filter_of(struct ftrace_ops *ops)
{
	return rcu_dereference_protected(ops->func_hash->filter_hash,
					 lockdep_is_held(&ftrace_lock));
}

static struct ftrace_hash *ftrace_notrace_of(struct ftrace_ops *ops)
{
	return rcu_dereference_protected(ops->func_hash->notrace_hash,
					 lockdep_is_held(&ftrace_lock));
}

/* Does nobody else use the filter of @ops? */
static bool ftrace_filter_is_own(struct ftrace_ops *ops)
{
	struct ftrace_ops *op;

	if (ops == &global_ops || ops->func_hash != &ops->local_hash)
		return false;
	do_for_each_ftrace_op(op, ftrace_ops_list) {
		if (op != ops && op->func_hash == ops->func_hash)
			return false;
	} while_for_each_ftrace_op(op);
	return true;
}

/* Can the filter of @ops be changed in place? */
static bool ftrace_change_fits(struct ftrace_ops *ops)
{
	if (!(ops->flags & FTRACE_OPS_FL_ENABLED) ||
	    (ops->flags & (FTRACE_OPS_FL_DIRECT | FTRACE_OPS_FL_SUBOP)) ||
	    !list_empty(&ops->subop_list))
		return false;
	return ftrace_filter_is_own(ops) && !ftrace_hash_empty(ftrace_filter_of(ops)) &&
	       ftrace_hash_empty(ftrace_notrace_of(ops));
}

/* The record that ftrace_location(@ip) finds, or NULL */
static struct dyn_ftrace *ftrace_record_of(unsigned long ip)
{
	struct dyn_ftrace *rec = lookup_rec(ip, ip);

	if (rec)
		return rec;
	ip = ftrace_location(ip);
	return ip ? lookup_rec(ip, ip) : NULL;
}

/* The site at @ip, if the change concerns it */
static int ftrace_change_note(struct ftrace_change *change, unsigned long ip)
{
	struct dyn_ftrace *rec = ftrace_record_of(ip);
	struct ftrace_func_entry *entry;

	if (!rec)
		return -EINVAL;
	entry = __ftrace_lookup_ip(ftrace_filter_of(change->ops), rec->ip);
	if (change->remove) {
		if (!entry)
			return -ENOENT;
	} else {
		if (entry)
			return 0;
		entry = kzalloc(sizeof(*entry), GFP_KERNEL);
		if (!entry)
			return -ENOMEM;
		entry->ip = rec->ip;
	}
	change->sites[change->num++] = (struct ftrace_site) { .rec = rec, .entry = entry };
	return 0;
}

static int ftrace_change_collect(struct ftrace_change *change, const unsigned long *ips,
				 unsigned int cnt)
{
	unsigned int i;
	int ret = 0;

	for (i = 0; i < cnt && !ret; i++)
		ret = ftrace_change_note(change, ips[i]);
	return ret;
}

static int ftrace_cmp_sites(const void *a, const void *b)
{
	const struct ftrace_site *left = a, *right = b;

	if (left->rec->ip == right->rec->ip)
		return 0;
	return left->rec->ip < right->rec->ip ? -1 : 1;
}

/* Batches of text are sorted. Callers that name an address twice are left to others. */
static int ftrace_change_sort(struct ftrace_change *change)
{
	struct ftrace_hash *hash = ftrace_filter_of(change->ops);
	unsigned int i;

	if (change->num > 1)
		sort(change->sites, change->num, sizeof(*change->sites), ftrace_cmp_sites, NULL);
	for (i = 1; i < change->num; i++) {
		if (change->sites[i].rec == change->sites[i - 1].rec)
			return FTRACE_SITES_ALL;
	}
	/* The last address leaves: the filter would select all functions */
	if (change->remove && hash->count == change->num && !(hash->flags & FTRACE_HASH_FL_NONE))
		return FTRACE_SITES_ALL;
	return 0;
}

/* IPMODIFY excludes itself from a record. Returns -EBUSY, and nothing was changed. */
static int ftrace_change_ipmodify(struct ftrace_change *change)
{
	struct dyn_ftrace *rec;
	unsigned int i;

	if (!(change->ops->flags & FTRACE_OPS_FL_IPMODIFY))
		return 0;
	for (i = 0; i < change->num && !change->remove; i++) {
		rec = change->sites[i].rec;
		if ((rec->flags & FTRACE_FL_IPMODIFY) && !(rec->flags & FTRACE_FL_DISABLED))
			return -EBUSY;
	}
	for (i = 0; i < change->num; i++) {
		rec = change->sites[i].rec;
		if (rec->flags & FTRACE_FL_DISABLED)
			continue;
		if (change->remove)
			rec->flags &= ~FTRACE_FL_IPMODIFY;
		else
			rec->flags |= FTRACE_FL_IPMODIFY;
	}
	return 0;
}

/* Make room for @num more entries; without memory the lists become longer */
static void ftrace_hash_grow(struct ftrace_ops *ops, unsigned int num)
{
	struct ftrace_hash *hash = ftrace_filter_of(ops), *larger;
	int bits = min(fls_long(hash->count + num), FTRACE_HASH_MAX_BITS);

	if (bits <= hash->size_bits)
		return;
	larger = alloc_and_copy_ftrace_hash(bits, hash);
	if (!larger)
		return;
	rcu_assign_pointer(ops->func_hash->filter_hash, larger);
	free_ftrace_hash_rcu(hash);
}

static void ftrace_change_hash(struct ftrace_change *change)
{
	struct ftrace_func_entry *entry;
	struct ftrace_hash *hash;
	unsigned int i;

	if (!change->remove)
		ftrace_hash_grow(change->ops, change->num);
	hash = ftrace_filter_of(change->ops);
	for (i = 0; i < change->num; i++) {
		entry = change->sites[i].entry;
		if (change->remove) {
			remove_hash_entry(hash, entry);
		} else {
			hlist_add_head_rcu(&entry->hlist,
					   &hash->buckets[ftrace_hash_key(hash, entry->ip)]);
			hash->count++;
		}
	}
}

static void ftrace_change_records(struct ftrace_change *change)
{
	struct dyn_ftrace *rec;
	unsigned int i;

	for (i = 0; i < change->num; i++) {
		rec = change->sites[i].rec;
		if (skip_record(rec))
			continue;
		if (!ftrace_rec_update(change->ops, rec, !change->remove))
			return;
	}
}

/* The filter before the change is asked for the sites of the change alone */
static void ftrace_change_text(struct ftrace_change *change)
{
	struct ftrace_hash *none = (struct ftrace_hash *)&ftrace_hash_none;
	struct ftrace_ops_hash old = {
		.filter_hash = RCU_INITIALIZER(change->remove ? EMPTY_HASH : none),
		.notrace_hash = RCU_INITIALIZER(EMPTY_HASH),
	};

	if (!ftrace_enabled || !change->num)
		return;
	ftrace_concern.sites = change->sites;
	ftrace_concern.num = change->num;
	ftrace_run_modify_code(change->ops, FTRACE_UPDATE_CALLS, &old);
	ftrace_concern.sites = NULL;
}

/* Apply a change, or nothing of it and return an error or FTRACE_SITES_ALL */
static int ftrace_change_apply(struct ftrace_change *change, const unsigned long *ips,
			       unsigned int cnt)
{
	int ret;

	lockdep_assert_held(&ftrace_lock);

	if (!ftrace_change_fits(change->ops))
		return FTRACE_SITES_ALL;
	ret = ftrace_change_collect(change, ips, cnt);
	if (!ret)
		ret = ftrace_change_sort(change);
	if (!ret)
		ret = ftrace_change_ipmodify(change);
	if (ret)
		return ret;
	ftrace_change_hash(change);
	ftrace_change_records(change);
	ftrace_change_text(change);
	return 0;
}

static int ftrace_change_locked(struct ftrace_change *change, const unsigned long *ips,
				unsigned int cnt)
{
	struct mutex *regex_lock = &change->ops->func_hash->regex_lock;
	int ret;

	mutex_lock(regex_lock);
	mutex_lock(&ftrace_lock);
	ret = ftrace_change_apply(change, ips, cnt);
	mutex_unlock(&ftrace_lock);
	mutex_unlock(regex_lock);
	return ret;
}

/* Tell direct functions at @ips that an ops with IPMODIFY joins them, and change its filter */
static int ftrace_change_shared(struct ftrace_change *change, const unsigned long *ips,
				unsigned int cnt)
{
	unsigned int i;
	int ret = 0;

	lock_direct_mutex();
	for (i = 0; i < cnt && !change->remove && !ret; i++)
		ret = share_direct_function(ftrace_location(ips[i]));
	if (!ret)
		ret = ftrace_change_locked(change, ips, cnt);
	for (i = 0; i < cnt && change->remove && !ret; i++)
		unshare_direct_function(ftrace_location(ips[i]));
	unlock_direct_mutex();
	return ret;
}

static void ftrace_sites_free(struct work_struct *work)
{
	struct ftrace_sites_many *many = container_of(to_rcu_work(work),
						      struct ftrace_sites_many, freed);
	unsigned int i;

	for (i = 0; i < many->num; i++) {
		kfree(many->site[i].entry);
		cond_resched();
	}
	kvfree(many);
}

/* A list that is long waits with its entries: one grace period, however short memory is */
static void ftrace_change_free_later(struct ftrace_change *change, struct ftrace_sites_many *many)
{
	unsigned int i;

	if (many) {
		many->num = change->num;
		INIT_RCU_WORK(&many->freed, ftrace_sites_free);
		queue_rcu_work(system_unbound_wq, &many->freed);
		return;
	}
	for (i = 0; i < change->num; i++)
		kfree_rcu_mightsleep(change->sites[i].entry);
}

/* Free the list, and the entries that have left the filter, or have not come to it */
static void ftrace_change_end(struct ftrace_change *change, struct ftrace_sites_many *many,
			      int error)
{
	unsigned int i;

	if (change->remove && !error) {
		ftrace_change_free_later(change, many);
		return;
	}
	for (i = 0; i < change->num && !change->remove && error; i++)
		kfree(change->sites[i].entry);
	kvfree(many);
}

/**
 * ftrace_change_sites() - add addresses to a filter, or remove them
 * @ops: the owner of the filter
 * @ips: the addresses
 * @cnt: their number
 * @remove: remove them
 *
 * The cost depends on @cnt, but neither on the size of the filter nor on the number of
 * records. For lack of memory only more than FTRACE_SITES_FEW addresses cannot be removed.
 *
 * Context: process context.
 * Return: 0; or FTRACE_SITES_ALL or a negative error, and then nothing was changed.
 */
static int ftrace_change_sites(struct ftrace_ops *ops, unsigned long *ips,
			       unsigned int cnt, bool remove)
{
	struct ftrace_site few[FTRACE_SITES_FEW];
	struct ftrace_change change = { .ops = ops, .sites = few, .remove = remove };
	struct ftrace_sites_many *many = NULL;
	int ret;

	if (unlikely(ftrace_disabled))
		return -ENODEV;
	/* Spares the memory; the flag is looked at again under the lock */
	if (!(READ_ONCE(ops->flags) & FTRACE_OPS_FL_ENABLED))
		return FTRACE_SITES_ALL;
	if (cnt > ARRAY_SIZE(few)) {
		many = kvmalloc(struct_size(many, site, cnt), GFP_KERNEL);
		if (!many)
			return -ENOMEM;
		change.sites = many->site;
	}
	if (ops->flags & FTRACE_OPS_FL_IPMODIFY)
		ret = ftrace_change_shared(&change, ips, cnt);
	else
		ret = ftrace_change_locked(&change, ips, cnt);
	ftrace_change_end(&change, many, ret);
	return ret;
}

/**
 * ftrace_set_filter_none() - let an ftrace_ops trace no function
 * @ops: the ftrace_ops
 *
 * Without a filter an ops traces all functions, and so it does when the last address
 * leaves its filter. After this call it traces those that are in the filter, even if
 * there are none. It can then stay registered while it has nothing to trace.
 *
 * Context: process context.
 * Return: 0, or a negative error.
 */
int ftrace_set_filter_none(struct ftrace_ops *ops)
{
	struct ftrace_hash *hash = alloc_ftrace_hash(0), **filter;
	int ret;

	if (!hash)
		return -ENOMEM;
	hash->flags = FTRACE_HASH_FL_NONE;
	ftrace_ops_init(ops);
	mutex_lock(&ops->func_hash->regex_lock);
	mutex_lock(&ftrace_lock);
	filter = (struct ftrace_hash __force **)&ops->func_hash->filter_hash;
	ret = ftrace_hash_move_and_update_ops(ops, filter, hash, 1);
	mutex_unlock(&ftrace_lock);
	mutex_unlock(&ops->func_hash->regex_lock);
	free_ftrace_hash(hash);
	return ret;
}
EXPORT_SYMBOL_IF_KUNIT(ftrace_set_filter_none);
