// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Groups of events: a group has the class that its events share, and knows whether it has
 * events of another kind.
 *
 * Only the list of all trace events tells that, and it can be long. A group therefore keeps
 * the answer no. It is valid until an event of another kind is added, to any group.
 */
#include <linux/hashtable.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/stringhash.h>

#include "../trace_output.h"
#include "group.h"

/**
 * struct event_group - a group with at least one kprobe event
 * @node: in event_groups [G]
 * @nr: its kprobe events, until they are freed [G]
 * @others: event_group_others() when the list had no event of another kind in this
 *	group; ULONG_MAX if that has not been so yet [E]
 * @class: the class of its kprobe events; its name is @name [I]
 * @name: its name [I]
 */
struct event_group {
	struct hlist_node		node;
	unsigned int			nr;
	unsigned long			others;
	struct trace_event_class	class;
	char				name[];
};

/* [G], the lock of groups: events are freed in softirqs. Groups are added under [E] as well */
static DEFINE_SPINLOCK(event_groups_lock);
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

	lockdep_assert_held(&event_groups_lock);
	hash_for_each_possible(event_groups, group, node, event_group_hash(name))
		if (!strcmp(group->name, name))
			return group;
	return NULL;
}

static struct event_group *event_group_find_get(const char *name)
{
	struct event_group *group;
	unsigned long flags;

	spin_lock_irqsave(&event_groups_lock, flags);
	group = event_group_find(name);
	if (group)
		group->nr++;
	spin_unlock_irqrestore(&event_groups_lock, flags);
	return group;
}

static struct event_group *event_group_make(const char *name,
					    const struct trace_event_class *methods)
{
	size_t size = strlen(name) + 1;
	struct event_group *group = kzalloc(struct_size(group, name, size), GFP_KERNEL);
	unsigned long flags;

	if (!group)
		return NULL;
	group->nr = 1;
	group->others = ULONG_MAX;
	memcpy(group->name, name, size);
	group->class = *methods;
	group->class.system = group->name;
	spin_lock_irqsave(&event_groups_lock, flags);
	hash_add(event_groups, &group->node, event_group_hash(name));
	spin_unlock_irqrestore(&event_groups_lock, flags);
	return group;
}

/**
 * event_group_get() - get the class for an event of a group
 * @name: the group
 * @methods: what the class is like if there is none
 *
 * Context: event_mutex held; may sleep.
 * Return: the class, to be released with event_group_put(); NULL if there is no memory.
 */
struct trace_event_class *event_group_get(const char *name,
					  const struct trace_event_class *methods)
{
	struct event_group *group;

	lockdep_assert_held(&event_mutex);
	group = event_group_find_get(name) ?: event_group_make(name, methods);
	return group ? &group->class : NULL;
}

/**
 * event_group_put() - release a class
 * @class: what event_group_get() returned; its event is no longer in use
 *
 * Context: any.
 */
void event_group_put(struct trace_event_class *class)
{
	struct event_group *group = container_of(class, struct event_group, class);
	unsigned long flags;
	bool is_last;

	spin_lock_irqsave(&event_groups_lock, flags);
	is_last = !--group->nr;
	if (is_last)
		hash_del(&group->node);
	spin_unlock_irqrestore(&event_groups_lock, flags);
	if (is_last)
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
 * @class: the class of the group
 *
 * Context: event_mutex held; may sleep.
 * Return: true if so.
 */
bool event_group_is_ours(struct trace_event_class *class)
{
	struct event_group *group = container_of(class, struct event_group, class);

	lockdep_assert_held(&event_mutex);
	if (group->others == event_group_others())
		return true;
	if (event_group_has_others(group->name))
		return false;
	group->others = event_group_others();
	return true;
}
