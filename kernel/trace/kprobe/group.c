// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Groups of events: has a group events of another kind?
 *
 * Only the list of all trace events tells, and it can be long. A group therefore keeps
 * the answer no. It is valid until an event of another kind is added, to any group.
 */
#include <linux/hashtable.h>
#include <linux/slab.h>
#include <linux/stringhash.h>

#include "../trace_output.h"
#include "group.h"

/**
 * struct event_group - a group with at least one kprobe event
 * @node: in event_groups [E]
 * @nr: its kprobe events [E]
 * @others: event_group_others() when the list had no event of another kind in this
 *	group; ULONG_MAX if that has not been so yet [E]
 * @name: its name [I]
 */
struct event_group {
	struct hlist_node	node;
	unsigned int		nr;
	unsigned long		others;
	char			name[];
};

/* [E] */
static DEFINE_HASHTABLE(event_groups, 6);

/* [E] how many kprobe events have been added since boot */
static unsigned long event_groups_added;

static u32 event_group_hash(const char *name)
{
	return full_name_hash(NULL, name, strlen(name));
}

static struct event_group *event_group_find(const char *name)
{
	struct event_group *group;

	hash_for_each_possible(event_groups, group, node, event_group_hash(name))
		if (!strcmp(group->name, name))
			return group;
	return NULL;
}

static struct event_group *event_group_make(const char *name)
{
	size_t size = strlen(name) + 1;
	struct event_group *group = kzalloc(struct_size(group, name, size), GFP_KERNEL);

	if (!group)
		return NULL;
	group->others = ULONG_MAX;
	memcpy(group->name, name, size);
	hash_add(event_groups, &group->node, event_group_hash(name));
	return group;
}

/**
 * event_group_add() - keep a group while an event is in it
 * @name: the group of an event about to be added
 *
 * Context: event_mutex held.
 * Return: 0 or -ENOMEM.
 */
int event_group_add(const char *name)
{
	struct event_group *group;

	lockdep_assert_held(&event_mutex);
	group = event_group_find(name) ?: event_group_make(name);
	if (!group)
		return -ENOMEM;
	group->nr++;
	return 0;
}

/**
 * event_group_remove() - undo event_group_add()
 * @name: the group
 *
 * Context: event_mutex held.
 */
void event_group_remove(const char *name)
{
	struct event_group *group;

	lockdep_assert_held(&event_mutex);
	group = event_group_find(name);
	if (WARN_ON_ONCE(!group) || --group->nr)
		return;
	hash_del(&group->node);
	kfree(group);
}

/**
 * event_group_count() - note that a kprobe event has been added to the trace events
 *
 * Context: event_mutex held since then.
 */
void event_group_count(void)
{
	lockdep_assert_held(&event_mutex);
	event_groups_added++;
}

/* How many events of other kinds have been added since boot, to any group */
static unsigned long event_group_others(void)
{
	return trace_events_added - event_groups_added;
}

static bool event_group_has_others(const char *name)
{
	struct trace_event_call *call;

	guard(rwsem_read)(&trace_event_sem);
	list_for_each_entry(call, &ftrace_events, list)
		if (!(call->flags & TRACE_EVENT_FL_KPROBE) && !strcmp(call->class->system, name))
			return true;
	return false;
}

/**
 * event_group_is_ours() - are all events of a group kprobe events
 * @name: the group
 *
 * Context: event_mutex held; may sleep.
 * Return: true if so; false also for a group without kprobe events.
 */
bool event_group_is_ours(const char *name)
{
	struct event_group *group;

	lockdep_assert_held(&event_mutex);
	group = event_group_find(name);
	if (!group)
		return false;
	if (group->others == event_group_others())
		return true;
	if (event_group_has_others(name))
		return false;
	group->others = event_group_others();
	return true;
}
