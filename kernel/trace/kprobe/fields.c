// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Fields of an event: their names, types and offsets, the "print fmt" of the format
 * file, and the text of a record in the trace.
 */
#include <linux/align.h>
#include <linux/seq_buf.h>
#include <linux/slab.h>
#include <linux/unaligned.h>

#include "fields.h"

static char *event_field_type(const struct arg_type *type)
{
	if (!type->count)
		return kstrdup(type->value->field, GFP_KERNEL);
	return kasprintf(GFP_KERNEL, "%s[%u]", type->value->field, type->count);
}

static bool event_field_init(struct event_field *field, const struct fetch_arg *arg,
			     unsigned int begin)
{
	field->name = kstrdup(arg->name, GFP_KERNEL);
	field->type = event_field_type(&arg->type);
	field->value = arg->type;
	field->offset = begin + arg->offset;
	field->size = arg->size;
	return field->name && field->type;
}

/* Padding lies before the fault word if there is one, else at the end of the record. */
static void event_fields_layout(struct event_fields *fields, const struct fetch_args *args,
				unsigned int head_size)
{
	fields->begin = head_size;
	fields->fault = args->fault_offset ? head_size + args->fault_offset : 0;
	fields->end = head_size + args->size;
	fields->size = ALIGN(fields->end, sizeof(u32));
	fields->clear = (fields->fault ?: fields->size) - sizeof(u64);
	fields->has_text = args->nr_text;
}

/**
 * event_fields_alloc() - make the fields that arguments fill
 * @args: the arguments
 * @head_size: bytes of the record before the first field, a multiple of 8
 *
 * Context: may sleep.
 * Return: the fields, to be freed with event_fields_free(), or an error pointer.
 */
struct event_fields *event_fields_alloc(const struct fetch_args *args, unsigned int head_size)
{
	struct event_fields *fields;
	unsigned int i;

	fields = kzalloc(struct_size(fields, field, args->nr), GFP_KERNEL);
	if (!fields)
		return ERR_PTR(-ENOMEM);
	fields->nr = args->nr;
	event_fields_layout(fields, args, head_size);
	for (i = 0; i < args->nr; i++)
		if (!event_field_init(&fields->field[i], &args->arg[i], head_size)) {
			event_fields_free(fields);
			return ERR_PTR(-ENOMEM);
		}
	return fields;
}

/**
 * event_fields_free() - free fields
 * @fields: what event_fields_alloc() returned, or NULL
 *
 * Context: any; no reader may be left.
 */
void event_fields_free(struct event_fields *fields)
{
	unsigned int i;

	if (IS_ERR_OR_NULL(fields))
		return;
	for (i = 0; i < fields->nr; i++) {
		kfree(fields->field[i].name);
		kfree(fields->field[i].type);
	}
	kfree(fields);
}

static unsigned int event_field_count(const struct event_field *field)
{
	return field->value.count ? field->value.count : 1;
}

static void print_fmt_put_conversions(struct seq_buf *buf, const struct event_field *field)
{
	unsigned int i;

	seq_buf_printf(buf, " %s=", field->name);
	if (!field->value.count) {
		seq_buf_puts(buf, field->value.value->print);
		return;
	}
	for (i = 0; i < field->value.count; i++)
		seq_buf_printf(buf, "%c%s", i ? ',' : '{', field->value.value->print);
	seq_buf_putc(buf, '}');
}

static void print_fmt_put_value(struct seq_buf *buf, const struct event_field *field,
				const char *index)
{
	if (value_type_is_text(field->value.value))
		seq_buf_printf(buf, ", __get_str(%s%s)", field->name, index);
	else
		seq_buf_printf(buf, ", REC->%s%s", field->name, index);
}

static void print_fmt_put_values(struct seq_buf *buf, const struct event_field *field)
{
	char index[8] = "";
	unsigned int i;

	for (i = 0; i < event_field_count(field); i++) {
		if (field->value.count)
			snprintf(index, sizeof(index), "[%u]", i);
		print_fmt_put_value(buf, field, index);
	}
}

static void print_fmt_put(struct seq_buf *buf, const struct event_fields *fields,
			  const char *head, const char *head_args)
{
	unsigned int i;

	seq_buf_printf(buf, "\"%s", head);
	for (i = 0; i < fields->nr; i++)
		print_fmt_put_conversions(buf, &fields->field[i]);
	seq_buf_printf(buf, "%s\", %s", fields->fault ? "%s" : "", head_args);
	for (i = 0; i < fields->nr; i++)
		print_fmt_put_values(buf, &fields->field[i]);
	if (fields->fault)
		seq_buf_puts(buf, ", REC->" PROBE_FAULT_FIELD " ? \" (fault)\" : \"\"");
}

/* An upper bound of the length of what print_fmt_put() writes. */
static size_t print_fmt_bound(const struct event_fields *fields)
{
	size_t bound = 256;
	unsigned int i;

	for (i = 0; i < fields->nr; i++)
		bound += 64 + event_field_count(&fields->field[i]) *
			 (strlen(fields->field[i].name) + 40);
	return bound;
}

/**
 * event_fields_print_fmt() - the "print fmt" line of the format file
 * @fields: the fields
 * @head: the conversions for the head of the record
 * @head_args: what they convert
 *
 * Context: may sleep.
 * Return: the text, to be freed with kfree(), or NULL without memory.
 */
char *event_fields_print_fmt(const struct event_fields *fields, const char *head,
			     const char *head_args)
{
	size_t size = print_fmt_bound(fields);
	char *text = kzalloc(size, GFP_KERNEL);
	struct seq_buf buf;

	if (!text)
		return NULL;
	seq_buf_init(&buf, text, size);
	print_fmt_put(&buf, fields, head, head_args);
	if (WARN_ON_ONCE(seq_buf_has_overflowed(&buf))) {
		kfree(text);
		return NULL;
	}
	return text;
}

static u64 event_field_number(const void *data, unsigned int size, bool is_signed)
{
	switch (size) {
	case 8:
		return get_unaligned((const u64 *)data);
	case 4:
		return is_signed ? (s64)(s32)get_unaligned((const u32 *)data) :
				   get_unaligned((const u32 *)data);
	case 2:
		return is_signed ? (s16)get_unaligned((const u16 *)data) :
				   get_unaligned((const u16 *)data);
	default:
		return is_signed ? *(const s8 *)data : *(const u8 *)data;
	}
}

static void event_field_print_text(struct trace_seq *s, const void *record,
				   unsigned int record_size, const void *data)
{
	u32 loc = get_unaligned((const u32 *)data);
	unsigned int offset = loc & 0xffff, len = loc >> 16;

	/* The inject file lets users write any data_loc. */
	if (!len || offset + len > record_size)
		trace_seq_puts(s, "(fault)");
	else
		trace_seq_printf(s, "\"%.*s\"", len, (const char *)record + offset);
}

static void event_field_print_number(struct trace_seq *s, const struct value_type *type,
				     const void *data)
{
	u64 number = event_field_number(data, type->size, type->kind == VALUE_SIGNED);

	switch (type->kind) {
	case VALUE_SIGNED:
		trace_seq_printf(s, "%lld", number);
		break;
	case VALUE_HEX:
		trace_seq_printf(s, "0x%llx", number);
		break;
	case VALUE_CHAR:
		trace_seq_printf(s, "'%c'", (char)number);
		break;
	case VALUE_SYMBOL:
		trace_seq_printf(s, "%pS", (void *)(unsigned long)number);
		break;
	default:
		trace_seq_printf(s, "%llu", number);
	}
}

static void event_field_print_element(struct trace_seq *s, const struct value_type *type,
				      const void *record, unsigned int record_size,
				      const void *data)
{
	if (value_type_is_text(type))
		event_field_print_text(s, record, record_size, data);
	else
		event_field_print_number(s, type, data);
}

static void event_field_print(struct trace_seq *s, const struct event_field *field,
			      const void *record, unsigned int record_size, const void *data)
{
	const struct value_type *type = field->value.value;
	unsigned int i;

	if (!field->value.count) {
		event_field_print_element(s, type, record, record_size, data);
		return;
	}
	for (i = 0; i < field->value.count; i++) {
		trace_seq_putc(s, i ? ',' : '{');
		event_field_print_element(s, type, record, record_size, data + i * type->size);
	}
	trace_seq_putc(s, '}');
}

static u64 event_fields_faults(const struct event_fields *fields, const void *record,
			       unsigned int record_size)
{
	if (!fields->fault || record_size < fields->end)
		return 0;
	return get_unaligned((const u64 *)(record + fields->fault));
}

/* Fields 63 and up share a bit; only the all-zero ones among them are treated as faulted. */
static bool event_field_is_faulted(const struct event_field *field, unsigned int nr, u64 faults,
				   const void *data)
{
	if (value_type_is_text(field->value.value) || !(faults & event_field_bit(nr)))
		return false;
	return nr < 63 || !memchr_inv(data, 0, field->size);
}

/**
 * event_fields_print() - write the fields of a record, each with its name
 * @s: where to write
 * @fields: the fields
 * @record: the record
 * @record_size: bytes of the record
 *
 * Context: any.
 */
void event_fields_print(struct trace_seq *s, const struct event_fields *fields,
			const void *record, unsigned int record_size)
{
	u64 faults = event_fields_faults(fields, record, record_size);
	const struct event_field *field;
	const void *data;
	unsigned int i;

	for (i = 0; i < fields->nr; i++) {
		field = &fields->field[i];
		data = record + field->offset;
		trace_seq_printf(s, " %s=", field->name);
		if (event_field_is_faulted(field, i, faults, data))
			trace_seq_puts(s, "(fault)");
		else
			event_field_print(s, field, record, record_size, data);
	}
}
