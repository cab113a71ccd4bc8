// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Output of kprobe events: the line in the trace, the fields and the "print
 * fmt" of the format file.
 */
#include <linux/slab.h>

#include "event.h"
#include "record.h"

/* The fields of the head, by the names tools know */
#define FIELD_IP	"__probe_ip"
#define FIELD_FUNC	"__probe_func"
#define FIELD_RET_IP	"__probe_ret_ip"

static enum print_line_t print_end(struct trace_iterator *iter, struct trace_event *event,
				   unsigned int head_size)
{
	struct trace_event_call *call = container_of(event, struct trace_event_call, event);

	trace_seq_putc(&iter->seq, ')');
	/* A record for the console (tp_printk) comes without its size, as it was made */
	event_fields_print(&iter->seq, kprobe_event_of(call)->fields, iter->ent, head_size,
			   iter->ent_size ?: RECORD_MAX);
	trace_seq_putc(&iter->seq, '\n');
	return trace_handle_return(&iter->seq);
}

static void print_name(struct trace_iterator *iter, struct trace_event *event)
{
	struct trace_event_call *call = container_of(event, struct trace_event_call, event);

	trace_seq_printf(&iter->seq, "%s: (", trace_event_name(call));
}

static enum print_line_t print_entry(struct trace_iterator *iter, int flags,
				     struct trace_event *event)
{
	struct kprobe_trace_entry_head *head = (void *)iter->ent;

	print_name(iter, event);
	seq_print_ip_sym(&iter->seq, head->ip, flags | TRACE_ITER_SYM_OFFSET);
	return print_end(iter, event, sizeof(*head));
}

static enum print_line_t print_return(struct trace_iterator *iter, int flags,
				      struct trace_event *event)
{
	struct kretprobe_trace_entry_head *head = (void *)iter->ent;

	print_name(iter, event);
	seq_print_ip_sym(&iter->seq, head->ret_ip, flags | TRACE_ITER_SYM_OFFSET);
	trace_seq_puts(&iter->seq, " <- ");
	seq_print_ip_sym(&iter->seq, head->func, flags & ~TRACE_ITER_SYM_OFFSET);
	return print_end(iter, event, sizeof(*head));
}

struct trace_event_functions kprobe_entry_output = {
	.trace	= print_entry,
};

struct trace_event_functions kprobe_return_output = {
	.trace	= print_return,
};

static unsigned int head_size(const struct kprobe_event *event)
{
	return event->is_return ? sizeof(struct kretprobe_trace_entry_head) :
				  sizeof(struct kprobe_trace_entry_head);
}

static int define_word(struct trace_event_call *call, const char *name, unsigned int offset)
{
	return trace_define_field(call, "unsigned long", name, offset,
				  sizeof(unsigned long), 0, FILTER_OTHER);
}

static int define_head(struct kprobe_event *event)
{
	struct trace_event_call *call = &event->call;
	int ret;

	if (!event->is_return)
		return define_word(call, FIELD_IP,
				   offsetof(struct kprobe_trace_entry_head, ip));
	ret = define_word(call, FIELD_FUNC,
			  offsetof(struct kretprobe_trace_entry_head, func));
	if (ret)
		return ret;
	return define_word(call, FIELD_RET_IP,
			   offsetof(struct kretprobe_trace_entry_head, ret_ip));
}

static int define_fault(struct kprobe_event *event)
{
	return trace_define_field(&event->call, "u64", PROBE_FAULT_FIELD,
				  head_size(event) + event->fields->size, sizeof(u64), 0,
				  FILTER_OTHER);
}

static int define_args(struct kprobe_event *event)
{
	const struct event_fields *fields = event->fields;
	const struct event_field *field;
	unsigned int i;
	int ret;

	for (i = 0; i < fields->nr; i++) {
		field = &fields->field[i];
		ret = trace_define_field(&event->call, field->type, field->name,
					 head_size(event) + field->offset, field->size,
					 field->value.value->is_signed, FILTER_OTHER);
		if (ret)
			return ret;
	}
	return 0;
}

static int define_fields(struct trace_event_call *call)
{
	struct kprobe_event *event = kprobe_event_of(call);
	int ret = define_head(event);

	if (!ret)
		ret = define_args(event);
	if (!ret && event->fields->has_fault)
		ret = define_fault(event);
	return ret;
}

struct trace_event_fields kprobe_event_fields[] = {
	{ .type = TRACE_FUNCTION_TYPE, .define_fields = define_fields },
	{}
};

/**
 * kprobe_event_print_fmt() - the "print fmt" of an event
 * @event: an event with its fields
 *
 * Return: the text, to be freed, or NULL if there is no memory for it.
 */
char *kprobe_event_print_fmt(const struct kprobe_event *event)
{
	if (event->is_return)
		return event_fields_print_fmt(event->fields, "(%lx <- %lx)",
					      "REC->" FIELD_FUNC ", REC->" FIELD_RET_IP);
	return event_fields_print_fmt(event->fields, "(%lx)", "REC->" FIELD_IP);
}

/**
 * kprobe_event_add_fault_field() - give an event a fault word it had no need of
 * @event: an event without one
 *
 * Records from here on have the word; the printing tells them from those before.
 *
 * Context: event_mutex held.
 * Return: 0 or -ENOMEM.
 */
int kprobe_event_add_fault_field(struct kprobe_event *event)
{
	char *old = event->call.print_fmt, *new;
	int ret;

	lockdep_assert_held(&event_mutex);
	WRITE_ONCE(event->fields->has_fault, true);
	new = kprobe_event_print_fmt(event);
	ret = new ? define_fault(event) : -ENOMEM;
	if (ret) {
		WRITE_ONCE(event->fields->has_fault, false);
		kfree(new);
		return ret;
	}
	event->call.print_fmt = new;
	kfree(old);
	return 0;
}
