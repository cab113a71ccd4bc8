// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Members of C types, searched by name.
 */
#include <linux/errno.h>
#include <linux/string.h>

#include "c_type.h"

/**
 * struct member_level - a structure or union that is being searched
 * @type:	the type
 * @bit_offset:	where it begins in the outermost one
 * @count:	number of its members
 * @next:	number of the next member to look at
 */
struct member_level {
	struct probe_c_type	type;
	unsigned int		bit_offset;
	unsigned int		count;
	unsigned int		next;
};

static int member_level_enter(struct member_level *level, const struct probe_c_types *types,
			      struct probe_c_type type, unsigned int bit_offset)
{
	struct probe_c_info info;
	int ret = types->describe(type, &info);

	if (ret)
		return ret;
	if (!probe_c_is_aggregate(&info))
		return -EOPNOTSUPP;
	*level = (struct member_level){ type, bit_offset, info.count, 0 };
	return 0;
}

static bool member_is_nested(const struct probe_c_types *types, const struct probe_c_member *member)
{
	struct probe_c_info info;

	if (member->name || member->bit_width || types->describe(member->type, &info))
		return false;
	return probe_c_is_aggregate(&info);
}

/**
 * probe_c_member_find() - find a member of a structure or union by its name
 * @types:	the provider
 * @type:	the structure or union
 * @name:	name of the member
 * @found:	the member; its offset counts from the start of @type
 *
 * Members of anonymous structures and unions inside @type count as its own. The search
 * goes PROBE_C_MAX_DEPTH levels deep.
 *
 * Context: as the provider's functions.
 * Return: 0; -ENOENT if there is no such member, -EOPNOTSUPP if @type has no members,
 *	or an error of the provider.
 */
int probe_c_member_find(const struct probe_c_types *types, struct probe_c_type type,
			struct probe_span name, struct probe_c_member *found)
{
	struct member_level levels[PROBE_C_MAX_DEPTH], *level = levels;
	int ret = member_level_enter(level, types, type, 0);

	while (!ret) {
		if (level->next == level->count) {
			if (level-- == levels)
				return -ENOENT;
			continue;
		}
		ret = types->member(level->type, level->next++, found);
		if (ret)
			return ret;
		found->bit_offset += level->bit_offset;
		if (found->name && probe_span_is(name, found->name))
			return 0;
		if (member_is_nested(types, found) && level < &levels[PROBE_C_MAX_DEPTH - 1])
			ret = member_level_enter(++level, types, found->type,
						 found->bit_offset);
	}
	return ret;
}
