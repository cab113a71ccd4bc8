// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Output of kprobe events: the line in the trace, and the fields of the format file.
 */
#include <linux/slab.h>
#include <linux/string.h>

#include "../trace_output.h"
#include "event.h"
#include "print.h"
#include "record.h"

/* Return: @text, or its second line if the first begins with @start. */
static const char *event_print_behind(const char *text, const char *start, const char *end)
{
	const char *newline = memchr(text, '\n', end - text);

	return newline && str_has_prefix(text, start) ? newline + 1 : text;
}

/*
 * print_trace_line() can put two lines of its own before that of a record. All lines
 * begin with the name of a task, in a column that is wider.
 */
static bool event_print_is_first(const struct trace_seq *s, size_t begin)
{
	const char *end = s->buffer + begin;
	const char *line = event_print_behind(s->buffer, "CPU:", end);

	line = event_print_behind(line, "##### CPU ", end);
	return !memchr(line, '\n', end - line);
}

/*
 * If the buffer holds other lines before @begin, its owner passes them on and asks for this
 * one again; or it ends the line, and finds room for that. Else the line is longer than
 * the buffer, and its end is missing.
 */
static void event_print_cut(struct trace_seq *s, size_t begin)
{
	static const char end[] = " [LINE TOO BIG]\n";

	s->seq.len = min(s->seq.len, s->seq.size - sizeof(end));
	if (!event_print_is_first(s, begin))
		return;
	s->full = 0;
	trace_seq_puts(s, end);
}

/* tp_printk prints a record as it was made, and does not tell its size. */
static unsigned int event_print_size(const struct trace_iterator *iter)
{
	return iter->ent_size ?: RECORD_MAX;
}

static enum print_line_t event_print_end(struct trace_iterator *iter, struct trace_event *event,
					 size_t begin)
{
	struct trace_event_call *call = container_of(event, struct trace_event_call, event);

	trace_seq_putc(&iter->seq, ')');
	event_fields_print(&iter->seq, kprobe_event_of(call)->fields, iter->ent,
			   event_print_size(iter));
	trace_seq_putc(&iter->seq, '\n');
	if (trace_seq_has_overflowed(&iter->seq))
		event_print_cut(&iter->seq, begin);
	return trace_handle_return(&iter->seq);
}

static void event_print_name(struct trace_iterator *iter, struct trace_event *event)
{
	struct trace_event_call *call = container_of(event, struct trace_event_call, event);

	trace_seq_printf(&iter->seq, "%s: (", trace_event_name(call));
}

static enum print_line_t event_print_entry(struct trace_iterator *iter, int flags,
					   struct trace_event *event)
{
	struct kprobe_trace_entry_head *head = (void *)iter->ent;
	size_t begin = iter->seq.seq.len;

	event_print_name(iter, event);
	if (event_print_size(iter) < sizeof(*head))
		trace_seq_puts(&iter->seq, "<OVERFLOW>");
	else
		seq_print_ip_sym(&iter->seq, head->ip, flags | TRACE_ITER_SYM_OFFSET);
	return event_print_end(iter, event, begin);
}

static void event_print_return_head(struct trace_iterator *iter,
				    const struct kretprobe_trace_entry_head *head, int flags)
{
	seq_print_ip_sym(&iter->seq, head->ret_ip, flags | TRACE_ITER_SYM_OFFSET);
	trace_seq_puts(&iter->seq, " <- ");
	seq_print_ip_sym(&iter->seq, head->func, flags & ~TRACE_ITER_SYM_OFFSET);
}

static enum print_line_t event_print_return(struct trace_iterator *iter, int flags,
					    struct trace_event *event)
{
	struct kretprobe_trace_entry_head *head = (void *)iter->ent;
	size_t begin = iter->seq.seq.len;

	event_print_name(iter, event);
	if (event_print_size(iter) < sizeof(*head))
		trace_seq_puts(&iter->seq, "<OVERFLOW>");
	else
		event_print_return_head(iter, head, flags);
	return event_print_end(iter, event, begin);
}

struct trace_event_functions kprobe_entry_output = {
	.trace	= event_print_entry,
};

struct trace_event_functions kprobe_return_output = {
	.trace	= event_print_return,
};

/* As in a record without arguments, from the first field to the last */
static int kprobe_event_define_head(struct kprobe_event *event)
{
	const struct event_fields *bare = event_fields_bare(event->is_return);
	const struct ftrace_event_field *field;
	int ret = 0;

	list_for_each_entry_reverse(field, &bare->described, link)
		ret = ret ?: trace_define_field(&event->call, field->type, field->name,
						field->offset, field->size, field->is_signed,
						field->filter_type);
	return ret;
}

static int kprobe_event_define_fault(struct kprobe_event *event)
{
	return trace_define_field(&event->call, "u64", PROBE_FAULT_FIELD,
				  event->fields->fault, sizeof(u64), 0, FILTER_OTHER);
}

/* The format file shows the length of an array only if the field knows it. */
static int kprobe_event_define_arg(struct trace_event_call *call, const struct event_field *field)
{
	const struct value_type *type = field->value.value;
	bool is_text = value_type_is_text(type);
	int ret;

	ret = trace_define_field(call, field->type, field->name, field->offset,
				 is_text ? type->size : field->size, type->is_signed,
				 FILTER_OTHER);
	if (!ret && !is_text)
		trace_find_event_field(call, field->name)->len = field->value.count;
	return ret;
}

static int kprobe_event_define_args(struct kprobe_event *event)
{
	const struct event_fields *fields = event->fields;
	unsigned int i;
	int ret = 0;

	for (i = 0; i < fields->nr && !ret; i++)
		ret = kprobe_event_define_arg(&event->call, &fields->field[i]);
	return ret;
}

static int kprobe_event_define_elements(struct trace_event_call *call,
					const struct event_field *field)
{
	const struct value_type *type = field->value.value;
	unsigned int i;
	int ret = 0;

	for (i = 0; i < field->value.count && !ret; i++)
		ret = trace_define_field(call, type->field, event_field_element(field, i),
					 field->offset + i * type->size, type->size,
					 type->is_signed, FILTER_OTHER);
	return ret;
}

/* They come last, for readers that take fields for members of a structure. */
static int kprobe_event_define_all_elements(struct kprobe_event *event)
{
	const struct event_fields *fields = event->fields;
	unsigned int i;
	int ret = 0;

	for (i = 0; i < fields->nr && !ret; i++)
		if (event_field_has_elements(&fields->field[i]))
			ret = kprobe_event_define_elements(&event->call, &fields->field[i]);
	return ret;
}

static int kprobe_event_define_fields(struct trace_event_call *call)
{
	struct kprobe_event *event = kprobe_event_of(call);
	int ret = kprobe_event_define_head(event);

	if (!ret)
		ret = kprobe_event_define_args(event);
	if (!ret && event->fields->fault)
		ret = kprobe_event_define_fault(event);
	if (!ret)
		ret = kprobe_event_define_all_elements(event);
	event->is_described = !ret;
	return ret;
}

struct trace_event_fields kprobe_event_fields[] = {
	{ .type = TRACE_FUNCTION_TYPE, .define_fields = kprobe_event_define_fields },
	{}
};
