// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The layout of records without arguments. All events that have such records share it, with
 * its description: there can be very many of them.
 */
#include <linux/init.h>

#include "../trace.h"
#include "fields.h"

static_assert(sizeof(struct kprobe_trace_entry_head) == sizeof(struct trace_entry) + 8);
static_assert(sizeof(struct kretprobe_trace_entry_head) == sizeof(struct trace_entry) + 16);

#define BARE_FIELD(word, head, member) {		\
	.name		= word,				\
	.type		= "unsigned long",		\
	.filter_type	= FILTER_OTHER,			\
	.offset		= offsetof(head, member),	\
	.size		= sizeof(unsigned long),	\
}

static struct ftrace_event_field bare_ip =
	BARE_FIELD(FIELD_IP, struct kprobe_trace_entry_head, ip);
static struct ftrace_event_field bare_func =
	BARE_FIELD(FIELD_FUNC, struct kretprobe_trace_entry_head, func);
static struct ftrace_event_field bare_ret_ip =
	BARE_FIELD(FIELD_RET_IP, struct kretprobe_trace_entry_head, ret_ip);

/* Their "print fmt" is no constant: trace_events.c replaces names of enumerations in place */
static struct event_fields bare_entry = {
	.end		= sizeof(struct kprobe_trace_entry_head),
	.described	= LIST_HEAD_INIT(bare_entry.described),
	.print_fmt	= (char []) { "\"" PRINT_ENTRY "\", " PRINT_ENTRY_ARGS },
};

static struct event_fields bare_return = {
	.end		= sizeof(struct kretprobe_trace_entry_head),
	.described	= LIST_HEAD_INIT(bare_return.described),
	.print_fmt	= (char []) { "\"" PRINT_RETURN "\", " PRINT_RETURN_ARGS },
};

/**
 * event_fields_bare() - the layout of records without arguments
 * @is_return: of a return probe
 *
 * Context: any.
 * Return: the fields, which are never freed.
 */
struct event_fields *event_fields_bare(bool is_return)
{
	return is_return ? &bare_return : &bare_entry;
}

/* As in the lists of trace_events.c, the last field is the first */
static int __init event_fields_describe_bare(void)
{
	list_add(&bare_ip.link, &bare_entry.described);
	list_add(&bare_func.link, &bare_return.described);
	list_add(&bare_ret_ip.link, &bare_return.described);
	return 0;
}
core_initcall(event_fields_describe_bare);
